"""How often each caller may do something: a token bucket a caller, in bounded memory."""

from collections.abc import Callable
from typing import Final

__all__ = ["Buckets"]

_MOST: Final = 100_000
_SWEEP_S: Final = 1.0


class Buckets:
    """Buckets that hold `burst` at most and are filled at `per_s`; an idle one takes no room."""

    def __init__(
        self, per_s: float, burst: int, now_s: Callable[[], float], most: int = _MOST
    ) -> None:
        """Begin with full buckets. `now_s` is a clock that never goes back."""
        assert per_s > 0, "no limit is no bucket"
        self._each_s = 1 / per_s
        self._burst_s = self._each_s * (max(burst, 1) - 1)
        self._now_s = now_s
        self._most = most
        # When each bucket will be full again: all that there is to know of one.
        self._full_at: dict[str, float] = {}
        self._swept_at = -_SWEEP_S

    def __len__(self) -> int:
        """The number of buckets that are remembered."""
        return len(self._full_at)

    def take(self, account: str) -> float:
        """Take one, if there is one: 0, or else the seconds until there is, and nothing is taken.

        When more accounts are busy at once than are remembered, the oldest begins anew.
        """
        now = self._now_s()
        full_at = max(self._full_at.pop(account, now), now)
        wait = full_at - now - self._burst_s
        if wait > 0:
            self._full_at[account] = full_at
            return wait
        if len(self._full_at) >= self._most:
            self._make_room(now)
        self._full_at[account] = full_at + self._each_s
        return 0.0

    def _make_room(self, now: float) -> None:
        if now >= self._swept_at + _SWEEP_S:
            self._swept_at = now
            self._full_at = {who: at for who, at in self._full_at.items() if at > now}
        if len(self._full_at) >= self._most:
            del self._full_at[next(iter(self._full_at))]
