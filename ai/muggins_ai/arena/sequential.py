"""A sequential test of a mean share of wins, after each group of sets.

It weighs H1, the share is `fair + margin`, against H0, it is `fair`, by the generalised likelihood
ratio of normal means with the variance seen, and stops at Wald's bounds for the stated errors.
Two sets that nobody played, one won and one lost, keep the variance of few sets honest.

References: Wald 1945; Van den Bergh, "A practical introduction to the GSPRT" (2015).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import log
from typing import Final

__all__ = ["SequentialTest", "Verdict"]

_LEAST_SETS: Final = 8


class Verdict(Enum):
    """What a test says so far."""

    STRONGER = "stronger"
    NOT_STRONGER = "not stronger"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """A test with its errors: `alpha` that H1 is taken where H0 holds, `beta` the other way."""

    fair: float
    margin: float
    alpha: float
    beta: float

    def verdict(self, shares: Sequence[float]) -> Verdict:
        """What the shares of the sets so far say, one for each set."""
        if len(shares) < _LEAST_SETS:
            return Verdict.OPEN
        ratio = self.log_ratio(shares)
        if ratio >= log((1 - self.beta) / self.alpha):
            return Verdict.STRONGER
        if ratio <= log(self.beta / (1 - self.alpha)):
            return Verdict.NOT_STRONGER
        return Verdict.OPEN

    def log_ratio(self, shares: Sequence[float]) -> float:
        """The logarithm of the likelihood ratio of H1 to H0."""
        count = len(shares)
        mean = sum(shares) / count
        spread = sum((share - mean) ** 2 for share in (*shares, 0.0, 1.0))
        variance = spread / (count + 2)
        return count * self.margin * (mean - self.fair - self.margin / 2) / variance
