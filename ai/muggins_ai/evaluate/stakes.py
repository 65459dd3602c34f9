"""What a world is worth to each side: points, or the chance to win the match.

Points: a side's gain less the mean gain of the others, with what opening the next round is worth.
Where the end of the match is near, a point more is not worth the same to who leads and to who is
behind. Then the utility is mostly the chance to win by `equity`, in points of the usual worth at
the root, so that searches may treat both alike; a small part stays points.

A round in play is no single result. Its gain is spread about the learned value: with two sides the
chance is the mean over three gains, with the weights of Gauss and Hermite's rule for a normal
spread, whose variance is in proportion to the tiles that are held.
"""

from math import isqrt
from typing import Final

from muggins_ai.evaluate.equity import CERTAIN_WIN, FURTHEST, GRID, equity
from muggins_ai.playout import BLOCKED, DIVISOR, SEATS, SIDES, TARGET
from muggins_ai.search.steps import (
    ENDED,
    HANDS,
    IN_PLAY,
    META,
    OUT,
    ROUND_OVER,
    SCORES,
    World,
    side_of,
)
from muggins_rules.bits import popcount

__all__ = [
    "ABOUT_SIZE",
    "CHANCES",
    "OPENER",
    "POINT",
    "START",
    "WORTH",
    "Stakes",
    "expected_chance",
    "utilities",
]

Stakes = tuple[list[int], list[int], list[int], list[int]]
"""Integers at the places below, what `equity` reads, and by side room for to_go and chances."""

OPENER: Final = 0
"""What opening the next round is worth, in 1/POINT raw point."""
WORTH: Final = 1
"""What a sure win is worth, in 1/POINT raw point; 0: only points count."""
START: Final = 2
"""By side the score at the root, in the rule set's own unit."""
CHANCES: Final = 6
"""By side the chance to win at the root, in 1/CERTAIN_WIN."""
ABOUT_SIZE: Final = 10

POINT: Final = 1024
POINTS_PART: Final = 8
"""Where the chance to win counts, a point counts for one part in so many besides."""
SPREAD: Final = 15
"""Standard deviation of the rest of a round: half of this, in raw points, for one tile held."""
REACHES: Final = tuple(isqrt(3 * tiles * (SPREAD * POINT // 4) ** 2) for tiles in range(57))
"""By tiles held: how far the outer gains are from the mean, for one of two sides."""
STEP: Final = GRID * POINT


def utilities(rules: list[int], world: World, stakes: Stakes, values: list[int]) -> None:
    """Turn the learned value of the rest of the round into each side's utility since the root.

    `values`, in 1/POINT raw point, are read where the world is in play, else only written.
    """
    about = stakes[0]
    meta = world[META]
    sides = rules[SIDES]
    opens = -1
    if meta[ENDED] != IN_PLAY:
        for side in range(sides):
            values[side] = 0
        if meta[ENDED] == ROUND_OVER and meta[OUT] != BLOCKED:
            opens = side_of(rules, meta[OUT])
    if about[WORTH]:
        win_chances(rules, world, stakes, opens, values)
    total = 0
    for side in range(sides):
        total += world[SCORES][side] - about[START + side]
    for side in range(sides):
        points = world[SCORES][side] - about[START + side]
        others = (total - points) * POINT // (sides - 1)
        values[side] += (points * POINT - others) * rules[DIVISOR]
        if opens >= 0:
            opener = about[OPENER]
            values[side] += opener if side == opens else -opener // (sides - 1)
        if about[WORTH]:
            gained = stakes[3][side] - about[CHANCES + side]
            values[side] = values[side] // POINTS_PART + gained * about[WORTH] // CERTAIN_WIN


def win_chances(
    rules: list[int], world: World, stakes: Stakes, opens: int, values: list[int]
) -> None:
    """Write each side's chance to win the match, given the values of the rest of the round."""
    table = stakes[1]
    chances = stakes[3]
    sides = rules[SIDES]
    in_play = world[META][ENDED] == IN_PLAY
    if sides == 2 and in_play:  # noqa: PLR2004 - the table is for two
        tiles = 0
        for seat in range(rules[SEATS]):
            tiles += popcount(world[HANDS][seat])
        first = to_go(rules, world, 0) - values[0] // 2
        second = to_go(rules, world, 1) - values[1] // 2
        reach = REACHES[tiles]
        chance = 4 * expected_chance(table, first, second)
        chance += expected_chance(table, first - reach, second + reach)
        chance += expected_chance(table, first + reach, second - reach)
        chances[0] = chance // 6
        chances[1] = CERTAIN_WIN - chance // 6
        return
    for side in range(sides):
        left = to_go(rules, world, side)
        if in_play:
            left = max(left - values[side] * (sides - 1) // sides, GRID * POINT // 2)
        stakes[2][side] = left // POINT
    equity(sides, table, stakes[2], opens, chances)


def to_go(rules: list[int], world: World, side: int) -> int:
    """What a side has to go, in 1/POINT raw point."""
    return (rules[TARGET] - world[SCORES][side]) * rules[DIVISOR] * POINT


def expected_chance(table: list[int], first: int, second: int) -> int:
    """The first of two sides' chance by what both have to go, in 1/POINT raw point, between steps.

    Who opens the next round is open. A side that has nothing to go has won.
    """
    if first <= 0 or second <= 0:
        if first == second:
            return CERTAIN_WIN // 2
        return CERTAIN_WIN if first < second else 0
    row = min(first // STEP, FURTHEST - 1)
    column = min(second // STEP, FURTHEST - 1)
    down = min(first - row * STEP, STEP)
    across = min(second - column * STEP, STEP)
    upper = (STEP - across) * either_opens(table, row, column)
    upper += across * either_opens(table, row, column + 1)
    lower = (STEP - across) * either_opens(table, row + 1, column)
    lower += across * either_opens(table, row + 1, column + 1)
    return ((STEP - down) * upper + down * lower) // (STEP * STEP)


def either_opens(table: list[int], first: int, second: int) -> int:
    """The first side's chance by whole steps to go, 0 included, where the opener is drawn."""
    if first == 0 or second == 0:
        if first == second:
            return CERTAIN_WIN // 2
        return CERTAIN_WIN if first == 0 else 0
    row = first - 1
    column = second - 1
    chance = table[FURTHEST * row + column] + CERTAIN_WIN - table[FURTHEST * column + row]
    return chance >> 1
