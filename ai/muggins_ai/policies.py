"""The first opponents' choices as kernel-style functions: random, greedy and greedy_plus.

All of them work on the kernel's words, so that the players of `muggins_ai` and the compiled
playouts run the same lines.

`greedy_plus` is the yardstick of later numbers and is frozen. It values a placement by

    points scored at once + pips laid / 10 - expected best reply of the next seat,

where points are the count when that is a positive multiple of five, before any divisor. The best
reply is expected over all unseen tiles, of which the next seat holds `held` at random: with the
tiles sorted from the best, a tile is held, given that no better one is, with probability `held` /
tiles not yet passed. The product of these chances has a closed form: of `u` unseen tiles the best
`n` are all absent from the hand in C(u - n, held) of C(u, held) hands. So every value of one
decision is a whole number of 1 / (10 C(u, held)) points, compared exactly. A placement that ends
the hand expects no reply.

Equal values: the heavier tile, then the first in the order given.
"""

from math import comb
from typing import Final

from muggins_rules.bits import popcount
from muggins_rules.kernel import (
    HIGH,
    LOW,
    MOST_MOVES,
    count_of,
    lay,
    list_moves,
    points_of,
)

__all__ = [
    "GREEDY",
    "GREEDY_PLUS",
    "RANDOM",
    "ROOM_FOR_REPLIES",
    "expected_reply",
    "pick",
    "pick_greedy",
    "pick_greedy_plus",
    "placement_value",
    "random_after",
]

RANDOM: Final = 0
GREEDY: Final = 1
GREEDY_PLUS: Final = 2

BUCKETS: Final = 52
"""Counts of 0..255 by fives."""

ROOM_FOR_REPLIES: Final = MOST_MOVES + BUCKETS
"""Room that `expected_reply` needs: moves, then tiles by their best points in fives."""

WAYS_ROW: Final = 29
WAYS: Final = tuple(comb(n, k) for n in range(29) for k in range(29))
"""C(n, k) at `WAYS_ROW * n + k`."""


def expected_reply(word: int, unseen: int, held: int, flags: int, replies: list[int]) -> int:
    """The best reply's expected points times C(unseen tiles, held), a whole number.

    `unseen` is a mask of at least `held` tiles, `replies` has room for ROOM_FOR_REPLIES words.
    """
    tiles = popcount(unseen)
    for bucket in range(MOST_MOVES, MOST_MOVES + BUCKETS):
        replies[bucket] = 0
    found = list_moves(word, unseen, flags, replies)
    code = -1
    best = 0
    for index in range(found):
        move = replies[index]
        if move & 31 != code:
            replies[MOST_MOVES + best // 5] += 1
            code = move & 31
            best = 0
        points = points_of(count_of(lay(word, move, flags)), 1)
        best = max(best, points)
    replies[MOST_MOVES + best // 5] += 1
    expected = 0
    absent = WAYS[WAYS_ROW * tiles + held]
    fives = BUCKETS - 1
    while fives > 0:
        if replies[MOST_MOVES + fives]:
            tiles -= replies[MOST_MOVES + fives]
            still_absent = WAYS[WAYS_ROW * tiles + held]
            expected += 5 * fives * (absent - still_absent)
            absent = still_absent
        fives -= 1
    return expected


def placement_value(
    word: int, move: int, hand: int, unseen: int, held: int, flags: int, replies: list[int]
) -> int:
    """What greedy_plus thinks of a placement, times 10 C(unseen tiles, held)."""
    code = move & 31
    after = lay(word, move, flags)
    ways = WAYS[WAYS_ROW * popcount(unseen) + held]
    value = (10 * points_of(count_of(after), 1) + LOW[code] + HIGH[code]) * ways
    if hand != 1 << code:
        value -= 10 * expected_reply(after, unseen, held, flags, replies)
    return value


def pick_greedy(word: int, flags: int, moves: list[int], found: int) -> int:
    """The index, among the first `found` moves, of the one that scores most at once."""
    chosen = 0
    best = -1
    heaviest = -1
    for index in range(found):
        move = moves[index]
        points = points_of(count_of(lay(word, move, flags)), 1)
        pips = LOW[move & 31] + HIGH[move & 31]
        if points > best or (points == best and pips > heaviest):
            chosen = index
            best = points
            heaviest = pips
    return chosen


def pick_greedy_plus(
    word: int,
    hand: int,
    unseen: int,
    held: int,
    flags: int,
    moves: list[int],
    found: int,
    replies: list[int],
) -> int:
    """The index, among the first `found` moves, of the one that greedy_plus values most."""
    chosen = 0
    best = 0
    heaviest = -1
    for index in range(found):
        move = moves[index]
        value = placement_value(word, move, hand, unseen, held, flags, replies)
        pips = LOW[move & 31] + HIGH[move & 31]
        if index == 0 or value > best or (value == best and pips > heaviest):
            chosen = index
            best = value
            heaviest = pips
    return chosen


def pick(
    policy: int,
    word: int,
    hand: int,
    unseen: int,
    held: int,
    flags: int,
    moves: list[int],
    found: int,
    replies: list[int],
    random: int,
) -> int:
    """The index of the move that a policy makes; `random` is 32 bits for the one that needs them.

    A single move is taken without thinking.
    """
    if found == 1:
        return 0
    if policy == GREEDY:
        return pick_greedy(word, flags, moves, found)
    if policy == GREEDY_PLUS:
        return pick_greedy_plus(word, hand, unseen, held, flags, moves, found, replies)
    return random * found >> 32


def random_after(random: int) -> int:
    """The next of a sequence of all 32-bit numbers but 0 (xorshift), for playouts."""
    random ^= random << 13 & 0xFFFFFFFF
    random ^= random >> 17
    return random ^ (random << 5 & 0xFFFFFFFF)
