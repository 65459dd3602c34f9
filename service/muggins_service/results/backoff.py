"""When a notice is tried again, and when it is given up."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from muggins_service.store.notices import Delivery

__all__ = ["Attempt", "Backoff", "after_failure"]


class Attempt(NamedTuple):
    """How a try to deliver ended. `gone`: the receiver wants no more of it."""

    delivered: bool
    failure: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits that double from `first_us` up to `most_us`, for `attempts` tries in all."""

    first_us: int
    most_us: int
    attempts: int

    def wait_us(self, attempts: int, chance: float) -> int:
        """How long to wait after so many tries, from half the time to all of it by `chance`."""
        whole = min(self.most_us, self.first_us << min(attempts - 1, 40))
        return round(whole * (0.5 + chance / 2))


def after_failure(
    delivery: Delivery, attempt: Attempt, backoff: Backoff, now_us: int, chance: Callable[[], float]
) -> Delivery:
    """The delivery after a try that failed: due again, or dead. `chance` gives from 0 below 1."""
    attempts = delivery.attempts + 1
    if attempt.gone or attempts >= backoff.attempts:
        return replace(
            delivery, attempts=attempts, due_us=now_us, dead=True, failure=attempt.failure
        )
    due_us = now_us + backoff.wait_us(attempts, chance())
    return replace(delivery, attempts=attempts, due_us=due_us, failure=attempt.failure)
