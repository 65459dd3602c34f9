"""What happened: facts in the past tense, one shape for record, seat and public.

The record holds every field. A field that a viewer may not see is absent in what that viewer is
shown, never zero; `project` does the taking away.
"""

from dataclasses import dataclass
from enum import StrEnum

from muggins_rules.places import AttachPoint, Count, Placement
from muggins_rules.tiles import Tile

__all__ = [
    "ClaimWindowClosed",
    "Credit",
    "EndReason",
    "Event",
    "LotDrawn",
    "MatchEnded",
    "MugginsCalled",
    "PointsClaimed",
    "RoundDealt",
    "RoundEnded",
    "SeatPassed",
    "Settlement",
    "ShownHand",
    "TileDrawn",
    "TilePlayed",
    "TurnStarted",
]


class EndReason(StrEnum):
    """Why a match ended."""

    TARGET_REACHED = "target_reached"
    ROUND_LIMIT = "round_limit"
    CANCELLED = "cancelled"
    ABANDONED = "abandoned"
    EXPIRED = "expired"
    RESIGNED = "resigned"
    AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class LotDrawn:
    """A seat was dealt a tile face up to decide who opens; `attempt` counts from 1."""

    seat: int
    tile: Tile
    attempt: int


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """Hands were dealt and a seat opens.

    `hand` is the viewer's own. `deck` is the shuffled order in the record: seat after seat gets
    its hand from the front, the rest is the boneyard in the order of drawing. `must_lead` is
    the tile the opener has to lead, in the record and for the opener.
    """

    round: int
    opener: int
    hand_sizes: tuple[int, ...]
    boneyard: int
    hand: tuple[Tile, ...] | None = None
    must_lead: Tile | None = None
    deck: tuple[Tile, ...] | None = None


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """It is a seat's turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class TilePlayed:
    """A tile was put on the table as the round's `number`-th, from 1.

    `attach_points` are those after it. Under calling, `count` and `scores` are in the record
    alone until the claim window closes.
    """

    seat: int
    number: int
    placement: Placement
    attach_points: tuple[AttachPoint, ...]
    count: Count | None
    scores: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """A seat took a tile from the boneyard, which it alone sees; so many are left."""

    seat: int
    tile: Tile | None
    boneyard: int


@dataclass(frozen=True, slots=True)
class SeatPassed:
    """A seat had no placement and nothing to draw."""

    seat: int


@dataclass(frozen=True, slots=True)
class PointsClaimed:
    """The mover announced points for its placement."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class MugginsCalled:
    """A seat called the round's `placement`-th placement."""

    seat: int
    placement: int


@dataclass(frozen=True, slots=True)
class Credit:
    """Points given when a claim window closed, to the mover or, `called`, to the caller."""

    side: int
    seat: int
    points: int
    called: bool


@dataclass(frozen=True, slots=True)
class ClaimWindowClosed:
    """The count of the last placement was told and its points credited."""

    count: Count
    credits: tuple[Credit, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShownHand:
    """The tiles a seat still held, ascending, and their pips."""

    seat: int
    tiles: tuple[Tile, ...]
    pips: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """A side's line of the settlement: pips summed, rounded, the change and the score after it.

    `pips` are those that the change comes from: the opponents' for a gain, the side's own for a
    debit, 0 for a side whose score the settlement does not touch. `rounded` is in pips,
    `change` and `score` in the rule set's unit.
    """

    side: int
    pips: int
    rounded: int
    change: int
    score: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A seat went out, or the round was blocked; hands are shown and settled."""

    blocked: bool
    went_out: int | None
    winning_side: int | None
    hands: tuple[ShownHand, ...]
    settlement: tuple[Settlement, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; `hands` are shown when it ended in mid-round."""

    winning_side: int | None
    reason: EndReason
    scores: tuple[int, ...]
    hands: tuple[ShownHand, ...] = ()


Event = (
    LotDrawn
    | RoundDealt
    | TurnStarted
    | TilePlayed
    | TileDrawn
    | SeatPassed
    | PointsClaimed
    | MugginsCalled
    | ClaimWindowClosed
    | RoundEnded
    | MatchEnded
)
"""Any fact of a match."""
