"""From multiples and costs of worlds to the weights of a pool; kernel style."""

from typing import Final

from muggins_ai.belief.constraints import META
from muggins_ai.belief.likelihood import weight_left

__all__ = [
    "COPIES",
    "COST_BITS",
    "EXACT",
    "LEAST_COST",
    "LISTABLE",
    "META_SIZE",
    "MOST_COST",
    "SHIFT",
    "TOTAL_BITS",
    "WORLD",
    "copy_worlds",
    "merge_copies",
    "weigh_worlds",
]

EXACT: Final = 5
LISTABLE: Final = 6
LEAST_COST: Final = 7
MOST_COST: Final = 8
SHIFT: Final = 9
COPIES: Final = 10
META_SIZE: Final = 11
"""Places of META after those of `constraints`: 1 when the pool is the whole posterior, 1 when the
law over one other hand is listed, the least and the greatest cost of a world of the pool, the
number of bits cut from its weights, the number of assignments for each hand; and how many places
META has."""

WORLD: Final = 4
"""Masks of a world."""

COST_BITS: Final = 32
"""Until a pool is weighed, a weight is a multiple above so many bits of cost."""
TOTAL_BITS: Final = 30


def copy_worlds(worlds: int, copies: int, pool_hands: list[int], pool_weights: list[int]) -> None:
    """Write each of the worlds so many times in a row."""
    target = worlds * copies
    while target:
        target -= 1
        source = target // copies
        pool_weights[target] = pool_weights[source]
        for seat in range(WORLD):
            pool_hands[WORLD * target + seat] = pool_hands[WORLD * source + seat]


def merge_copies(worlds: int, copies: int, pool_hands: list[int], pool_weights: list[int]) -> int:
    """Make one world of each that stands so many times in a row; the number of worlds then."""
    if copies == 1:
        return worlds
    for target in range(worlds // copies):
        total = 0
        for copy in range(copies):
            total += pool_weights[copies * target + copy]
        pool_weights[target] = total
        for seat in range(WORLD):
            pool_hands[WORLD * target + seat] = pool_hands[WORLD * copies * target + seat]
    return worlds // copies


def weigh_worlds(worlds: int, pool_weights: list[int], work: tuple[list[int], ...]) -> None:
    """Turn multiples and costs, packed, into weights whose sum is at most about 2**TOTAL_BITS.

    Without costs the weights are the multiples themselves, if their sum allows.
    """
    least = 1 << COST_BITS
    most = 0
    for world in range(worlds):
        cost = pool_weights[world] & (1 << COST_BITS) - 1
        least = min(least, cost)
        most = max(most, cost)
    inferring = most > least
    total = 0
    for world in range(worlds):
        cost = (pool_weights[world] & (1 << COST_BITS) - 1) - least
        multiple = pool_weights[world] >> COST_BITS
        pool_weights[world] = multiple * (weight_left(cost) if inferring else 1)
        total += pool_weights[world]
    shift = 0
    while total >> shift >= 1 << TOTAL_BITS:
        shift += 1
    work[META][LEAST_COST] = least
    work[META][MOST_COST] = most
    work[META][SHIFT] = shift
    for world in range(worlds):
        pool_weights[world] = max(1, pool_weights[world] >> shift)
