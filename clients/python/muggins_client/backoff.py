"""How long to wait before the next attempt: longer each time, and never in step with others."""

from dataclasses import dataclass
from random import SystemRandom
from typing import Final

__all__ = ["Backoff"]

_RANDOM: Final = SystemRandom()
_MOST_DOUBLINGS: Final = 20


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits that double from `first_s` up to `longest_s`, each cut by a random part of its half.

    The random part keeps clients that lost one server together from coming back together.
    """

    first_s: float = 0.2
    longest_s: float = 5.0

    def wait_s(self, attempt: int, at_least_s: float | None = None) -> float:
        """Seconds to wait after `attempt` failures, from 1; the server may ask for more."""
        full = self.first_s * (1 << min(attempt - 1, _MOST_DOUBLINGS))
        wait = min(full, self.longest_s) * _RANDOM.uniform(0.5, 1.0)
        return wait if at_least_s is None else at_least_s + wait
