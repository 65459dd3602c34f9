"""A match as the service keeps it: who sits where, what is private, and the game itself."""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, assert_never

from muggins_rules.events import (
    ClaimWindowClosed,
    EndReason,
    Event,
    LotDrawn,
    MatchEnded,
    MugginsCalled,
    PointsClaimed,
    RoundDealt,
    RoundEnded,
    SeatPassed,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.evolving import evolve
from muggins_rules.state import MatchState, new_match
from muggins_service.table.facts import (
    Cause,
    EndAgreed,
    Entry,
    HintShown,
    MadeFor,
    MatchCreated,
    MatchStarted,
    NonceRevealed,
    RematchCreated,
    SeatLeft,
    SeatOptions,
    SeatOptionsSet,
    SeatResigned,
    SeatTaken,
    TakeoverChanged,
    TurnTiming,
    WindowTiming,
)
from muggins_service.table.record import MatchSecrets, Record, SeatKey

__all__ = [
    "DECIDED",
    "Occupant",
    "Seat",
    "Status",
    "Table",
    "bank_left_us",
    "finished",
    "open_table",
    "with_entry",
    "with_record",
]


class Status(IntEnum):
    """Where a match stands for its lobby; ABANDONED: it ended without being decided."""

    OPEN = 1
    PLAYING = 2
    FINISHED = 3
    ABANDONED = 4


DECIDED: Final = frozenset({EndReason.TARGET_REACHED, EndReason.ROUND_LIMIT, EndReason.RESIGNED})
"""Why a match ends that has come to a result."""

NOTHING_BY_ITSELF: Final = SeatOptions()
"""The options of a seat that has chosen none."""


NOTHING_MADE: Final = MadeFor()
"""What was made for a seat whose holder made every move."""

_MADE_FOR: Final = frozenset({Cause.TIMEOUT, Cause.TAKEOVER, Cause.FALLBACK})


class Occupant(IntEnum):
    """Who a seat belongs to."""

    NOBODY = 1
    PLAYER = 2
    OPPONENT = 3


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at the table. `bot_plays`: a stand-in of `stand_in_level` plays for its player.

    `timeouts` counts the turns that the time limit ended, and `bank_used_us` is what is gone of
    the time bank.
    """

    occupant: Occupant = Occupant.NOBODY
    name: str = ""
    level: str = ""
    nonce_commitment: bytes = b""
    nonce: bytes = b""
    options: SeatOptions = NOTHING_BY_ITSELF
    bot_plays: bool = False
    stand_in_level: str = ""
    made_for: MadeFor = NOTHING_MADE
    timeouts: int = 0
    bank_used_us: int = 0
    resigned: bool = False

    @property
    def is_played(self) -> bool:
        """True while a player holds the seat and no stand-in plays for it."""
        return self.occupant is Occupant.PLAYER and not self.bot_plays

    @property
    def acting_level(self) -> str:
        """The level of the opponent or stand-in that acts for the seat; empty for a player."""
        if self.occupant is Occupant.OPPONENT:
            return self.level
        return self.stand_in_level if self.bot_plays else ""


@dataclass(frozen=True, slots=True)
class Table:
    """The state of a match after its record `version`.

    `turn` and `window` are the times of the turn and the claim window in play.
    `placement_sequence` is the sequence of the round's last placement, `filled_us` the time at
    which the last seat was taken, `changed_us` that of the last record. `round_entries` are the
    entries of the current or last round, `past_entries` those of the round before it, kept only
    where somebody learns from them. `end_agreed` are the seats that would end the match as it
    stands, the proposer first.
    """

    match_id: str
    version: int
    created: MatchCreated
    created_us: int
    secrets: MatchSecrets
    seats: tuple[Seat, ...]
    keys: tuple[SeatKey | None, ...]
    game: MatchState
    status: Status = Status.OPEN
    nonces: tuple[bytes, ...] = ()
    turn: TurnTiming | None = None
    window: WindowTiming | None = None
    placement_sequence: int = 0
    filled_us: int = 0
    changed_us: int = 0
    ended_us: int = 0
    ended: MatchEnded | None = None
    stand_in_moves: tuple[int, ...] = ()
    rematch_id: str = ""
    round_entries: tuple[Entry, ...] = ()
    past_entries: tuple[Entry, ...] = ()
    end_agreed: tuple[int, ...] = ()

    @property
    def is_full(self) -> bool:
        """True when every seat belongs to somebody."""
        return all(seat.occupant is not Occupant.NOBODY for seat in self.seats)

    @property
    def is_over(self) -> bool:
        """True once the match has ended in any way."""
        return self.status in {Status.FINISHED, Status.ABANDONED}

    @property
    def seat_to_act(self) -> int | None:
        """The seat whose turn it is."""
        round_state = self.game.table
        return None if round_state is None else round_state.turn


def bank_left_us(table: Table, seat: int) -> int:
    """What a player's seat has left of its time bank; 0 for an opponent's."""
    held = table.seats[seat]
    bank_us = table.created.options.time_bank_us
    return bank_us - held.bank_used_us if bank_us and held.occupant is Occupant.PLAYER else 0


def open_table(match_id: str, record: Record) -> Table:
    """The table that a match's first record opens."""
    first = record.entries[0]
    created, secrets = first.fact, record.match_secrets
    assert isinstance(created, MatchCreated), "a match begins with MatchCreated"
    assert secrets is not None, "the first record holds the match's secrets"
    table = Table(
        match_id,
        first.sequence,
        created,
        first.time_us,
        secrets,
        (Seat(),) * created.seats,
        (None,) * created.seats,
        new_match(created.rule_set, created.seats),
    )
    return _with_entries(table, record, record.entries[1:])


def with_record(table: Table, record: Record) -> Table:
    """The table after one more record."""
    return _with_entries(table, record, record.entries)


def _with_entries(table: Table, record: Record, entries: tuple[Entry, ...]) -> Table:
    for entry in entries:
        table = with_entry(table, entry)
    return finished(table, record)


def finished(table: Table, record: Record) -> Table:
    """The table after all entries of a record, with what belongs to the record as a whole."""
    keys = list(table.keys)
    for key in record.seat_keys:
        keys[key.seat] = key
    return replace(table, version=record.version, changed_us=record.time_us, keys=tuple(keys))


def with_entry(table: Table, entry: Entry) -> Table:
    """The table after one more entry; versions and keys move by record."""
    fact = entry.fact
    match fact:
        case MatchCreated():
            raise AssertionError("a match is created once")
        case SeatTaken(seat, name, level, commitment):
            occupant = Occupant.OPPONENT if level else Occupant.PLAYER
            table = _with_seat(table, seat, Seat(occupant, name, level, commitment))
            return replace(table, filled_us=entry.time_us) if table.is_full else table
        case SeatLeft(seat):
            return _with_seat(_without_key(table, seat), seat, Seat())
        case TakeoverChanged(seat, bot_plays, level):
            held = replace(table.seats[seat], bot_plays=bot_plays, stand_in_level=level)
            return _with_seat(_agreeing_without(table, seat), seat, held)
        case SeatResigned(seat):
            table = _agreeing_without(table, seat)
            return _with_seat(table, seat, replace(table.seats[seat], resigned=True))
        case EndAgreed(seat):
            return replace(table, end_agreed=(*table.end_agreed, seat))
        case NonceRevealed(seat, nonce):
            return _with_seat(table, seat, replace(table.seats[seat], nonce=nonce))
        case SeatOptionsSet(seat, options):
            return _with_seat(table, seat, replace(table.seats[seat], options=options))
        case MatchStarted(nonces):
            return replace(table, status=Status.PLAYING, nonces=nonces)
        case RematchCreated(match_id):
            return replace(table, rematch_id=match_id)
        case HintShown():
            return _with_round_entry(table, entry)
        case _:
            return _with_game_entry(table, entry, fact)


def _with_seat(table: Table, seat: int, after: Seat) -> Table:
    seats = table.seats
    return replace(table, seats=(*seats[:seat], after, *seats[seat + 1 :]))


def _agreeing_without(table: Table, seat: int) -> Table:
    """The table after a seat is none that can agree any more; its own proposal lapses."""
    agreed = table.end_agreed
    if seat not in agreed:
        return table
    left = () if agreed[0] == seat else tuple(other for other in agreed if other != seat)
    return replace(table, end_agreed=left)


def _without_key(table: Table, seat: int) -> Table:
    key = table.keys[seat]
    if key is None:
        return table
    gone = SeatKey(seat, b"", key.epoch)
    return replace(table, keys=(*table.keys[:seat], gone, *table.keys[seat + 1 :]))


def _with_round_entry(table: Table, entry: Entry) -> Table:
    return replace(table, round_entries=(*table.round_entries, entry))


def _with_game_entry(table: Table, entry: Entry, fact: Event) -> Table:
    """The table after a fact of the rules: one `replace`, since this is the path of every move."""
    seats, turn, window = table.seats, table.turn, table.window
    placement_sequence, status = table.placement_sequence, table.status
    ended_us, ended, stand_in_moves = table.ended_us, table.ended, table.stand_in_moves
    entries, past = (*table.round_entries, entry), table.past_entries
    match fact:
        case TilePlayed():
            placement_sequence = entry.sequence
            turn = None
            if isinstance(entry.timing, WindowTiming):
                window = entry.timing
            seats = _after_move(seats, fact.seat, entry, table.turn)
        case TurnStarted():
            turn = entry.timing if isinstance(entry.timing, TurnTiming) else TurnTiming()
        case TileDrawn():
            seats = _after_move(seats, fact.seat, entry, None)
        case SeatPassed():
            turn = None
            seats = _after_move(seats, fact.seat, entry, table.turn)
        case ClaimWindowClosed():
            window = None
        case LotDrawn() | RoundDealt():
            if not table.round_entries or not isinstance(table.round_entries[-1].fact, LotDrawn):
                entries = (entry,)
                past = table.round_entries if any(seat.acting_level for seat in seats) else ()
        case RoundEnded():
            turn = window = None
        case MatchEnded():
            turn = window = None
            ended, ended_us, stand_in_moves = fact, entry.time_us, entry.stand_in_moves
            status = Status.FINISHED if fact.reason in DECIDED else Status.ABANDONED
        case PointsClaimed() | MugginsCalled():
            pass
        case _:
            assert_never(fact)
    return Table(
        table.match_id,
        entry.sequence,
        table.created,
        table.created_us,
        table.secrets,
        seats,
        table.keys,
        evolve(table.game, fact),
        status,
        table.nonces,
        turn,
        window,
        placement_sequence,
        table.filled_us,
        table.changed_us,
        ended_us,
        ended,
        stand_in_moves,
        table.rematch_id,
        entries,
        past,
        _still_agreed(table.end_agreed, fact) if table.end_agreed else (),
    )


def _still_agreed(agreed: tuple[int, ...], fact: Event) -> tuple[int, ...]:
    """A proposal lapses when its proposer moves, and with the round."""
    match fact:
        case TilePlayed(seat) | TileDrawn(seat) | SeatPassed(seat):
            return () if seat == agreed[0] else agreed
        case RoundEnded() | MatchEnded():
            return ()
        case _:
            return agreed


def _after_move(
    seats: tuple[Seat, ...], seat: int, entry: Entry, ended: TurnTiming | None
) -> tuple[Seat, ...]:
    """The seats after a move; `ended` is the turn that it ended, absent after a draw.

    A turn that lasted longer than its limit used up time of the bank. Who is late is a player: an
    opponent or a stand-in is asked whatever its deadline.
    """
    cause = entry.cause
    bank_us = 0 if ended is None else ended.bank_left_us
    if cause not in _MADE_FOR and not bank_us:
        return seats
    held = seats[seat]
    made_for, timeouts, used_us = held.made_for, held.timeouts, held.bank_used_us
    if cause in _MADE_FOR:
        made_for = made_for.with_move(cause, entry.sequence)
        timeouts += held.is_played and ended is not None
    if ended is not None and bank_us:
        late_us = entry.time_us - (ended.deadline_us - bank_us)
        used_us += min(max(late_us, 0), bank_us)
    after = replace(held, made_for=made_for, timeouts=timeouts, bank_used_us=used_us)
    return (*seats[:seat], after, *seats[seat + 1 :])
