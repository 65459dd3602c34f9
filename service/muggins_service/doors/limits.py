"""What one caller may use up: calls, new matches, advice, and open streams."""

import time
from collections import Counter
from collections.abc import Callable
from enum import Enum, auto
from math import ceil
from typing import Final, NamedTuple

from muggins_service.doors.buckets import Buckets
from muggins_service.errors import ServiceError, ServiceReason

__all__ = ["CallerLimits", "Cost", "Limiter", "cost_of", "rate_limited"]

_MINUTE_S: Final = 60.0


class CallerLimits(NamedTuple):
    """The limits of each caller; 0: none."""

    calls_per_second: float = 0
    calls_burst: int = 0
    founds_per_minute: float = 0
    advice_per_minute: float = 0
    streams: int = 0
    matches: int = 0


class Cost(Enum):
    """What a call takes from the budgets of its caller."""

    CALL = auto()
    FOUNDING = auto()
    ADVICE = auto()
    STREAM = auto()


_COSTS: Final = {
    "CreateMatch": Cost.FOUNDING,
    "FindMatch": Cost.FOUNDING,
    "GetHint": Cost.ADVICE,
    "AnalyzePosition": Cost.ADVICE,
    "AnalyzeMatch": Cost.ADVICE,
    "ObserveMatch": Cost.STREAM,
    "PlayMatch": Cost.STREAM,
    "WatchMatches": Cost.STREAM,
    "WatchResults": Cost.STREAM,
}


_MAKE_MATCHES: Final = frozenset({"CreateMatch", "FindMatch", "ControlMatch"})


def cost_of(method: str) -> Cost:
    """The cost of a method by its own name."""
    return _COSTS.get(method, Cost.CALL)


class Limiter:
    """Counts what callers use. Streams have budgets of their own, so that moves are still taken."""

    def __init__(self, limits: CallerLimits, now_s: Callable[[], float] = time.monotonic) -> None:
        """Begin with nothing used. `now_s` is a clock that never goes back."""
        burst = limits.calls_burst or ceil(limits.calls_per_second)
        minute, hints = limits.founds_per_minute, limits.advice_per_minute
        self._calls = _buckets(limits.calls_per_second, burst, now_s)
        self._openings = _buckets(limits.calls_per_second, burst, now_s)
        self._founds = _buckets(minute / _MINUTE_S, ceil(minute), now_s)
        self._advice = _buckets(hints / _MINUTE_S, ceil(hints), now_s)
        self._most_streams = limits.streams
        self._most_matches = limits.matches
        self._streams: Counter[str] = Counter()

    def counts_matches(self, method: str) -> bool:
        """True when a method may make a match that counts against its caller."""
        return self._most_matches > 0 and method in _MAKE_MATCHES

    def limits(self, cost: Cost) -> bool:
        """True when something bounds calls of that cost."""
        match cost:
            case Cost.CALL:
                return self._calls is not None
            case Cost.FOUNDING:
                return self._calls is not None or self._founds is not None
            case Cost.ADVICE:
                return self._calls is not None or self._advice is not None
            case Cost.STREAM:
                return self._openings is not None or self._most_streams > 0

    def spend(self, account: str, cost: Cost = Cost.CALL) -> None:
        """Take one call from its caller's budgets; RATE_LIMITED when there is none left."""
        _take(self._openings if cost is Cost.STREAM else self._calls, account, "calls")
        if cost is Cost.FOUNDING:
            _take(self._founds, account, "new matches")
        elif cost is Cost.ADVICE:
            _take(self._advice, account, "hints and analyses")

    def enter(self, account: str) -> Callable[[], None]:
        """Count one more open stream, until the answer is called; TOO_MANY_STREAMS at the limit."""
        most = self._most_streams
        if most and self._streams[account] >= most:
            raise ServiceError(
                ServiceReason.TOO_MANY_STREAMS,
                metadata={"limit": str(most)},
                quota=(account, f"at most {most} open streams"),
            )
        self._streams[account] += 1

        def leave() -> None:
            self._streams[account] -= 1
            if not self._streams[account]:
                del self._streams[account]

        return leave


def _buckets(per_s: float, burst: int, now_s: Callable[[], float]) -> Buckets | None:
    return Buckets(per_s, burst, now_s) if per_s > 0 else None


def _take(buckets: Buckets | None, account: str, what: str) -> None:
    wait_s = 0.0 if buckets is None else buckets.take(account)
    if wait_s:
        raise rate_limited(wait_s, (account, f"too many {what}"))


def rate_limited(wait_s: float, quota: tuple[str, str]) -> ServiceError:
    """The refusal of a call that comes too soon."""
    seconds = ceil(wait_s)
    return ServiceError(
        ServiceReason.RATE_LIMITED,
        metadata={"seconds": str(seconds)},
        retry_after_s=wait_s,
        quota=quota,
    )
