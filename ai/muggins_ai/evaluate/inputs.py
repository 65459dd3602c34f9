"""The inputs of the networks that tell of the layout, and the sums of their weights.

An input is on or off. A position is the list of those that are on, as row numbers of a matrix of
weights; the first layer adds these rows. Row 0 is all zero and fills a list up.
"""

from typing import Final

from muggins_rules.bits import trailing_zeros

__all__ = [
    "COUNTS",
    "LAYOUT_INPUTS",
    "NO_INPUT",
    "SMALL",
    "add_rows",
    "add_tiles",
    "fill_up",
    "layout_inputs",
    "open_places",
]

NO_INPUT: Final = 0
PLACES: Final = 1
"""By value, ordinary ends 0..3 and state of the double: 32 rows for each value."""
COUNTS: Final = 48
COUNT: Final = PLACES + 7 * 32
LAYOUT_INPUTS: Final = COUNT + COUNTS
"""Rows of the layout, row 0 included."""

TOGETHER: Final = 4
"""Rows added in one go."""
SMALL: Final = 0xFFFF
"""Masks a row's number, so that compilers see that no index is negative and use wide registers."""


def layout_inputs(word: int, inputs: list[int], at: int) -> int:
    """Append the inputs of a layout; the new length."""
    for value in range(7):
        places = word >> 6 * value & 63
        if places:
            inputs[at] = PLACES + 32 * value + 8 * min(places & 7, 3) + (places >> 3)
            at += 1
    inputs[at] = COUNT + min(word >> 42 & 255, COUNTS - 1)
    return at + 1


def open_places(word: int, value: int) -> int:
    """How open a number is, 0..3: ordinary ends, at most 2, and 1 for its double."""
    places = word >> 6 * value & 63
    return min(places & 7, 2) + (1 if places >> 3 else 0)


def add_tiles(tiles: int, first: int, step: int, inputs: list[int], at: int) -> int:
    """Append row `first` + `step` x code for each tile of a mask; the new length."""
    while tiles:
        inputs[at] = first + step * trailing_zeros(tiles)
        tiles &= tiles - 1
        at += 1
    return at


def fill_up(inputs: list[int], at: int) -> int:
    """Append row 0 until rows can be added TOGETHER; the new length."""
    while at % TOGETHER:
        inputs[at] = NO_INPUT
        at += 1
    return at


def add_rows(
    rows: list[int],
    inputs: list[int],
    start: int,
    end: int,
    bias: list[int],
    hidden: int,
    sums: list[int],
) -> None:
    """Write `bias` plus the rows of the inputs from `start` to `end`, a multiple of TOGETHER."""
    for unit in range(hidden):
        sums[unit] = bias[unit]
    index = start
    while index < end:
        a = hidden * (inputs[index] & SMALL)
        b = hidden * (inputs[index + 1] & SMALL)
        c = hidden * (inputs[index + 2] & SMALL)
        d = hidden * (inputs[index + 3] & SMALL)
        for unit in range(hidden):
            sums[unit] += rows[a + unit] + rows[b + unit] + rows[c + unit] + rows[d + unit]
        index += TOGETHER
