"""What one run of the engine hands to the store: a record of each match it decided about."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from muggins_rules.views import PUBLIC, Viewer
from muggins_service.matches.founding import Founding
from muggins_service.matches.outcome import Job
from muggins_service.matches.slot import Slot
from muggins_service.store.port import Append
from muggins_service.table.commands import CreateMatch, FindMatch
from muggins_service.table.drafting import Draft
from muggins_service.table.record import Actor, ActorKind, Record, SeatKey
from muggins_service.table.state import finished
from muggins_service.wire.notices import notices_of

__all__ = ["FOUNDING", "Batch", "Pending"]

FOUNDING: Final = (CreateMatch, FindMatch)
"""Commands that name no match: a retry of one is found by its request id alone."""


@dataclass(slots=True, eq=False)
class Pending:
    """A record on its way to the store, and whose answer waits for it."""

    job: Job | None
    slot: Slot
    append: Append
    seat: int | None
    founding: Founding | None = None
    rematch_id: str = ""

    @property
    def record(self) -> Record:
        """The record."""
        return self.append.record

    @property
    def viewer(self) -> Viewer:
        """As whom the caller sees the answer."""
        return PUBLIC if self.seat is None else self.seat


class Batch:
    """The records of one run, and the names that its new matches have taken.

    A job that needs a name already taken waits for the next run.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self.pending: list[Pending] = []
        self.taken: set[Hashable] = set()

    def add_record(
        self,
        slot: Slot,
        draft: Draft,
        job: Job,
        actor: Actor,
        digest: bytes,
        seat: int | None = None,
        keys: tuple[SeatKey, ...] = (),
    ) -> None:
        """Add what a job drafted at a match that there is; `seat` is the caller's."""
        entries = tuple(draft.entries)
        record = Record(
            entries[-1].sequence,
            entries,
            job.request_id,
            digest,
            actor,
            draft.now_us,
            None,
            keys,
            job.hint,
        )
        append = _append(slot, draft, slot.table.version, record, job)
        self.pending.append(Pending(job, slot, append, seat))

    def add_founding(self, slot: Slot, founding: Founding, job: Job | None, digest: bytes) -> None:
        """Add the first record of a new match; a rematch is founded without a job of its own."""
        draft, seat = founding.draft, founding.seat
        actor = Actor(ActorKind.HOST) if seat is None else Actor(ActorKind.PLAYER, seat)
        record = Record(
            draft.entries[-1].sequence,
            tuple(draft.entries),
            "" if job is None else job.request_id,
            digest,
            actor,
            draft.now_us,
            founding.secrets,
            founding.keys,
        )
        append = _append(slot, draft, 0, record, job)
        self.pending.append(Pending(job, slot, append, seat, founding))


def _append(
    slot: Slot, draft: Draft, expected_version: int, record: Record, job: Job | None
) -> Append:
    """The append of a record that the slot expects from now on."""
    table = finished(draft.table, record)
    data = slot.expect(table, record)
    return Append(
        slot.match_id,
        expected_version,
        record,
        data,
        table.status,
        job is not None and isinstance(job.command, FOUNDING),
        notices_of(table, record),
    )
