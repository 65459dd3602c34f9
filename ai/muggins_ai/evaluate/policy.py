"""The learned policy: what each move is worth beside the others, from what its seat knows.

A move is judged by the position it leads to: the layout then, the mover's own tiles then, what it
scored, the numbers of tiles of the others and the tiles that they may hold, and for each number how
many tiles show it. One hidden layer of
rectified units and one output: the logit of the move, whose differences are expected raw points.
Divided by a temperature in points they make the chances of the moves.
"""

from typing import Final

from muggins_ai.evaluate.exponents import POWERS, STEPS
from muggins_ai.evaluate.inputs import (
    LAYOUT_INPUTS,
    add_rows,
    add_tiles,
    fill_up,
    layout_inputs,
    open_places,
)
from muggins_ai.evaluate.public import DRAWABLE, MAY_HOLD, SIZES, WORD
from muggins_ai.evaluate.scoring import LEVELS, score_masks
from muggins_ai.playout import FLAGS, SEATS
from muggins_ai.search.steps import follower
from muggins_rules.bits import popcount
from muggins_rules.kernel import SUIT, count_of, lay, legal_tiles, points_of

__all__ = [
    "LARGEST_WEIGHT",
    "POLICY_HIDDEN",
    "POLICY_INPUTS",
    "POLICY_MOST_INPUTS",
    "POLICY_SHIFT",
    "POLICY_UNIT",
    "Net",
    "Scratch",
    "drawn_move",
    "move_inputs",
    "move_logits",
    "move_weights",
    "weigh",
]

Net = tuple[list[int], list[int], list[int], list[int]]
"""Rows of weights, bias of the hidden units, weights of the output, unused."""

Scratch = tuple[list[int], list[int], list[int]]
"""Inputs (POLICY_MOST_INPUTS), sums (POLICY_HIDDEN), masks (LEVELS)."""

POLICY_HIDDEN: Final = 32
POLICY_UNIT: Final = 1024
"""A raw point, in logits and temperatures."""
POLICY_SHIFT: Final = 4
"""The last sum is of 1 / (POLICY_UNIT << POLICY_SHIFT) point."""

CATEGORIES: Final = 6
"""Of a tile: does not fit, fits, scores 5, 10, 15, more."""
OWN: Final = LAYOUT_INPUTS
NEXT: Final = OWN + 28 * CATEGORIES
"""Tiles that the next seat may hold."""
OTHERS: Final = NEXT + 28 * CATEGORIES
"""Tiles that the seats after it may hold: does not fit, fits."""
MOST_TO_DRAW: Final = 24
TO_DRAW: Final = OTHERS + 2 * 28 * 2
MOVED: Final = TO_DRAW + MOST_TO_DRAW
"""The tile that is placed."""
SCORED_NOW: Final = MOVED + 28
"""What it scores, in fives."""
MOST_HELD: Final = 16
HELD: Final = SCORED_NOW + LEVELS
"""Tiles held by each seat, from the mover's on."""
OWN_FITTING: Final = HELD + 4 * MOST_HELD
MOST_FITTING: Final = 8
OWN_BEST: Final = OWN_FITTING + MOST_FITTING
NEXT_BEST: Final = OWN_BEST + LEVELS
BY_SIZE: Final = 8
MOST_POSSIBLE: Final = 16
NEXT_FITTING: Final = NEXT_BEST + LEVELS
"""Fitting tiles that the next seat may hold, by the number of tiles that it holds."""
NEXT_SCORING: Final = NEXT_FITTING + BY_SIZE * MOST_POSSIBLE
SUITS: Final = NEXT_SCORING + BY_SIZE * MOST_POSSIBLE
"""By number: how open it is, and how many tiles show it, own and those that the next may hold."""
MOST_OWN: Final = 4
MOST_OTHER: Final = 7
SUIT_ROWS: Final = 4 * (MOST_OWN + 1) * (MOST_OTHER + 1)
POLICY_INPUTS: Final = SUITS + 7 * SUIT_ROWS
POLICY_MOST_INPUTS: Final = 120
"""84 tiles that others may hold, 12 own, 8 of the layout, 20 more at most, never all at once."""
LARGEST_WEIGHT: Final = 1.9
"""Of the first layer, where 1 is 128: so many inputs and a bias of 8 keep within 16 bits."""

LAST_POWER: Final = len(POWERS) - 1


def move_weights(
    rules: list[int],
    public: list[int],
    seat: int,
    hand: int,
    moves: list[int],
    found: int,
    temperature: int,
    net: Net,
    scratch: Scratch,
    out: list[int],
) -> None:
    """Write the relative chance of each move, 1..CERTAIN, where the likeliest has CERTAIN.

    `temperature` is positive, in units of 1/POLICY_UNIT raw point.
    """
    move_logits(rules, public, seat, hand, moves, found, net, scratch, out)
    weigh(out, found, temperature)


def weigh(out: list[int], found: int, temperature: int) -> None:
    """Turn logits into relative chances."""
    best = out[0]
    for index in range(1, found):
        best = max(best, out[index])
    for index in range(found):
        out[index] = POWERS[min((best - out[index]) * STEPS // temperature, LAST_POWER)]


def drawn_move(weights: list[int], found: int, random: int) -> int:
    """The index of a move drawn by relative chances and a 32-bit number."""
    total = 0
    for index in range(found):
        total += weights[index]
    left = random * total >> 32
    chosen = 0
    while left >= weights[chosen]:
        left -= weights[chosen]
        chosen += 1
    return chosen


def move_logits(
    rules: list[int],
    public: list[int],
    seat: int,
    hand: int,
    moves: list[int],
    found: int,
    net: Net,
    scratch: Scratch,
    out: list[int],
) -> None:
    """Write the logit of each move in units of 1/POLICY_UNIT raw point."""
    inputs = scratch[0]
    for index in range(found):
        end = move_inputs(rules, public, seat, hand, moves[index], inputs, 0, scratch[2])
        out[index] = logit_of(net, inputs, 0, end, scratch[1])


def logit_of(net: Net, inputs: list[int], start: int, end: int, sums: list[int]) -> int:
    """The logit of a move whose inputs stand from `start` to `end`."""
    add_rows(net[0], inputs, start, end, net[1], POLICY_HIDDEN, sums)
    weights = net[2]
    total = 0
    for unit in range(POLICY_HIDDEN):
        total += max(sums[unit], 0) * weights[unit]
    return total >> POLICY_SHIFT


def move_inputs(
    rules: list[int],
    public: list[int],
    seat: int,
    hand: int,
    move: int,
    inputs: list[int],
    start: int,
    masks: list[int],
) -> int:
    """Write the inputs of a move from `start`, a multiple of 4, filled up; where they end."""
    code = move & 31
    hand &= ~(1 << code)
    word = lay(public[WORD], move, rules[FLAGS])
    score_masks(word, rules[FLAGS], masks)
    at = layout_inputs(word, inputs, start)
    inputs[at] = MOVED + code
    inputs[at + 1] = SCORED_NOW + min(points_of(count_of(word), 5), LEVELS - 1)
    inputs[at + 2] = TO_DRAW + min(max(public[DRAWABLE], 0), MOST_TO_DRAW - 1)
    inputs[at + 3] = HELD + min(popcount(hand), MOST_HELD - 1)
    fitting = legal_tiles(word, hand)
    inputs[at + 4] = OWN_FITTING + min(popcount(fitting), MOST_FITTING - 1)
    at += 6
    inputs[at - 1] = OWN_BEST + best_level(hand, masks)
    at = add_categories(hand, fitting, masks, OWN, inputs, at)
    possible = ~(hand | 1 << code)
    other = follower(rules, seat)
    held = public[SIZES + other]
    tiles = public[MAY_HOLD + other] & possible
    fitting = legal_tiles(word, tiles)
    inputs[at] = HELD + MOST_HELD + min(held, MOST_HELD - 1)
    inputs[at + 1] = NEXT_BEST + best_level(tiles, masks)
    row = MOST_POSSIBLE * (min(held, BY_SIZE) - 1)
    inputs[at + 2] = NEXT_FITTING + row + min(popcount(fitting), MOST_POSSIBLE - 1)
    scoring = fitting & all_levels(masks)
    inputs[at + 3] = NEXT_SCORING + row + min(popcount(scoring), MOST_POSSIBLE - 1)
    at = add_categories(tiles, fitting, masks, NEXT, inputs, at + 4)
    for value in range(7):
        row = open_places(word, value)
        row = row * (MOST_OWN + 1) + min(popcount(hand & SUIT[value]), MOST_OWN)
        row = row * (MOST_OTHER + 1) + min(popcount(tiles & SUIT[value]), MOST_OTHER)
        inputs[at] = SUITS + SUIT_ROWS * value + row
        at += 1
    for place in range(2, rules[SEATS]):
        other = follower(rules, other)
        tiles = public[MAY_HOLD + other] & possible
        fitting = legal_tiles(word, tiles)
        inputs[at] = HELD + MOST_HELD * place + min(public[SIZES + other], MOST_HELD - 1)
        first = OTHERS + 56 * (place - 2)
        at = add_tiles(tiles & ~fitting, first, 1, inputs, at + 1)
        at = add_tiles(fitting, first + 28, 1, inputs, at)
    return fill_up(inputs, at)


def add_categories(
    tiles: int, fitting: int, masks: list[int], first: int, inputs: list[int], at: int
) -> int:
    """Append a row for each tile by what it can score; the new length."""
    scoring = 0
    level = LEVELS - 1
    while level:
        part = tiles & masks[level] & ~scoring
        scoring |= part
        at = add_tiles(part, first + min(level, 4) + 1, CATEGORIES, inputs, at)
        level -= 1
    at = add_tiles(tiles & ~fitting, first, CATEGORIES, inputs, at)
    return add_tiles(fitting & ~scoring, first + 1, CATEGORIES, inputs, at)


def best_level(tiles: int, masks: list[int]) -> int:
    """The most fives that one of the tiles can score."""
    level = LEVELS - 1
    while level and not tiles & masks[level]:
        level -= 1
    return level


def all_levels(masks: list[int]) -> int:
    """The tiles that can score."""
    tiles = 0
    for level in range(1, LEVELS):
        tiles |= masks[level]
    return tiles
