"""A seat over one stream: results by request id, and cuts that lose nothing."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

import pytest

from muggins.v1 import streams_pb2
from muggins_client import (
    EventsSeen,
    Refused,
    Replaced,
    Seat,
    SnapshotSeen,
    TimedOut,
    Unavailable,
    connect,
    pass_turn,
)
from tests.clients.match_server import MatchLog
from tests.clients.raw_server import raw_server, serving
from tests.proxy import proxy_to

if TYPE_CHECKING:
    from muggins_client import PlayStream

HEARTBEAT_S = 0.1
SEAT = Seat("m-1", 0, "Ana", b"s" * 32, b"", b"a" * 32)


async def sequences_to_the_end(stream: PlayStream) -> list[int]:
    async with asyncio.timeout(20):
        return [
            event.sequence
            async for update in stream
            if isinstance(update, EventsSeen)
            for event in update.events
        ]


async def test_a_result_is_that_of_its_own_command() -> None:
    log = MatchLog()
    async with (
        serving(log.handlers()) as (client, _),
        client.play(SEAT, heartbeat_s=HEARTBEAT_S) as stream,
    ):
        assert isinstance(await anext(stream), SnapshotSeen)
        versions = await asyncio.gather(
            stream.draw(), stream.pass_turn(), stream.command(pass_turn(), request_id="r-3")
        )
        log.end()
        seen = await sequences_to_the_end(stream)
    assert sorted(log.done.values()) == sorted(versions)
    assert log.done["r-3"] == versions[2]
    assert [1, 2, 3, 4] == seen


async def test_a_refusal_is_raised_and_ends_nothing() -> None:
    log = MatchLog()
    log.refusals = ["NOT_YOUR_TURN"]
    async with (
        serving(log.handlers()) as (client, _),
        client.play(SEAT, heartbeat_s=HEARTBEAT_S) as stream,
    ):
        with pytest.raises(Refused, match="NOT_YOUR_TURN"):
            await stream.pass_turn()
        assert 1 == await stream.pass_turn()
    assert 2 == len(log.commands)


async def test_a_command_cut_off_from_its_result_is_repeated_and_done_once() -> None:
    log = MatchLog()
    async with (
        raw_server(log.handlers()) as (port, _),
        proxy_to(port) as proxy,
        connect(f"127.0.0.1:{proxy.port}") as client,
        client.play(SEAT, heartbeat_s=HEARTBEAT_S) as stream,
    ):
        await anext(stream)
        log.holds_results = True
        command = asyncio.create_task(stream.command(pass_turn(), request_id="r-1"))
        while not log.commands:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)
        log.holds_results = False
        proxy.cut()
        assert 1 == await command
        log.end()
        assert [1, 2] == await sequences_to_the_end(stream)
    assert ["r-1", "r-1"] == log.commands
    assert {"r-1": 1} == log.done


async def test_what_is_asked_for_during_a_cut_is_sent_afterwards_in_order() -> None:
    log = MatchLog()
    async with (
        raw_server(log.handlers()) as (port, _),
        proxy_to(port) as proxy,
        connect(f"127.0.0.1:{proxy.port}") as client,
        client.play(SEAT, heartbeat_s=HEARTBEAT_S) as stream,
    ):
        await anext(stream)
        proxy.cut()
        commands = [
            asyncio.create_task(stream.command(pass_turn(), request_id=f"r-{number}"))
            for number in range(3)
        ]
        assert [1, 2, 3] == await asyncio.gather(*commands)
    assert ["r-0", "r-1", "r-2"] == list(dict.fromkeys(log.commands))


async def test_a_newer_stream_ends_this_one_for_good() -> None:
    log = MatchLog()
    async with (
        serving(log.handlers()) as (client, _),
        client.play(SEAT, heartbeat_s=HEARTBEAT_S) as stream,
    ):
        await anext(stream)
        log.holds_results = True
        command = asyncio.create_task(stream.pass_turn())
        while not log.commands:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)
        log.end_with = streams_pb2.GoAway(reason=streams_pb2.GO_AWAY_REASON_REPLACED)
        log.wake()
        with pytest.raises(Replaced):
            await command
        with pytest.raises(Replaced):
            await sequences_to_the_end(stream)
        with pytest.raises(Unavailable):
            await stream.pass_turn()
    assert [None] == log.asked_from


async def test_a_command_without_result_times_out_with_its_request_id() -> None:
    log = MatchLog()
    log.holds_results = True
    async with (
        serving(log.handlers()) as (client, _),
        client.play(SEAT, heartbeat_s=HEARTBEAT_S) as stream,
    ):
        await anext(stream)
        with pytest.raises(TimedOut) as raised:
            await stream.command(pass_turn(), request_id="r-1", timeout_s=0.2)
    assert "r-1" == raised.value.request_id


async def test_closing_fails_what_is_still_asked_for() -> None:
    log = MatchLog()
    log.holds_results = True
    async with serving(log.handlers()) as (client, _):
        stream = client.play(SEAT, heartbeat_s=HEARTBEAT_S)
        await anext(stream)
        command = asyncio.create_task(stream.pass_turn())
        await asyncio.sleep(0.05)
        await stream.aclose()
        with pytest.raises(Unavailable):
            await command


async def test_a_stream_that_is_dropped_ends_its_call() -> None:
    log = MatchLog()
    async with serving(log.handlers()) as (client, _):
        stream = client.play(SEAT, heartbeat_s=HEARTBEAT_S)
        await anext(stream)
        assert 1 == log.open_streams
        del stream
        gc.collect()
        async with asyncio.timeout(5):
            while log.open_streams:  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.01)


async def test_the_nonce_is_revealed_on_the_stream_too() -> None:
    log = MatchLog()
    seat = Seat("m-1", 0, "Ana", b"s" * 32, b"n" * 32, b"a" * 32)
    async with (
        serving(log.handlers()) as (client, calls),
        client.play(seat, heartbeat_s=HEARTBEAT_S) as stream,
    ):
        await anext(stream)
        log.end()
        await sequences_to_the_end(stream)
    assert 1 == len(calls.of("MatchService/RevealNonce"))
