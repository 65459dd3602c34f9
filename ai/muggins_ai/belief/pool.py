"""The pool: worlds with weights, by which a search samples what its seat cannot see; kernel style.

`pool_hands` holds, for each world, four masks: the hands by seat, the viewer's own among them.
`pool_weights` are whole numbers from 1, whose sum is at most about 2**30, so that a random number
of 32 bits times the sum fits in 63. With two seats and no more hands than the budget the pool is
the whole posterior, each hand once; else it is a sample, drawn by the exact law with two seats
wherever that law can be listed, and by shuffles (`worlds`) elsewhere.

Where the other seat has kept drawn tiles, a hand does not tell which tile lay in which slot, which
the likelihood of its choices needs. Assignments are drawn at random: one for each world of a
sample, and for each hand of a whole posterior as many as the budget has room for, of which the
mean counts.
"""

from typing import Final

from muggins_ai.belief.constraints import (
    HELD_SLOTS,
    META,
    PLAYED,
    SLOTS,
    VOIDS,
    find_slots,
)
from muggins_ai.belief.hands import draw_hand, list_hands
from muggins_ai.belief.likelihood import MIXED, world_cost
from muggins_ai.belief.posterior import GROUPS, HANDS, LAW, find_law
from muggins_ai.belief.weighing import (
    COPIES,
    COST_BITS,
    EXACT,
    LISTABLE,
    WORLD,
    copy_worlds,
    merge_copies,
    weigh_worlds,
)
from muggins_ai.belief.worlds import (
    STATE,
    TILE_AT,
    hold_hands,
    match_tiles,
    shuffle_world,
    shuffled_tiles,
)
from muggins_ai.evaluate.policy import Net, Scratch
from muggins_ai.playout import SEATS
from muggins_ai.policies import random_after

__all__ = ["fill_pool", "prepare_belief"]

MOST_COPIES: Final = 16

SWEEPS: Final = 2
FIRST_SWEEPS: Final = 8
"""Sweeps from one world to the next, and before the first."""

RESTARTS: Final = 8
LEAST_STRETCH: Final = 40
"""A sample under voids starts so many times from a new random matching, and each time makes at
least so many worlds."""

MULTIPLE_BITS: Final = 20


def prepare_belief(
    rules: list[int],
    history: list[int],
    viewer: int,
    hand: int,
    seed: int,
    work: tuple[list[int], ...],
) -> None:
    """Find what the turns prove, and with two seats the law of the other hand."""
    state = (seed ^ seed >> 32) & 0xFFFFFFFF
    work[STATE][0] = state or 1
    for _ in range(4):
        work[STATE][0] = random_after(work[STATE][0])
    find_slots(rules, history, viewer, hand, work)
    work[META][EXACT] = 0
    work[META][LISTABLE] = 0
    work[META][COPIES] = 1
    work[LAW][HANDS] = 0
    if rules[SEATS] == 2:  # noqa: PLR2004 - one other hand
        work[META][LISTABLE] = find_law(work)


def fill_pool(
    rules: list[int],
    history: list[int],
    viewer: int,
    hand: int,
    weights: list[int],
    net: Net,
    scratch: Scratch,
    budget: int,
    seed: int,
    work: tuple[list[int], ...],
    pool_hands: list[int],
    pool_weights: list[int],
) -> int:
    """Write at most `budget` worlds and their weights; the number of worlds.

    `weights` has MIXED integers for each of four seats; zeros: nothing is inferred from a seat's
    choices. EXACT of META tells whether the pool is the whole posterior.
    """
    prepare_belief(rules, history, viewer, hand, seed, work)
    for place in range(WORLD * budget):
        pool_hands[place] = 0
    inferring = 0
    for place in range(MIXED * rules[SEATS]):
        inferring |= weights[place]
    worlds = budget
    if work[META][LISTABLE]:
        worlds = write_other_hands(1 - viewer, inferring, budget, work, pool_hands, pool_weights)
    for world in range(worlds):
        at = WORLD * world
        if work[META][LISTABLE] == 0:
            if next_world(world, budget, work) == 0:
                return 0
            hold_hands(at, pool_hands, work)
            pool_weights[world] = 1
        elif inferring:
            assign_tiles(placed_tiles(work) | pool_hands[at + 1 - viewer], work)
        cost = 0
        if inferring:
            cost = world_cost(rules, history, viewer, weights, net, scratch, work)
        pool_weights[world] = pool_weights[world] << COST_BITS | cost
        pool_hands[at + viewer] = hand
    weigh_worlds(worlds, pool_weights, work)
    return merge_copies(worlds, work[META][COPIES], pool_hands, pool_weights)


def write_other_hands(
    other: int,
    inferring: int,
    budget: int,
    work: tuple[list[int], ...],
    pool_hands: list[int],
    pool_weights: list[int],
) -> int:
    """Write the hands of the one other seat: all of them, or as many as the budget by the law.

    Weights are multiples here. The number of worlds written, copies included.
    """
    hands = work[LAW][HANDS]
    if hands > budget:
        for world in range(budget):
            pool_hands[WORLD * world + other] = draw_hand(work)
            pool_weights[world] = 1
        return budget
    work[META][EXACT] = 1
    worlds = list_hands(0, WORLD, other, pool_hands, pool_weights, work)
    most = 0
    for world in range(worlds):
        most = max(most, pool_weights[world])
    shift = 0
    while most >> shift >= 1 << MULTIPLE_BITS:
        shift += 1
    for world in range(worlds):
        pool_weights[world] = max(1, pool_weights[world] >> shift)
    if inferring and work[LAW][GROUPS] > 1:
        work[META][COPIES] = min(MOST_COPIES, budget // hands)
        copy_worlds(worlds, work[META][COPIES], pool_hands, pool_weights)
    return worlds * work[META][COPIES]


def placed_tiles(work: tuple[list[int], ...]) -> int:
    """What the other seats have placed of their own will, as a mask."""
    placed = 0
    for code in range(28):
        if work[PLAYED][code] >= 0:
            placed |= 1 << code
    return placed


def assign_tiles(tiles: int, work: tuple[list[int], ...]) -> None:
    """Lay a hand and what its seat has placed into the seat's slots, at random."""
    slots = work[META][HELD_SLOTS]
    if work[LAW][GROUPS] > 1:
        match_tiles(tiles, slots, work)
        shuffle_world(slots, SWEEPS, work)
        return
    slot = 0
    for code in range(28):
        if tiles >> code & 1:
            work[TILE_AT][slot] = code
            slot += 1


def next_world(number: int, budget: int, work: tuple[list[int], ...]) -> int:
    """Move on to the next world of a sample; 0 when there is none at all."""
    slots = work[META][SLOTS]
    voids = work[META][VOIDS]
    stretch = max(LEAST_STRETCH, budget // RESTARTS) if voids else budget
    sweeps = SWEEPS if voids else 1
    if number % stretch == 0:
        if match_tiles(shuffled_tiles(work), slots, work) == 0:
            return 0
        sweeps = FIRST_SWEEPS if voids else 1
    shuffle_world(slots, sweeps, work)
    return 1
