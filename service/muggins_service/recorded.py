"""The decisions of a finished match from its export: what each seat knew, and each seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from muggins_rules.actions import Action
from muggins_rules.events import MugginsCalled
from muggins_rules.fair_deal.encoding import SECRET_BYTES
from muggins_rules.replaying import action_behind
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from muggins_service.opponents.past import Rounds, last_rounds, rounds_seen
from muggins_service.opponents.questions import decision_seed
from muggins_service.table.facts import ACTED, Cause, Entry, TableFact
from muggins_service.table.record import NOT_GIVEN_OUT, Record
from muggins_service.table.state import Table, open_table, with_record
from muggins_service.wire.match_records import ExportedMatch

__all__ = ["RecordedDecision", "decision_at", "decisions_of"]


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """What a seat decided, at the entry that followed.

    `at` is the place of its fact among all facts of the game, from 0. `table` is as it stood
    before, and `past` are the earlier rounds that a view may hold. `level` is that of the opponent
    or stand-in, empty for a player; `seed` is absent for players, for calls, and where the round's
    secret was not told.
    """

    entry: Entry
    at: int
    seat: int
    action: Action
    table: Table
    past: Rounds
    level: str
    seed: bytes | None

    def view(self) -> SeatView:
        """What the seat knew, with the earlier rounds."""
        past = rounds_seen(self.past, self.table, self.seat)
        return seat_view(self.table.game, self.seat, past)


def decisions_of(match: ExportedMatch) -> Iterator[RecordedDecision]:
    """Every decision of a match in order; what a seat had done for it by itself is none."""
    secrets = {
        entry.round: entry.secret for entry in match.entries if len(entry.secret) == SECRET_BYTES
    }
    past = cache(lambda number: last_rounds(match.records, number))
    first, *later = match.records
    table = open_table(match.match_id, replace(first, match_secrets=NOT_GIVEN_OUT))
    at = len(_facts(first.entries))
    for record in later:
        made = _made(record)
        if made is not None:
            before = at + len(_facts(record.entries[:made]))
            yield _decision(made, before, record, table, past(table.game.round), secrets)
        at += len(_facts(record.entries))
        table = with_record(table, record)


def decision_at(match: ExportedMatch, sequence: int) -> RecordedDecision | None:
    """The decision that a sequence names; none where there is no such."""
    return next((made for made in decisions_of(match) if made.entry.sequence == sequence), None)


def _facts(entries: Sequence[Entry]) -> list[Entry]:
    """The facts of the game among some entries."""
    return [entry for entry in entries if not isinstance(entry.fact, TableFact)]


def _made(record: Record) -> int | None:
    """The place in a record of what somebody decided."""
    for place, entry in enumerate(record.entries):
        if isinstance(entry.fact, ACTED):
            return None if entry.cause is Cause.SEAT_OPTION else place
    return None


def _decision(
    made: int,
    at: int,
    record: Record,
    table: Table,
    past: Rounds,
    secrets: dict[int, bytes],
) -> RecordedDecision:
    entry = record.entries[made]
    after = record.entries[made + 1].fact if made + 1 < len(record.entries) else None
    assert not isinstance(entry.fact, TableFact), "somebody acted"
    behind = action_behind(entry.fact, None if isinstance(after, TableFact) else after)
    assert behind is not None, "these facts follow from actions"
    seat, action = behind
    number = table.game.round
    level = _level(entry, table, seat)
    seed = None
    if level and number in secrets and not isinstance(entry.fact, MugginsCalled):
        seed = decision_seed(secrets[number], table, seat)
    return RecordedDecision(entry, at, seat, action, table, past, level, seed)


def _level(entry: Entry, table: Table, seat: int) -> str:
    """The level that decided, or should have where a fallback did; empty for a player."""
    if entry.cause in {Cause.UNSPECIFIED, Cause.PLAYER}:
        return ""
    acting = table.seats[seat].acting_level
    return acting or table.created.options.takeover_level
