"""SIGTERM: every stream is told, ends with OK, and the process ends in time."""

import asyncio
import json
import os
import signal
import time
from pathlib import Path

import grpc
import pytest

from muggins.v1 import lobby_pb2, match_service_pb2_grpc, streams_pb2
from tests.service.process import serving
from tests.service.server import new_id, new_secret, refusal, running, seat_key

SOON_S = 5.0


def _create(**fields: object) -> lobby_pb2.CreateMatchRequest:
    request = lobby_pb2.CreateMatchRequest(
        request_id=new_id(),
        preset=lobby_pb2.PresetChoice(rule_set_id="muggins"),
        seats=2,
        host_secret=new_secret(),
    )
    for name, value in fields.items():
        setattr(request, name, value)
    return request


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_streams_with_a_go_away_and_the_process_with_0(
    sent: signal.Signals,
) -> None:
    async with serving() as server, server.channel() as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        created = await stub.CreateMatch(_create())
        secret = new_secret()
        join = lobby_pb2.JoinMatchRequest(match_id=created.match_id, name="Ana", seat_secret=secret)
        await stub.JoinMatch(join)
        playing = stub.PlayMatch(metadata=seat_key(secret))
        attach = streams_pb2.Attach(match_id=created.match_id)
        await playing.write(streams_pb2.PlayMatchRequest(attach=attach))
        observing = [
            stub.ObserveMatch(streams_pb2.ObserveMatchRequest(match_id=created.match_id))
            for _ in range(20)
        ]
        lobby = stub.WatchMatches(lobby_pb2.WatchMatchesRequest())
        await playing.read()
        await lobby.read()
        for observer in observing:
            await observer.read()
        server.process.send_signal(sent)
        signalled = time.monotonic()
        reasons = []
        for observer in observing:
            frame = await observer.read()
            assert isinstance(frame, streams_pb2.ObserveMatchResponse)
            reasons.append(frame.go_away.reason)
            assert frame.go_away.retry_after.ToMicroseconds() > 0
        told = await playing.read()
        assert isinstance(told, streams_pb2.PlayMatchResponse)
        reasons.append(told.observe.go_away.reason)
        change = await lobby.read()
        while isinstance(change, lobby_pb2.WatchMatchesResponse) and not change.HasField("go_away"):
            change = await lobby.read()
        assert isinstance(change, lobby_pb2.WatchMatchesResponse)
        reasons.append(change.go_away.reason)
        assert {streams_pb2.GO_AWAY_REASON_DRAINING} == set(reasons)
        codes = {await call.code() for call in (playing, *observing, lobby)}
        assert {grpc.StatusCode.OK} == codes
        assert time.monotonic() - signalled < 1
        status, errors = await server.ended()
        assert 0 == status
        assert time.monotonic() - signalled < SOON_S
        events = [json.loads(line)["event"] for line in errors.splitlines()]
        assert ["serving", "match_created", "draining", "stopped"] == events


async def test_a_server_with_matches_in_play_ends_in_time() -> None:
    async with serving() as server, server.channel() as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        for _ in range(10):
            request = _create()
            request.options.starts_when_full = True
            request.fills.add(seat=0, level="greedy_plus")
            request.fills.add(seat=1, level="greedy_plus")
            await stub.CreateMatch(request)
        server.process.send_signal(signal.SIGTERM)
        signalled = time.monotonic()
        status, errors = await server.ended()
        assert 0 == status
        assert time.monotonic() - signalled < SOON_S
        assert [] == [line for line in errors.splitlines() if not line.startswith("{")]
        levels = {json.loads(line)["level"] for line in errors.splitlines()}
        assert {"info"} == levels


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
async def test_the_workers_end_with_the_server(sent: signal.Signals) -> None:
    async with serving() as server:
        children = _children(server.process.pid)
        assert children
        server.process.send_signal(sent)
        await server.ended()
        for _ in range(100):
            if not any(_runs(child) for child in children):
                break
            await asyncio.sleep(0.05)
        assert not any(_runs(child) for child in children)


def _children(process: int) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        try:
            status = (folder / "stat").read_text("ascii")
        except (OSError, ValueError):
            continue
        if folder.name.isdigit() and process == int(status.rpartition(")")[2].split()[1]):
            found.append(int(folder.name))
    return found


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_draining_server_makes_no_new_match_and_says_so() -> None:
    async with running() as service:
        table = await service.create("muggins", 2)
        service.app.engine.draining = True
        told = await refusal(service.call.CreateMatch(_create()))
        assert ("DRAINING", grpc.StatusCode.UNAVAILABLE) == (told.reason, told.code)
        assert told.retry_after_s
        assert {"seconds"} == set(told.metadata)
        info = await service.call.GetServerInfo(lobby_pb2.GetServerInfoRequest())
        assert info.features.draining
        assert (await service.join(table.match_id)).seat == 0
        call = service.observe(table.match_id)
        frames = [frame async for frame in call]
        assert streams_pb2.GO_AWAY_REASON_DRAINING == frames[-1].go_away.reason
        assert grpc.StatusCode.OK is await call.code()


async def test_a_stream_that_never_attached_does_not_hold_up_the_end() -> None:
    async with serving() as server, server.channel() as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        call = stub.PlayMatch(metadata=seat_key(new_secret()))
        reading = asyncio.ensure_future(call.read())
        await stub.GetServerInfo(lobby_pb2.GetServerInfoRequest())
        server.process.send_signal(signal.SIGTERM)
        signalled = time.monotonic()
        told = await reading
        assert isinstance(told, streams_pb2.PlayMatchResponse)
        assert streams_pb2.GO_AWAY_REASON_DRAINING == told.observe.go_away.reason
        status, _ = await server.ended()
        assert 0 == status
        assert time.monotonic() - signalled < SOON_S
