"""What a seat or the public knows, built up from nothing."""

from dataclasses import dataclass
from enum import IntEnum

from muggins_rules.actions import Action
from muggins_rules.events import Event
from muggins_rules.places import AttachPoint, Count
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import Tile

__all__ = ["PUBLIC", "LegalAction", "OpenWindow", "Phase", "PublicView", "SeatView", "Viewer"]

Viewer = int | None
"""A seat, or the public."""

PUBLIC: Viewer = None
"""The viewer without a seat."""


class Phase(IntEnum):
    """Where a match stands."""

    NOT_STARTED = 0
    PLAYING = 1
    ROUND_OVER = 2
    OVER = 3


@dataclass(frozen=True, slots=True)
class LegalAction:
    """An action that is accepted now, and what its placement would count and score.

    `outcome` is absent for draws and passes, and for placements under calling.
    """

    action: Action
    outcome: Count | None = None


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """The claim window after the round's `placement`-th placement, by `mover`."""

    mover: int
    placement: int
    claimed: int | None
    called: bool


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everyone at the table and around it sees.

    `hand_sizes` is by seat, `scores` by side. `count` is absent on an empty table and, under
    calling, while the window is open. `round_events` are those of the current round as the
    public saw them.
    """

    rule_set: RuleSet
    seats: int
    phase: Phase
    round: int
    scores: tuple[int, ...]
    seat_to_act: int | None
    hand_sizes: tuple[int, ...]
    boneyard: int
    attach_points: tuple[AttachPoint, ...]
    count: Count | None
    window: OpenWindow | None
    round_events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What the player in a seat knows: the table, its hand and the round as it saw it.

    `table.round_events` is empty here: `round_events` tells the same facts with the seat's own
    draws. `past` holds earlier rounds in the same form, oldest first, where they were asked for.
    """

    table: PublicView
    seat: int
    hand: tuple[Tile, ...]
    legal_actions: tuple[LegalAction, ...]
    may_claim: bool
    may_call: bool
    round_events: tuple[Event, ...]
    past: tuple[tuple[Event, ...], ...] = ()
