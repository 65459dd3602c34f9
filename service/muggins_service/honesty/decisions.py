"""The decisions of opponents and stand-ins in a record, with what each was asked with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache
from itertools import accumulate

from muggins_rules.events import Event, MatchEnded, MugginsCalled
from muggins_rules.replaying import ENDED_OUTSIDE_THE_RULES, InconsistentEvents, replayed
from muggins_service.opponents.past import Rounds, last_rounds
from muggins_service.table.facts import (
    ACTED,
    Cause,
    Entry,
    Fact,
    MatchCreated,
    TableFact,
)
from muggins_service.table.record import NOT_GIVEN_OUT, Record
from muggins_service.table.state import Table, open_table, with_entry

__all__ = ["Decision", "Decisions", "read_decisions"]


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of an opponent or a stand-in, and what it was asked with.

    `acts` are the facts that it brought about by itself, in record form, and `sequences` theirs.
    `level` is that of whoever acts for the seat, empty where nobody but its player does. `table` is
    the match before the decision. `secret` is the round's, empty where the record does not tell it.
    `past` are the last rounds before it, in record form.
    """

    sequences: tuple[int, ...]
    acts: tuple[Event, ...]
    seat: int
    level: str
    engine: str
    table: Table
    secret: bytes
    past: Rounds

    @property
    def sequence(self) -> int:
        """The sequence of its first fact, by which it is named."""
        return self.sequences[0]

    @property
    def can_be_asked_for(self) -> bool:
        """True when a round was in play and an opponent or a stand-in acted for the seat."""
        return bool(self.level) and self.table.game.table is not None

    @property
    def is_call(self) -> bool:
        """True where it was asked whether to call, and not what to do."""
        return isinstance(self.acts[0], MugginsCalled)


@dataclass(frozen=True, slots=True)
class Decisions:
    """All that was done for seats without their players.

    `fallbacks` and `timeouts` count the moves that say that they are a fallback or a timer's,
    `unnamed` those in the seat of an opponent or a stand-in for which no engine is named.
    `broken_at` is the sequence from which on nothing is read, since the record does not follow from
    what comes before it by the rules; absent where all of it does.
    """

    made: tuple[Decision, ...] = ()
    fallbacks: int = 0
    timeouts: int = 0
    unnamed: int = 0
    broken_at: int | None = None


class _Kind(Enum):
    ENGINE = auto()
    FALLBACK = auto()
    TIMEOUT = auto()
    UNNAMED = auto()


def read_decisions(match_id: str, records: Sequence[Record]) -> Decisions:
    """The decisions of a whole match, each as one record tells it."""
    lawful, broken_at = _lawful(records)
    secrets = {entry.round: entry.secret for entry in _entries(records) if entry.secret}
    past = cache(lambda number: last_rounds(lawful, number))
    made: list[Decision] = []
    counted: list[_Kind] = []
    for before, record, kinds in _told(match_id, lawful):
        entries = [
            entry for entry, kind in zip(record.entries, kinds, strict=True) if kind is _Kind.ENGINE
        ]
        counted += {kind for kind in kinds if kind is not None}
        if not entries:
            continue
        acts = [entry.fact for entry in entries if isinstance(entry.fact, ACTED)]
        number, seat = before.game.round, acts[0].seat
        made.append(
            Decision(
                tuple(entry.sequence for entry in entries),
                tuple(acts),
                seat,
                before.seats[seat].acting_level,
                entries[0].engine,
                before,
                secrets.get(number, b""),
                past(number),
            )
        )
    return Decisions(
        tuple(made),
        counted.count(_Kind.FALLBACK),
        counted.count(_Kind.TIMEOUT),
        counted.count(_Kind.UNNAMED),
        broken_at,
    )


def _told(
    match_id: str, records: Sequence[Record]
) -> Iterator[tuple[Table, Record, list[_Kind | None]]]:
    """The table before each record, the record, and whose doing each of its entries is."""
    if not records:
        return
    first, *others = records
    opening = replace(first, entries=first.entries[:1], match_secrets=NOT_GIVEN_OUT)
    table = open_table(match_id, opening)
    for record in (replace(first, entries=first.entries[1:]), *others):
        before = table
        kinds = []
        for entry in record.entries:
            kinds.append(_kind_of(entry, table))
            table = with_entry(table, entry)
        yield before, record, kinds


def _kind_of(entry: Entry, table: Table) -> _Kind | None:
    """Whose doing an entry is, where it is not a player's and does not follow by itself."""
    fact = entry.fact
    if not isinstance(fact, ACTED):
        return None
    match entry.cause:
        case Cause.FALLBACK:
            return _Kind.FALLBACK
        case Cause.TIMEOUT:
            return _Kind.TIMEOUT
        case Cause.OPPONENT | Cause.TAKEOVER if entry.engine:
            return _Kind.ENGINE
        case Cause.OPPONENT | Cause.TAKEOVER:
            return _Kind.UNNAMED
        case _:
            return _Kind.UNNAMED if table.seats[fact.seat].acting_level else None


def _lawful(records: Sequence[Record]) -> tuple[tuple[Record, ...], int | None]:
    """The entries before the first that cannot be, in their records, and its sequence, if any.

    Only these may be folded: `evolve` takes facts as they stand.
    """
    entries = _entries(records)
    created = entries[0].fact if entries else None
    if not isinstance(created, MatchCreated):
        return (), 1
    seats = created.seats
    possible = 1
    while possible < len(entries) and _is_possible(entries[possible].fact, seats):
        possible += 1
    facts = [
        (place, entry.fact)
        for place, entry in enumerate(entries[:possible])
        if not isinstance(entry.fact, TableFact)
    ]
    told = [fact for _, fact in facts]
    if told and _is_end_from_outside(told[-1]):
        # Nothing is decided after it, and what it tells is not for the rules to say.
        told.pop()
    try:
        replayed(created.rule_set, seats, told)
    except InconsistentEvents as broken:
        # Where the facts stop in the middle of an action, what is told of it can still be.
        if broken.index < len(told):
            possible = facts[broken.index][0]
    except ValueError:
        return (), 1
    broken_at = entries[possible].sequence if possible < len(entries) else None
    ends = accumulate(len(record.entries) for record in records)
    cut = tuple(
        replace(record, entries=record.entries[: max(0, len(record.entries) - (end - possible))])
        if end > possible
        else record
        for record, end in zip(records, ends, strict=True)
    )
    return tuple(record for record in cut if record.entries), broken_at


def _is_possible(fact: Fact, seats: int) -> bool:
    """Whether a fact can stand after the first: it names a seat of the table, if any."""
    return not isinstance(fact, MatchCreated) and getattr(fact, "seat", 0) < seats


def _is_end_from_outside(fact: Event) -> bool:
    return isinstance(fact, MatchEnded) and fact.reason in ENDED_OUTSIDE_THE_RULES


def _entries(records: Sequence[Record]) -> list[Entry]:
    return [entry for record in records for entry in record.entries]
