"""Where the tiles of a seat come from, drawn at random among all that the turns allow.

A seat's tiles, those it holds and those it placed later than it got them, lie in its slots: the
dealt ones, and one for each tile drawn and kept (`belief.constraints`). Given the hand, every way
to lay them that agrees with the turns is as likely. One is drawn exactly: tiles are laid one by
one, each into a set of like slots with the chance that the ways to lay the rest give it.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from muggins_ai.belief import WORK_SIZES
from muggins_ai.belief.constraints import (
    ALLOWED,
    META,
    PLAYED,
    SLOT_SEAT,
    SLOT_TILES,
    SLOT_TURN,
    SLOTS,
    find_slots,
)
from muggins_ai.belief.history import FIRST_TURN, SEAT, TURN
from muggins_rules.tiles import codes_of_mask

__all__ = ["Origins", "origins_of"]


class Origins(NamedTuple):
    """The codes a seat was dealt, and those it drew and kept, in the order of drawing."""

    dealt: tuple[int, ...]
    kept: tuple[int, ...]


def origins_of(
    rules: Sequence[int],
    history: Sequence[int],
    viewer: int,
    hands: Sequence[int],
    random: Random,
) -> dict[int, Origins]:
    """By other seat, the origins of its tiles, when the seats hold `hands` (masks by seat).

    Raises:
        ValueError: no deal makes the turns of the history and these hands.
    """
    work = tuple([0] * size for size in WORK_SIZES)
    find_slots(list(rules), list(history), viewer, hands[viewer], work)
    found = {}
    for seat in range(len(hands)):
        if seat == viewer:
            continue
        slots = [slot for slot in range(work[META][SLOTS]) if work[SLOT_SEAT][slot] == seat]
        placed = [code for code in range(28) if _placer(history, work[PLAYED][code]) == seat]
        laid = _lay([*placed, *codes_of_mask(hands[seat])], slots, work, random)
        found[seat] = Origins(
            tuple(laid[slot] for slot in slots if work[SLOT_TURN][slot] < 0),
            tuple(laid[slot] for slot in slots if work[SLOT_TURN][slot] >= 0),
        )
    return found


def _placer(history: Sequence[int], turn: int) -> int:
    """The seat whose turn it was; -1 for no turn."""
    return -1 if turn < 0 else history[FIRST_TURN + TURN * turn + SEAT]


def _lay(
    tiles: list[int], slots: list[int], work: tuple[list[int], ...], random: Random
) -> dict[int, int]:
    """Tiles by slot, one of all ways to lay them at random."""
    cells: dict[tuple[int, int], list[int]] = {}
    for slot in slots:
        cells.setdefault((work[SLOT_TURN][slot], work[SLOT_TILES][slot]), []).append(slot)
    free = [list(cell) for cell in cells.values()]
    fits = [
        [index for index, cell in enumerate(free) if work[ALLOWED][code] >> cell[0] & 1]
        for code in tiles
    ]
    order = sorted(range(len(tiles)), key=lambda number: (len(fits[number]), fits[number]))
    choices = [fits[number] for number in order]
    ways = _Ways(choices)
    if len(tiles) != len(slots) or not ways.count(0, tuple(map(len, free))):
        raise ValueError("no deal makes these turns and hands")
    laid = {}
    for place, number in enumerate(order):
        sizes = tuple(map(len, free))
        shares = [ways.share(place, sizes, cell) for cell in choices[place]]
        drawn = random.randrange(sum(shares))
        cell = choices[place][bisect(list(accumulate(shares)), drawn)]
        laid[free[cell].pop(random.randrange(len(free[cell])))] = tiles[number]
    return laid


class _Ways:
    """The number of ways to lay tiles from one of them on into what is free of each cell."""

    def __init__(self, choices: list[list[int]]) -> None:
        self._choices = choices
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}

    def count(self, place: int, free: tuple[int, ...]) -> int:
        """The ways to lay the tiles from number `place` on."""
        if place == len(self._choices):
            return 1
        key = place, free
        if key not in self._known:
            self._known[key] = sum(self.share(place, free, cell) for cell in self._choices[place])
        return self._known[key]

    def share(self, place: int, free: tuple[int, ...], cell: int) -> int:
        """Those of them that lay that tile into a cell."""
        if not free[cell]:
            return 0
        return free[cell] * self.count(place + 1, (*free[:cell], free[cell] - 1, *free[cell + 1 :]))
