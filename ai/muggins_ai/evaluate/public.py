"""What everybody at the table knows, as an array of integers kept up to date event by event.

`public` holds the layout's word, the tiles that are not on the table, the number that may still be
drawn, and by seat the number of tiles held and the tiles that the seat may hold. A draw or a pass
proves that no tile kept fits the ends of that moment. That is remembered exactly for the last draw
or pass of a seat and what it held at a pass; a seat that keeps tiles it drew may, as far as this
array tells, have tiles that an earlier draw had ruled out.
"""

from typing import Final

from muggins_ai.playout import BLOCKED, HAND_SIZE, RESERVE, SEATS, TILES
from muggins_ai.search.steps import (
    DRAWN,
    END,
    ENDED,
    HANDS,
    HEAD,
    IN_PLAY,
    META,
    OUT,
    PENDING,
    TABLE,
    TURN,
    World,
    draw_tiles,
    pass_turn,
    playable,
)
from muggins_rules.kernel import EMPTY_TABLE, lay, legal_tiles

__all__ = [
    "DRAWABLE",
    "MAY_HOLD",
    "OFF_TABLE",
    "PUBLIC_SIZE",
    "SIZES",
    "WORD",
    "begin_public",
    "deal_world",
    "note_draws",
    "note_pass",
    "note_placement",
    "settle_publicly",
]

WORD: Final = 0
OFF_TABLE: Final = 1
DRAWABLE: Final = 2
SIZES: Final = 3
MAY_HOLD: Final = 7
PUBLIC_SIZE: Final = 11


def begin_public(rules: list[int], tiles: int, public: list[int]) -> None:
    """What is known once the hands are dealt; `tiles` is the mask of the whole set."""
    public[WORD] = EMPTY_TABLE
    public[OFF_TABLE] = tiles
    dealt = rules[SEATS] * rules[HAND_SIZE]
    public[DRAWABLE] = max(0, rules[TILES] - dealt - rules[RESERVE])
    for seat in range(4):
        public[SIZES + seat] = rules[HAND_SIZE] if seat < rules[SEATS] else 0
        public[MAY_HOLD + seat] = tiles if seat < rules[SEATS] else 0


def note_draws(public: list[int], seat: int, drawn: int, fits: int) -> None:
    """A seat that could not place drew so many tiles; the last of them fits, or none (`fits` 0)."""
    word = public[WORD]
    kept = drawn - 1 if fits else drawn
    if kept:
        public[MAY_HOLD + seat] = public[OFF_TABLE]
    public[MAY_HOLD + seat] ^= legal_tiles(word, public[MAY_HOLD + seat])
    public[SIZES + seat] += drawn
    public[DRAWABLE] -= drawn


def note_pass(public: list[int], seat: int) -> None:
    """A seat passed, since no tile of it fits."""
    public[MAY_HOLD + seat] ^= legal_tiles(public[WORD], public[MAY_HOLD + seat])


def note_placement(public: list[int], seat: int, move: int, flags: int) -> None:
    """A seat made a placement."""
    tile = 1 << (move & 31)
    public[WORD] = lay(public[WORD], move, flags)
    public[OFF_TABLE] &= ~tile
    public[SIZES + seat] -= 1
    for other in range(4):
        public[MAY_HOLD + other] &= ~tile


def settle_publicly(
    rules: list[int], world: World, deck: list[int], viewer: int, public: list[int]
) -> None:
    """Draw and pass as `steps.settle_turn` does, and keep `public` up to date."""
    meta = world[META]
    meta[DRAWN] = 0
    while meta[ENDED] == IN_PLAY:
        turn = meta[TURN]
        drawn = draw_tiles(world, deck, viewer)
        tiles = playable(world)
        if drawn:
            note_draws(public, turn, drawn, tiles)
        if tiles:
            return
        note_pass(public, turn)
        pass_turn(rules, world)


def deal_world(
    rules: list[int], deck: list[int], opener: int, world: World, public: list[int]
) -> None:
    """Deal a round from the front of the deck; the scores stay."""
    tiles = 0
    for index in range(rules[TILES]):
        tiles |= 1 << deck[index]
    head = 0
    for seat in range(4):
        world[HANDS][seat] = 0
        if seat < rules[SEATS]:
            for _ in range(rules[HAND_SIZE]):
                world[HANDS][seat] |= 1 << deck[head]
                head += 1
    meta = world[META]
    meta[TABLE] = EMPTY_TABLE
    meta[TURN] = opener
    meta[HEAD] = head
    meta[END] = max(head, rules[TILES] - rules[RESERVE])
    meta[PENDING] = 0
    meta[ENDED] = IN_PLAY
    meta[OUT] = BLOCKED
    meta[DRAWN] = 0
    begin_public(rules, tiles, public)
