"""The streaming methods: observing a match, playing over a stream, and the lobby."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from functools import partial
from typing import Final

from muggins_rules.actions import Action
from muggins_service.doors.guest import GUEST
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.engine import Engine
from muggins_service.matches.outcome import Outcome
from muggins_service.matches.slot import Slot
from muggins_service.observers.feed import Feed, FeedSettings
from muggins_service.observers.heartbeats import heartbeat_s
from muggins_service.observers.lobby import LobbyFeed
from muggins_service.observers.outbox import Outbox
from muggins_service.observers.stalled import StalledReaders
from muggins_service.observers.waking import Waker
from muggins_service.rpc.caller import CallerInfo, Context, caller_of
from muggins_service.rpc.calling import abort, refusal_of
from muggins_service.rpc.moving import ANY_SEAT, job_of
from muggins_service.rpc.reading import viewer_of
from muggins_service.store.port import Store
from muggins_service.table.commands import Act
from muggins_service.wire.answers import watch_matches_frame, watch_matches_go_away
from muggins_service.wire.frames import (
    GoAwayReason,
    command_result,
    go_away_frame,
    play_frame,
    pong_frame,
)
from muggins_service.wire.requests import (
    Attach,
    Envelope,
    Ping,
    StreamCommand,
    decode_observe_match,
    decode_play_frame,
    decode_watch_matches,
)
from muggins_service.wire.views import match_summary

__all__ = ["Streams"]

SECOND_US: Final = 1_000_000
RECONNECT_AFTER_US: Final = 1_000_000
LOBBY_FRAME: Final = 100
ATTACH_WAIT_S: Final = 30.0
"""How long a stream may be open before its first frame."""
MOST_UNSENT: Final = 64
"""Results that may wait for a client that does not read, before no more of its frames are read."""


class Streams:
    """The open streams of a server."""

    def __init__(self, engine: Engine, store: Store, settings: FeedSettings) -> None:
        """Begin without a stream."""
        self._engine = engine
        self._store = store
        self._settings = settings
        self._lobbies: set[LobbyFeed] = set()
        self._attaching: set[asyncio.Timeout] = set()
        self._waker = Waker()
        self.stalled = StalledReaders(settings.slow_reader_s)

    def _watched(
        self, frames: AsyncGenerator[bytes, None], context: Context
    ) -> AsyncGenerator[bytes, None]:
        """The frames of a stream that is ended when its client does not read."""

        async def end() -> None:
            await abort(context, ServiceError(ServiceReason.STREAM_TOO_SLOW, retry_after_s=1))

        return self.stalled.guard(frames, end)

    def observe_match(self, request: bytes, context: Context) -> AsyncGenerator[bytes, None]:
        """Stream a match to a seat or to the public."""
        return self._watched(self._observe(request, context), context)

    def play_match(
        self, requests: AsyncIterator[bytes], context: Context
    ) -> AsyncGenerator[bytes, None]:
        """Play a seat over one stream."""
        return self._watched(self._play(requests, context), context)

    def watch_matches(self, request: bytes, context: Context) -> AsyncGenerator[bytes, None]:
        """Stream the lobby."""
        return self._watched(self._watch(request), context)

    def _feed(self, slot: Slot, viewer: int | None, heartbeat_us: int) -> Feed:
        return Feed(
            slot,
            viewer,
            self._store,
            self._settings,
            self._engine.now_us,
            heartbeat_us / SECOND_US,
            self._waker,
        )

    async def _observe(self, request: bytes, context: Context) -> AsyncGenerator[bytes, None]:
        asked = decode_observe_match(request)
        secret = caller_of(context).seat_secret
        slot = self._engine.registry.get(asked.match_id, shown=secret is not None)
        viewer = viewer_of(slot, secret)
        feed = self._feed(slot, viewer, asked.heartbeat_us)
        try:
            first = feed.open(asked.from_sequence)
            if first is not None:
                yield first
            if self._engine.draining:
                feed.outbox.end(go_away_frame(GoAwayReason.DRAINING, RECONNECT_AFTER_US))
            while not feed.over:
                frame = await feed.next()
                if frame is not None:
                    yield frame
        finally:
            feed.close()

    async def _play(
        self, requests: AsyncIterator[bytes], context: Context
    ) -> AsyncGenerator[bytes, None]:
        caller = caller_of(context)
        attach = await self._attach(requests)
        if attach is None:
            yield play_frame(None, go_away_frame(GoAwayReason.DRAINING, RECONNECT_AFTER_US))
            return
        slot = self._engine.registry.get(attach.match_id, shown=caller.seat_secret is not None)
        if caller.seat_secret is None:
            raise ServiceError(ServiceReason.MISSING_SEAT_SECRET)
        seat = viewer_of(slot, caller.seat_secret)
        assert seat is not None, "a secret was shown"
        feed = self._feed(slot, seat, attach.heartbeat_us)
        outbox = feed.outbox
        reader: asyncio.Task[None] | None = None
        try:
            first = feed.open(attach.from_sequence)
            older = slot.attached.get(seat)
            if older is not None:
                older.end(go_away_frame(GoAwayReason.REPLACED, 0))
            slot.attached[seat] = outbox
            if self._engine.draining:
                outbox.end(go_away_frame(GoAwayReason.DRAINING, RECONNECT_AFTER_US))
            room = asyncio.Semaphore(MOST_UNSENT)
            reader = asyncio.create_task(self._read(requests, slot, caller, outbox, room))
            reader.add_done_callback(partial(_reading_ended, outbox))
            if first is not None:
                yield play_frame(None, first)
            while not feed.over:
                frame = await feed.next()
                results, outbox.results = outbox.results, type(outbox.results)()
                for result in results:
                    yield result if frame is None else result + play_frame(None, frame)
                    room.release()
                    frame = None
                if frame is not None:
                    yield play_frame(None, frame)
            if reader.done() and not reader.cancelled():
                reader.result()
        finally:
            if reader is not None:
                reader.cancel()
            if slot.attached.get(seat) is outbox:
                del slot.attached[seat]
            feed.close()

    async def _attach(self, requests: AsyncIterator[bytes]) -> Attach | None:
        """The first frame; absent when the server stops before it has come."""
        limit = asyncio.timeout(0 if self._engine.draining else ATTACH_WAIT_S)
        try:
            async with limit:
                self._attaching.add(limit)
                async for raw in requests:
                    frame = decode_play_frame(raw)
                    if isinstance(frame, Attach):
                        return frame
                    break
        except TimeoutError:
            if self._engine.draining:
                return None
        finally:
            self._attaching.discard(limit)
        raise ServiceError(ServiceReason.STREAM_PROTOCOL)

    async def _read(
        self,
        requests: AsyncIterator[bytes],
        slot: Slot,
        caller: CallerInfo,
        outbox: Outbox,
        room: asyncio.Semaphore,
    ) -> None:
        """Take in commands until the client sends no more; each takes `room` until it is told."""
        async for raw in requests:
            await room.acquire()
            frame = decode_play_frame(raw)
            match frame:
                case StreamCommand():
                    self._command(frame, slot, caller, outbox)
                case Ping(nonce):
                    outbox.push_result(pong_frame(nonce))
                case Attach():
                    raise ServiceError(ServiceReason.STREAM_PROTOCOL)

    def _command(
        self, frame: StreamCommand, slot: Slot, caller: CallerInfo, outbox: Outbox
    ) -> None:
        action = _paid(frame.action)
        if isinstance(action, ServiceError):
            refusal = refusal_of(action, caller.language)
            version = slot.table.version
            outbox.push_result(play_frame(command_result(frame.request_id, version, refusal)))
            return
        envelope = Envelope(slot.match_id, frame.request_id, frame.expected_version)
        answer = self._engine.submit(job_of(envelope, Act(ANY_SEAT, action), caller))
        answer.add_done_callback(partial(_answered, frame.request_id, slot, caller, outbox))

    async def _watch(self, request: bytes) -> AsyncGenerator[bytes, None]:
        asked = decode_watch_matches(request)
        await self._engine.all_recovered()
        feed = LobbyFeed(self._engine.registry, asked.filter)
        self._lobbies.add(feed)
        silence_s = heartbeat_s(asked.heartbeat_us / SECOND_US)
        try:
            for frame in self._lobby_snapshot(feed):
                yield frame
            ends_at_us = self._settings.ends_at_us(self._engine.now_us())
            reason = GoAwayReason.DRAINING
            while not feed.ended.is_set() and not self._engine.draining:
                left_s = (ends_at_us - self._engine.now_us()) / SECOND_US
                if left_s <= 0:
                    reason = GoAwayReason.MAX_AGE
                    break
                changes = await feed.next(min(silence_s, left_s))
                yield self._lobby_frame(changes.matches, changes.removed, snapshot=False)
            retry_us = RECONNECT_AFTER_US if reason is GoAwayReason.DRAINING else 0
            yield watch_matches_go_away(reason, retry_us, self._engine.now_us())
        finally:
            self._lobbies.discard(feed)
            feed.close()

    def _lobby_snapshot(self, feed: LobbyFeed) -> list[bytes]:
        fitting = feed.snapshot()
        pages = [fitting[i : i + LOBBY_FRAME] for i in range(0, len(fitting), LOBBY_FRAME)]
        return [
            self._lobby_frame(page, (), snapshot=index == 0)
            for index, page in enumerate(pages or [()])
        ]

    def _lobby_frame(
        self, slots: tuple[Slot, ...], removed: tuple[str, ...], *, snapshot: bool
    ) -> bytes:
        now_us = self._engine.now_us()
        summaries = [match_summary(slot.public, slot.presence(now_us)) for slot in slots]
        return watch_matches_frame(summaries, removed, now_us, snapshot=snapshot)

    def end_all(self) -> None:
        """Send every stream a go-away and let it come to its end."""
        frame = go_away_frame(GoAwayReason.DRAINING, RECONNECT_AFTER_US)
        for slot in self._engine.registry:
            for outbox in slot.outboxes:
                outbox.end(frame)
        for lobby in self._lobbies:
            lobby.end()
        self.stalled.close()
        for limit in self._attaching:
            limit.reschedule(asyncio.get_running_loop().time())


def _paid(action: Action | ServiceError) -> Action | ServiceError:
    """The action, once the caller has a call left for it; else why there is none."""
    try:
        GUEST.get().spend()
    except ServiceError as error:
        return error
    return action


def _answered(
    request_id: str,
    slot: Slot,
    caller: CallerInfo,
    outbox: Outbox,
    answer: "asyncio.Future[Outcome]",
) -> None:
    """Queue the result of a command; a refusal never ends the stream."""
    if answer.cancelled():
        return
    error = answer.exception()
    if error is None:
        outbox.push_result(play_frame(command_result(request_id, answer.result().version)))
        return
    if not isinstance(error, ServiceError):
        error = ServiceError(ServiceReason.INTERNAL)
    refusal = refusal_of(error, caller.language)
    outbox.push_result(play_frame(command_result(request_id, slot.table.version, refusal)))


def _reading_ended(outbox: Outbox, reader: "asyncio.Task[None]") -> None:
    """End the stream when reading failed; a client that only stops sending goes on listening."""
    if not reader.cancelled() and reader.exception() is not None:
        outbox.end(None)
