"""The numbers of actions, one numbering for all rule sets and numbers of seats; kernel style.

    0 .. 279    10 x tile code + 2 x place + orientation
    280         DRAW, one tile
    281         PASS

`tile code` is the tile's place among the 28, ascending by (low, high). `place` says what the tile
is joined to:

    0   nothing: it opens the round
    1   a half of a non-double that shows the tile's lower number
    2   a half of a non-double that shows its higher number
    3   the double of its lower number
    4   the double of its higher number

A double is joined by its one number, so to places 1 and 3. `orientation` is 1 for a double laid
endwise (the sniff only), else 0. Halves that show the same number are one place, as are free sides
of one double: what may follow and what it scores is the same on either.
"""

from typing import Final

from muggins_rules.kernel import HIGH, LOW, OPENING, move_of

__all__ = ["ACTIONS", "DRAW", "PASS", "move_of_number", "number_of_move"]

DRAW: Final = 280
PASS: Final = 281
ACTIONS: Final = 282
"""How many numbers there are."""

PER_TILE: Final = 10
ON_DOUBLE: Final = 2
"""Added to the place of a half where the tile is joined to a double."""


def number_of_move(move: int) -> int:
    """The number of a placement, given as the kernel's move."""
    code = move & 31
    value = move >> 5 & 7
    place = 0
    if value != OPENING:
        place = 1 if value == LOW[code] else 2
        if move >> 8 & 1:
            place += ON_DOUBLE
    return PER_TILE * code + 2 * place + (move >> 9 & 1)


def move_of_number(number: int) -> int:
    """The kernel's move with a number below DRAW."""
    code = number // PER_TILE
    place = number % PER_TILE // 2
    if place == 0:
        return move_of(code, OPENING, 0, number & 1)
    on_double = 1 if place > ON_DOUBLE else 0
    value = LOW[code] if place & 1 else HIGH[code]
    return move_of(code, value, on_double, number & 1)
