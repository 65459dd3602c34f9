"""The learned value of a world: what the rest of the round is worth when all hands are known.

Inputs are ordered from the seat on turn. A row of weights for each tile held, by what the tile can
score at once, and for each number by how many tiles show it in whose hand; few more inputs tell of
each hand and of the layout. One hidden layer of rectified
units; one output for two sides, whose values are opposite, or one for each side from the mover's
on, of which the mean is taken off.
"""

from typing import Final

from muggins_ai.evaluate.inputs import (
    LAYOUT_INPUTS,
    add_rows,
    add_tiles,
    fill_up,
    layout_inputs,
    open_places,
)
from muggins_ai.evaluate.scoring import LEVELS, score_masks
from muggins_ai.playout import FLAGS, SEATS, SIDES
from muggins_ai.search.steps import (
    END,
    HANDS,
    HEAD,
    META,
    TABLE,
    TURN,
    World,
    follower,
    side_of,
)
from muggins_rules.bits import popcount
from muggins_rules.kernel import SUIT, legal_tiles

__all__ = [
    "HIDDEN",
    "LARGEST_WEIGHT",
    "MOST_INPUTS",
    "OUTPUT_SHIFT",
    "SEAT_INPUTS",
    "leaf_values",
    "value_inputs",
    "value_rows",
]

Net = tuple[list[int], list[int], list[int], list[int]]
"""Rows of weights, bias of the hidden units, weights of the outputs, bias of the outputs."""

Scratch = tuple[list[int], list[int], list[int]]
"""Inputs (MOST_INPUTS), sums (HIDDEN), masks (LEVELS)."""

HIDDEN: Final = 64
OUTPUT_SHIFT: Final = 4
"""The last sums are of 1 / (1024 << OUTPUT_SHIFT) raw point."""

CATEGORIES: Final = 6
"""Of a tile: does not fit, fits, scores 5, 10, 15, more."""
FITTING: Final = 28 * CATEGORIES
MOST_FITTING: Final = 8
SCORING: Final = FITTING + MOST_FITTING
MOST_SCORING: Final = 8
BEST: Final = SCORING + MOST_SCORING
SIZE: Final = BEST + LEVELS
MOST_HELD: Final = 16
SEAT_INPUTS: Final = SIZE + MOST_HELD

TO_DRAW: Final = LAYOUT_INPUTS
MOST_TO_DRAW: Final = 24
SUITS: Final = TO_DRAW + MOST_TO_DRAW
"""By number: how open it is, and how many tiles show it in two hands and elsewhere."""
MOST_IN_HAND: Final = 3
MOST_ELSEWHERE: Final = 4
SUIT_ROWS: Final = 4 * (MOST_IN_HAND + 1) * (MOST_IN_HAND + 1) * (MOST_ELSEWHERE + 1)
SUIT_INPUTS: Final = 7 * SUIT_ROWS
MOST_INPUTS: Final = 76
"""28 tiles, 4 for each seat, 8 of the layout, 14 for the numbers, 1 more, filled up."""
LARGEST_WEIGHT: Final = 3.0
"""Of the first layer, where 1 is 128: so many inputs and a bias of 8 keep within 16 bits."""


def leaf_values(
    rules: list[int], world: World, left: int, net: Net, scratch: Scratch, out: list[int]
) -> None:
    """Write the expected future utility of each side, in 1/1024 raw point.

    The world is settled and in play; `left` is the mask of tiles that are not on the table. The
    values do not depend on the scores, and sum to 0 but for rounding.
    """
    end = value_inputs(rules, world, left, scratch[0], 0, scratch[2])
    sums = scratch[1]
    add_rows(net[0], scratch[0], 0, end, net[1], HIDDEN, sums)
    weights = net[2]
    mover = side_of(rules, world[META][TURN])
    sides = rules[SIDES]
    if sides == 2:  # noqa: PLR2004 - two sides are opponents
        total = net[3][0]
        for unit in range(HIDDEN):
            total += max(sums[unit], 0) * weights[unit]
        total >>= OUTPUT_SHIFT
        out[mover] = total
        out[1 - mover] = -total
        return
    mean = 0
    side = mover
    for output in range(sides):
        total = net[3][output]
        for unit in range(HIDDEN):
            total += max(sums[unit], 0) * weights[HIDDEN * output + unit]
        total >>= OUTPUT_SHIFT
        out[side] = total
        mean += total
        side = follower(rules, side)
    mean //= sides
    for side in range(sides):
        out[side] -= mean


def value_rows(seats: int) -> int:
    """The number of rows of weights for so many seats."""
    return first_seat_row(seats) + SEAT_INPUTS * seats


def first_seat_row(seats: int) -> int:
    """Where the rows of the hands begin: after those of the numbers, for one or two pairs."""
    return SUITS + SUIT_INPUTS * ((seats + 1) // 2)


def value_inputs(
    rules: list[int], world: World, left: int, inputs: list[int], start: int, masks: list[int]
) -> int:
    """Write the inputs of a settled world from `start`, a multiple of 4, filled up; the end."""
    meta = world[META]
    word = meta[TABLE]
    score_masks(word, rules[FLAGS], masks)
    at = layout_inputs(word, inputs, start)
    inputs[at] = TO_DRAW + min(max(meta[END] - meta[HEAD], 0), MOST_TO_DRAW - 1)
    at += 1
    seats = rules[SEATS]
    hands = world[HANDS]
    first = first_seat_row(seats)
    seat = meta[TURN]
    row = SUITS
    for place in range(seats):
        at = seat_inputs(word, hands[seat], masks, first + SEAT_INPUTS * place, inputs, at)
        after = follower(rules, seat)
        if place % 2 == 0:
            other = hands[after] if place + 1 < seats else 0
            at = suit_inputs(word, hands[seat], other, left, row, inputs, at)
            row += SUIT_INPUTS
        seat = after
    return fill_up(inputs, at)


def suit_inputs(
    word: int, hand: int, other: int, left: int, first: int, inputs: list[int], at: int
) -> int:
    """Append the inputs of the numbers for two hands, whose rows begin at `first`; the length."""
    elsewhere = left & ~(hand | other)
    for value in range(7):
        suit = SUIT[value]
        row = open_places(word, value)
        row = row * (MOST_IN_HAND + 1) + min(popcount(hand & suit), MOST_IN_HAND)
        row = row * (MOST_IN_HAND + 1) + min(popcount(other & suit), MOST_IN_HAND)
        row = row * (MOST_ELSEWHERE + 1) + min(popcount(elsewhere & suit), MOST_ELSEWHERE)
        inputs[at] = first + SUIT_ROWS * value + row
        at += 1
    return at


def seat_inputs(
    word: int, hand: int, masks: list[int], first: int, inputs: list[int], at: int
) -> int:
    """Append the inputs of a hand, whose rows begin at `first`; the new length."""
    fitting = legal_tiles(word, hand)
    scoring = 0
    best = 0
    level = LEVELS - 1
    while level:
        tiles = hand & masks[level] & ~scoring
        if tiles:
            best = max(best, level)
            scoring |= tiles
            at = add_tiles(tiles, first + min(level, 4) + 1, CATEGORIES, inputs, at)
        level -= 1
    at = add_tiles(hand & ~fitting, first, CATEGORIES, inputs, at)
    at = add_tiles(fitting & ~scoring, first + 1, CATEGORIES, inputs, at)
    inputs[at] = first + FITTING + min(popcount(fitting), MOST_FITTING - 1)
    inputs[at + 1] = first + SCORING + min(popcount(scoring), MOST_SCORING - 1)
    inputs[at + 2] = first + BEST + best
    inputs[at + 3] = first + SIZE + min(popcount(hand), MOST_HELD - 1)
    return at + 4
