"""Streams that go on through cuts, silences and go-aways, without losing an event."""

from __future__ import annotations

import asyncio
import gc
import time
from typing import TYPE_CHECKING

import grpc
import pytest

from muggins.v1 import events_pb2, lobby_pb2, streams_pb2, views_pb2
from muggins_client import (
    EventsSeen,
    NotFound,
    PresenceSeen,
    ProtocolViolation,
    Seat,
    SnapshotSeen,
    Unavailable,
    connect,
)
from tests.clients.match_server import MatchLog, heartbeat, turn
from tests.clients.raw_server import fail, for_ever, limits, raw_server, serving
from tests.proxy import proxy_to

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from muggins_client import Observation, Update
    from tests.clients.raw_server import Behaviour, Context

HEARTBEAT_S = 0.1
SEAT = Seat("m-1", 0, "Ana", b"s" * 32, b"n" * 32, b"a" * 32)


async def rest_of(observation: Observation) -> list[Update]:
    async with asyncio.timeout(20):
        return [update async for update in observation]


def sequences_of(updates: list[Update]) -> list[int]:
    return [
        event.sequence
        for update in updates
        if isinstance(update, EventsSeen)
        for event in update.events
    ]


def observed_by(behaviour: Behaviour) -> dict[str, Behaviour]:
    return {"MatchService/GetServerInfo": limits, "MatchService/ObserveMatch": behaviour}


async def until_streaming(log: MatchLog, streams: int = 1) -> None:
    async with asyncio.timeout(10):
        while len(log.asked_from) < streams:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)


async def test_a_snapshot_comes_first_and_the_stream_ends_with_the_match() -> None:
    log = MatchLog()
    log.add(turn(), turn())
    async with (
        serving(log.handlers()) as (client, _),
        client.observe("m-1", heartbeat_s=HEARTBEAT_S) as observation,
    ):
        first = await anext(observation)
        log.add(turn())
        log.end()
        rest = await rest_of(observation)
    assert isinstance(first, SnapshotSeen)
    assert 2 == first.version
    assert [3, 4] == sequences_of(rest)
    assert [None] == log.asked_from


async def test_a_known_sequence_is_gone_on_from() -> None:
    log = MatchLog()
    log.add(turn(), turn())
    log.end()
    async with serving(log.handlers()) as (client, _):
        updates = await rest_of(client.observe("m-1", from_sequence=1))
    assert [2, 3] == sequences_of(updates)


async def test_a_finished_match_is_a_snapshot_and_nothing_more() -> None:
    log = MatchLog()
    log.end()
    async with serving(log.handlers()) as (client, _):
        (only,) = await rest_of(client.observe("m-1"))
    assert isinstance(only, SnapshotSeen)


async def test_silence_is_noticed_and_the_stream_goes_on_by_sequence() -> None:
    log = MatchLog()
    log.add(turn())
    async with serving(log.handlers()) as (client, _):
        observation = client.observe("m-1", heartbeat_s=HEARTBEAT_S)
        await anext(observation)
        log.is_mute = True
        log.add(turn())
        began = time.monotonic()
        waiting = asyncio.create_task(rest_of(observation))
        await asyncio.sleep(HEARTBEAT_S)
        log.is_mute = False
        log.add(turn())
        log.end()
        updates = await waiting
        took = time.monotonic() - began
    assert [2, 3, 4] == sequences_of(updates)
    assert [None, 1] == log.asked_from
    assert took < 5


async def test_packets_that_get_lost_are_noticed_and_another_connection_is_made() -> None:
    log = MatchLog()
    async with (
        raw_server(log.handlers()) as (port, _),
        proxy_to(port) as proxy,
        connect(f"127.0.0.1:{proxy.port}") as client,
    ):
        observation = client.observe("m-1", heartbeat_s=HEARTBEAT_S)
        await anext(observation)
        proxy.stall()
        log.add(turn())
        log.end()
        updates = await rest_of(observation)
        links = proxy.links
    assert [1, 2] == sequences_of(updates)
    assert 2 == links


async def test_a_cut_is_mended_again_and_again_without_a_gap() -> None:
    log = MatchLog()
    async with (
        raw_server(log.handlers()) as (port, _),
        proxy_to(port) as proxy,
        connect(f"127.0.0.1:{proxy.port}") as client,
    ):
        observation = client.observe("m-1", heartbeat_s=HEARTBEAT_S)
        watching = asyncio.create_task(rest_of(observation))
        for cuts in range(1, 5):
            await until_streaming(log, cuts)
            log.add(turn(), turn())
            await asyncio.sleep(0.02)
            proxy.cut()
            log.add(turn())
        await until_streaming(log, 5)
        log.end()
        updates = await watching
    snapshot = next(update for update in updates if isinstance(update, SnapshotSeen))
    assert list(range(snapshot.version + 1, 14)) == sequences_of(updates)


async def test_a_server_that_drains_is_come_back_to_when_it_says() -> None:
    log = MatchLog()
    log.end_with = streams_pb2.GoAway(reason=streams_pb2.GO_AWAY_REASON_DRAINING)
    log.end_with.retry_after.FromMilliseconds(400)
    async with serving(log.handlers()) as (client, _):
        observation = client.observe("m-1", heartbeat_s=HEARTBEAT_S)
        await anext(observation)
        began = time.monotonic()
        waiting = asyncio.create_task(rest_of(observation))
        await until_streaming(log, 2)
        took = time.monotonic() - began
        log.end()
        assert [1] == sequences_of(await waiting)
    assert took >= 0.4


async def test_a_removed_match_is_not_come_back_to() -> None:
    log = MatchLog()
    log.end_with = streams_pb2.GoAway(reason=streams_pb2.GO_AWAY_REASON_MATCH_REMOVED)
    async with serving(log.handlers()) as (client, _):
        with pytest.raises(NotFound, match="MATCH_REMOVED"):
            await rest_of(client.observe("m-1"))
    assert [None] == log.asked_from


async def test_an_unknown_match_is_an_error_at_once() -> None:
    async with serving(MatchLog().handlers()) as (client, _):
        observation = client.observe("m-2")
        with pytest.raises(NotFound, match="MATCH_NOT_FOUND"):
            await rest_of(observation)
        assert [] == await rest_of(observation)


async def test_events_left_out_are_asked_for_once_more() -> None:
    log = MatchLog()
    log.skipped = {2}
    async with serving(log.handlers()) as (client, _):
        observation = client.observe("m-1", heartbeat_s=HEARTBEAT_S)
        await anext(observation)
        log.add(turn(), turn(), turn())
        waiting = asyncio.create_task(rest_of(observation))
        await until_streaming(log, 2)
        with pytest.raises(ProtocolViolation, match="EVENTS_MISSING"):
            await waiting
    assert [None, 1] == log.asked_from


async def test_a_heartbeat_that_is_ahead_means_that_events_were_lost() -> None:
    asked: list[int] = []

    async def observe(
        request: streams_pb2.ObserveMatchRequest, _: object
    ) -> AsyncIterator[streams_pb2.ObserveMatchResponse]:
        asked.append(request.from_sequence)
        if len(asked) == 1:
            yield heartbeat(5)
            await for_ever()
        ended = events_pb2.Event(sequence=4, match_ended=events_pb2.MatchEnded())
        yield streams_pb2.ObserveMatchResponse(events=streams_pb2.EventBatch(events=[ended]))

    handlers: dict[str, Behaviour] = {
        "MatchService/GetServerInfo": limits,
        "MatchService/ObserveMatch": observe,
    }
    async with serving(handlers) as (client, _):
        updates = await rest_of(client.observe("m-1", from_sequence=3))
    assert [3, 3] == asked
    assert [4] == sequences_of(updates)


async def test_a_snapshot_with_a_gap_restarts_the_count() -> None:
    async def observe(*_: object) -> AsyncIterator[streams_pb2.ObserveMatchResponse]:
        table = views_pb2.PublicView(version=40, state=views_pb2.MATCH_STATE_PLAYING)
        snapshot = streams_pb2.Snapshot(table=table, gap=True)
        yield streams_pb2.ObserveMatchResponse(snapshot=snapshot)
        ended = events_pb2.Event(sequence=41, match_ended=events_pb2.MatchEnded())
        yield streams_pb2.ObserveMatchResponse(events=streams_pb2.EventBatch(events=[ended]))

    handlers: dict[str, Behaviour] = {
        "MatchService/GetServerInfo": limits,
        "MatchService/ObserveMatch": observe,
    }
    async with serving(handlers) as (client, _):
        first, second = await rest_of(client.observe("m-1", from_sequence=3))
    assert isinstance(first, SnapshotSeen)
    assert first.gap
    assert 41 == getattr(second, "version", None)


async def test_coming_and_going_is_told_when_it_changes() -> None:
    async def observe(*_: object) -> AsyncIterator[streams_pb2.ObserveMatchResponse]:
        yield heartbeat(3, "yn")
        yield heartbeat(3, "yn")
        yield heartbeat(3, "yy")
        yield streams_pb2.ObserveMatchResponse()
        ended = events_pb2.Event(sequence=4, match_ended=events_pb2.MatchEnded())
        yield streams_pb2.ObserveMatchResponse(events=streams_pb2.EventBatch(events=[ended]))

    handlers: dict[str, Behaviour] = {
        "MatchService/GetServerInfo": limits,
        "MatchService/ObserveMatch": observe,
    }
    async with serving(handlers) as (client, _):
        updates = await rest_of(client.observe("m-1", from_sequence=3))
    presence = [
        [info.present for info in update.seats]
        for update in updates
        if isinstance(update, PresenceSeen)
    ]
    assert [[True, False], [True, True]] == presence


async def test_an_iterator_that_is_dropped_ends_the_stream() -> None:
    log = MatchLog()
    async with serving(log.handlers()) as (client, _):
        observation = client.observe("m-1", heartbeat_s=HEARTBEAT_S)
        await anext(observation)
        assert 1 == log.open_streams
        del observation
        gc.collect()
        async with asyncio.timeout(5):
            while log.open_streams:  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.01)


async def test_giving_up_waiting_for_an_update_loses_none() -> None:
    log = MatchLog()
    async with serving(log.handlers()) as (client, _):
        observation = client.observe("m-1", heartbeat_s=HEARTBEAT_S)
        await anext(observation)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await anext(observation)
        log.add(turn())
        log.end()
        assert [1, 2] == sequences_of(await rest_of(observation))


async def test_a_server_that_stays_away_is_an_error_in_the_end() -> None:
    log = MatchLog()
    async with raw_server(log.handlers()) as (port, _):
        client = connect(f"127.0.0.1:{port}")
        observation = client.observe("m-1", heartbeat_s=HEARTBEAT_S, give_up_s=1.0)
        await anext(observation)
    began = time.monotonic()
    with pytest.raises(Unavailable):
        await rest_of(observation)
    assert time.monotonic() - began < 5
    await client.close()


async def test_too_many_observers_is_waited_out() -> None:
    log = MatchLog()
    log.end()
    refused: list[int] = []

    async def observe(
        request: streams_pb2.ObserveMatchRequest, context: Context
    ) -> AsyncIterator[streams_pb2.ObserveMatchResponse]:
        if not refused:
            refused.append(1)
            code = grpc.StatusCode.RESOURCE_EXHAUSTED
            await fail(context, code, "TOO_MANY_OBSERVERS", retry_after_s=0.1)
        async for frame in log.observe(request, context):
            yield frame

    handlers: dict[str, Behaviour] = {
        "MatchService/GetServerInfo": limits,
        "MatchService/ObserveMatch": observe,
    }
    async with serving(handlers) as (client, _):
        assert 1 == len(await rest_of(client.observe("m-1")))


async def test_heartbeats_are_asked_for_within_the_limits_of_the_server() -> None:
    log = MatchLog()
    log.end()
    async with serving(log.handlers()) as (client, calls):
        await rest_of(client.observe("m-1", heartbeat_s=0.001))
    (call,) = calls.of("MatchService/ObserveMatch")
    assert 50 == call.request.heartbeat.ToMilliseconds()


async def test_the_nonce_is_revealed_once_all_seats_are_filled() -> None:
    log = MatchLog()
    async with serving(log.handlers()) as (client, calls):
        observation = client.observe("m-1", SEAT, heartbeat_s=HEARTBEAT_S)
        await anext(observation)
        log.end()
        await rest_of(observation)
    (call,) = calls.of("MatchService/RevealNonce")
    assert b"n" * 32 == call.request.nonce


async def test_the_nonce_stays_secret_while_a_seat_is_open() -> None:
    log = MatchLog(seats_filled=1)
    async with serving(log.handlers()) as (client, calls):
        observation = client.observe("m-1", SEAT, heartbeat_s=HEARTBEAT_S)
        await anext(observation)
        assert not calls.of("MatchService/RevealNonce")
        log.refusals = ["SEATS_NOT_FILLED"]
        log.add(events_pb2.Event(seat_taken=events_pb2.SeatTaken(seat=1)))
        await anext(observation)
        assert 1 == len(log.events)
        log.add(events_pb2.Event(seat_taken=events_pb2.SeatTaken(seat=2)))
        await anext(observation)
        log.end()
        await rest_of(observation)
    kinds = [event.WhichOneof("fact") for event in log.events]
    assert ["seat_taken", "seat_taken", "nonce_revealed", "match_ended"] == kinds


async def test_the_lobby_begins_with_a_snapshot_and_goes_on_after_a_go_away() -> None:
    async def watch(*_: object) -> AsyncIterator[lobby_pb2.WatchMatchesResponse]:
        yield lobby_pb2.WatchMatchesResponse(snapshot=True)
        yield lobby_pb2.WatchMatchesResponse()
        yield lobby_pb2.WatchMatchesResponse(removed_match_ids=["m-1"])
        reason = streams_pb2.GO_AWAY_REASON_MAX_AGE
        yield lobby_pb2.WatchMatchesResponse(go_away=streams_pb2.GoAway(reason=reason))

    handlers: dict[str, Behaviour] = {
        "MatchService/GetServerInfo": limits,
        "MatchService/WatchMatches": watch,
    }
    async with serving(handlers) as (client, _):
        lobby = client.watch_matches()
        frames = [await anext(lobby) for _frame in range(3)]
    assert [True, False, True] == [frame.snapshot for frame in frames]
