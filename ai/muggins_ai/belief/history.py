"""A round as a seat saw it, as integers: one entry for each turn, kernel style.

`history` is an array of HISTORY integers that belongs to the caller:

    TURN_COUNT   number of turns so far
    HIGHEST      code of the tile above which no dealt hand holds any in the order of openers
                 (doubles first, then pips, then the higher half); NO_TILE: nothing is known
    FORCED       1 when the opening tile had to be led, else 0
    then, for each turn from FIRST_TURN on, TURN integers:
        SEAT     whose turn it was
        WORD     the kernel's word of the table before
        MOVE     the kernel's move, or PASSED, or UNFINISHED
        TAKEN    number of tiles drawn in the turn

A tile placed after drawing is the last one drawn; the others of the run did not fit. UNFINISHED is
a run of draws that has not led to a placement or a pass yet.
"""

from typing import Final

from muggins_rules.kernel import HIGH, LOW

__all__ = [
    "FIRST_TURN",
    "FORCED",
    "HIGHEST",
    "HISTORY",
    "MOST_TURNS",
    "MOVE",
    "NO_TILE",
    "PASSED",
    "RANKED_UP_TO",
    "SEAT",
    "TAKEN",
    "TURN",
    "TURN_COUNT",
    "UNFINISHED",
    "WORD",
    "add_turn",
    "begin_history",
]

TURN_COUNT: Final = 0
HIGHEST: Final = 1
FORCED: Final = 2
FIRST_TURN: Final = 3

SEAT: Final = 0
WORD: Final = 1
MOVE: Final = 2
TAKEN: Final = 3
TURN: Final = 4

MOST_TURNS: Final = 128
"""28 placements, each after at most three passes, and the passes of a block."""
HISTORY: Final = FIRST_TURN + TURN * MOST_TURNS

PASSED: Final = -1
UNFINISHED: Final = -2

NO_TILE: Final = 28

_RANKS: Final = tuple(
    (64 if LOW[code] == HIGH[code] else 0) * 16 + (LOW[code] + HIGH[code]) * 8 + HIGH[code]
    for code in range(28)
)
RANKED_UP_TO: Final = (
    *(
        sum(1 << other for other in range(28) if _RANKS[other] <= _RANKS[code])
        for code in range(28)
    ),
    (1 << 28) - 1,
)
"""By HIGHEST: the tiles that a dealt hand may hold, as a mask."""


def begin_history(history: list[int], highest: int, forced: int) -> None:
    """Make it the history of a round without turns."""
    history[TURN_COUNT] = 0
    history[HIGHEST] = highest
    history[FORCED] = forced


def add_turn(history: list[int], seat: int, word: int, move: int, taken: int) -> None:
    """Write one more turn."""
    at = FIRST_TURN + TURN * history[TURN_COUNT]
    history[at + SEAT] = seat
    history[at + WORD] = word
    history[at + MOVE] = move
    history[at + TAKEN] = taken
    history[TURN_COUNT] += 1
