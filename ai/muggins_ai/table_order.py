"""Attach points in the order of the table, as kernel-style functions.

The kernel's word merges equal places and forgets their order. Policies break their last ties by
the order of legal actions, which is the table's: so a playout keeps the attach points beside the
word, in the order of `muggins_rules.layout`.

`ends` is an array of MOST_ENDS + 1 integers: the number of attach points, then each as its value,
plus ON_DOUBLE where it belongs to a double. Of equal ones the first is used.
"""

from typing import Final

from muggins_rules.bits import trailing_zeros
from muggins_rules.kernel import EMPTY_TABLE, ENDWISE_ALLOWED, HIGH, LOW, OPENING, move_of

__all__ = ["MOST_ENDS", "add_tile", "list_in_order"]

ON_DOUBLE: Final = 8
SIDES_OPEN: Final = 3
"""The kernel's state of a double whose branch sides have just opened."""

MOST_ENDS: Final = 16
"""Two ends of the line, and two more for each of seven doubles."""


def add_tile(word: int, move: int, ends: list[int]) -> None:
    """Bring `ends` up to date after a move; `word` is the layout that the move has made."""
    code = move & 31
    value = move >> 5 & 7
    low = LOW[code]
    high = HIGH[code]
    if value == OPENING:
        on_double = ON_DOUBLE if low == high else 0
        ends[0] = 2
        ends[1] = low | on_double
        ends[2] = high | on_double
        return
    used = value | (ON_DOUBLE if move >> 8 & 1 else 0)
    number = ends[0]
    at = 1
    while ends[at] != used:
        at += 1
    while at < number:
        ends[at] = ends[at + 1]
        at += 1
    if used & ON_DOUBLE and word >> (6 * value + 3) & 7 == SIDES_OPEN:
        ends[number] = used
        ends[number + 1] = used
        number += 2
    ends[number] = value | ON_DOUBLE if low == high else low + high - value
    ends[0] = number


def list_in_order(word: int, tiles: int, flags: int, ends: list[int], moves: list[int]) -> int:
    """Write the moves of fitting tiles in the order of legal actions; the number of them.

    `moves` has room for MOST_MOVES. A tile that fits equal places is listed once for them.
    """
    found = 0
    choice = 1 if word >> 50 & 7 == OPENING and flags & ENDWISE_ALLOWED else 0
    while tiles:
        code = trailing_zeros(tiles)
        tiles &= tiles - 1
        low = LOW[code]
        high = HIGH[code]
        both_ways = choice and low == high
        if word == EMPTY_TABLE:
            moves[found] = move_of(code, OPENING, 0, 0)
            found += 1
            if both_ways:
                moves[found] = move_of(code, OPENING, 0, 1)
                found += 1
            continue
        listed = 0
        for at in range(1, ends[0] + 1):
            end = ends[at]
            value = end & 7
            if value in (low, high) and not listed >> end & 1:
                listed |= 1 << end
                moves[found] = move_of(code, value, end >> 3, 0)
                found += 1
                if both_ways:
                    moves[found] = move_of(code, value, end >> 3, 1)
                    found += 1
    return found
