"""What waits to be sent on one stream, bounded."""

import asyncio
from collections import deque
from typing import Final

from muggins_rules.views import Viewer
from muggins_service.observers.waking import Waker

__all__ = ["MOST_WAITING", "Outbox"]

MOST_WAITING: Final = 64
"""Records that may wait for a slow reader before it is given a fresh snapshot instead."""


class Outbox:
    """The queue of one stream: chunks of events, results of commands, and how it has to end.

    Chunks are dropped when more than `MOST_WAITING` wait; `gap` then tells that a snapshot has to
    come first. Results are never dropped: there is at most one for each command that was read.
    """

    __slots__ = (
        "_chunks",
        "_wake",
        "_waker",
        "ending",
        "gap",
        "is_queued",
        "over",
        "results",
        "version",
        "viewer",
    )

    def __init__(self, viewer: Viewer, version: int, waker: Waker | None = None) -> None:
        """Begin at a version that the viewer has been shown; `waker` wakes one of many."""
        self.viewer = viewer
        self.version = version
        self.gap = False
        self.over = False
        self.ending: bytes | None = None
        self.results: deque[bytes] = deque()
        self._chunks: list[bytes] = []
        self._wake = asyncio.Event()
        self._waker = waker
        self.is_queued = False

    @property
    def has_work(self) -> bool:
        """True when something is to be sent or the stream has to end."""
        return bool(self._chunks or self.results or self.gap or self.over or self.ending)

    def push(self, version: int, chunk: bytes, *, is_one_of_many: bool = False) -> None:
        """Queue the events of a record; one of many streams is woken for it in its turn."""
        if self.gap:
            return
        if len(self._chunks) >= MOST_WAITING:
            self._chunks.clear()
            self.gap = True
        else:
            self._chunks.append(chunk)
            self.version = version
        if is_one_of_many and self._waker is not None:
            self._waker.add(self)
        else:
            self._wake.set()

    def wake(self) -> None:
        """Let the stream send what waits."""
        self._wake.set()

    def push_result(self, result: bytes) -> None:
        """Queue the result of a command."""
        self.results.append(result)
        self._wake.set()

    def end(self, frame: bytes | None) -> None:
        """End the stream after what waits, with a last frame or without."""
        if frame is None:
            self.over = True
        else:
            self.ending = frame
        self._wake.set()

    def take(self) -> bytes:
        """All events that wait, as one chunk."""
        chunk = b"".join(self._chunks)
        self._chunks.clear()
        return chunk

    def restart(self, version: int) -> None:
        """Go on from a snapshot of that version."""
        self._chunks.clear()
        self.version = version
        self.gap = False

    async def wait(self, timeout_s: float) -> bool:
        """Wait until there is work; False when the time has passed without any."""
        if self.has_work:
            return True
        self._wake.clear()
        try:
            async with asyncio.timeout(timeout_s):
                await self._wake.wait()
        except TimeoutError:
            return False
        # The result of a command is pushed in the same turn of the loop as its events, after them.
        await asyncio.sleep(0)
        return True
