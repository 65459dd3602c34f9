"""Exact play of two-sided endings with nothing left to draw, when all hands are known.

Alpha-beta over perfect information with a stack of its own, so that it compiles; a node budget
bounds it, since with many open ends an ending can be huge. Values are the utilities of side 0 by
`evaluate.stakes`; with two sides they are opposite, so pairs are solved like two seats.

Preconditions: two sides, `world` settled (the seat on turn has a tile to place), nothing drawable.
"""

from typing import Final

from muggins_ai.evaluate.stakes import Stakes, utilities
from muggins_ai.playout import FLAGS
from muggins_ai.search.steps import (
    ENDED,
    HANDS,
    IN_PLAY,
    META,
    META_SIZE,
    SCORED,
    SCORES,
    TABLE,
    TURN,
    World,
    place,
    playable,
    settle_turn,
    side_of,
)
from muggins_rules.kernel import MOST_MOVES, list_moves

__all__ = [
    "BUDGET_SPENT",
    "DEEPEST",
    "FRAMES",
    "LARGE",
    "MOVES",
    "NODES_VISITED",
    "SAVED",
    "solve",
]

LARGE: Final = 1 << 40
"""More than any value."""

DEEPEST: Final = 30
"""Placements that an ending can have, and two more."""

ROW: Final = META_SIZE + 12
SAVED: Final = DEEPEST * ROW
"""Room for the worlds on the way down."""

MOVER: Final = 0
FOUND: Final = 1
INDEX: Final = 2
ALPHA: Final = 3
BETA: Final = 4
BEST: Final = 5
FRAME: Final = 6

NODES_VISITED: Final = DEEPEST * FRAME
BUDGET_SPENT: Final = NODES_VISITED + 1
MOVES: Final = (DEEPEST + 1) * MOST_MOVES
"""Room for the moves of every depth, and a row to list them in."""
FRAMES: Final = BUDGET_SPENT + 1
"""Room for the frames, the number of nodes visited, and 1 when the budget was spent."""


def solve(
    rules: list[int],
    world: World,
    stakes: Stakes,
    budget: int,
    deck: list[int],
    values: list[int],
    saved: list[int],
    moves: list[int],
    frames: list[int],
) -> int:
    """The value of a settled world under perfect play; worthless once BUDGET_SPENT is 1.

    `world` is used and restored; `moves` has room for MOVES, `values` for one a side.
    """
    frames[NODES_VISITED] = 0
    frames[BUDGET_SPENT] = 0
    if world[META][ENDED] != IN_PLAY:
        utilities(rules, world, stakes, values)
        return values[0]
    depth = 0
    enter(rules, world, 0, -LARGE, LARGE, moves, frames)
    while True:
        at = FRAME * depth
        if frames[NODES_VISITED] > budget:
            frames[BUDGET_SPENT] = 1
            restore(world, saved, 0)
            return 0
        done = frames[at + INDEX] >= frames[at + FOUND] or frames[at + ALPHA] >= frames[at + BETA]
        if done:
            value = frames[at + BEST]
            if depth == 0:
                return value
            depth -= 1
            restore(world, saved, depth)
            take(depth, value, frames)
            continue
        move = moves[MOST_MOVES * (depth + 1) + frames[at + INDEX]]
        frames[at + INDEX] += 1
        save(world, saved, depth)
        place(rules, world, move)
        settle_turn(rules, world, deck, 0)
        frames[NODES_VISITED] += 1
        if world[META][ENDED] != IN_PLAY:
            utilities(rules, world, stakes, values)
            restore(world, saved, depth)
            take(depth, values[0], frames)
        else:
            depth += 1
            enter(rules, world, depth, frames[at + ALPHA], frames[at + BETA], moves, frames)


def enter(
    rules: list[int],
    world: World,
    depth: int,
    alpha: int,
    beta: int,
    moves: list[int],
    frames: list[int],
) -> None:
    """List the moves of a node."""
    meta = world[META]
    base = MOST_MOVES * (depth + 1)
    found = list_moves(meta[TABLE], playable(world), rules[FLAGS], moves)
    for index in range(found):
        moves[base + index] = moves[index]
    at = FRAME * depth
    mover = side_of(rules, meta[TURN])
    frames[at + MOVER] = mover
    frames[at + FOUND] = found
    frames[at + INDEX] = 0
    frames[at + ALPHA] = alpha
    frames[at + BETA] = beta
    frames[at + BEST] = -LARGE if mover == 0 else LARGE


def take(depth: int, value: int, frames: list[int]) -> None:
    """Take the value of a child into account."""
    at = FRAME * depth
    if frames[at + MOVER] == 0:
        frames[at + BEST] = max(frames[at + BEST], value)
        frames[at + ALPHA] = max(frames[at + ALPHA], frames[at + BEST])
    else:
        frames[at + BEST] = min(frames[at + BEST], value)
        frames[at + BETA] = min(frames[at + BETA], frames[at + BEST])


def save(world: World, saved: list[int], depth: int) -> None:
    """Keep a world."""
    at = ROW * depth
    for index in range(META_SIZE):
        saved[at + index] = world[META][index]
    at += META_SIZE
    for index in range(4):
        saved[at + index] = world[HANDS][index]
        saved[at + 4 + index] = world[SCORES][index]
        saved[at + 8 + index] = world[SCORED][index]


def restore(world: World, saved: list[int], depth: int) -> None:
    """Make the world what it was when it was kept."""
    at = ROW * depth
    for index in range(META_SIZE):
        world[META][index] = saved[at + index]
    at += META_SIZE
    for index in range(4):
        world[HANDS][index] = saved[at + index]
        world[SCORES][index] = saved[at + 4 + index]
        world[SCORED][index] = saved[at + 8 + index]
