"""The inner questions of the rules as functions over plain integers.

The object layer is written on these functions, and `kernel_loader` compiles the same ones for
search. They use integers, module constants and each other, nothing else.

A layout is one word: the multiset of its open places. Two layouts with equal words accept the
same tiles for the same points, whatever the tiles inside them are.

    bits 6v .. 6v+2     free halves of non-doubles that show v, 0..6
    bits 6v+3 .. 6v+5   state of the double v, below
    bits 42 .. 49       the count
    bits 50 .. 52       number of the first double laid; 7 while there is none

States of a double: absent or closed (0), sole tile (1), one line side free and counting twice
its number (2), two or one free branch sides (3, 4), sole tile laid endwise (6), endwise with one
line side free (7).

A move is one word too:

    bits 0..4   code of the tile
    bits 5..7   number that is matched, 7 for the opening tile
    bit 8       joined to the double of that number, not to a half
    bit 9       laid endwise

Rule flags say what the word means for a rule set: FIRST_BRANCHES, EVERY_BRANCHES,
ENDWISE_ALLOWED and FREE_SIDES_COUNT.
"""

from typing import Final

__all__ = [
    "EMPTY_TABLE",
    "ENDWISE_ALLOWED",
    "EVERY_BRANCHES",
    "FIRST_BRANCHES",
    "FREE_SIDES_COUNT",
    "MOST_MOVES",
    "OPENING",
    "count_of",
    "is_empty",
    "lay",
    "legal_tiles",
    "list_moves",
    "move_of",
    "nearest_five",
    "open_values",
    "points_of",
    "sum_of_pips",
]

FIRST_BRANCHES: Final = 1
EVERY_BRANCHES: Final = 2
ENDWISE_ALLOWED: Final = 4
FREE_SIDES_COUNT: Final = 8

OPENING: Final = 7
"""The number matched by a tile that opens."""

EMPTY_TABLE: Final = 7 << 50
"""The word of a table without tiles."""

MOST_MOVES: Final = 128
"""Room that `list_moves` needs: at most 28 tiles with two halves and two kinds of place each."""

LOW: Final = tuple(low for low in range(7) for _ in range(low, 7))
HIGH: Final = tuple(high for low in range(7) for high in range(low, 7))
SUIT: Final = tuple(
    sum(1 << code for code in range(28) if v in (LOW[code], HIGH[code])) for v in range(7)
)
"""Mask of the tiles that show a number."""
SUITS: Final = tuple(
    sum(1 << code for code in range(28) if values >> LOW[code] & 1 or values >> HIGH[code] & 1)
    for values in range(128)
)
"""Mask of the tiles that show any number of a 7-bit mask."""


def is_empty(word: int) -> int:
    """1 while no tile is on the table, else 0."""
    return 1 if word == EMPTY_TABLE else 0


def count_of(word: int) -> int:
    """The count: the sum of all contributions, 0..255."""
    return word >> 42 & 255


def open_values(word: int) -> int:
    """The numbers that can be matched, as a 7-bit mask."""
    any_bit = word | word >> 1 | word >> 2
    any_bit = (any_bit | any_bit >> 3) & 0x1041041041
    return (
        (any_bit & 1)
        | (any_bit >> 5 & 2)
        | (any_bit >> 10 & 4)
        | (any_bit >> 15 & 8)
        | (any_bit >> 20 & 16)
        | (any_bit >> 25 & 32)
        | (any_bit >> 30 & 64)
    )


def legal_tiles(word: int, hand: int) -> int:
    """The tiles of a hand that fit somewhere, as a 28-bit mask; all of them open a table."""
    if word == EMPTY_TABLE:
        return hand
    return hand & SUITS[open_values(word)]


def points_of(count: int, divisor: int) -> int:
    """Points of a count: the count itself in units of `divisor`, when a positive multiple of 5."""
    if count > 0 and count % 5 == 0:
        return count // divisor
    return 0


def nearest_five(pips: int) -> int:
    """The multiple of five nearest to a whole number of pips; there is no tie."""
    return (pips + 2) // 5 * 5


def sum_of_pips(hand: int) -> int:
    """Pips of all tiles in a 28-bit mask."""
    total = 0
    code = 0
    while hand:
        if hand & 1:
            total += LOW[code] + HIGH[code]
        hand >>= 1
        code += 1
    return total


def move_of(code: int, value: int, on_double: int, endwise: int) -> int:
    """The word of a move."""
    return code | value << 5 | on_double << 8 | endwise << 9


def lay(word: int, move: int, flags: int) -> int:
    """The layout after a legal move."""
    code = move & 31
    value = move >> 5 & 7
    low = LOW[code]
    high = HIGH[code]
    count = word >> 42 & 255
    first = word >> 50 & 7
    places = word & 0x3FFFFFFFFFF
    if value == 7:
        if low == high:
            state = 6 if move >> 9 & 1 else 1
            return state << (6 * low + 3) | 2 * low << 42 | low << 50
        return 1 << 6 * low | 1 << 6 * high | (low + high) << 42 | 7 << 50
    shift = 6 * value
    if move >> 8 & 1:
        state = places >> (shift + 3) & 7
        places ^= state << (shift + 3)
        after = 0
        if state == 1:
            after = 2
        elif state == 2:
            if flags & 2 or (flags & 1 and first == value):
                after = 3
                if not flags & 8:
                    count -= 2 * value
            else:
                count -= 2 * value
        elif state == 3:
            after = 4
            if flags & 8:
                count -= value
        elif state == 4:
            if flags & 8:
                count -= value
        elif state == 6:
            after = 7
            count -= value
        else:
            after = 3
            count -= value
        places |= after << (shift + 3)
    else:
        places -= 1 << shift
        count -= value
    if low == high:
        if move >> 9 & 1:
            places |= 7 << (shift + 3)
            count += value
        else:
            places |= 2 << (shift + 3)
            count += 2 * value
        if first == 7:
            first = value
    else:
        other = low + high - value
        places += 1 << 6 * other
        count += other
    return places | count << 42 | first << 50


def list_moves(word: int, hand: int, flags: int, moves: list[int]) -> int:
    """Write every move of a hand's tiles into `moves`, ascending by tile; the number of them.

    `moves` has room for MOST_MOVES words. A tile that fits equal places is listed once for them.
    """
    found = 0
    tiles = legal_tiles(word, hand)
    first = word >> 50 & 7
    code = 0
    while tiles:
        if tiles & 1:
            low = LOW[code]
            high = HIGH[code]
            choice = 1 if low == high and first == 7 and flags & 4 else 0
            if word == EMPTY_TABLE:
                moves[found] = code | 7 << 5
                found += 1
                if choice:
                    moves[found] = code | 7 << 5 | 1 << 9
                    found += 1
            else:
                value = low
                while True:
                    if word >> 6 * value & 7:
                        moves[found] = code | value << 5
                        found += 1
                        if choice:
                            moves[found] = code | value << 5 | 1 << 9
                            found += 1
                    if word >> (6 * value + 3) & 7:
                        moves[found] = code | value << 5 | 1 << 8
                        found += 1
                    if value == high:
                        break
                    value = high
        tiles >>= 1
        code += 1
    return found
