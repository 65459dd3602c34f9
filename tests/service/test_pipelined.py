"""Streams that carry more than their readers take in."""

import asyncio

import pytest

from muggins.v1 import lobby_pb2
from muggins_service.rpc.watching import MOST_UNSENT
from tests.service.seat_stream import seat_stream
from tests.service.server import Service

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_pings_sent_without_waiting_all_come_back_in_order(service: Service) -> None:
    _, (_, player) = await service.started("muggins", 2)
    nonces = list(range(1, 10 * MOST_UNSENT))
    async with seat_stream(service, player.key) as seat:
        await seat.attach(player.match_id, player.joined.version)
        for nonce in nonces:
            await seat.ping(nonce)
        messages = [await seat.read() for _ in nonces]
    assert nonces == [m.pong.nonce for m in messages if m.HasField("pong")]


async def test_a_lobby_in_which_nothing_fitting_happens_is_quiet(service: Service) -> None:
    request = lobby_pb2.WatchMatchesRequest(rule_set_id="five_up_debit")
    request.heartbeat.FromMilliseconds(1_000)
    call = service.call.WatchMatches(request)
    await call.read()
    watched = asyncio.create_task(call.read())
    for _ in range(5):
        await service.create("muggins")
        await asyncio.sleep(0.1)
    assert not watched.done()
    beat = await watched
    assert isinstance(beat, lobby_pb2.WatchMatchesResponse)
    assert ([], False) == (list(beat.matches), beat.snapshot)
    call.cancel()
