"""The end of a round as text: the hands that were left and the settlement as an addition."""

from collections.abc import Iterable, Iterator
from typing import Final

from muggins_cli.words import SEAT_NAMES, Words, addition, format_tiles, signed
from muggins_rules import RuleSet
from muggins_rules.events import RoundEnded, Settlement, ShownHand

__all__ = ["tell_hands", "tell_settlement"]

_FIVE: Final = 5


def tell_hands(hands: Iterable[ShownHand]) -> Iterator[str]:
    """The tiles that each seat still held, and their pips."""
    for hand in hands:
        if hand.tiles:
            pips = addition((tile.pips for tile in hand.tiles), hand.pips)
            yield f"{SEAT_NAMES[hand.seat]}  {format_tiles(hand.tiles)}   {pips}"


def tell_settlement(
    ended: RoundEnded, rule_set: RuleSet, seats: int, words: Words
) -> Iterator[str]:
    """What each side gains or pays, with the sum and the rounding behind it."""
    settled = [entry for entry in ended.settlement if entry.pips or entry.change]
    if not settled:
        yield words.line("nothing_settled")
    for entry in settled:
        values = {
            "working": addition(_parts(entry, ended, rule_set, seats), entry.pips),
            "rounded": entry.rounded,
            "side": words.side(entry.side, rule_set, seats),
            "change": signed(entry.change),
        }
        if rule_set.scoring.points_divisor == _FIVE:
            fives = entry.rounded // _FIVE
            yield words.line("settled_in_fives", fives=fives, **values)
        else:
            yield words.line("settled", **values)


def _parts(entry: Settlement, ended: RoundEnded, rule_set: RuleSet, seats: int) -> tuple[int, ...]:
    """The pips of the hands that were summed for a side; none where they are not told apart.

    They are the side's own hands or those of all others. Which of the two follows from the sum,
    as long as a side's change does not tell it.
    """
    own = rule_set.seats_of(entry.side, seats)
    for is_own in (entry.change < 0, entry.change >= 0):
        pips = [hand.pips for hand in ended.hands if (hand.seat in own) is is_own and hand.tiles]
        if sum(pips) == entry.pips:
            return tuple(pips)
    return ()
