"""The players' part in the shuffle: commitments, reveals, and what follows where one is missing."""

import asyncio

import grpc
import pytest

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2, streams_pb2
from muggins_rules.fair_deal import commit_nonce, shuffled_deck, verify_secret
from tests.service.server import (
    Player,
    Refused,
    Service,
    Table,
    fact_of,
    new_id,
    new_secret,
    refusal,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _reveal(service: Service, player: Player, nonce: bytes) -> list[events_pb2.Event]:
    request = lobby_pb2.RevealNonceRequest(
        match_id=player.match_id, request_id=new_id(), nonce=nonce
    )
    return list((await service.call.RevealNonce(request, metadata=player.key)).events)


async def _refused(service: Service, player: Player, nonce: bytes) -> Refused:
    request = lobby_pb2.RevealNonceRequest(match_id=player.match_id, nonce=nonce)
    return await refusal(service.call.RevealNonce(request, metadata=player.key))


async def _two(service: Service, *, by_itself: bool) -> tuple[Table, list[Player], list[bytes]]:
    """A match of two who committed to a nonce each."""
    table = await service.create("muggins", 2, starts_when_full=by_itself)
    nonces = [new_secret(), new_secret()]
    players = [
        await service.join(table.match_id, nonce_commitment=commit_nonce(nonce)) for nonce in nonces
    ]
    return table, players, nonces


async def test_a_match_starts_by_itself_once_every_committed_nonce_is_revealed(
    service: Service,
) -> None:
    table, players, nonces = await _two(service, by_itself=True)
    view = await service.public_view(table.match_id)
    assert 0 == view.round
    assert [True, True] == [seat.nonce_committed for seat in view.seats]
    first = await _reveal(service, players[0], nonces[0])
    assert ["nonce_revealed"] == [fact_of(event) for event in first]
    second = await _reveal(service, players[1], nonces[1])
    assert ["nonce_revealed", "match_started"] == [fact_of(event) for event in second[:2]]
    assert nonces == list(second[1].match_started.nonces)


async def test_the_deal_is_made_from_the_revealed_nonces_and_checks_against_the_anchor(
    service: Service,
) -> None:
    table, players, nonces = await _two(service, by_itself=True)
    for player, nonce in zip(players, nonces, strict=True):
        await _reveal(service, player, nonce)
    hands = [
        [(tile.low, tile.high) for tile in (await service.seat_view(player)).hand]
        for player in players
    ]
    ended = (await service.control(table, cancel={})).events[-1].match_ended
    anchor = table.created.fairness_anchor
    assert verify_secret(anchor, table.match_id, 1, ended.secret)
    deck = shuffled_deck(ended.secret, table.match_id, 1, tuple(nonces), 6)
    record = (
        await service.call.ExportMatch(moves_pb2.ExportMatchRequest(match_id=table.match_id))
    ).record
    dealt = next(
        event.round_dealt
        for part in record.records
        for event in part.events
        if event.HasField("round_dealt")
    )
    tiles = [(tile.low, tile.high) for tile in dealt.deck]
    codes = [_code(tile) for tile in tiles]
    assert list(deck) == codes
    assert hands == [sorted(tiles[:7]), sorted(tiles[7:14])]


def _code(tile: tuple[int, int]) -> int:
    order = [(low, high) for low in range(7) for high in range(low, 7)]
    return order.index(tile)


async def test_a_match_that_starts_by_itself_waits_for_nonces_no_longer_than_it_says(
    service: Service,
) -> None:
    table, players, nonces = await _two(service, by_itself=True)
    await _reveal(service, players[0], nonces[0])
    call = service.observe(table.match_id, await service.version(table.match_id))
    frame = await asyncio.wait_for(call.read(), 5)
    call.cancel()
    assert isinstance(frame, streams_pb2.ObserveMatchResponse)
    started = frame.events.events[0].match_started
    assert [nonces[0], b""] == list(started.nonces)


async def test_the_host_may_start_without_a_missing_nonce(service: Service) -> None:
    table, players, nonces = await _two(service, by_itself=False)
    await _reveal(service, players[1], nonces[1])
    started = await service.control(table, start={})
    assert [b"", nonces[1]] == list(started.events[0].match_started.nonces)
    told = await _refused(service, players[0], nonces[0])
    assert ("NONCE_NOT_EXPECTED", grpc.StatusCode.FAILED_PRECONDITION) == (told.reason, told.code)


async def test_another_nonce_than_the_one_committed_to_is_refused(service: Service) -> None:
    table, players, nonces = await _two(service, by_itself=False)
    told = await _refused(service, players[0], nonces[1])
    assert ("NONCE_MISMATCH", grpc.StatusCode.INVALID_ARGUMENT) == (told.reason, told.code)
    assert players[1].joined.version == await service.version(table.match_id)


async def test_a_nonce_is_revealed_once(service: Service) -> None:
    _, players, nonces = await _two(service, by_itself=False)
    await _reveal(service, players[0], nonces[0])
    assert "NONCE_ALREADY_REVEALED" == (await _refused(service, players[0], nonces[0])).reason


async def test_a_nonce_is_kept_until_every_seat_is_filled(service: Service) -> None:
    table = await service.create("muggins", 2)
    nonce = new_secret()
    player = await service.join(table.match_id, nonce_commitment=commit_nonce(nonce))
    assert "SEATS_NOT_FILLED" == (await _refused(service, player, nonce)).reason


async def test_a_seat_without_commitment_has_nothing_to_reveal(service: Service) -> None:
    table = await service.create("muggins", 2, fills={0: "greedy"})
    player = await service.join(table.match_id)
    assert "NONCE_NOT_EXPECTED" == (await _refused(service, player, new_secret())).reason


async def test_a_malformed_nonce_names_its_field(service: Service) -> None:
    _, players, _ = await _two(service, by_itself=False)
    told = await _refused(service, players[0], b"short")
    assert ("MALFORMED_FIELD", ("nonce",)) == (told.reason, told.fields)


async def test_no_seat_is_freed_once_a_nonce_is_known(service: Service) -> None:
    table, players, nonces = await _two(service, by_itself=False)
    await _reveal(service, players[0], nonces[0])
    request = lobby_pb2.ControlMatchRequest(
        match_id=table.match_id, free_seat=lobby_pb2.SeatFree(seat=1)
    )
    told = await refusal(service.call.ControlMatch(request, metadata=table.host))
    assert "MATCH_NOT_OPEN" == told.reason
