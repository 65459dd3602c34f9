"""One match under a clock that a test sets: what the engine and the opponents do, without waiting.

Commands go the way of the engine, and records through the slot. What is due without a command is
done by `pass_time`: ticks, and the moves of opponents, stand-ins and timers, which are the first
legal action.
"""

from asyncio import Future
from typing import Any, Final, cast

from muggins_rules import RuleSet, preset
from muggins_rules.fair_deal import Chain
from muggins_service.matches.absence import absent_seat, look_again_us
from muggins_service.matches.founding import Founder
from muggins_service.matches.handling import authenticate, check_version, draft_job
from muggins_service.matches.outcome import Job
from muggins_service.matches.slot import Slot
from muggins_service.opponents.questions import choosing_view
from muggins_service.opponents.turns import claiming_turn, fallback_choice, next_turn
from muggins_service.store.port import Stored
from muggins_service.table.commands import (
    Act,
    Command,
    CreateMatch,
    JoinMatch,
    SeatFill,
    StartMatch,
    Tick,
)
from muggins_service.table.drafting import Draft
from muggins_service.table.facts import Entry, Fact, MatchOptions
from muggins_service.table.policy import SECOND_US, TablePolicy
from muggins_service.table.record import Actor, ActorKind, Record, SeatKey
from muggins_service.table.state import Table, finished, open_table, with_record
from muggins_service.table.timing import NEVER_US, next_tick_us
from muggins_service.wire.records import decode_record

__all__ = ["HOST", "Clockwork", "secret_of"]

HOST: Final = b"h" * 32
START_US: Final = 1_750_000_000 * SECOND_US
LEVELS: Final = ("random", "greedy", "greedy_plus")


def secret_of(seat: int) -> bytes:
    """The secret of a seat's player."""
    return bytes([seat + 1]) * 32


class Clockwork:
    """A match and its time. `entries` are all of its log."""

    def __init__(
        self,
        rule_set: RuleSet | str = "muggins",
        seats: int = 2,
        *,
        opponents: tuple[int, ...] = (),
        policy: TablePolicy | None = None,
        seed: int = 0,
        **options: Any,  # noqa: ANN401 - those of MatchOptions
    ) -> None:
        self.policy = policy or TablePolicy()
        self.now_us = START_US
        self.records: list[Record] = []
        self.actors: list[int] = []
        self._stored: list[bytes] = []
        rules = preset(rule_set) if isinstance(rule_set, str) else rule_set
        founder = Founder(self.policy, LEVELS, lambda count: bytes([seed]) * count, test_seeds=True)
        command = CreateMatch(
            rules,
            seats,
            MatchOptions(**options),
            HOST,
            tuple(SeatFill(seat, "greedy") for seat in opponents),
            seed.to_bytes(32, "big"),
        )
        founding = founder.create(command, (), self.now_us)
        self.chain: Chain = founding.chain
        self.slot = Slot(founding.match_id, founding.chain, lambda _: None)
        self._store(founding.draft, Actor(ActorKind.HOST), (), founding.secrets)

    @property
    def table(self) -> Table:
        """The match as it is."""
        return self.slot.table

    @property
    def entries(self) -> list[Entry]:
        """Its log."""
        return [entry for record in self.records for entry in record.entries]

    def facts(self, kind: type[Fact]) -> list[Entry]:
        """The entries of one kind."""
        return [entry for entry in self.entries if isinstance(entry.fact, kind)]

    def sit(self, seat: int, nonce_commitment: bytes = b"") -> None:
        """A player takes a seat."""
        self.give(JoinMatch("Ana", secret_of(seat), seat, nonce_commitment), None)

    def begin(self) -> None:
        """Players take all free seats, and the host starts."""
        for seat, held in enumerate(self.table.seats):
            if held.occupant.name == "NOBODY":
                self.sit(seat)
        self.give(StartMatch(), None, host=True)

    def give(self, command: Command, seat: int | None, *, host: bool = False) -> None:
        """A command of a seat's player, of the host, or of nobody.

        Raises:
            ServiceError: it is refused.
        """
        key = None if seat is None else secret_of(seat)
        self._do(command, seat_secret=key, host_secret=HOST if host else None)
        if seat is not None:
            self.slot.hear(seat, self.now_us)

    def act(self, seat: int | None = None) -> None:
        """A player's first legal action, of the seat on turn unless another is named."""
        seat = self.table.seat_to_act if seat is None else seat
        assert seat is not None, "somebody is to act"
        self.give(Act(seat, self.first_action(seat)), seat)

    def first_action(self, seat: int) -> Any:  # noqa: ANN401 - an Action
        """What a fallback would do for a seat."""
        return fallback_choice(choosing_view(self.table, seat, "greedy", ())).action

    def wait(self, seconds: float) -> None:
        """Let time pass in which nothing is due."""
        self.now_us += round(seconds * SECOND_US)

    def pass_time(self, until_us: int = NEVER_US, most: int = 100_000) -> None:
        """Do all that is due by itself up to a time, or until the match is over."""
        for _ in range(most):
            if self.table.is_over or not self._next(until_us):
                if until_us < NEVER_US:
                    self.now_us = max(self.now_us, until_us)
                return
        raise AssertionError("there is always more to do by itself")

    def refolded(self) -> Table:
        """The table that follows from the stored bytes alone."""
        records = [decode_record(data) for data in self._stored]
        table = open_table(self.table.match_id, records[0])
        for record in records[1:]:
            table = with_record(table, record)
        return table

    def _next(self, until_us: int) -> bool:
        """Do the first thing that is due; False when there is none by then."""
        table, slot = self.table, self.slot
        tick_us = next_tick_us(table, self.policy, self.now_us)
        tick_us = min(tick_us, max(look_again_us(slot, self.now_us, 0), self.now_us))
        turn = claiming_turn(table) or next_turn(table, self.policy)
        turn_us = NEVER_US if turn is None else max(turn.from_us, self.now_us)
        due_us = min(tick_us, turn_us)
        if due_us > until_us or due_us == NEVER_US:
            return False
        self.now_us = max(self.now_us, due_us)
        if turn is None or tick_us < turn_us:
            self._do(Tick(absent_seat(slot, self.now_us, 0)))
        else:
            act = Act(turn.seat, self.first_action(turn.seat), turn.cause, "greedy-1")
            self._do(act, trusted=True)
        return True

    def _do(
        self,
        command: Command,
        *,
        seat_secret: bytes | None = None,
        host_secret: bytes | None = None,
        trusted: bool = False,
    ) -> None:
        job = Job(
            command,
            cast("Future[Any]", None),
            self.slot.match_id,
            seat_secret=seat_secret,
            host_secret=host_secret,
            trusted=trusted,
        )
        caller = authenticate(job, self.table)
        check_version(job, self.table)
        draft = Draft(self.table, self.now_us, self.policy, self.chain.secret)
        caller, keys = draft_job(job, caller, draft)
        if draft.entries:
            self._store(draft, caller.actor, keys)

    def _store(
        self,
        draft: Draft,
        actor: Actor,
        keys: tuple[SeatKey, ...],
        secrets: Any = None,  # noqa: ANN401
    ) -> None:
        entries = tuple(draft.entries)
        record = Record(entries[-1].sequence, entries, "", b"", actor, self.now_us, secrets, keys)
        data = self.slot.expect(finished(draft.table, record), record)
        self.records.append(record)
        self._stored.append(data)
        self.slot.on_stored(Stored(record.version, data, record))
