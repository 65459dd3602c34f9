"""Every action that is accepted now: complete and in a fixed order."""

from functools import cache

from muggins_rules.actions import Action, Draw, Pass, Place
from muggins_rules.layout import TableLayout, lay_tile, value_at
from muggins_rules.places import End, Orientation, Placement
from muggins_rules.placing import orientations
from muggins_rules.ruleset import SpinnerRule
from muggins_rules.state import MatchState
from muggins_rules.tiles import TILES, codes_of_mask
from muggins_rules.turn import drawable, fitting, outcome_of
from muggins_rules.views import LegalAction, Phase

__all__ = ["legal_actions", "legal_outcomes"]

_DRAW = (Draw(),)
_PASS = (Pass(),)


def legal_actions(state: MatchState) -> tuple[Action, ...]:
    """What the seat on turn may do; empty when no seat is.

    Placements are sorted by tile, then in the order of the attach points, crosswise first. Each
    may also carry a claim under calling, and `Draw` may go on until a tile fits; claims and calls
    belong to other seats' rights and are told by the view.
    """
    table = state.table
    if state.phase is not Phase.PLAYING or table is None or table.turn is None:
        return ()
    mask = fitting(table, table.turn)
    if not mask:
        return _DRAW if drawable(state.rule_set, table) else _PASS
    layout = table.layout
    if layout.first_double is None:
        rule = state.rule_set.layout.spinner
        if rule.chooses_orientation:
            return _with_orientations(layout, mask, rule)
    by_end = [_places_at(end) for end, _ in layout.attach_points] or [_places_at(None)]
    found: list[Action] = []
    for code in codes_of_mask(mask):
        for places in by_end:
            place = places[code]
            if place is not None:
                found.append(place)
    return tuple(found)


@cache
def _places_at(end: End | None, orientation: Orientation | None = None) -> tuple[Place | None, ...]:
    """The placements at an end, or that open, by the tile's code; made once and shared."""
    value = None if end is None else value_at(*end)
    return tuple(
        Place(Placement(tile, end, orientation)) if value is None or value in tile else None
        for tile in TILES
    )


def _with_orientations(layout: TableLayout, mask: int, rule: SpinnerRule) -> tuple[Action, ...]:
    """The placements while a first double may be laid either way."""
    ends: tuple[End | None, ...] = tuple(end for end, _ in layout.attach_points) or (None,)
    found = []
    for code in codes_of_mask(mask):
        ways = orientations(layout, TILES[code], rule)
        found += [_places_at(end, way)[code] for end in ends for way in ways]
    return tuple(place for place in found if place is not None)


def legal_outcomes(state: MatchState) -> tuple[LegalAction, ...]:
    """The legal actions, each placement with what it would count and score.

    Under calling the outcomes are left out: announcing them is the player's own task.
    """
    table = state.table
    actions = legal_actions(state)
    if table is None or table.turn is None or state.rule_set.calling:
        return tuple(LegalAction(action) for action in actions)
    rule = state.rule_set.layout.spinner
    return tuple(
        LegalAction(
            action,
            outcome_of(state, table.turn, lay_tile(table.layout, action.placement, rule))
            if isinstance(action, Place)
            else None,
        )
        for action in actions
    )
