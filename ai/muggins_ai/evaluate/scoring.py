"""Which tiles fit a layout and what each of them can score at once, as masks."""

from typing import Final

from muggins_rules.kernel import (
    EMPTY_TABLE,
    ENDWISE_ALLOWED,
    EVERY_BRANCHES,
    FIRST_BRANCHES,
    FREE_SIDES_COUNT,
    HIGH,
    LOW,
    OPENING,
)

__all__ = ["LEVELS", "score_masks"]

LEVELS: Final = 8
"""Room for masks by best score: in fives, 1..6, and 7 for all above; 0 is not used."""

CODES: Final = tuple(
    next(code for code in range(28) if (LOW[code], HIGH[code]) == (min(a, b), max(a, b)))
    for a in range(7)
    for b in range(7)
)
"""The tile of two numbers a and b at 7a + b."""
OPENING_FIVES: Final = tuple(
    sum(1 << code for code in range(28) if LOW[code] + HIGH[code] == 5 * fives) for fives in (1, 2)
)


def score_masks(word: int, flags: int, masks: list[int]) -> None:
    """Write masks of the tiles that can score so many fives at once; a tile may be in several."""
    for level in range(LEVELS):
        masks[level] = 0
    if word == EMPTY_TABLE:
        masks[1] = OPENING_FIVES[0]
        masks[2] = OPENING_FIVES[1]
        return
    count = word >> 42 & 255
    first = word >> 50 & 7
    both_ways = first == OPENING and flags & ENDWISE_ALLOWED
    for value in range(7):
        places = word >> 6 * value & 63
        if places == 0:
            continue
        if places & 7:
            add_scoring(count - value, value, masks)
            add_score(count + value, CODES[8 * value], masks)
            if both_ways:
                add_score(count, CODES[8 * value], masks)
        state = places >> 3
        if state:
            add_scoring(count - used_up(state, value, first, flags), value, masks)


def used_up(state: int, value: int, first: int, flags: int) -> int:
    """What a double stops contributing when a tile is joined to it, as `kernel.lay` has it."""
    if state == 1:
        return 0
    if state == 2:  # noqa: PLR2004 - the kernel's states
        branches = flags & EVERY_BRANCHES or (flags & FIRST_BRANCHES and first == value)
        return 0 if branches and flags & FREE_SIDES_COUNT else 2 * value
    if state < 6:  # noqa: PLR2004 - the kernel's states
        return value if flags & FREE_SIDES_COUNT else 0
    return value


def add_scoring(base: int, value: int, masks: list[int]) -> None:
    """Add the tiles with `value` and another number that make a count of `base` plus that."""
    other = (5 - base % 5) % 5
    while other < 7:  # noqa: PLR2004 - numbers of a tile
        if other != value:
            add_score(base + other, CODES[7 * value + other], masks)
        other += 5


def add_score(count: int, code: int, masks: list[int]) -> None:
    """Add a tile that makes a count."""
    if count > 0 and count % 5 == 0:
        masks[min(count // 5, LEVELS - 1)] |= 1 << code
