"""The exact posterior over one other hand: classes of tiles, and how many deals make each hand.

The slots of one seat form groups, the dealt hand and what each run of draws left, and the masks of
groups are nested: what may lie in a group may lie in all later ones. So an unseen tile is of the
class of the first group it may lie in, and the number of ways to lay a hand into slots depends only
on how many tiles of each class it has:

1. lay the tiles that the seat has placed into slots that were filled before they were placed; for
   each vector of slots left free by group, count the ways (`count_ways`);
2. lay the tiles of the hand from the last class down: a tile of class g finds as many places as
   there are free slots in groups g and later, whatever went before (`weight_of`).

Kernel style. A hand's weight is its number of ways, divided by what all weights share.
"""

from typing import Final

from muggins_ai.belief.constraints import (
    ALLOWED,
    HELD_SLOTS,
    META,
    PLAYED,
    SLOT_SEAT,
    SLOT_TILES,
    SLOT_TURN,
    UNSEEN,
)
from muggins_ai.policies import WAYS, WAYS_ROW
from muggins_rules.bits import popcount

__all__ = [
    "CHOSEN",
    "CLASS_TILES",
    "COUNT_BITS",
    "GROUPS",
    "HANDS",
    "LAW",
    "LAW_COUNTS",
    "LAW_HANDS",
    "LAW_WEIGHTS",
    "MOST_STATES",
    "MOST_VECTORS",
    "TOTAL",
    "VECTORS",
    "WAYS_LEFT",
    "count_of_class",
    "find_law",
]

GROUP: Final = 12
CLASS_TILES: Final = 13
WAYS_LEFT: Final = 14
LAW_COUNTS: Final = 15
LAW_WEIGHTS: Final = 16
LAW_HANDS: Final = 17
LAW: Final = 18
CHOSEN: Final = 19
FREE_SLOTS: Final = 26
"""Arrays of `work`: by group its slots, and the unseen tiles of its class; the ways by vector of
free slots; by vector of class counts those counts packed, the weight of one hand and the number of
hands; the numbers below; room for the hands being listed; and the vectors of free slots that have
ways, as `count_ways` leaves them."""

GROUPS: Final = 0
HELD: Final = 1
VECTORS: Final = 2
HANDS: Final = 3
TOTAL: Final = 4
STATES: Final = 5
"""Places of LAW: number of groups, of tiles held, of vectors of class counts, of hands, the sum of
weights over hands, and the number of vectors of free slots."""

MOST_GROUPS: Final = 12
MOST_STATES: Final = 4096
MOST_VECTORS: Final = 2048
MOST_SLOTS: Final = 20
"""20! fits in 63 bits, and no weight is more."""
MOST_WORK: Final = 1 << 15
"""Vectors of class counts times vectors of free slots; beyond, listing would take milliseconds."""
COUNT_BITS: Final = 5
SURE_BITS: Final = 61


def find_law(work: tuple[list[int], ...]) -> int:
    """Find all vectors of class counts with their weights; 1, or 0 where they are too many."""
    law = work[LAW]
    law[GROUPS] = 0
    law[HANDS] = 0
    law[VECTORS] = 0
    if find_groups(work) == 0 or count_ways(work) == 0 or list_vectors(work) == 0:
        return 0
    return divide_weights(work)


def find_groups(work: tuple[list[int], ...]) -> int:
    """Find groups and classes; 1 unless there are too many groups or slots."""
    law = work[LAW]
    slots = work[META][HELD_SLOTS]
    if slots > MOST_SLOTS:
        return 0
    groups = 0
    below = 0
    states = 1
    held = slots
    slot = 0
    while slot < slots:
        if groups == MOST_GROUPS or work[SLOT_SEAT][slot] != work[SLOT_SEAT][0]:
            return 0
        turn = work[SLOT_TURN][slot]
        tiles = work[SLOT_TILES][slot]
        size = 0
        while slot < slots and work[SLOT_TURN][slot] == turn and work[SLOT_TILES][slot] == tiles:
            size += 1
            slot += 1
        work[GROUP][groups] = size
        work[CLASS_TILES][groups] = work[META][UNSEEN] & tiles & ~below
        below |= tiles
        states *= size + 1
        groups += 1
        if states > MOST_STATES:
            return 0
    for code in range(28):
        held -= 1 if work[PLAYED][code] >= 0 else 0
    law[GROUPS] = groups
    law[HELD] = held
    law[STATES] = states
    return 1


def count_ways(work: tuple[list[int], ...]) -> int:
    """Count the ways to lay what the seat has placed; the number of vectors of free slots left.

    A vector is the number whose digits, from the lowest on, are the free slots of the groups, each
    digit with as many values as the group has slots and one more. The first so many of WAYS_LEFT
    and FREE_SLOTS tell the ways and the vectors.
    """
    ways = work[WAYS_LEFT]
    states = work[LAW][STATES]
    for state in range(states):
        ways[state] = 0
    ways[states - 1] = 1
    free = work[META][HELD_SLOTS]
    for code in range(28):
        if work[PLAYED][code] >= 0:
            lay_placed(work[ALLOWED][code], free, work)
            free -= 1
    reachable = 0
    for state in range(states):
        if ways[state]:
            ways[reachable] = ways[state]
            work[FREE_SLOTS][reachable] = state
            reachable += 1
    work[LAW][STATES] = reachable
    return reachable


def lay_placed(allowed: int, free: int, work: tuple[list[int], ...]) -> None:
    """Lay one placed tile from every vector with `free` free slots into one with a slot less."""
    ways = work[WAYS_LEFT]
    for state in range(work[LAW][STATES]):
        if ways[state] == 0 or free_from(state, 0, work) != free:
            continue
        rest = state
        stride = 1
        slot = 0
        for group in range(work[LAW][GROUPS]):
            size = work[GROUP][group]
            left = rest % (size + 1)
            if left and allowed >> slot & 1:
                ways[state - stride] += ways[state] * left
            rest //= size + 1
            stride *= size + 1
            slot += size
        ways[state] = 0


def free_from(state: int, first: int, work: tuple[list[int], ...]) -> int:
    """The free slots of the groups from `first` on, in a vector."""
    free = 0
    for group in range(work[LAW][GROUPS]):
        size = work[GROUP][group]
        if group >= first:
            free += state % (size + 1)
        state //= size + 1
    return free


def count_of_class(counts: int, group: int) -> int:
    """How many tiles of a class there are in a vector of class counts."""
    return counts >> COUNT_BITS * group & 31


def list_vectors(work: tuple[list[int], ...]) -> int:
    """List the vectors of class counts that some deal makes; 1 unless they are too many."""
    law = work[LAW]
    groups = law[GROUPS]
    counts = 0
    listed = 0
    weighed = 0
    while True:
        total = 0
        for group in range(groups):
            total += count_of_class(counts, group)
        if total == law[HELD]:
            weighed += law[STATES]
            if listed == MOST_VECTORS or weighed > MOST_WORK:
                return 0
            weight = weight_of(counts, work)
            if weight:
                work[LAW_COUNTS][listed] = counts
                work[LAW_WEIGHTS][listed] = weight
                work[LAW_HANDS][listed] = hands_of(counts, work)
                law[HANDS] += work[LAW_HANDS][listed]
                listed += 1
        group = 0
        while group < groups and (
            total >= law[HELD]
            or count_of_class(counts, group) == popcount(work[CLASS_TILES][group])
        ):
            total -= count_of_class(counts, group)
            counts &= ~(31 << COUNT_BITS * group)
            group += 1
        if group == groups:
            break
        counts += 1 << COUNT_BITS * group
    law[VECTORS] = listed
    return 1 if listed else 0


def weight_of(counts: int, work: tuple[list[int], ...]) -> int:
    """The ways to lay one hand with these class counts, over all ways to lay what was placed."""
    groups = work[LAW][GROUPS]
    weight = 0
    for index in range(work[LAW][STATES]):
        ways = work[WAYS_LEFT][index]
        laid = 0
        for step in range(groups):
            group = groups - 1 - step
            free = free_from(work[FREE_SLOTS][index], group, work)
            for _ in range(count_of_class(counts, group)):
                ways *= max(0, free - laid)
                laid += 1
        weight += ways
    return weight


def hands_of(counts: int, work: tuple[list[int], ...]) -> int:
    """The number of hands with these class counts."""
    hands = 1
    for group in range(work[LAW][GROUPS]):
        tiles = popcount(work[CLASS_TILES][group])
        hands *= WAYS[WAYS_ROW * tiles + count_of_class(counts, group)]
    return hands


def divide_weights(work: tuple[list[int], ...]) -> int:
    """Divide the weights by what they share and sum them over hands; 0 where the sum is too big."""
    law = work[LAW]
    shared = 0
    for vector in range(law[VECTORS]):
        rest = work[LAW_WEIGHTS][vector]
        while rest:
            shared, rest = rest, shared % rest
    most = 0
    for vector in range(law[VECTORS]):
        work[LAW_WEIGHTS][vector] //= shared
        most = max(most, work[LAW_WEIGHTS][vector])
    if most > (1 << SURE_BITS) // max(1, law[HANDS]):
        return 0
    law[TOTAL] = 0
    for vector in range(law[VECTORS]):
        law[TOTAL] += work[LAW_WEIGHTS][vector] * work[LAW_HANDS][vector]
    return 1
