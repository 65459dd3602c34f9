"""Positions to play a case in: layouts that are reached by legal placements, and hands to hold.

A case tells what matters ("a placement that earns 15", "6 and 2 are open"); the rest of the
position is found here by search, so that the case itself is played by the engine.
"""

import heapq
from collections.abc import Callable, Iterator
from itertools import count
from typing import Final

from muggins_cli.vectors.faults import CaseError, Fault
from muggins_rules import End, MatchState, Phase, Placement, RuleSet, kernel
from muggins_rules.layout import EMPTY_LAYOUT, TableLayout, lay_tile
from muggins_rules.placing import orientations
from muggins_rules.state import RoundState
from muggins_rules.tiles import TILES, codes_of_mask

__all__ = [
    "ALL_TILES",
    "in_play",
    "layout_that_earns",
    "layout_with_open_values",
    "tiles_worth",
]

ALL_TILES: Final = (1 << len(TILES)) - 1
_MOST_LAYOUTS: Final = 20_000
_VALUE_WEIGHT: Final = 4

Distance = Callable[[int], int]
"""How far the kernel's word of a layout is from the one that is looked for; 0: found."""


def in_play(
    rule_set: RuleSet,
    scores: tuple[int, ...],
    hands: tuple[int, ...],
    boneyard: tuple[int, ...],
    layout: TableLayout,
    turn: int,
) -> MatchState:
    """A match in which it is a seat's turn in a round with that table; `hands` are masks."""
    table = RoundState(turn, hands, boneyard, None, layout, turn)
    have_scored = tuple(score > 0 for score in scores)
    return MatchState(
        rule_set, len(hands), Phase.PLAYING, scores, have_scored, round=1, table=table
    )


def layout_that_earns(rule_set: RuleSet, points: int) -> TableLayout:
    """A layout whose last placement is worth so many points, in the rule set's unit."""
    divisor = rule_set.scoring.points_divisor
    wanted = points * divisor

    def distance(word: int) -> int:
        counted = kernel.count_of(word)
        if points:
            return abs(counted - wanted) + 1 if kernel.is_empty(word) else abs(counted - wanted)
        return 1 if kernel.is_empty(word) or kernel.points_of(counted, divisor) else 0

    found = None
    if points >= 0 and kernel.points_of(wanted, divisor) == points:
        found = _layout(rule_set, ALL_TILES, distance)
    if found is None:
        raise CaseError(Fault.IMPOSSIBLE_POSITION, f"no placement found that earns {points}")
    return found


def layout_with_open_values(rule_set: RuleSet, values: set[int], tiles: int) -> TableLayout:
    """A layout of some of the tiles of a mask on which exactly these numbers can be matched."""
    wanted = sum(1 << value for value in values)

    def distance(word: int) -> int:
        if kernel.is_empty(word):
            return _VALUE_WEIGHT * len(values)
        return _VALUE_WEIGHT * (kernel.open_values(word) ^ wanted).bit_count()

    found = _layout(rule_set, tiles, distance)
    if found is None:
        open_values = ", ".join(map(str, sorted(values)))
        raise CaseError(Fault.IMPOSSIBLE_POSITION, f"no layout found with {open_values} open")
    return found


def tiles_worth(pips: int, tiles: int) -> int | None:
    """Some tiles of a mask with so many pips, the fewest first tried; none when there are none."""
    codes = sorted(codes_of_mask(tiles), key=lambda code: -TILES[code].pips)
    return _summing_to(pips, codes, 0)


def _summing_to(pips: int, codes: list[int], start: int) -> int | None:
    if pips == 0:
        return 0
    for index in range(start, len(codes)):
        worth = TILES[codes[index]].pips
        if 0 < worth <= pips:
            rest = _summing_to(pips - worth, codes, index + 1)
            if rest is not None:
                return rest | 1 << codes[index]
    return None


def _layout(rule_set: RuleSet, tiles: int, distance: Distance) -> TableLayout | None:
    """The layout at distance 0 that a best-first search finds, near ones with few tiles first."""
    return _searched(rule_set, tiles, distance, alike=True) or _searched(
        rule_set, tiles, distance, alike=False
    )


def _searched(
    rule_set: RuleSet, tiles: int, distance: Distance, *, alike: bool
) -> TableLayout | None:
    """One search; `alike` takes layouts of different tiles with equal ends for one, to go deep."""
    order = count()
    waiting = [(0, next(order), EMPTY_LAYOUT)]
    seen: set[tuple[int, int]] = set()
    while waiting and len(seen) < _MOST_LAYOUTS:
        _, _, layout = heapq.heappop(waiting)
        if distance(layout.word) == 0:
            return layout
        for after in _layouts_after(rule_set, tiles, layout):
            position = (after.word, 0 if alike else after.laid)
            if position not in seen:
                seen.add(position)
                cost = distance(after.word) + 2 * len(after.placements)
                heapq.heappush(waiting, (cost, next(order), after))
    return None


def _layouts_after(rule_set: RuleSet, tiles: int, layout: TableLayout) -> Iterator[TableLayout]:
    rule = rule_set.layout.spinner
    for code in codes_of_mask(kernel.legal_tiles(layout.word, tiles & ~layout.laid)):
        tile = TILES[code]
        ends: list[End | None] = [end for end, value in layout.attach_points if value in tile]
        for way in orientations(layout, tile, rule):
            for end in ends or [None]:
                yield lay_tile(layout, Placement(tile, end, way), rule)
