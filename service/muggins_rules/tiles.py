"""Domino tiles, their codes and sets of them as bit masks.

A tile's code is its place among the 28 tiles of the double-six set ordered by (low, high):
0-0 is 0, 0-1 is 1, ... 6-6 is 27. Smaller sets use the same codes, so a mask means the same
tiles whatever the set.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

__all__ = [
    "MAX_PIP",
    "PIPS",
    "SET_CODES",
    "TILES",
    "TILE_COUNT",
    "Tile",
    "code_of",
    "codes_of_mask",
    "is_tile",
    "mask_of",
    "pips_of",
    "pips_of_mask",
    "tile_of",
    "tiles_of_mask",
]

MAX_PIP: Final = 6
"""Highest pip of the largest set played with, the double-six."""

TILE_COUNT: Final = 28
"""Tiles of the double-six set."""


class Tile(NamedTuple):
    """A domino with two halves of 0 to 6 pips, `low <= high`."""

    low: int
    high: int

    @property
    def code(self) -> int:
        """Place of the tile among the 28, 0..27."""
        return _CODES[self]

    @property
    def is_double(self) -> bool:
        """True when both halves show the same number."""
        return self.low == self.high

    @property
    def pips(self) -> int:
        """Sum of both halves, 0..12."""
        return self.low + self.high


TILES: Final = tuple(
    Tile(low, high) for low in range(MAX_PIP + 1) for high in range(low, MAX_PIP + 1)
)
"""The 28 tiles by code."""

_CODES: Final = {tile: code for code, tile in enumerate(TILES)}

PIPS: Final = tuple(low + high for low, high in TILES)
"""Pips of each tile by code."""

SET_CODES: Final = tuple(
    tuple(code for code, tile in enumerate(TILES) if tile.high <= highest)
    for highest in range(MAX_PIP + 1)
)
"""Codes of the set whose highest pip is the index, ascending."""


def tile_of(code: int) -> Tile:
    """The tile with a code of 0..27."""
    return TILES[code]


def code_of(low: int, high: int) -> int:
    """The code of the tile with these halves in either order; KeyError when there is none."""
    return _CODES[Tile(low, high) if low <= high else Tile(high, low)]


def is_tile(tile: Tile, highest_pip: int = MAX_PIP) -> bool:
    """True when a pair of numbers is a tile of the set with that highest pip."""
    return tile in _CODES and tile.high <= highest_pip


def pips_of(code: int) -> int:
    """Pips of the tile with a code of 0..27."""
    return PIPS[code]


def codes_of_mask(mask: int) -> Iterator[int]:
    """Codes of the tiles in a 28-bit mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(tiles: Iterable[Tile]) -> int:
    """The 28-bit mask of some tiles; bit `tile.code` is set for each."""
    mask = 0
    for tile in tiles:
        mask |= 1 << _CODES[tile]
    return mask


def tiles_of_mask(mask: int) -> tuple[Tile, ...]:
    """The tiles in a 28-bit mask in ascending order of code."""
    return tuple([TILES[code] for code in codes_of_mask(mask)])


def pips_of_mask(mask: int) -> int:
    """Pips of all tiles in a 28-bit mask."""
    total = 0
    for code in codes_of_mask(mask):
        total += PIPS[code]
    return total
