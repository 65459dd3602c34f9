"""Which placements are accepted, and the first reason against the others."""

from typing import Final

from muggins_rules.layout import TableLayout
from muggins_rules.places import End, Orientation, Placement
from muggins_rules.refusal import IllegalAction, Refusal
from muggins_rules.ruleset import RuleSet, SpinnerRule
from muggins_rules.state import RoundState
from muggins_rules.tiles import Tile, is_tile
from muggins_rules.turn import fitting

__all__ = ["check_placement", "orientations", "placement_refusal"]

_BOTH_WAYS: Final = (Orientation.CROSSWISE, Orientation.ENDWISE)
_NO_CHOICE: Final = (None,)


def check_placement(rule_set: RuleSet, table: RoundState, seat: int, placement: Placement) -> None:
    """Raise IllegalAction unless the seat on turn may make the placement."""
    refusal = _tile_refusal(rule_set, table, seat, placement.tile) or placement_refusal(
        table.layout, placement, rule_set.layout.spinner
    )
    if refusal is not None:
        raise IllegalAction(refusal)


def placement_refusal(
    layout: TableLayout, placement: Placement, rule: SpinnerRule
) -> Refusal | None:
    """The first reason against putting a tile, whoever holds it, on a layout; none if it fits."""
    return _place_refusal(layout, placement, rule) or _orientation_refusal(layout, placement, rule)


def orientations(
    layout: TableLayout, tile: Tile, rule: SpinnerRule
) -> tuple[Orientation | None, ...]:
    """The orientations in which a tile that fits can be laid; absent where there is no choice."""
    return _BOTH_WAYS if _has_choice(layout, tile, rule) else _NO_CHOICE


def _has_choice(layout: TableLayout, tile: Tile, rule: SpinnerRule) -> bool:
    return layout.first_double is None and tile[0] == tile[1] and rule.chooses_orientation


def _tile_refusal(rule_set: RuleSet, table: RoundState, seat: int, tile: Tile) -> Refusal | None:
    if not is_tile(tile, rule_set.deal.highest_pip):
        return Refusal.MALFORMED_TILE
    code = tile.code
    if not table.hands[seat] >> code & 1:
        return Refusal.TILE_NOT_IN_HAND
    if table.drawn is not None and code != table.drawn and fitting(table, seat):
        return Refusal.MUST_PLAY_DRAWN
    if table.must_lead is not None and code != table.must_lead:
        return Refusal.MUST_LEAD_HIGHEST_DOUBLE
    return None


def _place_refusal(layout: TableLayout, placement: Placement, rule: SpinnerRule) -> Refusal | None:
    tile, at, _ = placement
    if at is None:
        return Refusal.MISSING_PLACE if layout.placements else None
    for end, value in layout.attach_points:
        if end == at:
            return None if value in tile else Refusal.NO_MATCH
    return _end_refusal(layout, at, rule)


def _end_refusal(layout: TableLayout, at: End, rule: SpinnerRule) -> Refusal:
    """Why a place is no attach point. On an empty table every place is one too many."""
    if not layout.placements:
        return Refusal.PLACE_ON_EMPTY_TABLE
    joined, port = at
    if not is_tile(joined) or not layout.laid >> joined.code & 1:
        return Refusal.NO_SUCH_TILE_ON_TABLE
    if joined.is_double == port.is_half:
        return Refusal.NO_SUCH_PORT
    if not port.is_branch:
        return Refusal.END_OCCUPIED
    if not (rule.every_double or (rule.branches and joined == layout.first_double)):
        return Refusal.NOT_A_SPINNER
    return Refusal.END_OCCUPIED if _is_joined(layout, at) else Refusal.BRANCH_CLOSED


def _is_joined(layout: TableLayout, at: End) -> bool:
    return any(placement.at == at for placement in layout.placements)


def _orientation_refusal(
    layout: TableLayout, placement: Placement, rule: SpinnerRule
) -> Refusal | None:
    tile, _, orientation = placement
    match orientation:
        case None:
            return Refusal.ORIENTATION_REQUIRED if _has_choice(layout, tile, rule) else None
        case Orientation.CROSSWISE:
            return None if tile.is_double else Refusal.ORIENTATION_NOT_ALLOWED
        case Orientation.ENDWISE:
            return None if _has_choice(layout, tile, rule) else Refusal.ORIENTATION_NOT_ALLOWED
