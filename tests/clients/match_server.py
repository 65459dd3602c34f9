"""A match on a raw server: a log of events that streams tell, with faults on demand."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc

from muggins.v1 import events_pb2, lobby_pb2, streams_pb2, views_pb2
from tests.clients.raw_server import fail, for_ever, limits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from tests.clients.raw_server import Behaviour, Context

__all__ = ["MatchLog", "heartbeat", "turn"]

MATCH_ID = "m-1"


def turn(seat: int = 0) -> events_pb2.Event:
    return events_pb2.Event(turn_started=events_pb2.TurnStarted(seat=seat))


def heartbeat(version: int, present: str = "") -> streams_pb2.ObserveMatchResponse:
    """`present` has a letter for each seat: `y` or `n`."""
    presence = [
        views_pb2.SeatInfo(seat=seat, present=there == "y") for seat, there in enumerate(present)
    ]
    beat = streams_pb2.Heartbeat(version=version, presence=presence)
    return streams_pb2.ObserveMatchResponse(heartbeat=beat)


class MatchLog:
    """The match `m-1`; what goes wrong is set from outside."""

    def __init__(self, *, seats_filled: int = 2) -> None:
        self.events: list[events_pb2.Event] = []
        self.state = views_pb2.MATCH_STATE_OPEN
        self.asked_from: list[int | None] = []
        """`from_sequence` of every stream."""
        self.open_streams = 0
        self.is_mute = False
        """Streams say nothing more, not even heartbeats."""
        self.skipped: set[int] = set()
        """Sequences that are left out each time."""
        self.end_with: streams_pb2.GoAway | None = None
        self.done: dict[str, int] = {}
        """Version after each command by its request id."""
        self.refusals: list[str] = []
        self.commands: list[str] = []
        """Request ids in the order in which commands came."""
        self.holds_results = False
        self._seats_filled = seats_filled
        self._news = asyncio.Event()

    def add(self, *events: events_pb2.Event) -> None:
        for event in events:
            event.sequence = len(self.events) + 1
            self.events.append(event)
            if event.WhichOneof("fact") == "match_ended":
                self.state = views_pb2.MATCH_STATE_FINISHED
        self.wake()

    def end(self) -> None:
        self.add(events_pb2.Event(match_ended=events_pb2.MatchEnded()))

    def wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def handlers(self) -> Mapping[str, Behaviour]:
        return {
            "MatchService/GetServerInfo": limits,
            "MatchService/ObserveMatch": self.observe,
            "MatchService/PlayMatch": self.play,
            "MatchService/RevealNonce": self.reveal,
        }

    def snapshot(self, *, gap: bool = False) -> streams_pb2.ObserveMatchResponse:
        occupants = [
            views_pb2.OCCUPANT_PLAYER if seat < self._seats_filled else views_pb2.OCCUPANT_NOBODY
            for seat in range(2)
        ]
        table = views_pb2.PublicView(
            match_id=MATCH_ID,
            version=len(self.events),
            state=self.state,
            seats=[
                views_pb2.SeatInfo(seat=seat, occupant=occupant)
                for seat, occupant in enumerate(occupants)
            ],
        )
        shown = streams_pb2.Snapshot(table=table, gap=gap)
        return streams_pb2.ObserveMatchResponse(snapshot=shown)

    async def observe(
        self, request: streams_pb2.ObserveMatchRequest, context: Context
    ) -> AsyncIterator[streams_pb2.ObserveMatchResponse]:
        if request.match_id != MATCH_ID:
            await fail(context, grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND")
        last = request.from_sequence if request.HasField("from_sequence") else None
        async for frame in self._frames(last, request.heartbeat.ToTimedelta().total_seconds()):
            yield frame

    async def _frames(
        self, last: int | None, interval_s: float
    ) -> AsyncIterator[streams_pb2.ObserveMatchResponse]:
        self.asked_from.append(last)
        self.open_streams += 1
        try:
            if last is None:
                last = len(self.events)
                yield self.snapshot()
            while True:
                if self.is_mute:
                    await for_ever()
                if self.end_with is not None:
                    go_away, self.end_with = self.end_with, None
                    yield streams_pb2.ObserveMatchResponse(go_away=go_away)
                    return
                if last < len(self.events):
                    fresh = [event for event in self.events[last:] if self._is_told(event)]
                    last = len(self.events)
                    batch = streams_pb2.EventBatch(events=fresh)
                    yield streams_pb2.ObserveMatchResponse(events=batch)
                    continue
                if self.state == views_pb2.MATCH_STATE_FINISHED:
                    return
                try:
                    async with asyncio.timeout(interval_s):
                        await self._news.wait()
                except TimeoutError:
                    yield heartbeat(last)
        finally:
            self.open_streams -= 1

    def _is_told(self, event: events_pb2.Event) -> bool:
        return event.sequence not in self.skipped

    async def reveal(
        self, request: lobby_pb2.RevealNonceRequest, context: Context
    ) -> lobby_pb2.RevealNonceResponse:
        if self.refusals:
            await fail(context, grpc.StatusCode.FAILED_PRECONDITION, self.refusals.pop(0))
        revealed = events_pb2.NonceRevealed(seat=0, nonce=request.nonce)
        self.add(events_pb2.Event(nonce_revealed=revealed))
        return lobby_pb2.RevealNonceResponse(version=len(self.events))

    async def play(
        self, requests: AsyncIterator[streams_pb2.PlayMatchRequest], _: object
    ) -> AsyncIterator[streams_pb2.PlayMatchResponse]:
        first = await anext(aiter(requests))
        last = first.attach.from_sequence if first.attach.HasField("from_sequence") else None
        interval_s = first.attach.heartbeat.ToTimedelta().total_seconds()
        out: asyncio.Queue[streams_pb2.PlayMatchResponse | None] = asyncio.Queue()

        async def tell() -> None:
            async for frame in self._frames(last, interval_s):
                out.put_nowait(streams_pb2.PlayMatchResponse(observe=frame))
            out.put_nowait(None)

        async def obey() -> None:
            async for request in requests:
                if (result := self._obey(request.command)) is not None:
                    out.put_nowait(streams_pb2.PlayMatchResponse(result=result))

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(tell()), group.create_task(obey())]
            while (message := await out.get()) is not None:
                yield message
            for task in tasks:
                task.cancel()

    def _obey(self, command: streams_pb2.Command) -> streams_pb2.CommandResult | None:
        request_id = command.request_id
        self.commands.append(request_id)
        if self.refusals:
            refusal = streams_pb2.Refusal(code=9, reason=self.refusals.pop(0))
            return streams_pb2.CommandResult(request_id=request_id, refusal=refusal)
        if request_id not in self.done:
            self.add(turn())
            self.done[request_id] = len(self.events)
        if self.holds_results:
            return None
        return streams_pb2.CommandResult(request_id=request_id, version=self.done[request_id])
