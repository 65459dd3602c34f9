"""Logarithms and exponentials as tables of integers, the same on every machine."""

from fractions import Fraction
from math import isqrt
from typing import Final

__all__ = [
    "CHANCE_ONE",
    "COST_OF",
    "COST_ONE",
    "HALVED",
    "HALVED_ONE",
    "LIKING",
    "LIKING_ONE",
    "MOST_DISLIKED",
]

CHANCE_ONE: Final = 4096
"""A chance of 1; chances are whole numbers from 0."""
COST_ONE: Final = 1024
"""A cost of one bit."""
HALVED_ONE: Final = 1 << 24
"""The weight of a world that costs nothing."""
LIKING_ONE: Final = 1 << 24
"""The liking of the move that is worth most."""

_PRECISION: Final = 80
_PER_PIP: Final = 3
_PER_POINT: Final = 20
MOST_DISLIKED: Final = 720
"""From so many sixtieths of the temperature below the best, a move is not liked at all."""


def _cost_of(chance: int) -> int:
    """-log2(chance / CHANCE_ONE) in units of 1 / COST_ONE, rounded up from its binary digits."""
    whole = CHANCE_ONE.bit_length() - chance.bit_length()
    mantissa = chance << _PRECISION - chance.bit_length() + 1
    digits = 0
    for _ in range(COST_ONE.bit_length() - 1):
        mantissa = mantissa * mantissa >> _PRECISION
        digits <<= 1
        if mantissa >> _PRECISION + 1:
            digits |= 1
            mantissa >>= 1
    return whole * COST_ONE - digits


def _halved() -> tuple[int, ...]:
    """2 ** (-n / COST_ONE) by n, in units of 1 / HALVED_ONE."""
    roots = []
    root = 1 << _PRECISION - 1
    for _ in range(COST_ONE.bit_length() - 1):
        root = isqrt(root << _PRECISION)
        roots.append(root)
    table = []
    for number in range(COST_ONE):
        value = 1 << _PRECISION
        for place, root in enumerate(reversed(roots)):
            if number >> place & 1:
                value = value * root >> _PRECISION
        table.append(value * HALVED_ONE >> _PRECISION)
    return tuple(table)


def _likings() -> tuple[int, ...]:
    """exp(-n / 60) by n, in units of 1 / LIKING_ONE."""
    term = step = Fraction(1)
    for number in range(1, 20):
        term *= Fraction(-1, 60 * number)
        step += term
    factor = (step.numerator << _PRECISION) // step.denominator
    value = 1 << _PRECISION
    table = []
    for _ in range(MOST_DISLIKED):
        table.append(value * LIKING_ONE >> _PRECISION)
        value = value * factor >> _PRECISION
    return (*table, 0)


COST_OF: Final = tuple(_cost_of(max(1, chance)) for chance in range(CHANCE_ONE + 1))
"""By chance: its cost, -log2 of it; that of 0 is that of the least chance."""
HALVED: Final = _halved()
"""By cost below one bit: the weight left."""
LIKING: Final = _likings()
"""By how much less a move is worth than the best, in sixtieths of the temperature of 3 points."""
