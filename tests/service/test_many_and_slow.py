"""Many observers of one match, observers that do not read, and what a delay has to cover."""

import ast
import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import grpc
import pytest

import muggins_service
from muggins.v1 import lobby_pb2, streams_pb2
from muggins.v1.match_service_pb2_grpc import MatchServiceStub
from muggins_service.matches.encodings import EncodedRecord
from muggins_service.observers.waking import SLICE, Waker
from tests.service.fold import Folded
from tests.service.game import Game
from tests.service.server import Observing, Service, new_id, refusal, refused_by, running

MANY = 130
NARROW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 65_536))
"""A client whose window does not grow, so that it is full soon."""


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with running() as started:
        yield started


async def _until(call: Observing, version: int) -> list[int]:
    """The sequences of a stream up to a version."""
    told: list[int] = []
    while not told or told[-1] < version:
        frame = await asyncio.wait_for(call.read(), 20)
        assert isinstance(frame, streams_pb2.ObserveMatchResponse)
        told += [event.sequence for event in frame.events.events]
    return told


async def _drained(call: Observing) -> None:
    """Read a stream to its end."""
    while isinstance(await call.read(), streams_pb2.ObserveMatchResponse):
        pass


class _Sleeper:
    """Notes when it is woken."""

    def __init__(self, name: int, woken: list[int]) -> None:
        self.is_queued = False
        self._name, self._woken = name, woken

    def wake(self) -> None:
        self._woken.append(self._name)


async def test_many_are_woken_some_at_a_time_in_order_and_once() -> None:
    woken: list[int] = []
    waker, sleepers = Waker(), [_Sleeper(name, woken) for name in range(2 * SLICE + 1)]
    for sleeper in sleepers:
        waker.add(sleeper)
        waker.add(sleeper)
    assert not woken
    await asyncio.sleep(0)
    assert SLICE == len(woken)
    async with asyncio.timeout(10):
        while len(woken) < len(sleepers):  # noqa: ASYNC110 - the waker tells nobody
            await asyncio.sleep(0.001)
    waker.add(sleepers[3])
    await asyncio.sleep(0)
    assert [*range(len(sleepers)), 3] == woken


async def test_many_observers_are_told_of_everything_in_order(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"m" * 32)
    calls = [service.observe(game.match_id, 0) for _ in range(MANY)]
    random = Random(1)
    waiting = [asyncio.ensure_future(_until(call, game.version + 40)) for call in calls]
    target = game.version + 40
    while game.version < target:
        await game.act_on_turn(random.choice(game.mirror.legal()))
    for told in await asyncio.gather(*waiting):
        assert list(range(1, len(told) + 1)) == told
    for call in calls:
        call.cancel()


@pytest.mark.parametrize("viewer", [None, 0])
async def test_a_thousand_reconnects_miss_nothing_and_repeat_nothing(
    service: Service, viewer: int | None
) -> None:
    game = await Game.start(service, "all_fives", 2, b"r" * 32)
    key = () if viewer is None else game.players[viewer].key
    folded, random, have, reconnects = Folded(viewer), Random(7), 0, 0
    while reconnects < 500:
        if not game.over and random.random() < 0.3:
            await game.act_on_turn(random.choice(game.mirror.legal()))
        call = service.observe(game.match_id, have, key=key)
        reconnects += 1
        if have < game.version:
            frame = await asyncio.wait_for(call.read(), 20)
            assert isinstance(frame, streams_pb2.ObserveMatchResponse)
            # A client may be cut off in the middle of what it was sent.
            events = list(frame.events.events)
            for event in events[: random.randint(0, len(events))]:
                assert have + 1 == event.sequence
                folded.take(event)
                have = event.sequence
        call.cancel()
    call = service.observe(game.match_id, have, key=key)
    while have < game.version:
        frame = await asyncio.wait_for(call.read(), 20)
        assert isinstance(frame, streams_pb2.ObserveMatchResponse)
        for event in frame.events.events:
            folded.take(event)
            have = event.sequence
    call.cancel()
    if viewer is None:
        folded.check(await service.public_view(game.match_id))
    else:
        folded.check(await service.seat_view(game.players[viewer]))


async def test_a_client_that_does_not_read_is_let_go_and_told_so_when_it_does() -> None:
    async with running(slow_reader_s=0.4) as service:
        game = await Game.start(service, "muggins", 2, b"s" * 32)
        address = f"127.0.0.1:{service.app.port}"
        async with grpc.aio.insecure_channel(address, options=NARROW) as channel:
            request = streams_pb2.ObserveMatchRequest(match_id=game.match_id)
            call = MatchServiceStub(channel).ObserveMatch(request)
            await call.read()
            slot = service.app.registry.get(game.match_id)
            (outbox,) = slot.outboxes
            stored = next(iter(service.app.store.read(game.match_id)))
            chunk = EncodedRecord(stored.record, calling=False).chunk(None) * 100
            async with asyncio.timeout(20):
                while slot.outboxes:
                    outbox.push(outbox.version, chunk)
                    await asyncio.sleep(0.01)
            assert 1 == service.app.streams.stalled.ended
            reads = service.observe(game.match_id, 0)
            await game.act_on_turn(game.mirror.legal()[0])
            assert game.version == (await _until(reads, game.version))[-1]
            reads.cancel()
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await asyncio.wait_for(_drained(call), 20)
            told = refused_by(caught.value)
            assert ("STREAM_TOO_SLOW", grpc.StatusCode.RESOURCE_EXHAUSTED) == (
                told.reason,
                told.code,
            )
            assert told.retry_after_s


async def test_the_lobby_is_silent_about_moves_that_it_does_not_show_yet(
    service: Service,
) -> None:
    game = await Game.start(service, "muggins", 2, b"d" * 32, observer_delay_moves=6)
    call = service.call.WatchMatches(lobby_pb2.WatchMatchesRequest())
    first = await call.read()
    assert isinstance(first, lobby_pb2.WatchMatchesResponse)
    assert [game.match_id] == [match.match_id for match in first.matches]
    for _ in range(4):
        await game.act_on_turn(game.mirror.legal()[0])
    other = await service.create("sniff", 2)
    told = await asyncio.wait_for(call.read(), 20)
    assert isinstance(told, lobby_pb2.WatchMatchesResponse)
    assert [other.match_id] == [match.match_id for match in told.matches]
    call.cancel()


async def test_the_host_of_a_delayed_match_learns_no_version_that_observers_do_not_see(
    service: Service,
) -> None:
    game = await Game.start(service, "muggins", 2, b"h" * 32, observer_delay_moves=6)
    for _ in range(4):
        await game.act_on_turn(game.mirror.legal()[0])
    seen = await service.version(game.match_id)
    assert seen < game.version
    for expected, reason in ((seen, "MATCH_NOT_OPEN"), (game.version, "VERSION_STALE")):
        request = lobby_pb2.ControlMatchRequest(
            match_id=game.match_id,
            request_id=new_id(),
            expected_version=expected,
            start=lobby_pb2.StartMatch(),
        )
        told = await refusal(service.call.ControlMatch(request, metadata=game.table.host))
        assert reason == told.reason
        assert told.metadata.get("version", str(seen)) == str(seen)


def test_nothing_in_the_server_swallows_a_cancellation() -> None:
    """What does leaks memory for each call that is given up."""
    root = Path(muggins_service.__file__).parent
    wrong = []
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler) and _catches_cancellation(node):
                raises = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
                wrong += [] if raises else [f"{path.relative_to(root)}:{node.lineno}"]
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
                named = " ".join(map(ast.unparse, node.args))
                wrong += [str(path)] if "Cancelled" in named or "BaseEx" in named else []
    assert wrong == []


def _catches_cancellation(node: ast.ExceptHandler) -> bool:
    caught = "BaseException" if node.type is None else ast.unparse(node.type)
    return "CancelledError" in caught or "BaseException" in caught
