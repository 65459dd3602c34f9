"""A stream that comes back: opened again whenever it breaks, until it ends or nothing helps."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, NamedTuple, TypeVar

import grpc

from muggins.v1 import streams_pb2
from muggins_client.backoff import Backoff
from muggins_client.connection import Connection, Stubs
from muggins_client.errors import (
    MugginsError,
    NotFound,
    ProtocolViolation,
    Replaced,
    TimedOut,
    Unavailable,
)
from muggins_client.link import Link

__all__ = ["Frames", "Line", "silence_of"]

_Frame = TypeVar("_Frame")

_SILENT_INTERVALS: Final = 2.5
_OPENING_S: Final = 5.0


class Line(NamedTuple, Generic[_Frame]):
    """An open stream, the stubs it was opened with, and how long it may be silent."""

    link: Link[_Frame]
    stubs: Stubs
    silence_s: float


def silence_of(heartbeat_s: float) -> float:
    """Seconds without any frame after which a stream is dead, for an interval of heartbeats."""
    return heartbeat_s * _SILENT_INTERVALS


class Frames(Generic[_Frame]):
    """The frames of a stream over all its links."""

    def __init__(
        self,
        connection: Connection,
        open_line: Callable[[], Awaitable[Line[_Frame]]],
        *,
        is_over: Callable[[], bool],
        go_away_of: Callable[[_Frame], streams_pb2.GoAway | None],
        give_up_s: float,
    ) -> None:
        """`is_over` tells whether an end of the stream is the end of what it tells of."""
        self._connection = connection
        self._open_line = open_line
        self._is_over = is_over
        self._go_away_of = go_away_of
        self._give_up_s = give_up_s
        self._backoff = Backoff()
        self._line: Line[_Frame] | None = None
        self._has_spoken = False
        self._failures = 0
        self._broken_since: float | None = None
        self._missed: tuple[int | None, ...] = ()

    async def next(self) -> _Frame | None:
        """The next frame, or nothing when all has been told.

        Raises:
            MugginsError: coming back does not help, or has not helped for `give_up_s`.
        """
        while True:
            try:
                frame = await self._read()
                if frame is not None and (go_away := self._go_away_of(frame)) is not None:
                    raise _error_of_go_away(go_away)
            except MugginsError as error:
                self.cancel()
                if self._is_over():
                    return None
                await self._wait(error)
                continue
            if frame is not None:
                self._has_spoken = True
                return frame
            self.cancel()
            if self._is_over():
                return None
            await self._wait(_ended())

    def content(self) -> None:
        """The frames make sense: earlier failures are forgotten."""
        self._failures = 0
        self._broken_since = None

    async def missed(self, last: int | None) -> None:
        """Events after `last` were left out: ask once more, and give up if that does not help.

        Raises:
            ProtocolViolation: they were left out again.
        """
        self.cancel()
        if self._missed == (last,):
            raise ProtocolViolation("EVENTS_MISSING", f"events after {last} are not sent")
        self._missed = (last,)

    def cancel(self) -> None:
        """End the link, if there is one."""
        if self._line is not None:
            self._line.link.cancel()
            self._line = None

    @property
    def link(self) -> Link[_Frame] | None:
        """The open link."""
        return None if self._line is None else self._line.link

    async def _read(self) -> _Frame | None:
        if self._line is None:
            self._has_spoken = False
            self._line = await self._open_line()
        line = self._line
        silence_s = line.silence_s if self._has_spoken else max(line.silence_s, _OPENING_S)
        try:
            return await line.link.read(silence_s)
        except TimedOut:
            self._connection.renew(line.stubs)
            raise

    async def _wait(self, error: MugginsError) -> None:
        """Wait before coming back; raise the error where that is of no use."""
        clock = asyncio.get_running_loop().time
        self._failures += 1
        wait_s = self._backoff.wait_s(self._failures, error.retry_after_s)
        if self._broken_since is None:
            self._broken_since = clock()
        too_late = clock() + wait_s > self._broken_since + self._give_up_s
        if not error.is_passing or too_late or self._connection.is_closed:
            raise error
        await asyncio.sleep(wait_s)


def _ended() -> MugginsError:
    return Unavailable(
        "STREAM_ENDED",
        "the server ended the stream before the match was over",
        code=grpc.StatusCode.UNAVAILABLE,
    )


def _error_of_go_away(go_away: streams_pb2.GoAway) -> MugginsError:
    wait_s = go_away.retry_after.ToTimedelta().total_seconds()
    match go_away.reason:
        case streams_pb2.GO_AWAY_REASON_REPLACED:
            return Replaced("REPLACED", "a newer stream has attached to the seat")
        case streams_pb2.GO_AWAY_REASON_MATCH_REMOVED:
            return NotFound("MATCH_REMOVED", "the match is no longer kept")
        case streams_pb2.GO_AWAY_REASON_DRAINING:
            reason = "DRAINING"
        case streams_pb2.GO_AWAY_REASON_TOO_SLOW:
            reason = "TOO_SLOW"
        case streams_pb2.GO_AWAY_REASON_MAX_AGE:
            reason = "MAX_AGE"
        case _:
            reason = "GO_AWAY"
    return Unavailable(
        reason,
        "the server ended the stream for the time being",
        code=grpc.StatusCode.UNAVAILABLE,
        retry_after_s=wait_s,
    )
