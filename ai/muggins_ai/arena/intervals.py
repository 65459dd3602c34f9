"""Estimates with 95 % intervals over independent units, here sets of mirrored matches."""

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

__all__ = ["Estimate", "rate", "ratio"]

Z: Final = 1.959963984540054
"""The normal quantile that leaves 2.5 % beyond it."""


class Estimate(NamedTuple):
    """An estimate and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def rate(shares: Sequence[float]) -> Estimate:
    """The mean of shares between 0 and 1, one a unit, with Wilson's interval.

    Wilson's number of trials is what would give a proportion the variance seen between the
    units, so that units of several matches count for what they tell; where no variance is seen,
    it is the number of units.
    """
    units = len(shares)
    mean = sum(shares) / units
    variance = _variance_of_mean([share - mean for share in shares])
    trials = mean * (1 - mean) / variance if variance > 0 else units
    centre = (mean + Z * Z / (2 * trials)) / (1 + Z * Z / trials)
    half = sqrt(mean * (1 - mean) / trials + (Z / (2 * trials)) ** 2) * Z / (1 + Z * Z / trials)
    return Estimate(mean, max(0.0, centre - half), min(1.0, centre + half))


def ratio(totals: Sequence[float], sizes: Sequence[int]) -> Estimate:
    """Sum of totals / sum of sizes, one pair a unit, with the interval of its linearised form."""
    value = sum(totals) / sum(sizes)
    residuals = [total - value * size for total, size in zip(totals, sizes, strict=True)]
    half = Z * sqrt(_variance_of_mean(residuals)) * len(sizes) / sum(sizes)
    return Estimate(value, value - half, value + half)


def _variance_of_mean(residuals: Sequence[float]) -> float:
    """The variance of the mean of values that vary by `residuals` about it."""
    units = len(residuals)
    if units < 2:  # noqa: PLR2004 - one value has no spread
        return 0.0
    return sum(residual * residual for residual in residuals) / (units - 1) / units
