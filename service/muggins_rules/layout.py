"""The tiles on the table: contributions and attach points as two lists, and the kernel's word."""

from functools import cache
from typing import Final, NamedTuple

from muggins_rules import kernel
from muggins_rules.places import AttachPoint, Contribution, End, Orientation, Placement, Port
from muggins_rules.ruleset import RuleSet, SpinnerRule
from muggins_rules.tiles import MAX_PIP, TILES, Tile

__all__ = [
    "EMPTY_LAYOUT",
    "TableLayout",
    "contributions_of",
    "kernel_flags",
    "lay_tile",
    "move_word",
    "restored_layout",
    "spinners_of",
    "value_at",
]

_FLAGS: Final = {
    SpinnerRule.NONE: 0,
    SpinnerRule.FIRST_DOUBLE: kernel.FIRST_BRANCHES,
    SpinnerRule.EVERY_DOUBLE: kernel.EVERY_BRANCHES,
    SpinnerRule.SNIFF: kernel.FIRST_BRANCHES | kernel.ENDWISE_ALLOWED,
    SpinnerRule.SNIFF_US: kernel.FIRST_BRANCHES | kernel.FREE_SIDES_COUNT,
}


# A member of an enumeration is looked up afresh each time it is named (Python 3.11): too slow for
# what every placement does.
_HIGH: Final = Port.HIGH
_LINE_A: Final = Port.LINE_A
_LINE_B: Final = Port.LINE_B
_ENDWISE: Final = Orientation.ENDWISE
_NONE: Final = SpinnerRule.NONE
_EVERY_DOUBLE: Final = SpinnerRule.EVERY_DOUBLE
_SNIFF_US: Final = SpinnerRule.SNIFF_US
_BRANCHES: Final = (Port.BRANCH_A, Port.BRANCH_B)

_CONTRIBUTIONS: Final = {
    tile: tuple(Contribution(tile, value) for value in range(2 * MAX_PIP + 1)) for tile in TILES
}
"""Contributions by tile and value, made once and shared."""


class TableLayout(NamedTuple):
    """Tiles on the table in order of placement, and what follows from them.

    `attach_points` is where a tile may go, counted or not; `contributions` is what is added up.
    `word` is the same position for the kernel. `laid` is the mask of the tiles on the table.
    """

    placements: tuple[Placement, ...]
    attach_points: tuple[AttachPoint, ...]
    contributions: tuple[Contribution, ...]
    word: int
    laid: int
    first_double: Tile | None
    endwise: Tile | None
    """The first double where it lies endwise."""

    @property
    def count(self) -> int:  # type: ignore[override]  # the table's word, not the tuple's method
        """The sum of the contributions."""
        return kernel.count_of(self.word)


EMPTY_LAYOUT: Final = TableLayout((), (), (), kernel.EMPTY_TABLE, 0, None, None)
"""A table without tiles."""


def kernel_flags(rule_set: RuleSet) -> int:
    """The kernel's rule flags of a rule set."""
    return _FLAGS[rule_set.layout.spinner]


def spinners_of(layout: TableLayout, rule: SpinnerRule) -> tuple[Tile, ...]:
    """The doubles on the table that branch now or later in the round, in order of placement."""
    if rule.every_double:
        return tuple(p.tile for p in layout.placements if p.tile.is_double)
    if rule.branches and layout.first_double is not None:
        return (layout.first_double,)
    return ()


def move_word(placement: Placement) -> int:
    """The kernel's move for a placement."""
    tile, at, orientation = placement
    endwise = 1 if orientation is _ENDWISE else 0
    if at is None:
        return kernel.move_of(tile.code, kernel.OPENING, 0, endwise)
    joined, port = at
    on_double = 0 if port <= _HIGH else 1
    return kernel.move_of(tile.code, value_at(joined, port), on_double, endwise)


def value_at(tile: Tile, port: Port) -> int:
    """The number that a port of a tile shows."""
    low, high = tile
    return high if port is _HIGH else low


def lay_tile(layout: TableLayout, placement: Placement, rule: SpinnerRule) -> TableLayout:
    """The layout after a legal placement."""
    tile, at, orientation = placement
    placements, points, _, word, laid, first_double, endwise = layout
    move, mask, free_ends = _laying(placement)
    if at is None:
        points = free_ends
    else:
        opened = _opened_branches(layout, at, rule) if at[1] > _HIGH else ()
        points = (*[point for point in points if point[0] != at], *opened, *free_ends)
    if first_double is None and tile[0] == tile[1]:
        first_double = tile
    if orientation is _ENDWISE:
        endwise = tile
    return TableLayout(
        (*placements, placement),
        points,
        contributions_of(points, endwise=endwise, free_sides_count=rule is _SNIFF_US),
        kernel.lay(word, move, _FLAGS[rule]),
        laid | mask,
        first_double,
        endwise,
    )


def contributions_of(
    attach_points: tuple[AttachPoint, ...], *, endwise: Tile | None, free_sides_count: bool
) -> tuple[Contribution, ...]:
    """What is added up, end by end; a sole crosswise double is one entry of twice its number."""
    found = []
    doubled = None
    for (tile, port), value in attach_points:
        if port <= _HIGH:
            found.append(_CONTRIBUTIONS[tile][value])
        elif port <= _LINE_B:
            if tile == endwise:
                found.append(_CONTRIBUTIONS[tile][value])
            elif tile != doubled:
                doubled = tile
                found.append(_CONTRIBUTIONS[tile][2 * value])
        elif free_sides_count:
            if tile == doubled:
                found[-1] = _CONTRIBUTIONS[tile][2 * value]
            else:
                doubled = tile
                found.append(_CONTRIBUTIONS[tile][value])
    return tuple(found)


def restored_layout(
    layout: TableLayout,
    placement: Placement,
    attach_points: tuple[AttachPoint, ...],
    contributions: tuple[Contribution, ...],
) -> TableLayout:
    """The layout after a placement whose outcome is known, taken from a stored event."""
    tile, _, orientation = placement
    placements, _, _, _, laid, first_double, endwise = layout
    if first_double is None and tile[0] == tile[1]:
        first_double = tile
    if orientation is _ENDWISE:
        endwise = tile
    return TableLayout(
        (*placements, placement),
        attach_points,
        contributions,
        _word_of(attach_points, contributions, first_double, endwise),
        laid | 1 << tile.code,
        first_double,
        endwise,
    )


class _Laying(NamedTuple):
    """What a placement means on every layout that accepts it."""

    move: int  # the kernel's
    mask: int  # of the tile
    free_ends: tuple[AttachPoint, ...]


@cache
def _laying(placement: Placement) -> _Laying:
    code = placement.tile.code
    low, high = tile = TILES[code]
    both = (_LINE_A, _LINE_B) if low == high else (Port.LOW, _HIGH)
    ports: tuple[Port, ...] = both
    if placement.at is not None:
        joins_low = value_at(*placement.at) == low
        ports = (both[1],) if joins_low else (both[0],)
    free_ends = tuple(AttachPoint(End(tile, port), value_at(tile, port)) for port in ports)
    return _Laying(move_word(placement), 1 << code, free_ends)


def _opened_branches(layout: TableLayout, at: End, rule: SpinnerRule) -> tuple[AttachPoint, ...]:
    """The short sides that open when `at`, the last free line side of a spinner, is used."""
    double, port = at
    if port > _LINE_B or rule is _NONE:
        return ()
    if rule is not _EVERY_DOUBLE and double != layout.first_double:
        return ()
    if any(end.tile == double and end.port != port for end, _ in layout.attach_points):
        return ()
    return tuple(AttachPoint(End(double, branch), double.low) for branch in _BRANCHES)


def _word_of(
    attach_points: tuple[AttachPoint, ...],
    contributions: tuple[Contribution, ...],
    first_double: Tile | None,
    endwise: Tile | None,
) -> int:
    """The kernel's word of a position, from its two lists alone."""
    count = 0
    for _, value in contributions:
        count += value
    word = count << 42 | (7 if first_double is None else first_double[0]) << 50
    for (tile, port), value in attach_points:
        if port <= _HIGH:
            word += 1 << 6 * value
        else:
            shift = 6 * value + 3
            state = word >> shift & 7
            word ^= (state ^ _state_with(state, port, endwise=tile == endwise)) << shift
    return word


def _state_with(state: int, port: Port, *, endwise: bool) -> int:
    """The kernel's state of a double with one more free side than `state`."""
    if port > _LINE_B:
        return 3 if state else 4
    if endwise:
        return 6 if state else 7
    return 1 if state else 2
