"""Powers of e as whole numbers, exact on every machine."""

from fractions import Fraction
from typing import Final

__all__ = ["CERTAIN", "POWERS", "STEPS"]

CERTAIN: Final = 1 << 16
"""The weight of the likeliest move."""
STEPS: Final = 64
"""Steps of 1/64 of a logit in the table of weights."""


def _powers() -> tuple[int, ...]:
    """CERTAIN times exp(-k / STEPS), rounded, down to 1; exact in rational numbers."""
    terms = 12
    factor = Fraction(0)
    term = Fraction(1)
    for number in range(1, terms + 1):
        factor += term
        term *= Fraction(-1, STEPS * number)
    scale = 1 << 60
    power = CERTAIN * scale
    step = round(factor * scale)
    powers = []
    while power > scale // 2:
        powers.append((power + scale // 2) // scale)
        power = power * step // scale
    return tuple(powers)


POWERS: Final = _powers()
"""CERTAIN x exp(-k / STEPS) at k, down to 1."""
