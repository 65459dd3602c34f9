"""Worlds drawn at random among all that the turns allow, for any number of seats; kernel style.

A world lays every hidden tile into a slot that it may lie in. `match_tiles` finds one by augmenting
paths, from tiles and slots in random order; `shuffle_world` moves it on by proposals that are as
likely as their reverse and are taken whenever the outcome is allowed, so that the uniform law over
allowed worlds is unchanged. There are two kinds of them:

* a sweep: for each slot, exchange its tile with that of a random slot from it on. Where every tile
  may lie anywhere, one sweep is a fresh shuffle;
* a rotation of the tiles of three random slots or more, up to the number of cells.

Cells are sets of like slots. Two allowed worlds differ by moves of tiles from cell to cell, which
fall apart into cycles that visit no cell twice, each allowed by itself: so rotations and exchanges
reach every allowed world from every other. With one other seat that has not drawn, exchanges are
enough.
"""

from typing import Final

from muggins_ai.belief.constraints import (
    ALLOWED,
    CELLS,
    HELD_SLOTS,
    META,
    PLAYED,
    SLOT_SEAT,
    SLOTS,
    VOIDS,
)
from muggins_ai.policies import random_after
from muggins_rules.bits import popcount, trailing_zeros

__all__ = [
    "ORDER",
    "QUEUE",
    "REACHED",
    "SLOT_OF",
    "STATE",
    "TILE_AT",
    "hold_hands",
    "match_tiles",
    "random_below",
    "shuffle_world",
]

TILE_AT: Final = 6
SLOT_OF: Final = 7
REACHED: Final = 8
QUEUE: Final = 9
ORDER: Final = 10
STATE: Final = 11
"""Arrays of `work`: the tile in each slot (-1: none), the slot of each tile, room for searches and
for an order of tiles, and the state of the random numbers."""

FEWEST_ROTATED: Final = 3


def random_below(number: int, work: tuple[list[int], ...]) -> int:
    """A random whole number below `number`, which is small beside 2**32."""
    work[STATE][0] = random_after(work[STATE][0])
    return work[STATE][0] * number >> 32


def match_tiles(tiles: int, slots: int, work: tuple[list[int], ...]) -> int:
    """Lay `tiles`, a mask, into the first `slots` slots; 1 when all have found a place."""
    for slot in range(slots):
        work[TILE_AT][slot] = -1
    number = 0
    while tiles:
        work[ORDER][number] = trailing_zeros(tiles)
        tiles &= tiles - 1
        number += 1
    for index in range(number):
        other = index + random_below(number - index, work)
        code = work[ORDER][other]
        work[ORDER][other] = work[ORDER][index]
        work[ORDER][index] = code
        if lay_tile(code, slots, work) == 0:
            return 0
    return 1


def lay_tile(code: int, slots: int, work: tuple[list[int], ...]) -> int:
    """Lay one more tile, moving others on where needed; 1 unless there is no way."""
    queue = work[QUEUE]
    queue[0] = code
    head = 0
    tail = 1
    visited = 0
    within = (1 << slots) - 1
    while head < tail:
        tile = queue[head]
        head += 1
        fresh = work[ALLOWED][tile] & within & ~visited
        skipped = random_below(popcount(fresh), work) if fresh else 0
        turned = fresh
        for _ in range(skipped):
            turned &= turned - 1
        while fresh:
            if turned == 0:
                turned = fresh
            slot = trailing_zeros(turned)
            turned &= turned - 1
            fresh ^= 1 << slot
            visited |= 1 << slot
            work[REACHED][slot] = tile
            if work[TILE_AT][slot] < 0:
                move_along(code, slot, work)
                return 1
            queue[tail] = work[TILE_AT][slot]
            tail += 1
    return 0


def move_along(code: int, slot: int, work: tuple[list[int], ...]) -> None:
    """Follow a path back from its free slot, laying each tile where it was reached."""
    tile = work[REACHED][slot]
    while tile != code:
        left = work[SLOT_OF][tile]
        work[TILE_AT][slot] = tile
        work[SLOT_OF][tile] = slot
        slot = left
        tile = work[REACHED][slot]
    work[TILE_AT][slot] = code
    work[SLOT_OF][code] = slot


def shuffle_world(slots: int, sweeps: int, work: tuple[list[int], ...]) -> None:
    """Move on the world of the first `slots` slots by so many sweeps, and rotations after each."""
    allowed = work[ALLOWED]
    tile_at = work[TILE_AT]
    for _ in range(sweeps):
        for slot in range(slots - 1):
            other = slot + random_below(slots - slot, work)
            tile = tile_at[slot]
            moved = tile_at[other]
            if allowed[tile] >> other & 1 and allowed[moved] >> slot & 1:
                tile_at[slot] = moved
                tile_at[other] = tile
        if work[META][VOIDS] and work[META][CELLS] >= FEWEST_ROTATED:
            longest = min(work[META][CELLS], slots)
            for _ in range(slots // 3):
                length = FEWEST_ROTATED
                if longest > FEWEST_ROTATED and random_below(2, work):
                    length += random_below(longest - FEWEST_ROTATED + 1, work)
                if length <= slots:
                    rotate(length, slots, work)


def rotate(length: int, slots: int, work: tuple[list[int], ...]) -> None:
    """Rotate the tiles of so many random slots, where that is allowed and no slot comes twice."""
    chosen = work[QUEUE]
    taken = 0
    for index in range(length):
        slot = random_below(slots, work)
        if taken >> slot & 1:
            return
        taken |= 1 << slot
        chosen[index] = slot
    for index in range(length):
        target = chosen[index + 1 if index + 1 < length else 0]
        if work[ALLOWED][work[TILE_AT][chosen[index]]] >> target & 1 == 0:
            return
    last = work[TILE_AT][chosen[length - 1]]
    for step in range(1, length):
        index = length - step
        work[TILE_AT][chosen[index]] = work[TILE_AT][chosen[index - 1]]
    work[TILE_AT][chosen[0]] = last


def hold_hands(at: int, hands: list[int], work: tuple[list[int], ...]) -> None:
    """Add what each seat holds in the world to `hands` from place `at` on, one mask a seat."""
    for slot in range(work[META][HELD_SLOTS]):
        tile = work[TILE_AT][slot]
        if work[PLAYED][tile] < 0:
            hands[at + work[SLOT_SEAT][slot]] |= 1 << tile


def shuffled_tiles(work: tuple[list[int], ...]) -> int:
    """All tiles that lie in slots, as a mask."""
    tiles = 0
    for code in range(28):
        if work[ALLOWED][code]:
            tiles |= 1 << code
    return tiles


def slot_count(work: tuple[list[int], ...]) -> int:
    """The number of slots, those of the boneyard included."""
    return work[META][SLOTS]
