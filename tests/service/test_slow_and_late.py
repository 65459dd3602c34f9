"""Readers that are too slow, and viewers that are kept behind on purpose."""

import asyncio
from collections.abc import AsyncIterator
from random import Random

import grpc
import pytest

from muggins.v1 import lobby_pb2, match_service_pb2_grpc, streams_pb2, views_pb2
from muggins_service.observers.outbox import MOST_WAITING
from tests.service.game import Game
from tests.service.server import Service, fact_of, new_secret, seat_key

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOVES = {"tile_played", "tile_drawn", "seat_passed"}
NARROW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1_024))
"""A client that takes little before it has read."""


async def test_a_reader_that_is_too_slow_gets_a_snapshot_marked_as_a_gap(
    service: Service,
) -> None:
    table = await service.create("muggins", 2)
    slot = service.app.registry.get(table.match_id)
    async with grpc.aio.insecure_channel(service.address, options=NARROW) as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        call = stub.ObserveMatch(streams_pb2.ObserveMatchRequest(match_id=table.match_id))
        first = await call.read()
        assert isinstance(first, streams_pb2.ObserveMatchResponse)
        known = first.snapshot.table.version
        outbox = slot.outboxes[0]
        secret = new_secret()
        for _ in range(20_000):
            await service.join(
                table.match_id, name="\N{DOMINO TILE VERTICAL BACK}" * 40, seat_secret=secret
            )
            leave = lobby_pb2.LeaveMatchRequest(match_id=table.match_id)
            await service.call.LeaveMatch(leave, metadata=seat_key(secret))
            if outbox.gap:
                break
        assert outbox.gap, "the reader was never too slow"
        assert MOST_WAITING >= len(outbox._chunks)
        version = await service.version(table.match_id)
        snapshots: list[views_pb2.PublicView] = []
        while known < version:
            frame = await asyncio.wait_for(call.read(), 10)
            assert isinstance(frame, streams_pb2.ObserveMatchResponse)
            for event in frame.events.events:
                assert known + 1 == event.sequence
                known = event.sequence
            if frame.HasField("snapshot"):
                assert frame.snapshot.gap
                snapshots.append(frame.snapshot.table)
                known = frame.snapshot.table.version
        assert 1 == len(snapshots)
        assert await service.public_view(table.match_id) == snapshots[0]
        call.cancel()


async def test_viewers_without_a_seat_are_kept_behind_until_the_match_ends(
    service: Service,
) -> None:
    game = await Game.start(service, "muggins", 2, b"d" * 32, observer_delay_moves=2)
    random = Random(4)
    moves = 0
    for _ in range(12):
        answer = await game.act_on_turn(random.choice(game.mirror.legal()))
        moves += sum(fact_of(event) in MOVES for event in answer.events)
        seen = await service.public_view(game.match_id)
        seat = await service.seat_view(game.players[0])
        told = sum(fact_of(event) in MOVES for event in seen.round_events)
        lived = sum(fact_of(event) in MOVES for event in seat.round_events)
        assert lived == moves
        assert told <= max(0, moves - 2)
        assert told >= max(0, moves - 2 - 1)
        assert game.version == seat.table.version
    seen = await service.public_view(game.match_id)
    batches = [
        list(frame.events.events)
        async for frame in _cancelled_after_one(service, game)
        if frame.events.events
    ]
    assert seen.version == batches[0][-1].sequence
    assert seen.version < game.version
    assert "match_ended" == fact_of(batches[-1][-1])
    assert game.version + 1 == batches[-1][-1].sequence


async def _cancelled_after_one(
    service: Service, game: Game
) -> AsyncIterator[streams_pb2.ObserveMatchResponse]:
    """The frames that the public is sent of a match that is cancelled after the first of them."""
    first = True
    async for frame in service.observe(game.match_id, 0):
        yield frame
        if first:
            await service.control(game.table, cancel={})
        first = False


async def test_viewers_kept_behind_see_who_sits_down_before_the_start(service: Service) -> None:
    table = await service.create("muggins", 2, observer_delay_moves=3)
    player = await service.join(table.match_id, name="Bea")
    view = await service.public_view(table.match_id)
    assert player.joined.version == view.version
    assert "Bea" == view.seats[0].name


async def test_a_match_kept_behind_is_not_offered_to_who_looks_for_a_seat(service: Service) -> None:
    table, _ = await service.started("five_up", 2, observer_delay_moves=5)
    for seats_only, listed in ((False, True), (True, False)):
        request = lobby_pb2.ListMatchesRequest(rule_set_id="five_up", open_seats_only=seats_only)
        answer = await service.call.ListMatches(request)
        assert listed == (table.match_id in [match.match_id for match in answer.matches])
