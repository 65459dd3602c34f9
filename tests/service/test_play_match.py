"""PlayMatch: one stream on which a seat plays and is told everything."""

import asyncio

import grpc
import pytest

from muggins.i18n import sentence
from muggins.v1 import streams_pb2
from muggins_rules import Draw, Place
from tests.service.game import Game
from tests.service.mirror import NO_TILE
from tests.service.seat_stream import SeatStream, seat_stream
from tests.service.server import (
    Metadata,
    Service,
    events_of,
    fact_of,
    new_id,
    new_secret,
    refused_by,
    seat_key,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _error(seat: SeatStream) -> tuple[str, grpc.StatusCode]:
    try:
        while isinstance(await seat.call.read(), streams_pb2.PlayMatchResponse):
            pass
    except grpc.aio.AioRpcError as error:
        told = refused_by(error)
        return told.reason, told.code
    raise AssertionError("the stream ended with OK")


async def _game(service: Service, seed: int) -> Game:
    return await Game.start(service, "muggins", 2, bytes([seed]) * 32)


async def test_an_attached_stream_begins_with_the_seats_snapshot(service: Service) -> None:
    game = await _game(service, 1)
    async with seat_stream(service, game.players[0].key) as seat:
        await seat.attach(game.match_id)
        message = await seat.read()
        assert message.observe.snapshot.seat == await service.seat_view(game.players[0])


async def test_an_attached_stream_goes_on_after_a_sequence(service: Service) -> None:
    game = await _game(service, 2)
    async with seat_stream(service, game.players[1].key) as seat:
        await seat.attach(game.match_id, 2)
        events = (await seat.read()).observe.events.events
        assert list(range(3, game.version + 1)) == [event.sequence for event in events]


async def test_the_result_of_a_command_comes_with_the_events_that_it_made(
    service: Service,
) -> None:
    game = await _game(service, 3)
    turn = game.mirror.turn
    async with seat_stream(service, game.players[turn].key) as seat:
        await seat.attach(game.match_id, game.version)
        request_id = await seat.command(game.mirror.legal()[0], expected_version=game.version)
        message = await seat.read()
        assert request_id == message.result.request_id
        assert not message.result.HasField("refusal")
        events = message.observe.events.events
        assert "tile_played" == fact_of(events[0])
        assert message.result.version == events[-1].sequence


async def test_a_refusal_tells_what_a_unary_call_tells_and_the_stream_goes_on(
    service: Service,
) -> None:
    game = await _game(service, 4)
    turn = game.mirror.turn
    key: Metadata = (*game.players[1 - turn].key, ("accept-language", "fr"))
    async with seat_stream(service, key) as seat:
        await seat.attach(game.match_id, game.version)
        first = await seat.command(Draw())
        second = await seat.command(Draw(), expected_version=1)
        results = [await seat.result(), await seat.result()]
        assert [first, second] == [result.request_id for result in results]
        reasons = [result.refusal.reason for result in results]
        assert ["NOT_YOUR_TURN", "VERSION_STALE"] == reasons
        codes = [result.refusal.code for result in results]
        assert [grpc.StatusCode.FAILED_PRECONDITION.value[0], 10] == codes
        assert sentence("not_your_turn", "fr") == results[0].refusal.message
        assert {"version": str(game.version)} == dict(results[1].refusal.metadata)
        assert {game.version} == {result.version for result in results}
        await game.act_on_turn(game.mirror.legal()[0])
        assert "tile_played" == fact_of((await seat.read()).observe.events.events[0])


async def test_a_command_with_a_field_that_cannot_be_is_refused_in_its_result(
    service: Service,
) -> None:
    game = await _game(service, 5)
    async with seat_stream(service, game.players[0].key) as seat:
        await seat.attach(game.match_id, game.version)
        command = streams_pb2.Command(request_id="empty")
        await seat.call.write(streams_pb2.PlayMatchRequest(command=command))
        result = await seat.result()
        assert ("empty", "MALFORMED_FIELD") == (result.request_id, result.refusal.reason)
        key = game.players[game.mirror.turn].key
        async with seat_stream(service, key) as other:
            await other.attach(game.match_id, game.version)
            play = game.mirror.legal()[0]
            assert isinstance(play, Place)
            await other.command(Place(play.placement._replace(tile=NO_TILE)))
            assert "MALFORMED_TILE" == (await other.result()).refusal.reason


async def test_a_repeated_command_gets_its_first_result_and_is_done_once(
    service: Service,
) -> None:
    game = await _game(service, 6)
    async with seat_stream(service, game.players[game.mirror.turn].key) as seat:
        await seat.attach(game.match_id, game.version)
        action = game.mirror.legal()[0]
        request_id = await seat.command(action)
        first = await seat.result()
        await seat.command(action, request_id=request_id)
        assert first == await seat.result()
        assert first.version == await service.version(game.match_id)


async def test_a_ping_comes_back_as_it_was_sent(service: Service) -> None:
    game = await _game(service, 7)
    async with seat_stream(service, game.players[0].key) as seat:
        await seat.attach(game.match_id, game.version)
        await seat.ping(2**60)
        assert 2**60 == (await seat.read()).pong.nonce


async def test_the_newest_attach_of_a_seat_wins(service: Service) -> None:
    game = await _game(service, 8)
    key = game.players[0].key
    async with seat_stream(service, key) as older, seat_stream(service, key) as newer:
        await older.attach(game.match_id)
        await older.read()
        await newer.attach(game.match_id)
        await newer.read()
        ended = await older.read()
        assert streams_pb2.GO_AWAY_REASON_REPLACED == ended.observe.go_away.reason
        assert grpc.aio.EOF == await older.call.read()
        assert grpc.StatusCode.OK is await older.call.code()
        await newer.ping(1)
        assert 1 == (await newer.read()).pong.nonce


@pytest.mark.parametrize("frame", ["ping", "command", None])
async def test_a_first_frame_that_is_no_attach_ends_the_stream(
    service: Service, frame: str | None
) -> None:
    game = await _game(service, 9)
    async with seat_stream(service, game.players[0].key) as seat:
        message = streams_pb2.PlayMatchRequest()
        if frame is not None:
            getattr(message, frame).SetInParent()
        await seat.call.write(message)
        expected = ("STREAM_PROTOCOL", grpc.StatusCode.INVALID_ARGUMENT)
        assert expected == await _error(seat)


@pytest.mark.parametrize("second", ["attach", "nothing"])
async def test_a_later_frame_that_none_may_be_ends_the_stream(
    service: Service, second: str
) -> None:
    game = await _game(service, 10)
    async with seat_stream(service, game.players[0].key) as seat:
        await seat.attach(game.match_id)
        await seat.read()
        if second == "attach":
            await seat.attach(game.match_id)
        else:
            await seat.call.write(streams_pb2.PlayMatchRequest())
        expected = ("STREAM_PROTOCOL", grpc.StatusCode.INVALID_ARGUMENT)
        assert expected == await _error(seat)


async def test_a_frame_that_is_too_large_ends_the_stream(service: Service) -> None:
    game = await _game(service, 11)
    async with seat_stream(service, game.players[0].key) as seat:
        await seat.attach(game.match_id)
        await seat.read()
        command = streams_pb2.Command(request_id="x" * 70_000)
        await seat.call.write(streams_pb2.PlayMatchRequest(command=command))
        expected = ("MESSAGE_TOO_LARGE", grpc.StatusCode.RESOURCE_EXHAUSTED)
        assert expected == await _error(seat)


async def test_a_stream_needs_the_secret_of_aseat_stream(service: Service) -> None:
    game = await _game(service, 12)
    async with seat_stream(service, ()) as seat:
        await seat.attach(game.match_id)
        assert ("MISSING_SEAT_SECRET", grpc.StatusCode.UNAUTHENTICATED) == await _error(seat)
    async with seat_stream(service, seat_key(new_secret())) as seat:
        await seat.attach(game.match_id)
        assert ("BAD_SEAT_SECRET", grpc.StatusCode.UNAUTHENTICATED) == await _error(seat)


async def test_a_stream_to_an_unknown_match_is_refused(service: Service) -> None:
    async with seat_stream(service, seat_key(new_secret())) as seat:
        await seat.attach("nowhere")
        assert ("MATCH_LOST", grpc.StatusCode.NOT_FOUND) == await _error(seat)


async def test_a_client_that_sends_no_more_goes_on_listening(service: Service) -> None:
    game = await _game(service, 13)
    async with seat_stream(service, game.players[0].key) as seat:
        await seat.attach(game.match_id, game.version)
        await seat.call.done_writing()
        await game.act_on_turn(game.mirror.legal()[0])
        assert "tile_played" == fact_of((await seat.read()).observe.events.events[0])


async def test_a_whole_match_is_played_over_two_streams_and_ends_with_ok(
    service: Service,
) -> None:
    game = await Game.start(service, "latin_american", 2, b"w" * 32)
    observing = asyncio.ensure_future(events_of(service.observe(game.match_id, 0)))

    async def play(seat: SeatStream) -> list[int]:
        """Play the first legal action whenever there is one; the sequences told."""
        told: list[int] = []
        async for message in seat.call:
            assert not message.result.HasField("refusal")
            told += [event.sequence for event in message.observe.events.events]
            actions = message.observe.events.legal_actions
            if actions:
                command = streams_pb2.Command(request_id=new_id(), action=actions[0].action)
                await seat.call.write(streams_pb2.PlayMatchRequest(command=command))
        return told

    async with (
        seat_stream(service, game.players[0].key) as one,
        seat_stream(service, game.players[1].key) as two,
    ):
        await one.attach(game.match_id, 0)
        await two.attach(game.match_id, 0)
        told = await asyncio.gather(play(one), play(two))
        assert grpc.StatusCode.OK is await one.call.code()
        assert grpc.StatusCode.OK is await two.call.code()
    events = await observing
    assert "match_ended" == fact_of(events[-1])
    sequences = [event.sequence for event in events]
    assert [sequences, sequences] == list(told)


async def test_a_cancelled_stream_leaves_nothing_behind(service: Service) -> None:
    game = await _game(service, 14)
    slot = service.app.registry.get(game.match_id)
    tasks = len(asyncio.all_tasks())
    for _ in range(30):
        async with seat_stream(service, game.players[0].key) as seat:
            await seat.attach(game.match_id)
            await seat.read()
    for _ in range(100):
        if not slot.outboxes and len(asyncio.all_tasks()) <= tasks:
            break
        await asyncio.sleep(0.02)
    assert not slot.outboxes
    assert not slot.attached
    assert tasks >= len(asyncio.all_tasks())
