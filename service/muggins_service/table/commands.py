"""What can be asked of a match: by its players, its host and its opponents."""

from dataclasses import dataclass

from muggins_rules.actions import Action
from muggins_rules.ruleset import RuleSet
from muggins_service.table.facts import Cause, HintStep, MatchOptions, SeatOptions

__all__ = [
    "Act",
    "AgreeToEnd",
    "Cancel",
    "Command",
    "CreateMatch",
    "FillSeat",
    "FindMatch",
    "FreeSeat",
    "JoinMatch",
    "LeaveMatch",
    "Rematch",
    "Resign",
    "RevealNonce",
    "SeatFill",
    "SetSeatOptions",
    "ShowHint",
    "StartMatch",
    "Tick",
]


@dataclass(frozen=True, slots=True)
class SeatFill:
    """A seat to be given to an opponent of a level."""

    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """Open a table. `test_seed` is absent or 32 bytes that take the place of chance."""

    rule_set: RuleSet
    seats: int
    options: MatchOptions
    host_secret: bytes
    fills: tuple[SeatFill, ...] = ()
    test_seed: bytes | None = None


@dataclass(frozen=True, slots=True)
class JoinMatch:
    """Take a seat, the lowest open one where none is named, or take one's own back."""

    name: str
    seat_secret: bytes
    seat: int | None = None
    nonce_commitment: bytes = b""
    invite_code: str = ""


@dataclass(frozen=True, slots=True)
class FindMatch:
    """Take an open seat of some match of a game, or open a table where there is none."""

    rule_set: RuleSet
    seats: int
    name: str
    seat_secret: bytes
    host_secret: bytes
    nonce_commitment: bytes = b""


@dataclass(frozen=True, slots=True)
class RevealNonce:
    """Open the commitment of one's seat."""

    nonce: bytes


@dataclass(frozen=True, slots=True)
class SetSeatOptions:
    """Choose what is done for one's seat."""

    options: SeatOptions


@dataclass(frozen=True, slots=True)
class LeaveMatch:
    """Give up one's seat; once play is near, a stand-in goes on for it."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up the match for one's seat, for good."""


@dataclass(frozen=True, slots=True)
class AgreeToEnd:
    """Propose to end the match as it stands, or agree to it."""


@dataclass(frozen=True, slots=True)
class ShowHint:
    """Be given a hint for one's own turn; what it says is no part of the match."""

    step: HintStep


@dataclass(frozen=True, slots=True)
class StartMatch:
    """Begin play, by the host."""


@dataclass(frozen=True, slots=True)
class FillSeat:
    """Give a free seat to an opponent, by the host."""

    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """Take a seat from whoever holds it, before play begins, by the host."""

    seat: int


@dataclass(frozen=True, slots=True)
class Cancel:
    """End the match, by the host."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Open another table like this one after the match has ended, by the host."""


@dataclass(frozen=True, slots=True)
class Act:
    """An action of the game for a seat.

    A `Call` names the sequence of the placement called. `cause` and `engine` tell who chose.
    """

    seat: int
    action: Action
    cause: Cause = Cause.PLAYER
    engine: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: do what is due, such as closing a claim window.

    `away` is the seat on turn, where its player has been away for as long as the table allows.
    """

    away: int | None = None


Command = (
    CreateMatch
    | JoinMatch
    | FindMatch
    | RevealNonce
    | SetSeatOptions
    | LeaveMatch
    | Resign
    | AgreeToEnd
    | ShowHint
    | StartMatch
    | FillSeat
    | FreeSeat
    | Cancel
    | Rematch
    | Act
    | Tick
)
"""Anything that can be asked of a match."""
