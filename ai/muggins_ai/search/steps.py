"""A round in play in one sampled world, moved on placement by placement.

A world is a tuple of four arrays of integers: `meta`, and by seat or side `hands` (28-bit masks),
`scores` and `scored` (1 once the side has gained), as in `playout`. Between two placements
everything that is not decided happens by itself: `settle_turn` lets the seat on turn draw and pass
until some seat has a tile to place or the round is over. `deck` is the boneyard in the order of
drawing.
"""

from typing import Final

from muggins_ai.playout import (
    BLOCKED,
    DIVISOR,
    FLAGS,
    NEXT,
    SEATS,
    SIDES,
    TARGET,
    add_points,
    is_blocked,
    settle_round,
)
from muggins_rules.kernel import count_of, lay, legal_tiles, points_of

__all__ = [
    "DRAWN",
    "END",
    "ENDED",
    "HANDS",
    "HEAD",
    "IN_PLAY",
    "MATCH_OVER",
    "META",
    "META_SIZE",
    "OUT",
    "PENDING",
    "ROUND_OVER",
    "SCORED",
    "SCORES",
    "TABLE",
    "TURN",
    "World",
    "copy_world",
    "draw_tiles",
    "follower",
    "pass_turn",
    "place",
    "playable",
    "settle_turn",
    "side_of",
]

World = tuple[list[int], list[int], list[int], list[int]]
"""meta, hands, scores, scored."""

META: Final = 0
HANDS: Final = 1
SCORES: Final = 2
SCORED: Final = 3
"""Places of the arrays in a world."""

TABLE: Final = 0
"""The kernel's word of the layout."""
TURN: Final = 1
"""The seat on turn."""
HEAD: Final = 2
END: Final = 3
"""The next place of the deck, and the first that may not be drawn."""
PENDING: Final = 4
"""Mask of the tile just drawn that must be placed; 0: any tile of the hand that fits."""
ENDED: Final = 5
"""IN_PLAY, ROUND_OVER (and settled) or MATCH_OVER."""
OUT: Final = 6
"""Who went out, or BLOCKED; read once the round has ended."""
DRAWN: Final = 7
"""What was drawn and passed since the last placement as one number, as the viewer saw it."""
META_SIZE: Final = 8

IN_PLAY: Final = 0
ROUND_OVER: Final = 1
MATCH_OVER: Final = 2

HIDDEN_DRAW: Final = 29
PASSED: Final = 30


def copy_world(source: World, target: World) -> None:
    """Make `target` the same world."""
    for index in range(META_SIZE):
        target[META][index] = source[META][index]
    for index in range(4):
        target[HANDS][index] = source[HANDS][index]
        target[SCORES][index] = source[SCORES][index]
        target[SCORED][index] = source[SCORED][index]


def side_of(rules: list[int], seat: int) -> int:
    """The side that a seat scores for."""
    return seat if seat < rules[SIDES] else seat - rules[SIDES]


def follower(rules: list[int], seat: int) -> int:
    """The seat whose turn follows."""
    after = seat + rules[NEXT]
    return after - rules[SEATS] if after >= rules[SEATS] else after


def playable(world: World) -> int:
    """The tiles that the seat on turn may place, as a mask."""
    meta = world[META]
    if meta[PENDING]:
        return meta[PENDING]
    return legal_tiles(meta[TABLE], world[HANDS][meta[TURN]])


def settle_turn(rules: list[int], world: World, deck: list[int], viewer: int) -> None:
    """Draw and pass until the seat on turn has a tile to place, or the round is over.

    DRAWN tells `viewer` what it could see: of others the number of tiles, of itself the tiles.
    """
    meta = world[META]
    meta[DRAWN] = 0
    while meta[ENDED] == IN_PLAY:
        draw_tiles(world, deck, viewer)
        if playable(world):
            return
        pass_turn(rules, world)


def draw_tiles(world: World, deck: list[int], viewer: int) -> int:
    """Let the seat on turn draw until a tile fits or none is drawable; the number drawn."""
    meta = world[META]
    turn = meta[TURN]
    tiles = playable(world)
    before = meta[HEAD]
    while tiles == 0 and meta[HEAD] < meta[END]:
        code = deck[meta[HEAD]]
        meta[HEAD] += 1
        world[HANDS][turn] |= 1 << code
        tiles = legal_tiles(meta[TABLE], 1 << code)
        meta[PENDING] = tiles
        seen = code if turn == viewer else HIDDEN_DRAW
        meta[DRAWN] = (meta[DRAWN] * 31 + seen + 1) % 1_000_003
    return meta[HEAD] - before


def pass_turn(rules: list[int], world: World) -> None:
    """Pass for the seat on turn, which has nothing to place or draw; a block ends the round."""
    meta = world[META]
    meta[DRAWN] = (meta[DRAWN] * 31 + PASSED + 1) % 1_000_003
    if meta[HEAD] >= meta[END] and is_blocked(rules, meta[TABLE], world[HANDS]):
        end_round(rules, world, BLOCKED)
    else:
        meta[TURN] = follower(rules, meta[TURN])


def place(rules: list[int], world: World, move: int) -> None:
    """Make a placement: its points, and the next turn or the end of the round or match."""
    meta = world[META]
    hands = world[HANDS]
    turn = meta[TURN]
    word = lay(meta[TABLE], move, rules[FLAGS])
    meta[TABLE] = word
    meta[PENDING] = 0
    hands[turn] ^= 1 << (move & 31)
    side = side_of(rules, turn)
    add_points(rules, world[SCORES], world[SCORED], side, points_of(count_of(word), rules[DIVISOR]))
    if world[SCORES][side] >= rules[TARGET]:
        meta[ENDED] = MATCH_OVER
        meta[OUT] = turn
    elif hands[turn] == 0:
        end_round(rules, world, turn)
    elif meta[HEAD] >= meta[END] and is_blocked(rules, word, hands):
        end_round(rules, world, BLOCKED)
    else:
        meta[TURN] = follower(rules, turn)


def end_round(rules: list[int], world: World, out: int) -> None:
    """Settle the round after `out` went out, or after a block when it is BLOCKED."""
    meta = world[META]
    settle_round(rules, world[SCORES], world[SCORED], world[HANDS], out)
    meta[OUT] = out
    meta[ENDED] = ROUND_OVER
    for side in range(rules[SIDES]):
        if world[SCORES][side] >= rules[TARGET]:
            meta[ENDED] = MATCH_OVER
