"""Rounds played out after each move of a position, tallied by move. Kernel style.

A sample is a world from the belief with its boneyard in some order. In it every move is made in
turn, and all seats go on by the learned policy with the same random numbers, so that the moves of a
sample differ by no more than what they bring about. Points are what the rest of the round brings to
each side less the mean of the others; a chance to win is that of the match by `equity`.
"""

from typing import Final

from muggins_ai.arena.contest import choose_by_network
from muggins_ai.evaluate.equity import equity
from muggins_ai.evaluate.policy import move_logits
from muggins_ai.evaluate.public import PUBLIC_SIZE, note_placement, settle_publicly
from muggins_ai.playout import BLOCKED, DIVISOR, FLAGS, SIDES, TARGET
from muggins_ai.policies import random_after
from muggins_ai.search.puct import draw_world, shuffle
from muggins_ai.search.steps import (
    ENDED,
    HANDS,
    IN_PLAY,
    MATCH_OVER,
    META,
    OUT,
    SCORES,
    TABLE,
    TURN,
    World,
    copy_world,
    follower,
    place,
    playable,
    side_of,
)
from muggins_ai.search.workspace import (
    DECK,
    MOVES,
    PUBLIC,
    STATE,
    WEIGHTS,
    Ints,
    Net,
    Root,
    Scratch,
    Work,
)
from muggins_rules.kernel import count_of, list_moves, points_of

__all__ = [
    "BLOCKS",
    "CHANCES",
    "NO_MOVE",
    "OUTS",
    "POINTS",
    "SCORED_ON",
    "SCORES_NEXT",
    "SQUARES",
    "TALLY",
    "play_samples",
]

POINTS: Final = 0
"""By side: the sum of raw points less the mean of the others'."""
CHANCES: Final = 4
"""By side: the sum of the chances to win the match, in 1/CERTAIN_WIN."""
SQUARES: Final = 8
"""The sum of the squares of the mover's side's points, times (number of sides - 1) squared."""
SCORES_NEXT: Final = 9
SCORED_ON: Final = 10
OUTS: Final = 11
BLOCKS: Final = 12
"""How often: the mover scores with its next placement; the next seat scores in reply; the mover
goes out; the round is blocked."""
NO_MOVE: Final = -1
"""A seat that has nothing to place draws or passes."""
TALLY: Final = 13
"""Whole numbers for each move. Points stand times (number of sides - 1)."""


def play_samples(
    rules: Ints,
    root: Root,
    pool_hands: Ints,
    pool_sums: Ints,
    moves: Ints,
    found: int,
    samples: int,
    temperature: int,
    equity_table: Ints,
    policy_net: Net,
    policy_scratch: Scratch,
    world: World,
    after: World,
    public: Ints,
    work: Work,
    room: tuple[Ints, Ints],
    tally: Ints,
) -> None:
    """Add so many samples to the tally of each of the first `found` moves.

    `room` has place for each side's points to go and its chance.
    """
    for _ in range(samples):
        draw_world(root, pool_hands, pool_sums, world, work)
        shuffle(work)
        random = work[STATE][0]
        for index in range(found):
            copy_world(world, after)
            for place_in_public in range(PUBLIC_SIZE):
                public[place_in_public] = work[PUBLIC][place_in_public]
            work[STATE][0] = random
            play_out(
                rules,
                moves[index],
                temperature,
                policy_net,
                policy_scratch,
                after,
                public,
                work,
                tally,
                TALLY * index,
            )
            add_result(
                rules, root[1], world[META][TURN], equity_table, after, room, tally, TALLY * index
            )
        work[STATE][0] = random_after(random)


def play_out(
    rules: Ints,
    move: int,
    temperature: int,
    policy_net: Net,
    policy_scratch: Scratch,
    world: World,
    public: Ints,
    work: Work,
    tally: Ints,
    at: int,
) -> None:
    """Make a move, or none for NO_MOVE, and play the round to its end, noting who scores next."""
    meta = world[META]
    viewer = meta[TURN]
    moves = work[MOVES]
    replies = 0
    own = 0
    turn = viewer
    while True:
        if move != NO_MOVE:
            note_placement(public, turn, move, rules[FLAGS])
            place(rules, world, move)
            scores = 1 if points_of(count_of(meta[TABLE]), 1) else 0
            if replies == 1 and turn == follower(rules, viewer):
                tally[at + SCORED_ON] += scores
            if own == 1 and turn == viewer:
                tally[at + SCORES_NEXT] += scores
        settle_publicly(rules, world, work[DECK], 0, public)
        if meta[ENDED] != IN_PLAY:
            return
        turn = meta[TURN]
        replies += 1
        if turn == viewer:
            own += 1
        found = list_moves(meta[TABLE], playable(world), rules[FLAGS], moves)
        chosen = 0
        if found > 1:
            logits = work[WEIGHTS]
            hand = world[HANDS][turn]
            move_logits(rules, public, turn, hand, moves, found, policy_net, policy_scratch, logits)
            work[STATE][0] = random_after(work[STATE][0])
            chosen = choose_by_network(logits, found, temperature, work[STATE][0])
        move = moves[chosen]


def add_result(
    rules: Ints,
    before: Ints,
    viewer: int,
    equity_table: Ints,
    world: World,
    room: tuple[Ints, Ints],
    tally: Ints,
    at: int,
) -> None:
    """Add what a round that has ended brought since the root."""
    meta = world[META]
    sides = rules[SIDES]
    out = meta[OUT]
    if out == viewer and (meta[ENDED] != MATCH_OVER or world[HANDS][viewer] == 0):
        tally[at + OUTS] += 1
    if out == BLOCKED:
        tally[at + BLOCKS] += 1
    total = 0
    for side in range(sides):
        total += world[SCORES][side] - before[side]
    for side in range(sides):
        gained = world[SCORES][side] - before[side]
        ahead = (gained * sides - total) * rules[DIVISOR]
        tally[at + POINTS + side] += ahead
        if side == side_of(rules, viewer):
            tally[at + SQUARES] += ahead * ahead
        room[0][side] = (rules[TARGET] - world[SCORES][side]) * rules[DIVISOR]
    opens = -1 if out == BLOCKED else side_of(rules, out)
    equity(sides, equity_table, room[0], opens, room[1])
    for side in range(sides):
        tally[at + CHANCES + side] += room[1][side]
