"""Rounds that the policy plays against itself, recorded for learning, as kernel-style functions.

At each settled position the value learns the outcome of the round from there. Where the seat on
turn has a choice, every placement is tried in the true world: the points it makes and the learned
value of what follows. The policy, which does not see the hidden hands, learns the mean of that over
the worlds in which it finds itself.
"""

from typing import Final

from muggins_ai.evaluate.policy import (
    POLICY_MOST_INPUTS,
    POLICY_UNIT,
    drawn_move,
    logit_of,
    move_inputs,
    weigh,
)
from muggins_ai.evaluate.public import (
    OFF_TABLE,
    deal_world,
    note_placement,
    settle_publicly,
)
from muggins_ai.evaluate.value import MOST_INPUTS, leaf_values, value_inputs
from muggins_ai.playout import (
    BLOCKED,
    DIVISOR,
    FLAGS,
    SEATS,
    SIDES,
    TILES,
)
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
    copy_world,
    follower,
    place,
    playable,
    settle_turn,
    side_of,
)
from muggins_rules.kernel import list_moves

__all__ = [
    "ALONE",
    "CHOICES",
    "GAINS",
    "MOST_PLIES",
    "OPENER_GAIN",
    "OPENER_KEEPS",
    "POSITIONS",
    "ROUNDS",
    "STATISTICS",
    "TRIED",
    "play_self",
    "shuffle",
]

Net = tuple[list[int], list[int], list[int], list[int]]
Scratch = tuple[list[int], list[int], list[int]]

POSITIONS: Final = 0
CHOICES: Final = 1
TRIED: Final = 2
ROUNDS: Final = 3
COUNTED: Final = 4
"""Numbers of recorded positions, choices, moves of the choices, and rounds."""

OPENER_GAIN: Final = 0
OPENER_KEEPS: Final = 1
STATISTICS: Final = 2
"""Summed over rounds: the opener's utility without what follows; how much it opens again."""

MOST_PLIES: Final = 28
ALONE: Final = 4
"""Numbers for each position: utility by side from the mover's on."""
GAINS: Final = 2
"""Numbers for each move that was tried: points it is worth, weight in learning."""


def play_self(
    rules: list[int],
    rounds: int,
    tiles: list[int],
    opener_value: float,
    temperature: int,
    value_net: Net,
    policy_net: Net,
    value_scratch: Scratch,
    policy_scratch: Scratch,
    world: World,
    after: World,
    public: list[int],
    deck: list[int],
    moves: list[int],
    weights: list[int],
    out: list[int],
    state: list[int],
    position_inputs: list[int],
    position_ends: list[int],
    movers: list[int],
    outcomes: list[float],
    move_rows: list[int],
    move_ends: list[int],
    gains: list[float],
    choice_ends: list[int],
    counts: list[int],
    statistics: list[float],
) -> None:
    """Play and record so many rounds; there is room for them.

    `tiles` are the codes of the set. Recorded position k has its inputs from MOST_INPUTS x k to
    `position_ends[k]`, and move k from POLICY_MOST_INPUTS x k to `move_ends[k]`. The moves of
    choice k end at `choice_ends[k]`.
    """
    meta = world[META]
    for index in range(COUNTED):
        counts[index] = 0
    for index in range(STATISTICS):
        statistics[index] = 0.0
    for _ in range(rounds):
        begin_round(rules, tiles, world, public, deck, state)
        opener = side_of(rules, meta[TURN])
        first = counts[POSITIONS]
        while True:
            settle_publicly(rules, world, deck, 0, public)
            if meta[ENDED] != IN_PLAY:
                break
            position = counts[POSITIONS]
            position_ends[position] = value_inputs(
                rules,
                world,
                public[OFF_TABLE],
                position_inputs,
                MOST_INPUTS * position,
                value_scratch[2],
            )
            movers[position] = side_of(rules, meta[TURN])
            add_utilities(rules, world, movers[position], 0.0, -1, outcomes, ALONE * position)
            counts[POSITIONS] = position + 1
            found = list_moves(meta[TABLE], playable(world), rules[FLAGS], moves)
            chosen = 0
            if found > 1:
                first_move = counts[TRIED]
                try_moves(
                    rules,
                    found,
                    first_move,
                    opener_value,
                    value_net,
                    policy_net,
                    value_scratch,
                    policy_scratch,
                    world,
                    after,
                    public,
                    deck,
                    moves,
                    weights,
                    out,
                    move_rows,
                    move_ends,
                    gains,
                )
                weigh(weights, found, temperature)
                total = 0
                for index in range(found):
                    total += weights[index]
                for index in range(found):
                    gains[GAINS * (first_move + index) + 1] = weights[index] / total
                state[0] = random_after(state[0])
                chosen = drawn_move(weights, found, state[0])
                choice_ends[counts[CHOICES]] = first_move + found
                counts[CHOICES] += 1
                counts[TRIED] = first_move + found
            move = moves[chosen]
            note_placement(public, meta[TURN], move, rules[FLAGS])
            place(rules, world, move)
        for position in range(first, counts[POSITIONS]):
            at = ALONE * position
            add_utilities(rules, world, movers[position], opener_value, 1, outcomes, at)
        statistics[OPENER_GAIN] += utility(rules, world, opener)
        statistics[OPENER_KEEPS] += opening_utility(rules, world, opener, 1.0)
        counts[ROUNDS] += 1


def try_moves(
    rules: list[int],
    found: int,
    first_move: int,
    opener_value: float,
    value_net: Net,
    policy_net: Net,
    value_scratch: Scratch,
    policy_scratch: Scratch,
    world: World,
    after: World,
    public: list[int],
    deck: list[int],
    moves: list[int],
    weights: list[int],
    out: list[int],
    move_rows: list[int],
    move_ends: list[int],
    gains: list[float],
) -> None:
    """Record each move of a choice: its inputs, its logit, and what it is worth in this world."""
    turn = world[META][TURN]
    mover = side_of(rules, turn)
    for index in range(found):
        number = first_move + index
        start = POLICY_MOST_INPUTS * number
        hand = world[HANDS][turn]
        end = move_inputs(
            rules, public, turn, hand, moves[index], move_rows, start, policy_scratch[2]
        )
        move_ends[number] = end
        weights[index] = logit_of(policy_net, move_rows, start, end, policy_scratch[1])
        copy_world(world, after)
        place(rules, after, moves[index])
        settle_turn(rules, after, deck, 0)
        worth = utility(rules, after, mover)
        if after[META][ENDED] == IN_PLAY:
            left = public[OFF_TABLE] & ~(1 << (moves[index] & 31))
            leaf_values(rules, after, left, value_net, value_scratch, out)
            worth += out[mover] / POLICY_UNIT
        else:
            worth += opening_utility(rules, after, mover, opener_value)
        gains[GAINS * number] = worth


def begin_round(
    rules: list[int],
    tiles: list[int],
    world: World,
    public: list[int],
    deck: list[int],
    state: list[int],
) -> None:
    """Shuffle and deal a round that a seat at random opens, with scores of 0."""
    shuffle(tiles, rules[TILES], deck, state)
    for seat in range(4):
        world[SCORES][seat] = 0
        world[SCORED][seat] = 0
    state[0] = random_after(state[0])
    deal_world(rules, deck, state[0] * rules[SEATS] >> 32, world, public)


def shuffle(tiles: list[int], number: int, deck: list[int], state: list[int]) -> None:
    """Write so many tiles in a random order."""
    for index in range(number):
        deck[index] = tiles[index]
    last = number - 1
    while last > 0:
        state[0] = random_after(state[0])
        other = state[0] * (last + 1) >> 32
        code = deck[other]
        deck[other] = deck[last]
        deck[last] = code
        last -= 1


def add_utilities(
    rules: list[int],
    world: World,
    mover: int,
    opener_value: float,
    sign: int,
    outcomes: list[float],
    at: int,
) -> None:
    """Add the utility of every side, from the mover's on, where a position's outcome stands.

    With a `sign` of -1 the outcome is begun, less what has been scored already.
    """
    side = mover
    for index in range(rules[SIDES]):
        worth = utility(rules, world, side)
        if sign < 0:
            outcomes[at + index] = -worth
        else:
            outcomes[at + index] += worth + opening_utility(rules, world, side, opener_value)
        side = 1 - side if rules[SIDES] == 2 else follower(rules, side)  # noqa: PLR2004 - opponents


def utility(rules: list[int], world: World, side: int) -> float:
    """Raw points of a side less the mean of the others'."""
    own = world[SCORES][side]
    others = -own
    for index in range(rules[SIDES]):
        others += world[SCORES][index]
    return (own - others / (rules[SIDES] - 1)) * rules[DIVISOR]


def opening_utility(rules: list[int], world: World, side: int, opener_value: float) -> float:
    """What the right to open the next round is worth to a side, once the round has ended."""
    out = world[META][OUT]
    if out == BLOCKED:
        return 0.0
    if side_of(rules, out) == side:
        return opener_value
    return -opener_value / (rules[SIDES] - 1)
