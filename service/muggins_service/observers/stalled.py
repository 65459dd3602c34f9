"""Streams whose client has stopped reading: found while a frame cannot be sent, and ended."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Final

import structlog

__all__ = ["StalledReaders"]

_log = structlog.get_logger("muggins.streams")

LOOKS: Final = 4
"""How often within the bound streams are looked at."""
GIVE_UP_S: Final = 1.0
"""How long the last status may take to be handed over; it reaches a client that reads again."""


class _Sending:
    """One stream: since when its frame waits to be sent, if one does."""

    __slots__ = ("end", "since_s", "task")

    def __init__(self, task: "asyncio.Task[object]", end: Callable[[], Awaitable[None]]) -> None:
        self.task = task
        self.end = end
        self.since_s: float | None = None


class StalledReaders:
    """Ends streams in which one frame has waited for longer than a bound.

    A stream takes frames until its window is full, which is about 4 MiB in the client's memory,
    and then its generator stays where it yielded. It cannot notice that by itself.
    """

    def __init__(self, bound_s: float) -> None:
        """Begin without a stream; 0: they may wait for ever."""
        self._bound_s = bound_s
        self._open: set[_Sending] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self.ended = 0

    async def guard(
        self, frames: AsyncGenerator[bytes, None], end: Callable[[], Awaitable[None]]
    ) -> AsyncGenerator[bytes, None]:
        """The frames of a stream, watched. `end` ends its call from outside."""
        task = asyncio.current_task()
        assert task is not None, "a stream is sent by a task"
        sending = _Sending(task, end)
        self._open.add(sending)
        self._look_later()
        now_s = asyncio.get_running_loop().time
        try:
            async with aclosing(frames):
                async for frame in frames:
                    sending.since_s = now_s()
                    yield frame
                    sending.since_s = None
        finally:
            self._open.discard(sending)

    def _look_later(self) -> None:
        if self._timer is None and self._open and self._bound_s:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._bound_s / LOOKS, self._look)

    def _look(self) -> None:
        self._timer = None
        due_s = asyncio.get_running_loop().time() - self._bound_s
        for sending in tuple(self._open):
            if sending.since_s is not None and sending.since_s <= due_s:
                self._open.discard(sending)
                self.ended += 1
                ending = asyncio.get_running_loop().create_task(_end(sending))
                self._ending.add(ending)
                ending.add_done_callback(self._ending.discard)
        self._look_later()

    def close(self) -> None:
        """Look no more."""
        self._bound_s = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


async def _end(sending: _Sending) -> None:
    """Give the call its status, and have its task let go of everything."""
    _log.warning("stream_stalled")
    try:
        async with asyncio.timeout(GIVE_UP_S):
            await sending.end()
    except Exception:  # noqa: BLE001 - what ends a call raises that it has, and may be late
        _log.debug("stream_ended")
    finally:
        sending.task.cancel()
