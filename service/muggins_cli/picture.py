"""The tiles on the table as lines of text.

The line runs from left to right. A tile is `[3|4]`, a double across the line stands upright, and
branches leave the line upwards and downwards and then bend along it. An end that counts is
followed by what it counts, `(8)`; an end that is open and adds nothing by `*`. The tile laid last
is in braces, `{3|4}`. Where that does not fit, the arms are listed one by one.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from muggins_cli.sheet import Heading, Point, Sheet, Spot
from muggins_cli.tree import LayoutTree, far_end, layout_tree, lies_across, near_value
from muggins_rules import AttachPoint, Contribution, End, Placement, Port, Tile

__all__ = ["WIDEST", "draw_picture", "list_arms"]

WIDEST: Final = 100
"""Columns of a picture where nothing else is asked for."""

_HIGHEST: Final = 30
_ORIGIN: Final = Point(0, 0)
_GOES_ON: Final = " >"
_COMES_ON: Final = "> "

_Bend = Heading | None

_BENDS: Final[tuple[tuple[_Bend, ...], ...]] = (
    (Heading.EAST, Heading.WEST, None),
    (Heading.WEST, Heading.EAST, None),
    (None, Heading.EAST, Heading.WEST),
)
"""Ways in which upward branches bend, tried one after the other; downward ones are mirrored."""


class _Outlet(NamedTuple):
    """An end of a drawn tile, the place beside it and the direction in which an arm leaves it."""

    end: End
    at: Point
    heading: Heading


class _Drawn(NamedTuple):
    """A sheet with an arm more, the outlets on it and where its tiles are."""

    sheet: Sheet
    outlets: list[_Outlet]
    spots: list[Spot]


def draw_picture(
    placements: Sequence[Placement],
    attach_points: Iterable[AttachPoint],
    contributions: Iterable[Contribution] | None,
    width: int = WIDEST,
) -> tuple[str, ...]:
    """A picture of one placement or more, within a width of 40 columns or more.

    Without `contributions`, as under calling, ends are marked with `(?)`.
    """
    tree = layout_tree(placements, attach_points, contributions)
    for bends in _BENDS:
        drawn = _draw(tree, bends, width)
        if drawn is not None:
            sheet = drawn.sheet
            return tuple(sheet.lines(sheet.first_column, sheet.width))
    if not any(end.port.is_branch for end in tree.joined):
        drawn = _draw(tree, _BENDS[0], len(placements) * len("[0|0]") + width)
        if drawn is not None:
            return tuple(_strips(drawn, width))
    return list_arms(tree, width)


def list_arms(tree: LayoutTree, width: int) -> tuple[str, ...]:
    """The arms of a layout one by one, each with where it begins and the mark at its end."""
    lines: list[str] = []
    waiting = deque(_ends_of(tree.opening))
    while waiting:
        end, side = waiting.popleft()
        arm = list(tree.arm(end))
        mark = tree.mark_of_arm(end)
        if arm or mark:
            tiles = [_as_text(placement, tree.newest) for placement in arm]
            lines += _wrapped(f"{_bracketed(*end.tile)} {side} ", [*tiles, mark], width)
        for placement in arm:
            waiting.extend(_ends_of(placement))
    return tuple(lines)


def _draw(tree: LayoutTree, bends: tuple[_Bend, ...], width: int) -> _Drawn | None:
    """Everything on one sheet; none where it does not fit when branches bend in these ways."""
    sheet = Sheet()
    tile = tree.opening.tile
    across, newest = lies_across(tree.opening), tile == tree.newest
    spot = sheet.write_tile(_ORIGIN, Heading.EAST, tile, across=across, newest=newest)
    assert spot is not None, "the sheet is empty"
    spots = [spot]
    waiting = deque(_outlets(tile, spot, Heading.EAST, opening=True))
    while waiting:
        outlet = waiting.popleft()
        drawn = _arm_drawn(sheet, tree, outlet, bends, width)
        if drawn is None:
            return None
        sheet = drawn.sheet
        spots += drawn.spots
        waiting.extend(drawn.outlets)
    return _Drawn(sheet, [], spots)


def _arm_drawn(
    sheet: Sheet, tree: LayoutTree, outlet: _Outlet, bends: tuple[_Bend, ...], width: int
) -> _Drawn | None:
    """The sheet with an arm in the first of the ways in which it fits."""
    ways: Iterable[_Bend] = (None,)
    if outlet.heading is Heading.NORTH:
        ways = bends
    elif outlet.heading is Heading.SOUTH:
        ways = [bend and bend.reverse for bend in bends]
    for bend in ways:
        drawn = _arm(sheet.copy(), tree, outlet, bend)
        if drawn is not None and drawn.sheet.width <= width and drawn.sheet.height <= _HIGHEST:
            return drawn
    return None


def _arm(sheet: Sheet, tree: LayoutTree, outlet: _Outlet, bend: _Bend) -> _Drawn | None:
    """The sheet with an arm that bends after its first tile; none on a clash."""
    end, at, heading = outlet
    spots: list[Spot] = []
    outlets: list[_Outlet] = []
    for placement in tree.arm(end):
        if spots and bend is not None and heading is not bend:
            # The second tile joins the far half of the first, which stands upright.
            (x, y), reach_x, reach_y = spots[-1]
            at = Point(x + bend.value[0] * (reach_x + 1), y + heading.value[1] * reach_y)
            heading = bend
        tile, near = placement.tile, near_value(placement)
        spot = sheet.write_tile(
            at,
            heading,
            (near, tile.pips - near),
            across=lies_across(placement),
            newest=tile == tree.newest,
        )
        if spot is None:
            return None
        spots.append(spot)
        outlets += _outlets(tile, spot, heading, opening=False)
        end, at = far_end(placement), spot.beyond(heading)
    if (mark := tree.marks.get(end)) and not sheet.write_mark(at, mark, heading):
        return None
    return _Drawn(sheet, outlets, spots)


def _outlets(tile: Tile, spot: Spot, heading: Heading, *, opening: bool) -> Iterator[_Outlet]:
    """Where arms leave a tile, but for the end with which its own arm goes on."""
    if opening:
        ports = (Port.LINE_A, Port.LINE_B) if tile.is_double else (Port.LOW, Port.HIGH)
        for port, way in zip(ports, (heading.reverse, heading), strict=True):
            yield _Outlet(End(tile, port), spot.beyond(way), way)
    if tile.is_double:
        sides = (Heading.NORTH, Heading.SOUTH) if heading.is_level else (Heading.WEST, Heading.EAST)
        for port, way in zip((Port.BRANCH_A, Port.BRANCH_B), sides, strict=True):
            yield _Outlet(End(tile, port), spot.beyond(way), way)


def _strips(drawn: _Drawn, width: int) -> Iterator[str]:
    """A line too long for the width, cut between tiles into strips one below the other."""
    sheet = drawn.sheet
    room = width - len(_GOES_ON) - len(_COMES_ON)
    last = sheet.first_column + sheet.width
    cuts = [*sorted(middle.x - reach_x for middle, reach_x, _ in drawn.spots)[1:], last]
    begin = sheet.first_column
    while begin < last:
        end = max(cut for cut in cuts if begin < cut <= begin + room)
        strip = list(sheet.lines(begin, end - begin))
        middle = sheet.row_of(_ORIGIN.y, begin, end - begin)
        before = _COMES_ON if begin != sheet.first_column else " " * len(_COMES_ON)
        for row, text in enumerate(strip):
            start = before if row == middle else " " * len(before)
            yield (start + text + (_GOES_ON if row == middle and end < last else "")).rstrip()
        begin = end


def _ends_of(placement: Placement) -> list[tuple[End, str]]:
    """The ends of a tile from which arms leave it, and the side each is on."""
    tile = placement.tile
    ends = []
    if placement.at is None:
        ports = (Port.LINE_A, Port.LINE_B) if tile.is_double else (Port.LOW, Port.HIGH)
        ends += [(End(tile, ports[0]), "<"), (End(tile, ports[1]), ">")]
    if tile.is_double:
        ends += [(End(tile, Port.BRANCH_A), "^"), (End(tile, Port.BRANCH_B), "v")]
    return ends


def _as_text(placement: Placement, newest: Tile) -> str:
    near = near_value(placement)
    return _bracketed(near, placement.tile.pips - near, newest=placement.tile == newest)


def _bracketed(first: int, second: int, *, newest: bool = False) -> str:
    return f"{{{first}|{second}}}" if newest else f"[{first}|{second}]"


def _wrapped(label: str, words: Iterable[str], width: int) -> Iterator[str]:
    line, indent = label, " " * len(label)
    for word in words:
        if len(line) + len(word) > width:
            yield line.rstrip()
            line = indent
        line += word
    yield line.rstrip()
