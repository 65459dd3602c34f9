"""The pool: worlds with weights, by which a search samples what the viewer cannot see; kernel style.

`pool_hands` holds, for each world, four masks: the hands by seat, the viewer's own among them.
`pool_weights` are whole numbers from 1, whose sum is at most about 2**30, so that a random number
of 32 bits times the sum fits in 63. With two seats and no more hands than the budget the pool is
the whole posterior, each hand once; else it is a sample, drawn by the exact law with two seats
wherever that law can be listed, and by shuffles (`worlds`) elsewhere.

Where the other seat has kept drawn tiles, a hand does not tell which tile lay in which slot, which
the likelihood of its choices needs: one assignment is drawn at random for each world.
"""

from typing import Final

from muggins_ai.belief.constraints import (
    ALLOWED,
    HELD_SLOTS,
    META,
    PLAYED,
    SLOT_SEAT,
    SLOTS,
    VOIDS,
    find_slots,
)
from muggins_ai.belief.likelihood import MIXED, weight_left, world_cost
from muggins_ai.belief.posterior import (
    GROUPS,
    HANDS,
    LAW,
    draw_hand,
    find_law,
    list_hands,
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

__all__ = [
    "EXACT",
    "FIRST_SWEEPS",
    "META_SIZE",
    "SWEEPS",
    "TOTAL_BITS",
    "WORLD",
    "fill_pool",
    "prepare_belief",
]

EXACT: Final = 5
LISTABLE: Final = 6
META_SIZE: Final = 7
"""Places of META after those of `constraints`: 1 when the pool is the whole posterior, 1 when the
law over one other hand is listed; and the number of places."""

WORLD: Final = 4
"""Masks of a world."""

SWEEPS: Final = 2
FIRST_SWEEPS: Final = 8
"""Sweeps from one world to the next, and before the first."""

RESTARTS: Final = 8
"""A sample under voids starts so many times from a new random matching."""

COST_BITS: Final = 32
TOTAL_BITS: Final = 30
MULTIPLE_BITS: Final = 20


def prepare_belief(
    rules: list[int],
    history: list[int],
    viewer: int,
    hand: int,
    seed: int,
    work: tuple[list[int], ...],
) -> int:
    """Find what the turns prove, and with two seats the law; the number of hands, or 0: unknown."""
    state = (seed ^ seed >> 32) & 0xFFFFFFFF
    work[STATE][0] = state if state else 1
    for _ in range(4):
        work[STATE][0] = random_after(work[STATE][0])
    find_slots(rules, history, viewer, hand, work)
    work[META][EXACT] = 0
    work[META][LISTABLE] = 0
    work[LAW][HANDS] = 0
    if rules[SEATS] == 2:  # noqa: PLR2004 - one other hand
        work[META][LISTABLE] = find_law(work)
    return work[LAW][HANDS] if work[META][LISTABLE] else 0


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
    hands = prepare_belief(rules, history, viewer, hand, seed, work)
    for place in range(WORLD * budget):
        pool_hands[place] = 0
    inferring = 0
    for place in range(MIXED * rules[SEATS]):
        inferring |= weights[place]
    if work[META][LISTABLE]:
        worlds = draw_other_hands(
            rules,
            history,
            viewer,
            hands,
            weights,
            net,
            scratch,
            inferring,
            budget,
            work,
            pool_hands,
            pool_weights,
        )
    else:
        worlds = shuffle_worlds(
            rules,
            history,
            viewer,
            weights,
            net,
            scratch,
            inferring,
            budget,
            work,
            pool_hands,
            pool_weights,
        )
    for world in range(worlds):
        pool_hands[WORLD * world + viewer] = hand
    weigh_worlds(worlds, pool_weights)
    return worlds


def draw_other_hands(
    rules: list[int],
    history: list[int],
    viewer: int,
    hands: int,
    weights: list[int],
    net: Net,
    scratch: Scratch,
    inferring: int,
    budget: int,
    work: tuple[list[int], ...],
    pool_hands: list[int],
    pool_weights: list[int],
) -> int:
    """Write the hands of the one other seat: all of them, or as many as the budget by the law."""
    other = 1 - viewer
    worlds = budget
    if hands <= budget:
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
    else:
        for world in range(budget):
            pool_hands[WORLD * world + other] = draw_hand(work)
            pool_weights[world] = 1
    placed = 0
    for code in range(28):
        if work[PLAYED][code] >= 0:
            placed |= 1 << code
    for world in range(worlds):
        cost = 0
        if inferring:
            assign_tiles(placed | pool_hands[WORLD * world + other], work)
            cost = world_cost(rules, history, viewer, weights, net, scratch, work)
        pool_weights[world] = pool_weights[world] << COST_BITS | cost
    return worlds


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


def shuffle_worlds(
    rules: list[int],
    history: list[int],
    viewer: int,
    weights: list[int],
    net: Net,
    scratch: Scratch,
    inferring: int,
    budget: int,
    work: tuple[list[int], ...],
    pool_hands: list[int],
    pool_weights: list[int],
) -> int:
    """Write as many worlds as the budget, each a few shuffles from the one before."""
    slots = work[META][SLOTS]
    tiles = shuffled_tiles(work)
    voids = work[META][VOIDS]
    stretch = max(1, budget // RESTARTS) if voids else budget
    for world in range(budget):
        if world % stretch == 0:
            if match_tiles(tiles, slots, work) == 0:
                return 0
            shuffle_world(slots, FIRST_SWEEPS if voids else 1, work)
        else:
            shuffle_world(slots, SWEEPS if voids else 1, work)
        hold_hands(WORLD * world, pool_hands, work)
        cost = world_cost(rules, history, viewer, weights, net, scratch, work) if inferring else 0
        pool_weights[world] = 1 << COST_BITS | cost
    return budget


def weigh_worlds(worlds: int, pool_weights: list[int]) -> None:
    """Turn multiples and costs, packed, into weights whose sum is at most about 2**TOTAL_BITS.

    Without costs the weights are the multiples themselves, if their sum allows.
    """
    least = 1 << COST_BITS
    most = 0
    for world in range(worlds):
        cost = pool_weights[world] & (1 << COST_BITS) - 1
        least = min(least, cost)
        most = max(most, cost)
    total = 0
    for world in range(worlds):
        cost = (pool_weights[world] & (1 << COST_BITS) - 1) - least
        multiple = pool_weights[world] >> COST_BITS
        pool_weights[world] = multiple * (weight_left(cost) if most > least else 1)
        total += pool_weights[world]
    shift = 0
    while total >> shift >= 1 << TOTAL_BITS:
        shift += 1
    for world in range(worlds):
        pool_weights[world] = max(1, pool_weights[world] >> shift)
