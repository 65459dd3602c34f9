"""A sheet of characters on which tiles are drawn one beside the other, never one over another."""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

__all__ = ["Heading", "Point", "Sheet", "Spot"]


class Point(NamedTuple):
    """A character's place: columns to the right, rows downwards."""

    x: int
    y: int


class Heading(Enum):
    """A direction on the sheet, as steps in columns and rows."""

    EAST = (1, 0)
    WEST = (-1, 0)
    NORTH = (0, -1)
    SOUTH = (0, 1)

    @property
    def is_level(self) -> bool:
        """True for east and west."""
        return self.value[1] == 0

    @property
    def reverse(self) -> "Heading":
        """The opposite direction."""
        dx, dy = self.value
        return Heading((-dx, -dy))


class Spot(NamedTuple):
    """Where a tile is drawn: its middle, and how far it reaches from there."""

    middle: Point
    reach_x: int
    reach_y: int

    def beyond(self, heading: Heading) -> Point:
        """The first place outside the tile in a direction."""
        dx, dy = heading.value
        x, y = self.middle
        return Point(x + dx * (self.reach_x + 1), y + dy * (self.reach_y + 1))


class Sheet:
    """Characters by place."""

    def __init__(self) -> None:
        self._cells: dict[Point, str] = {}

    def copy(self) -> "Sheet":
        """Another sheet with the same characters."""
        other = Sheet()
        other._cells = dict(self._cells)
        return other

    @property
    def width(self) -> int:
        """Columns in use."""
        columns = [x for x, _ in self._cells]
        return max(columns) - min(columns) + 1

    @property
    def height(self) -> int:
        """Rows in use."""
        rows = [y for _, y in self._cells]
        return max(rows) - min(rows) + 1

    @property
    def first_column(self) -> int:
        """The leftmost column in use."""
        return min(x for x, _ in self._cells)

    def write(self, at: Point, text: str) -> bool:
        """Write a text from a place to the right; false where something stands there."""
        places = [Point(at.x + column, at.y) for column in range(len(text))]
        if any(place in self._cells for place in places):
            return False
        self._cells.update(zip(places, text, strict=True))
        return True

    def write_mark(self, at: Point, text: str, heading: Heading) -> bool:
        """Write a text that begins at a place and goes on in a direction."""
        length = len(text)
        shift = {Heading.EAST: 0, Heading.WEST: 1 - length}.get(heading, -((length - 1) // 2))
        return self.write(Point(at.x + shift, at.y), text)

    def write_tile(
        self,
        at: Point,
        heading: Heading,
        values: tuple[int, int],
        *,
        across: bool,
        newest: bool,
    ) -> Spot | None:
        """Draw a tile from a place on in a direction, its near value first; none on a clash."""
        dx, dy = heading.value
        level = heading.is_level is not across
        reach_x, reach_y = (2, 0) if level else (1, 1)
        spot = Spot(Point(at.x + dx * reach_x, at.y + dy * reach_y), reach_x, reach_y)
        first, second = values if heading in {Heading.EAST, Heading.SOUTH} else values[::-1]
        opening, closing = "{}" if newest else "[]"
        left, top = spot.middle.x - reach_x, spot.middle.y - reach_y
        inside = [f"{first}|{second}"] if level else [str(first), "-", str(second)]
        for row, text in enumerate(inside):
            if not self.write(Point(left, top + row), f"{opening}{text}{closing}"):
                return None
        return spot

    def lines(self, first_column: int, columns: int) -> Iterator[str]:
        """The rows of some columns, from the first row in use to the last."""
        rows = [y for x, y in self._cells if first_column <= x < first_column + columns]
        for y in range(min(rows), max(rows) + 1):
            row = (
                self._cells.get(Point(x, y), " ")
                for x in range(first_column, first_column + columns)
            )
            yield "".join(row).rstrip()

    def row_of(self, y: int, first_column: int, columns: int) -> int:
        """The number of the row `y` among `lines` of the same columns."""
        return y - min(row for x, row in self._cells if first_column <= x < first_column + columns)
