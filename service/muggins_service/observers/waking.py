"""Streams of one match woken a few at a time, so that many observers do not hold up other moves."""

import asyncio
from collections import deque
from typing import Final, Protocol

__all__ = ["MANY", "Waker"]

MANY: Final = 100
"""Streams of one match beyond which those without a seat are woken in slices."""
SLICE: Final = 25
PAUSE_S: Final = 0.002
"""25 streams take about a millisecond to write to; calls have the loop for the rest."""


class Sleeper(Protocol):
    """A stream with news, which it takes in all at once when it wakes."""

    is_queued: bool

    def wake(self) -> None:
        """Let it send what waits."""
        ...


class Waker:
    """Wakes the streams of a server in the order in which they got news.

    What a stream is to send is queued at once, so its order is never touched; one that gets more
    news before its turn sends all of it in one frame.
    """

    def __init__(self) -> None:
        """Begin with nobody to wake."""
        self._queue: deque[Sleeper] = deque()
        self._is_due = False

    def add(self, sleeper: Sleeper) -> None:
        """Wake a stream in its turn."""
        if sleeper.is_queued:
            return
        sleeper.is_queued = True
        self._queue.append(sleeper)
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._wake_some)

    def _wake_some(self) -> None:
        for _ in range(min(SLICE, len(self._queue))):
            sleeper = self._queue.popleft()
            sleeper.is_queued = False
            sleeper.wake()
        self._is_due = bool(self._queue)
        if self._is_due:
            asyncio.get_running_loop().call_later(PAUSE_S, self._wake_some)
