"""What the turns of a round prove about hidden tiles, exactly, as slots and masks; kernel style.

Every tile that another seat was dealt or drew and kept lies in a slot, and so does every tile of
the boneyard. The deck was shuffled, so each way to lay the hidden tiles into slots that agrees
with the turns is equally likely. What the turns prove is which slots a tile may lie in:

* a tile in a hand at the moment of a draw or a pass misses the ends of that moment; tiles drawn
  later do not inherit this, and the misses of a run of draws do;
* a tile that was drawn and placed at once is known, and needs no slot;
* a tile that was placed later lay in a slot of its seat that was filled before, and missed what
  was missed until then;
* where the highest double opened, no dealt hand holds a higher one.

Not used: that an opener who may lead any tile held the highest double (no named game plays so,
unless the viewer is that opener), and that a round has not been blocked (the next placement proves
as much).
"""

from typing import Final

from muggins_ai.belief.history import (
    FIRST_TURN,
    HIGHEST,
    MOVE,
    PASSED,
    RANKED_UP_TO,
    SEAT,
    TAKEN,
    TURN,
    TURN_COUNT,
    UNFINISHED,
    WORD,
)
from muggins_ai.playout import HAND_SIZE, SEATS, TILES
from muggins_rules.bits import popcount, trailing_zeros
from muggins_rules.kernel import legal_tiles

__all__ = [
    "ALLOWED",
    "ALL_TILES",
    "BONEYARD",
    "CELLS",
    "HELD_SLOTS",
    "META",
    "PLAYED",
    "SET_OF",
    "SLOTS",
    "SLOT_SEAT",
    "SLOT_TILES",
    "SLOT_TURN",
    "UNSEEN",
    "VOIDS",
    "add_seat_slots",
    "find_slots",
    "laid_tiles",
]

META: Final = 0
SLOT_SEAT: Final = 1
SLOT_TURN: Final = 2
SLOT_TILES: Final = 3
ALLOWED: Final = 4
PLAYED: Final = 5
"""Arrays of `work`. By slot: the seat or BONEYARD, the turn that filled it (-1: dealt), and the
tiles that may lie in it now, as a mask. By tile code: the slots it may lie in, as a mask (0: it is
no hidden tile), and the turn in which it was placed (-1: it has not been)."""

SLOTS: Final = 0
HELD_SLOTS: Final = 1
UNSEEN: Final = 2
CELLS: Final = 3
VOIDS: Final = 4
"""Places of META: number of slots, number of those of seats (they come first), mask of the tiles
that nobody has shown, number of sets of like slots, and whether some tile may not lie anywhere."""

BONEYARD: Final = 4
"""The seat of the boneyard's slots."""

ALL_TILES: Final = (1 << 28) - 1
_HIGHEST_PIP_OF: Final = {(n + 1) * (n + 2) // 2: n for n in range(7)}
SET_OF: Final = tuple(
    sum(
        1 << code
        for code, high in enumerate(high for low in range(7) for high in range(low, 7))
        if high <= _HIGHEST_PIP_OF.get(tiles, -1)
    )
    for tiles in range(29)
)
"""By number of tiles: the mask of the set that has so many."""


def laid_tiles(history: list[int]) -> int:
    """The tiles on the table, as a mask."""
    laid = 0
    for turn in range(history[TURN_COUNT]):
        move = history[FIRST_TURN + TURN * turn + MOVE]
        if move >= 0:
            laid |= 1 << (move & 31)
    return laid


def add_seat_slots(
    rules: list[int], history: list[int], seat: int, tiles: int, work: tuple[list[int], ...]
) -> None:
    """Add the slots of a seat, for the tiles it placed and for `tiles`, which it may hold."""
    first = work[META][SLOTS]
    for _ in range(rules[HAND_SIZE]):
        add_slot(seat, -1, RANKED_UP_TO[history[HIGHEST]], work)
    for turn in range(history[TURN_COUNT]):
        at = FIRST_TURN + TURN * turn
        if history[at + SEAT] != seat:
            continue
        move = history[at + MOVE]
        taken = history[at + TAKEN]
        if taken or move == PASSED:
            misses = ALL_TILES ^ legal_tiles(history[at + WORD], ALL_TILES)
            for slot in range(first, work[META][SLOTS]):
                work[SLOT_TILES][slot] &= misses
            for _ in range(taken if move == PASSED else taken - 1):
                add_slot(seat, turn, misses, work)
            if move == UNFINISHED:
                add_slot(seat, turn, ALL_TILES, work)
        elif move >= 0:
            work[PLAYED][move & 31] = turn
            allow(move & 31, first, work)
    while tiles:
        allow(trailing_zeros(tiles), first, work)
        tiles &= tiles - 1


def add_slot(seat: int, turn: int, tiles: int, work: tuple[list[int], ...]) -> None:
    """Add a slot; a new cell where the last one is of another seat, turn or kind."""
    meta = work[META]
    slot = meta[SLOTS]
    work[SLOT_SEAT][slot] = seat
    work[SLOT_TURN][slot] = turn
    work[SLOT_TILES][slot] = tiles
    before = slot - 1
    if slot == 0 or (
        work[SLOT_SEAT][before] != seat
        or work[SLOT_TURN][before] != turn
        or work[SLOT_TILES][before] != tiles
    ):
        meta[CELLS] += 1
    meta[SLOTS] = slot + 1


def allow(code: int, first: int, work: tuple[list[int], ...]) -> None:
    """Let a tile lie in those slots from `first` on whose tiles it is one of."""
    slots = 0
    for slot in range(first, work[META][SLOTS]):
        slots |= (work[SLOT_TILES][slot] >> code & 1) << slot
    work[ALLOWED][code] |= slots


def clear_slots(work: tuple[list[int], ...]) -> None:
    """Begin without slots."""
    for place in range(VOIDS + 1):
        work[META][place] = 0
    for code in range(28):
        work[ALLOWED][code] = 0
        work[PLAYED][code] = -1


def find_slots(
    rules: list[int], history: list[int], viewer: int, hand: int, work: tuple[list[int], ...]
) -> None:
    """Write the slots of all tiles that the viewer, who holds `hand`, does not see or has not."""
    meta = work[META]
    clear_slots(work)
    unseen = SET_OF[rules[TILES]] & ~(hand | laid_tiles(history))
    for seat in range(rules[SEATS]):
        if seat != viewer:
            add_seat_slots(rules, history, seat, unseen, work)
    meta[UNSEEN] = unseen
    meta[HELD_SLOTS] = meta[SLOTS]
    hidden = popcount(unseen)
    for code in range(28):
        hidden += 1 if work[PLAYED][code] >= 0 else 0
    while meta[SLOTS] < hidden:
        add_slot(BONEYARD, 0, ALL_TILES, work)
    boneyard = (1 << meta[SLOTS]) - (1 << meta[HELD_SLOTS])
    everywhere = (1 << meta[SLOTS]) - 1
    for code in range(28):
        if unseen >> code & 1:
            work[ALLOWED][code] |= boneyard
        elif work[PLAYED][code] < 0:
            continue
        if work[ALLOWED][code] != everywhere:
            meta[VOIDS] = 1
