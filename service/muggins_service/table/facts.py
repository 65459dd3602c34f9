"""What happens around a match's table, beside the facts of the rules, and the entry of each."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from muggins_rules.events import (
    Event,
    MugginsCalled,
    PointsClaimed,
    SeatPassed,
    TileDrawn,
    TilePlayed,
)
from muggins_rules.ruleset import RuleSet

__all__ = [
    "ACTED",
    "Cause",
    "EndAgreed",
    "Entry",
    "Fact",
    "HintShown",
    "HintStep",
    "MadeFor",
    "MatchCreated",
    "MatchOptions",
    "MatchStarted",
    "NonceRevealed",
    "OpponentPace",
    "RematchCreated",
    "SeatLeft",
    "SeatOptions",
    "SeatOptionsSet",
    "SeatResigned",
    "SeatTaken",
    "TakeoverChanged",
    "TurnTiming",
    "WindowTiming",
]


class Cause(IntEnum):
    """Who or what brought a fact about."""

    UNSPECIFIED = 0
    PLAYER = 1
    OPPONENT = 2
    FALLBACK = 3
    TIMEOUT = 4
    TAKEOVER = 5
    SEAT_OPTION = 6
    HOST = 7


class HintStep(IntEnum):
    """How much a hint tells."""

    IDEA = 1
    TILE = 2
    PLACE = 3


class OpponentPace(IntEnum):
    """How quickly opponents and stand-ins act."""

    INSTANT = 1
    HUMAN = 2


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """How a table is run. Durations are in microseconds; 0: no limit of that kind.

    `time_bank_us` is each seat's for the whole match. `absence_limit` counts a seat's turns that
    were ended by the turn limit, `takeover_after_us` is how long the player on turn may be away.
    """

    turn_limit_us: int = 0
    takeover_level: str = ""
    hints: bool = False
    observer_delay_moves: int = 0
    claim_window_us: int = 0
    private: bool = False
    starts_when_full: bool = False
    opponent_pace: OpponentPace = OpponentPace.INSTANT
    time_bank_us: int = 0
    absence_limit: int = 0
    takeover_after_us: int = 0


@dataclass(frozen=True, slots=True)
class SeatOptions:
    """What is done for a seat by itself."""

    draws: bool = False
    passes: bool = False
    single_moves: bool = False


@dataclass(frozen=True, slots=True)
class MatchCreated:
    """A table was opened under a rule set, its deals fixed by the anchor."""

    rule_set: RuleSet
    seats: int
    fairness_anchor: bytes
    options: MatchOptions
    seeded_for_test: bool = False
    rematch_of: str = ""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player sat down, or with a level an opponent did."""

    seat: int
    name: str
    level: str = ""
    nonce_commitment: bytes = b""


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat became free before the match started."""

    seat: int


@dataclass(frozen=True, slots=True)
class TakeoverChanged:
    """A stand-in took over a seat, or gave it back."""

    seat: int
    bot_plays: bool
    level: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """Play began; `nonces` are by seat, empty where there is none."""

    nonces: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class NonceRevealed:
    """A seat opened its commitment."""

    seat: int
    nonce: bytes


@dataclass(frozen=True, slots=True)
class SeatOptionsSet:
    """A seat chose what is done for it."""

    seat: int
    options: SeatOptions


@dataclass(frozen=True, slots=True)
class RematchCreated:
    """The table goes on as another match."""

    match_id: str


@dataclass(frozen=True, slots=True)
class SeatResigned:
    """A seat's player gave up the match for good."""

    seat: int


@dataclass(frozen=True, slots=True)
class EndAgreed:
    """A seat's player would end the match as it stands; the first to say so proposes it."""

    seat: int
    proposes: bool


@dataclass(frozen=True, slots=True)
class HintShown:
    """A seat was given a hint, which the table sees."""

    seat: int
    step: HintStep


TableFact = (
    MatchCreated
    | SeatTaken
    | SeatLeft
    | TakeoverChanged
    | MatchStarted
    | NonceRevealed
    | SeatOptionsSet
    | RematchCreated
    | SeatResigned
    | EndAgreed
    | HintShown
)
"""A fact of the table."""

Fact = TableFact | Event
"""A fact of the table or of the rules."""


ACTED: Final = (TilePlayed, TileDrawn, SeatPassed, PointsClaimed, MugginsCalled)
"""Facts that somebody brought about; the others of a round follow from them by the rules."""


@dataclass(frozen=True, slots=True)
class TurnTiming:
    """When a turn may and must be taken, in microseconds since the epoch; 0: no bound.

    `bank_left_us` is the seat's time bank as the turn begins; it is the end of the time that lasts
    up to the deadline.
    """

    deadline_us: int = 0
    time_left_us: int = 0
    not_before_us: int = 0
    bank_left_us: int = 0


@dataclass(frozen=True, slots=True)
class WindowTiming:
    """From when the next seat may close a claim window, and when it closes by itself."""

    not_before_us: int
    closes_at_us: int


MOST_SEQUENCES: Final = 1_000
"""Moves made for a seat that a result names; those after them it only counts."""


@dataclass(frozen=True, slots=True)
class MadeFor:
    """Moves of a seat that its holder did not make: how many, by cause, and their sequences."""

    by_timeout: int = 0
    by_takeover: int = 0
    by_fallback: int = 0
    sequences: tuple[int, ...] = ()

    def with_move(self, cause: Cause, sequence: int) -> "MadeFor":
        """One more, by time-out, takeover or fallback."""
        sequences = self.sequences
        if len(sequences) < MOST_SEQUENCES:
            sequences = (*sequences, sequence)
        return MadeFor(
            self.by_timeout + (cause is Cause.TIMEOUT),
            self.by_takeover + (cause is Cause.TAKEOVER),
            self.by_fallback + (cause is Cause.FALLBACK),
            sequences,
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A fact with its place in the match's log.

    `time_us` is microseconds since the epoch. `engine` names the opponent that chose a move.
    `timing` belongs to TurnStarted and TilePlayed, `secret` (of the round) to RoundEnded and
    MatchEnded, `placement_sequence` (of the placement called) to MugginsCalled and
    `stand_in_moves` and `made_for` (both by seat) to MatchEnded.
    """

    sequence: int
    time_us: int
    round: int
    cause: Cause
    fact: Fact
    engine: str = ""
    timing: TurnTiming | WindowTiming | None = None
    secret: bytes = b""
    placement_sequence: int = 0
    stand_in_moves: tuple[int, ...] = ()
    made_for: tuple[MadeFor, ...] = ()
