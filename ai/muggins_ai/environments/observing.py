"""What a seat may know, as integers of fixed places for all rule sets and seats; kernel style.

Seats are counted from the observer on in the order of play: 0 is itself, 1 plays next. What belongs
to a seat that there is not is 0. Places, with how many integers each has:

    HAND          28        1 where the observer holds the tile with that code
    ON_TABLE      28        1 where the tile lies on the table
    MAY_HOLD      3 x 28    seats 1 to 3: 1 where its draws and passes let it hold the tile
    HAND_SIZES    4         tiles held
    DRAWABLE      1         tiles that may still be drawn
    HALVES        7         free halves of non-doubles that show the number
    DOUBLES       7 x 8     state of the double of the number, one-hot, as `kernel` numbers states
    FIRST_DOUBLE  7         one-hot: number of the first double laid; zeros while there is none
    COUNT         1         the count of the layout
    SCORES        4         score of the seat's side, in the rule set's unit
    TARGET        1         points that win the match
    ON_TURN       4         one-hot: the seat on turn; zeros once the round is over
    PARTNER       1         1 where seat 2 is the observer's partner

`public` is that of `evaluate.public`.
"""

from typing import Final

from muggins_ai.belief.constraints import SET_OF
from muggins_ai.evaluate.public import DRAWABLE as PUBLIC_DRAWABLE
from muggins_ai.evaluate.public import MAY_HOLD as PUBLIC_MAY_HOLD
from muggins_ai.evaluate.public import OFF_TABLE, SIZES, WORD
from muggins_ai.playout import NEXT, SEATS, SIDES, TARGET, TILES
from muggins_rules.kernel import count_of

__all__ = [
    "COUNT",
    "DOUBLES",
    "DRAWABLE",
    "FIRST_DOUBLE",
    "HALVES",
    "HAND",
    "HAND_SIZES",
    "MAY_HOLD",
    "NO_SEAT",
    "OBSERVATION_SIZE",
    "ON_TABLE",
    "ON_TURN",
    "PARTNER",
    "SCORES",
    "TARGET_SCORE",
    "write_observation",
    "write_tiles",
]

HAND: Final = 0
ON_TABLE: Final = 28
MAY_HOLD: Final = 56
HAND_SIZES: Final = 140
DRAWABLE: Final = 144
HALVES: Final = 145
DOUBLES: Final = 152
FIRST_DOUBLE: Final = 208
COUNT: Final = 215
SCORES: Final = 216
TARGET_SCORE: Final = 220
ON_TURN: Final = 221
PARTNER: Final = 225
OBSERVATION_SIZE: Final = 226
"""Integers of an observation."""

NO_SEAT: Final = -1
"""Nobody's turn."""

PAIRS: Final = 2


def write_tiles(mask: int, out: list[int], at: int) -> None:
    """Set the places of a mask's tiles to 1."""
    code = 0
    while mask:
        if mask & 1:
            out[at + code] = 1
        mask >>= 1
        code += 1


def write_layout(word: int, out: list[int], at: int) -> None:
    """Write HALVES, DOUBLES, FIRST_DOUBLE and COUNT."""
    for value in range(7):
        out[at + HALVES + value] = word >> 6 * value & 7
        out[at + DOUBLES + 8 * value + (word >> (6 * value + 3) & 7)] = 1
    first = word >> 50 & 7
    if first < 7:  # noqa: PLR2004 - 7 while there is none
        out[at + FIRST_DOUBLE + first] = 1
    out[at + COUNT] = count_of(word)


def write_observation(
    rules: list[int],
    public: list[int],
    scores: list[int],
    hand: int,
    seat: int,
    turn: int,
    out: list[int],
    at: int,
) -> None:
    """Write what `seat`, who holds `hand`, may know from place `at` of `out` on.

    `scores` are by side; `turn` is the seat on turn or NO_SEAT.
    """
    for place in range(at, at + OBSERVATION_SIZE):
        out[place] = 0
    write_tiles(hand, out, at + HAND)
    write_tiles(SET_OF[rules[TILES]] & ~public[OFF_TABLE], out, at + ON_TABLE)
    write_layout(public[WORD], out, at)
    out[at + DRAWABLE] = public[PUBLIC_DRAWABLE]
    out[at + TARGET_SCORE] = rules[TARGET]
    other = seat
    for step in range(rules[SEATS]):
        if step:
            held = public[PUBLIC_MAY_HOLD + other] & ~hand
            write_tiles(held, out, at + MAY_HOLD + 28 * (step - 1))
        out[at + HAND_SIZES + step] = public[SIZES + other]
        side = other if other < rules[SIDES] else other - rules[SIDES]
        out[at + SCORES + step] = scores[side]
        if other == turn:
            out[at + ON_TURN + step] = 1
        other += rules[NEXT]
        if other >= rules[SEATS]:
            other -= rules[SEATS]
    if rules[SEATS] == 2 * PAIRS and rules[SIDES] == PAIRS:
        out[at + PARTNER] = 1
