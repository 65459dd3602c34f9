"""The greedy opponents as their definitions read, over layouts and fractions: slow and plain."""

from fractions import Fraction

from muggins_rules.actions import Place
from muggins_rules.layout import TableLayout, lay_tile
from muggins_rules.legal import legal_actions
from muggins_rules.places import Placement
from muggins_rules.placing import orientations
from muggins_rules.state import MatchState
from muggins_rules.tiles import SET_CODES, TILES, Tile

PER_PIP = Fraction(1, 10)


def naive_greedy(state: MatchState) -> Place:
    """The placement with the most points at once; ties: the heavier tile, then the first."""
    values = [
        (Fraction(_points(_after(state, place))), place.placement.tile.pips, place)
        for place in _placements(state)
    ]
    return _first_of_best(values)


def naive_greedy_plus(state: MatchState) -> Place:
    """The placement of the highest value; ties as above."""
    values = [
        (naive_value(state, place), place.placement.tile.pips, place)
        for place in _placements(state)
    ]
    return _first_of_best(values)


def naive_value(state: MatchState, place: Place) -> Fraction:
    """Points at once + pips / 10 - the best reply that the next seat is expected to have."""
    assert state.table is not None
    assert state.table.turn is not None
    after = _after(state, place)
    tile = place.placement.tile
    value = _points(after) + PER_PIP * tile.pips
    hand = state.table.hands[state.table.turn]
    if hand == 1 << tile.code:
        return value
    next_seat = state.rule_set.next_seat(state.table.turn, state.seats)
    held = state.table.hands[next_seat].bit_count()
    unseen = [
        TILES[code]
        for code in SET_CODES[state.rule_set.deal.highest_pip]
        if not (hand | after.laid) >> code & 1
    ]
    replies = sorted((_best_reply(state, after, other) for other in unseen), reverse=True)
    none_better = Fraction(1)
    for passed, points in enumerate(replies):
        chance = Fraction(held, len(unseen) - passed)
        value -= none_better * chance * points
        none_better *= 1 - chance
        if not none_better:
            break
    return value


def _best_reply(state: MatchState, layout: TableLayout, tile: Tile) -> int:
    rule = state.rule_set.layout.spinner
    return max(
        (
            _points(lay_tile(layout, Placement(tile, end, way), rule))
            for end, value in layout.attach_points
            if value in tile
            for way in orientations(layout, tile, rule)
        ),
        default=0,
    )


def _placements(state: MatchState) -> list[Place]:
    return [action for action in legal_actions(state) if isinstance(action, Place)]


def _after(state: MatchState, place: Place) -> TableLayout:
    assert state.table is not None
    return lay_tile(state.table.layout, place.placement, state.rule_set.layout.spinner)


def _points(layout: TableLayout) -> int:
    total = sum(contribution.value for contribution in layout.contributions)
    return total if total > 0 and total % 5 == 0 else 0


def _first_of_best(values: list[tuple[Fraction, int, Place]]) -> Place:
    best = max((value, pips) for value, pips, _ in values)
    return next(place for value, pips, place in values if (value, pips) == best)
