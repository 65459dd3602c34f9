"""What the others' draws and passes proved, and how much each told."""

from collections.abc import Sequence
from math import log2
from typing import Final, NamedTuple

from muggins_ai.belief.believer import Believer
from muggins_ai.belief.seen import history_of_round
from muggins_rules import kernel
from muggins_rules.events import Event, RoundDealt, SeatPassed, TileDrawn, TilePlayed
from muggins_rules.layout import kernel_flags, move_word
from muggins_rules.tiles import mask_of
from muggins_rules.views import SeatView

__all__ = ["VoidFact", "voids_of"]

_VALUES: Final = 7


class VoidFact(NamedTuple):
    """A seat had no tile of the numbers that were open at an event of its round.

    `event` is the place among the view's round events. `bits` is -log2 of the chance that the
    belief gave it just before.
    """

    event: int
    seat: int
    missing: tuple[int, ...]
    bits: float


def voids_of(believer: Believer, view: SeatView, worlds: int, seed: int) -> tuple[VoidFact, ...]:
    """The voids of a round that other seats showed, the most telling first."""
    weights = believer.learned(view)
    before = view.past[-1] if view.past else None
    flags = kernel_flags(view.table.rule_set)
    word = kernel.EMPTY_TABLE
    drawing = False
    found = []
    for at, fact in enumerate(view.round_events):
        if isinstance(fact, TilePlayed):
            word = kernel.lay(word, move_word(fact.placement), flags)
        goes_on = drawing
        drawing = isinstance(fact, TileDrawn)
        if goes_on or not isinstance(fact, TileDrawn | SeatPassed) or fact.seat == view.seat:
            continue
        earlier = view.round_events[:at]
        turns = history_of_round(view.table.rule_set, view.seat, earlier, before)
        hand = _own_hand(view.seat, earlier)
        pool = believer.pool(turns, view.seat, hand, weights, worlds, seed)
        total = missing = 0
        for mask, weight in zip(pool.hands[fact.seat :: 4], pool.weights, strict=True):
            total += int(weight)
            missing += 0 if kernel.legal_tiles(word, int(mask)) else int(weight)
        # A chance that no sampled world shows is thought at most half of one world's.
        share = missing / total if missing else 0.5 / len(pool.weights)
        found.append(VoidFact(at, fact.seat, _open_values(word), -log2(share)))
    return tuple(sorted(found, key=lambda void: -void.bits))


def _own_hand(seat: int, events: Sequence[Event]) -> int:
    """A seat's hand after some events of a round as it saw them."""
    hand = 0
    for fact in events:
        if isinstance(fact, RoundDealt):
            hand = mask_of(fact.hand or ())
        elif isinstance(fact, TileDrawn) and fact.seat == seat and fact.tile is not None:
            hand |= mask_of((fact.tile,))
        elif isinstance(fact, TilePlayed) and fact.seat == seat:
            hand &= ~mask_of((fact.placement.tile,))
    return hand


def _open_values(word: int) -> tuple[int, ...]:
    is_open = kernel.open_values(word)
    return tuple(value for value in range(_VALUES) if is_open >> value & 1)
