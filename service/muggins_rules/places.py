"""Places on the table: where a tile lies, where the next may go and what is counted."""

from enum import IntEnum
from typing import Final, NamedTuple

from muggins_rules.tiles import Tile

__all__ = ["AttachPoint", "Contribution", "Count", "End", "Orientation", "Placement", "Port"]


class Port(IntEnum):
    """A side of a tile that another tile can be joined to; never renamed once laid.

    A non-double has `LOW` and `HIGH`. A double has `LINE_A` and `LINE_B` on the axis of the
    line and, when it is a spinner, `BRANCH_A` and `BRANCH_B` across it. A double laid on an end
    is joined by its `LINE_A`.
    """

    LOW = 1
    HIGH = 2
    LINE_A = 3
    LINE_B = 4
    BRANCH_A = 5
    BRANCH_B = 6

    @property
    def is_half(self) -> bool:
        """True for a half of a non-double."""
        return self <= Port.HIGH

    @property
    def is_branch(self) -> bool:
        """True for a side across the line."""
        return self >= Port.BRANCH_A


PORT_NAMES: Final = {
    Port.LOW: "low",
    Port.HIGH: "high",
    Port.LINE_A: "lineA",
    Port.LINE_B: "lineB",
    Port.BRANCH_A: "branchA",
    Port.BRANCH_B: "branchB",
}
"""Ports as notation and vectors write them."""


class Orientation(IntEnum):
    """How a double lies: across the line, or in line with it (the sniff only)."""

    CROSSWISE = 1
    ENDWISE = 2


class End(NamedTuple):
    """A port of a tile on the table."""

    tile: Tile
    port: Port


class AttachPoint(NamedTuple):
    """An end where a tile may go now, and the number it must show."""

    end: End
    value: int


class Contribution(NamedTuple):
    """What one tile adds to the count; a tile can contribute twice (each half of a sole tile)."""

    tile: Tile
    value: int


class Placement(NamedTuple):
    """A tile put on the table; `at` is absent for the opening tile."""

    tile: Tile
    at: End | None = None
    orientation: Orientation | None = None


class Count(NamedTuple):
    """The working of a count: its sum, what was added up, and the points it is worth.

    `points` are in the unit of the rule set. They are what the placement scores, house rules
    applied; under calling they are what may be claimed.
    """

    sum: int
    contributions: tuple[Contribution, ...]
    points: int
