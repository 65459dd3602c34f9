"""Hands of one other seat by the law that `posterior` has found: all of them, or some at random.

Kernel style.
"""

from muggins_ai.belief.posterior import (
    CHOSEN,
    CLASS_TILES,
    GROUPS,
    LAW,
    LAW_COUNTS,
    LAW_HANDS,
    LAW_WEIGHTS,
    TOTAL,
    VECTORS,
    count_of_class,
)
from muggins_ai.belief.worlds import STATE, random_below
from muggins_ai.policies import random_after
from muggins_rules.bits import popcount, trailing_zeros

__all__ = ["draw_hand", "list_hands"]


def nth_tiles(tiles: int, places: int) -> int:
    """The tiles of a mask at the places set in another: bit 0 for its lowest tile."""
    chosen = 0
    while places:
        lowest = tiles & -tiles
        if places & 1:
            chosen |= lowest
        tiles ^= lowest
        places >>= 1
    return chosen


def next_places(places: int) -> int:
    """The next larger number with as many bits set; `places` is not 0."""
    lowest = places & -places
    carried = places + lowest
    return carried | (places ^ carried) >> (2 + trailing_zeros(lowest))


def list_hands(
    at: int,
    seats: int,
    seat: int,
    hands: list[int],
    weights: list[int],
    work: tuple[list[int], ...],
) -> int:
    """Write every hand of `seat`, and its weight, as worlds from number `at` on; the next number.

    A world has one mask for each seat of `seats`.
    """
    law = work[LAW]
    chosen = work[CHOSEN]
    groups = law[GROUPS]
    for vector in range(law[VECTORS]):
        counts = work[LAW_COUNTS][vector]
        for group in range(groups):
            chosen[group] = (1 << count_of_class(counts, group)) - 1
        while True:
            hand = 0
            for group in range(groups):
                hand |= nth_tiles(work[CLASS_TILES][group], chosen[group])
            hands[seats * at + seat] = hand
            weights[at] = work[LAW_WEIGHTS][vector]
            at += 1
            group = 0
            while group < groups:
                following = next_places(chosen[group]) if chosen[group] else 1 << 30
                if following < 1 << popcount(work[CLASS_TILES][group]):
                    chosen[group] = following
                    break
                chosen[group] = (1 << count_of_class(counts, group)) - 1
                group += 1
            if group == groups:
                break
    return at


def draw_hand(work: tuple[list[int], ...]) -> int:
    """A hand at random by the exact law."""
    law = work[LAW]
    number = random_up_to(law[TOTAL], work)
    vector = 0
    while number >= work[LAW_WEIGHTS][vector] * work[LAW_HANDS][vector]:
        number -= work[LAW_WEIGHTS][vector] * work[LAW_HANDS][vector]
        vector += 1
    hand = 0
    for group in range(law[GROUPS]):
        tiles = work[CLASS_TILES][group]
        left = popcount(tiles)
        wanted = count_of_class(work[LAW_COUNTS][vector], group)
        while wanted:
            lowest = tiles & -tiles
            tiles ^= lowest
            if random_below(left, work) < wanted:
                hand |= lowest
                wanted -= 1
            left -= 1
    return hand


def random_up_to(number: int, work: tuple[list[int], ...]) -> int:
    """A random whole number below `number`, which may have up to 62 bits, without bias."""
    mask = number - 1
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> shift
    while True:
        work[STATE][0] = random_after(work[STATE][0])
        drawn = work[STATE][0] >> 1
        work[STATE][0] = random_after(work[STATE][0])
        drawn = (drawn << 31 | work[STATE][0] >> 1) & mask
        if drawn < number:
            return drawn
