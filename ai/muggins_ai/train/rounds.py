"""Rounds of the learned policy against itself as sequences of gains, as kernel-style functions."""

from typing import Final

from muggins_ai.arena.contest import choose_by_network
from muggins_ai.evaluate.equity import FURTHEST, GRID
from muggins_ai.evaluate.policy import move_logits
from muggins_ai.evaluate.public import WORD, deal_world, note_placement, settle_publicly
from muggins_ai.playout import BLOCKED, DIVISOR, FLAGS, SEATS, SIDES, TILES
from muggins_ai.policies import random_after
from muggins_ai.search.steps import (
    ENDED,
    HANDS,
    IN_PLAY,
    META,
    OUT,
    SCORED,
    SCORES,
    TABLE,
    TURN,
    World,
    place,
    playable,
    side_of,
)
from muggins_ai.train.self_play import shuffle
from muggins_rules.kernel import count_of, list_moves, points_of

__all__ = [
    "GAIN_ROW",
    "NOBODY",
    "improve_table",
    "play_gains",
    "play_match",
]

Net = tuple[list[int], list[int], list[int], list[int]]
Scratch = tuple[list[int], list[int], list[int]]

MOST_GAINS: Final = 28
SETTLED: Final = 2 * MOST_GAINS + 1
PLACED: Final = SETTLED + 4
OPENS: Final = PLACED + 4
GAIN_ROW: Final = OPENS + 1
"""Numbers of a round: the number of gains, each as side and steps of five raw points; by side what
the settlement brought and what all placements did, in steps; and the side that opens next, or
NOBODY. Sides are counted from the one that opened."""
NOBODY: Final = 4


def play_gains(
    rules: list[int],
    rounds: int,
    tiles: list[int],
    temperature: int,
    net: Net,
    scratch: Scratch,
    world: World,
    public: list[int],
    deck: list[int],
    moves: list[int],
    logits: list[int],
    state: list[int],
    gains: list[int],
) -> None:
    """Play so many rounds and write GAIN_ROW numbers for each."""
    meta = world[META]
    scores = world[SCORES]
    sides = rules[SIDES]
    for number in range(rounds):
        row = GAIN_ROW * number
        for index in range(GAIN_ROW):
            gains[row + index] = 0
        shuffle(tiles, rules[TILES], deck, state)
        for side in range(4):
            scores[side] = 0
            world[SCORED][side] = 0
        state[0] = random_after(state[0])
        deal_world(rules, deck, state[0] * rules[SEATS] >> 32, world, public)
        opener = side_of(rules, meta[TURN])
        while True:
            settle_publicly(rules, world, deck, 0, public)
            if meta[ENDED] != IN_PLAY:
                break
            turn = meta[TURN]
            side = side_of(rules, turn)
            found = list_moves(meta[TABLE], playable(world), rules[FLAGS], moves)
            chosen = 0
            if found > 1:
                hand = world[HANDS][turn]
                move_logits(rules, public, turn, hand, moves, found, net, scratch, logits)
                state[0] = random_after(state[0])
                chosen = choose_by_network(logits, found, temperature, state[0])
            note_placement(public, turn, moves[chosen], rules[FLAGS])
            place(rules, world, moves[chosen])
            steps = points_of(count_of(public[WORD]), GRID)
            if steps:
                at = row + 2 * gains[row] + 1
                relative = (side - opener) % sides
                gains[at] = relative
                gains[at + 1] = steps
                gains[row] += 1
                gains[row + SETTLED + relative] -= steps
                gains[row + PLACED + relative] += steps
        for side in range(sides):
            steps = scores[side] * rules[DIVISOR] // GRID
            gains[row + SETTLED + (side - opener) % sides] += steps
        out = meta[OUT]
        gains[row + OPENS] = NOBODY if out == BLOCKED else (side_of(rules, out) - opener) % sides


def improve_table(gains: list[int], rounds: int, table: list[float], before: list[float]) -> float:
    """One round of value iteration for two sides; the largest change.

    `table` holds the chance of the side that opens, FURTHEST x FURTHEST, by steps that it and the
    other have to go; `before` has the same room. The states are swept from the nearest to the end.
    """
    largest = 0.0
    for index in range(FURTHEST * FURTHEST):
        before[index] = table[index]
    for first in range(FURTHEST):
        for second in range(FURTHEST):
            total = 0.0
            for number in range(rounds):
                total += chance_after(gains, GAIN_ROW * number, first + 1, second + 1, table)
            total /= rounds
            at = FURTHEST * first + second
            table[at] = total
            largest = max(largest, abs(total - before[at]))
    return largest


def chance_after(gains: list[int], row: int, first: int, second: int, table: list[float]) -> float:
    """The chance to win of the side that opens a round of which the gains are known."""
    ours = gains[row + PLACED]
    theirs = gains[row + PLACED + 1]
    if ours >= first or theirs >= second:
        return float(wins_race(gains, row, first, second))
    first -= ours + gains[row + SETTLED]
    second -= theirs + gains[row + SETTLED + 1]
    if first <= 0:
        return 1.0
    if second <= 0:
        return 0.0
    first = min(first, FURTHEST) - 1
    second = min(second, FURTHEST) - 1
    opening = table[FURTHEST * first + second]
    answering = 1.0 - table[FURTHEST * second + first]
    opens = gains[row + OPENS]
    if opens == NOBODY:
        return (opening + answering) / 2
    return answering if opens else opening


def wins_race(gains: list[int], row: int, first: int, second: int) -> int:
    """1 when the side that opens gets there first in a round in which some side does."""
    for index in range(gains[row]):
        at = row + 2 * index + 1
        if gains[at]:
            second -= gains[at + 1]
            if second <= 0:
                return 0
        else:
            first -= gains[at + 1]
            if first <= 0:
                return 1
    return 0


def play_match(
    sides: int,
    gains: list[int],
    rounds: int,
    to_go: list[int],
    opener: int,
    most_rounds: int,
    state: list[int],
) -> int:
    """Play a match of rounds drawn at random from those recorded; the side that won.

    `to_go` are steps by side and change in place; an `opener` of NOBODY is drawn by lot. The side
    with the least to go wins a match of `most_rounds`.
    """
    for _ in range(most_rounds):
        if opener == NOBODY:
            state[0] = random_after(state[0])
            opener = state[0] * sides >> 32
        state[0] = random_after(state[0])
        row = GAIN_ROW * (state[0] * rounds >> 32)
        for index in range(gains[row]):
            at = row + 2 * index + 1
            side = (gains[at] + opener) % sides
            to_go[side] -= gains[at + 1]
            if to_go[side] <= 0:
                return side
        for relative in range(sides):
            to_go[(relative + opener) % sides] -= gains[row + SETTLED + relative]
        opens = gains[row + OPENS]
        opener = NOBODY if opens == NOBODY else (opens + opener) % sides
        for side in range(sides):
            if to_go[side] <= 0:
                return side
    winner = 0
    for side in range(1, sides):
        if to_go[side] < to_go[winner]:
            winner = side
    return winner
