"""A seat played over one stream: commands in, results and updates out."""

import asyncio
import weakref
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Self

import grpc

from muggins.v1 import actions_pb2, streams_pb2, tiles_pb2
from muggins_client import values
from muggins_client.connection import Connection
from muggins_client.errors import MugginsError, TimedOut
from muggins_client.keys import new_request_id
from muggins_client.link import WritableLink
from muggins_client.observing import go_away_of_observed
from muggins_client.reconnecting import Frames, Line
from muggins_client.revealing import NonceRevealer
from muggins_client.statuses import closed_error, error_of_refusal
from muggins_client.tracker import Missed, Tracker
from muggins_client.updates import Update

__all__ = ["PlayStream"]

PlayLink = WritableLink[streams_pb2.PlayMatchRequest, streams_pb2.PlayMatchResponse]

_METHOD: Final = "MatchService/PlayMatch"
_COMMAND_S: Final = 10.0
_MOST_WAITING: Final = 1024
"""Updates that may wait for their reader before the stream is read no further."""


@dataclass(slots=True)
class _Pending:
    frame: streams_pb2.PlayMatchRequest
    answer: asyncio.Future[int]


class PlayStream:
    """A seat's stream: iterate for updates, and ask for actions beside that.

    After a cut it attaches again, goes on by sequence, and sends what was not answered with the
    same request ids, so that nothing is done twice. A refusal raises and ends nothing. Somebody
    has to iterate: when too many updates wait, results wait too.
    """

    def __init__(self, player: "Player") -> None:
        """Start to play; in a running loop."""
        self._player = player
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(player.run())
        self._finalizer = weakref.finalize(self, _stop, self._task, loop)

    @property
    def last_sequence(self) -> int | None:
        """The sequence of the last event seen."""
        return self._player.tracker.last

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        """The next update; the iteration ends with the match.

        Raises:
            MugginsError: coming back does not help; the stream is over.
        """
        update = await self._player.next_update()
        if update is None:
            raise StopAsyncIteration
        return update

    async def command(
        self,
        action: actions_pb2.Action,
        *,
        claim: int | None = None,
        expected_version: int | None = None,
        request_id: str = "",
        timeout_s: float = _COMMAND_S,
    ) -> int:
        """Ask for an action; the version of the match after it. Its events come as updates.

        Raises:
            MugginsError: as the unary call of that action would.
        """
        asked = streams_pb2.Command(
            request_id=request_id or new_request_id(),
            expected_version=expected_version,
            action=action,
            claim=None if claim is None else actions_pb2.Claim(points=claim),
        )
        return await self._player.ask(asked, timeout_s)

    async def place(self, placement: tiles_pb2.Placement, claim: int | None = None) -> int:
        """Put a tile on the table, under calling with the points claimed."""
        return await self.command(values.place(placement), claim=claim)

    async def draw(self, *, until_playable: bool = False) -> int:
        """Draw one tile, or tiles until one fits."""
        return await self.command(values.draw(until_playable=until_playable))

    async def pass_turn(self) -> int:
        """Give up the turn."""
        return await self.command(values.pass_turn())

    async def claim(self, points: int) -> int:
        """Announce the points of the own last placement."""
        return await self.command(values.claim(points))

    async def call(self, placement_sequence: int) -> int:
        """Call "Muggins!" on the placement whose event has that sequence."""
        return await self.command(values.call(placement_sequence))

    async def aclose(self) -> None:
        """End the stream; commands without a result fail."""
        self._finalizer.detach()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()


class Player:
    """What goes on behind a PlayStream. It does not know the stream, which can so be dropped."""

    def __init__(
        self,
        connection: Connection,
        open_line: Callable[[], Awaitable[Line[streams_pb2.PlayMatchResponse]]],
        tracker: Tracker,
        revealer: NonceRevealer | None,
        give_up_s: float,
    ) -> None:
        self.tracker = tracker
        self._open_line = open_line
        self._revealer = revealer
        self._pending: dict[str, _Pending] = {}
        self._updates: asyncio.Queue[Update | None] = asyncio.Queue()
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._writing = asyncio.Lock()
        self._error: MugginsError | None = None
        self._is_finished = False
        self._frames = Frames(
            connection,
            self._attach,
            is_over=lambda: tracker.is_over,
            go_away_of=_go_away_of_played,
            give_up_s=give_up_s,
        )

    async def run(self) -> None:
        """Read until the match is over or nothing helps."""
        error: MugginsError | None = closed_error(_METHOD)
        try:
            while (frame := await self._frames.next()) is not None:
                await self._take(frame)
                await self._has_room.wait()
            error = None
        except MugginsError as failure:
            error = failure
        finally:
            self._finish(error)

    async def next_update(self) -> Update | None:
        """The next update; none at the end. Raises the error that ended the stream."""
        if self._is_finished and self._updates.empty():
            update = None
        else:
            update = await self._updates.get()
        if self._updates.qsize() < _MOST_WAITING:
            self._has_room.set()
        if update is None and self._error is not None:
            error, self._error = self._error, None
            raise error
        return update

    async def ask(self, command: streams_pb2.Command, timeout_s: float) -> int:
        """Send a command and wait for its result."""
        request_id = command.request_id
        if self._is_finished:
            raise closed_error(_METHOD, request_id)
        pending = _Pending(
            streams_pb2.PlayMatchRequest(command=command),
            asyncio.get_running_loop().create_future(),
        )
        self._pending[request_id] = pending
        try:
            async with asyncio.timeout(timeout_s):
                await self._send(pending.frame)
                return await pending.answer
        except TimeoutError:
            error = TimedOut(
                "DEADLINE_EXCEEDED",
                f"no result came within {timeout_s:g} s",
                code=grpc.StatusCode.DEADLINE_EXCEEDED,
            )
            error.method, error.request_id = _METHOD, request_id
            raise error from None
        finally:
            self._pending.pop(request_id, None)

    async def _attach(self) -> Line[streams_pb2.PlayMatchResponse]:
        """Open a line, and send again what has no result yet, in the order it was asked."""
        line = await self._open_line()
        assert isinstance(line.link, WritableLink), "a stream of two directions"
        sent: set[str] = set()
        # What is asked for during these writes finds no line yet, and waits for this loop.
        while unsent := self._pending.keys() - sent:
            for request_id in [known for known in self._pending if known in unsent]:
                sent.add(request_id)
                if (pending := self._pending.get(request_id)) is not None:
                    await self._write(line.link, pending.frame)
        return line

    async def _send(self, frame: streams_pb2.PlayMatchRequest) -> None:
        """Send over the open line; without one the next line sends it."""
        link = self._frames.link
        if isinstance(link, WritableLink):
            await self._write(link, frame)

    async def _write(self, link: PlayLink, frame: streams_pb2.PlayMatchRequest) -> None:
        async with self._writing:
            # Whether it arrived is told by its result alone.
            await link.write(frame)

    async def _take(self, message: streams_pb2.PlayMatchResponse) -> None:
        if message.HasField("observe"):
            try:
                update = self.tracker.take(message.observe)
            except Missed as missed:
                await self._frames.missed(missed.last)
                return
            if self._revealer is not None:
                await self._revealer.attend(update)
            if update is not None:
                self._updates.put_nowait(update)
                if self._updates.qsize() >= _MOST_WAITING:
                    self._has_room.clear()
        self._frames.content()
        if message.HasField("result"):
            self._answer(message.result)

    def _answer(self, result: streams_pb2.CommandResult) -> None:
        pending = self._pending.get(result.request_id)
        if pending is None or pending.answer.done():
            return
        if result.HasField("refusal"):
            error = error_of_refusal(result.refusal, _METHOD, result.request_id)
            pending.answer.set_exception(error)
        else:
            pending.answer.set_result(result.version)

    def _finish(self, error: MugginsError | None) -> None:
        self._is_finished = True
        self._error = error
        self._frames.cancel()
        for request_id, pending in self._pending.items():
            if not pending.answer.done():
                pending.answer.set_exception(error or closed_error(_METHOD, request_id))
        self._updates.put_nowait(None)


def _go_away_of_played(message: streams_pb2.PlayMatchResponse) -> streams_pb2.GoAway | None:
    return go_away_of_observed(message.observe) if message.HasField("observe") else None


def _stop(task: asyncio.Task[None], loop: asyncio.AbstractEventLoop) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(task.cancel)
