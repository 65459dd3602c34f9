"""The neutral lot that decides who opens: one tile face up for each seat, ties draw again.

Every contending seat is dealt one tile from the front of a shuffled full set, in ascending seat
order; the highest total of pips opens, and seats that tie for it draw again from the tiles left.

The set never runs out. While nothing is decided, n-n and (n-1)-n are undrawn, since each has a
total of its own that no lower tile can tie; so two contenders always find two tiles. While three
or four contend, they tied each time, so the two tiles with the total 2n-2 are undrawn as well,
and there are four. The only set too small at the first draw is that of 1-1 for four seats.
"""

from collections.abc import Sequence
from typing import NamedTuple

from muggins_rules.tiles import pips_of

__all__ = ["Lot", "LotDraw", "lot_draws"]


class LotDraw(NamedTuple):
    """One tile dealt face up to one seat."""

    attempt: int  # from 1; a tie for the highest makes another
    seat: int
    tile: int  # code


class Lot(NamedTuple):
    """A whole lot: every draw in order, and the seat that opens."""

    draws: tuple[LotDraw, ...]
    winner: int


def lot_draws(order: Sequence[int], seats: int) -> Lot:
    """The lot of seats 0 to `seats` - 1 over a shuffled full set of at least as many tile codes."""
    draws: list[LotDraw] = []
    contenders = list(range(seats))
    attempt = 0
    while len(contenders) > 1:
        attempt += 1
        tiles = order[len(draws) : len(draws) + len(contenders)]
        assert len(tiles) == len(contenders), "the lot is drawn from a full set"
        draws.extend(
            LotDraw(attempt, seat, tile) for seat, tile in zip(contenders, tiles, strict=True)
        )
        highest = max(map(pips_of, tiles))
        contenders = [
            seat for seat, tile in zip(contenders, tiles, strict=True) if pips_of(tile) == highest
        ]
    return Lot(tuple(draws), contenders[0])
