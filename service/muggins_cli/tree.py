"""A layout as a tree: which tile was joined where, and what each open end is marked with."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from muggins_rules import AttachPoint, Contribution, End, Orientation, Placement, Port, Tile

__all__ = [
    "OPEN_MARK",
    "UNKNOWN_MARK",
    "LayoutTree",
    "far_end",
    "layout_tree",
    "lies_across",
    "near_value",
]

OPEN_MARK: Final = "*"
"""An end that is open and adds nothing to the count."""

UNKNOWN_MARK: Final = "(?)"
"""An end while it is not told what it adds."""


@dataclass(frozen=True, slots=True)
class LayoutTree:
    """The opening tile, what is joined to each end, and the marks of the open ends."""

    opening: Placement
    newest: Tile
    joined: dict[End, Placement]
    marks: dict[End, str]

    def arm(self, end: End) -> Iterator[Placement]:
        """The tiles of the arm that begins at an end, without the branches on it."""
        while (placement := self.joined.get(end)) is not None:
            yield placement
            end = far_end(placement)

    def mark_of_arm(self, end: End) -> str:
        """The mark at the end of an arm; empty where no tile may go there."""
        for placement in self.arm(end):
            end = far_end(placement)
        return self.marks.get(end, "")


def layout_tree(
    placements: Sequence[Placement],
    attach_points: Iterable[AttachPoint],
    contributions: Iterable[Contribution] | None,
) -> LayoutTree:
    """The tree of one placement or more; without `contributions` what the ends add is unknown."""
    opening, *later = placements
    joined = {placement.at: placement for placement in later if placement.at is not None}
    return LayoutTree(opening, placements[-1].tile, joined, _marks(attach_points, contributions))


def near_value(placement: Placement) -> int:
    """The number on the half that touches what the tile was joined to."""
    assert placement.at is not None, "the opening tile touches nothing"
    (low, high), port = placement.at.tile, placement.at.port
    return high if port is Port.HIGH else low


def far_end(placement: Placement) -> End:
    """The end of a joined tile that goes on with the arm."""
    tile = placement.tile
    if tile.is_double:
        return End(tile, Port.LINE_B)
    return End(tile, Port.HIGH if near_value(placement) == tile.low else Port.LOW)


def lies_across(placement: Placement) -> bool:
    """True for a double laid across its arm."""
    return placement.tile.is_double and placement.orientation is not Orientation.ENDWISE


def _marks(
    attach_points: Iterable[AttachPoint], contributions: Iterable[Contribution] | None
) -> dict[End, str]:
    """A double that counts once for several ends has its number at the first of them alone."""
    if contributions is None:
        return {point.end: UNKNOWN_MARK for point in attach_points}
    left = list(contributions)
    marks = {}
    for end, value in sorted(attach_points, key=_rank):
        counted = next(
            (
                part
                for part in left
                if part.tile == end.tile and (end.tile.is_double or part.value == value)
            ),
            None,
        )
        if counted is None:
            marks[end] = OPEN_MARK
        else:
            left.remove(counted)
            marks[end] = f"({counted.value})"
    return marks


def _rank(point: AttachPoint) -> tuple[bool, int]:
    port = point.end.port
    return port.is_branch, -port
