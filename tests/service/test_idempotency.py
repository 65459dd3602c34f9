"""Repeats, stale versions and lost answers: what was done is done once."""

import asyncio
from collections.abc import Sequence

import grpc
import pytest

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2
from muggins_rules import Place
from tests.service.game import Game
from tests.service.mirror import placement_message
from tests.service.server import (
    Service,
    host_key,
    new_id,
    new_secret,
    refusal,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


def _create(**fields: object) -> lobby_pb2.CreateMatchRequest:
    request = lobby_pb2.CreateMatchRequest(
        request_id=new_id(),
        preset=lobby_pb2.PresetChoice(rule_set_id="muggins"),
        seats=2,
        host_secret=new_secret(),
        options=events_pb2.MatchOptions(private=True),
    )
    for name, value in fields.items():
        setattr(request, name, value)
    return request


def _find(rule_set_id: str = "five_up", seats: int = 3) -> lobby_pb2.FindMatchRequest:
    return lobby_pb2.FindMatchRequest(
        request_id=new_id(),
        preset=lobby_pb2.PresetChoice(rule_set_id=rule_set_id),
        seats=seats,
        name="Ana",
        seat_secret=new_secret(),
        host_secret=new_secret(),
    )


def _play(game: Game, which: int = 0) -> moves_pb2.PlayTileRequest:
    action = game.mirror.legal()[which]
    assert isinstance(action, Place)
    return moves_pb2.PlayTileRequest(
        match_id=game.match_id,
        request_id=new_id(),
        placement=placement_message(action.placement),
    )


def _scores(events: Sequence[events_pb2.Event]) -> list[int]:
    return [score for event in events for score in event.tile_played.scores]


async def test_a_repeated_play_gets_the_first_answer_and_is_done_once(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"1" * 32)
    request, key = _play(game), game.players[game.mirror.turn].key
    first = await service.call.PlayTile(request, metadata=key)
    for _ in range(3):
        again = await service.call.PlayTile(request, metadata=key)
        assert first.SerializeToString() == again.SerializeToString()
    assert first.version == await service.version(game.match_id)


async def test_a_repeat_gets_the_first_answer_also_when_others_have_moved_on(
    service: Service,
) -> None:
    game = await Game.start(service, "muggins", 2, b"2" * 32)
    request, seat = _play(game), game.mirror.turn
    action = game.mirror.legal()[0]
    first = await service.call.PlayTile(request, metadata=game.players[seat].key)
    game.mirror.act(seat, action)
    game.version = first.version
    await game.act_on_turn(game.mirror.legal()[0])
    again = await service.call.PlayTile(request, metadata=game.players[seat].key)
    assert first == again


async def test_repeats_at_the_same_time_are_done_once(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"3" * 32)
    request, key = _play(game), game.players[game.mirror.turn].key
    answers = await asyncio.gather(
        *(service.call.PlayTile(request, metadata=key) for _ in range(20))
    )
    assert 1 == len({answer.SerializeToString() for answer in answers})
    assert answers[0].version == await service.version(game.match_id)


async def test_the_same_request_id_with_another_body_is_refused(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"4" * 32)
    request, key = _play(game), game.players[game.mirror.turn].key
    first = await service.call.PlayTile(request, metadata=key)
    other = _play(game, 1)
    other.request_id = request.request_id
    told = await refusal(service.call.PlayTile(other, metadata=key))
    assert ("REQUEST_ID_REUSED", grpc.StatusCode.INVALID_ARGUMENT) == (told.reason, told.code)
    assert first.version == await service.version(game.match_id)


async def test_the_same_request_id_of_another_player_is_refused(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"5" * 32)
    request, seat = _play(game), game.mirror.turn
    await service.call.PlayTile(request, metadata=game.players[seat].key)
    told = await refusal(service.call.PlayTile(request, metadata=game.players[1 - seat].key))
    assert "REQUEST_ID_REUSED" == told.reason


async def test_a_refused_request_may_be_sent_again_when_its_time_has_come(
    service: Service,
) -> None:
    game = await Game.start(service, "latin_american", 2, b"6" * 32)
    opener = game.mirror.turn
    request = _play(game)
    told = await refusal(service.call.PlayTile(request, metadata=game.players[1 - opener].key))
    assert "NOT_YOUR_TURN" == told.reason
    answer = await service.call.PlayTile(request, metadata=game.players[opener].key)
    assert game.version < answer.version


async def test_a_call_without_a_request_id_is_a_new_call_each_time(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"7" * 32)
    request, key = _play(game), game.players[game.mirror.turn].key
    request.request_id = ""
    await service.call.PlayTile(request, metadata=key)
    told = await refusal(service.call.PlayTile(request, metadata=key))
    assert "NOT_YOUR_TURN" == told.reason


async def test_a_repeated_creation_gets_the_same_match_and_invite_code(service: Service) -> None:
    request = _create()
    first = await service.call.CreateMatch(request)
    again = await service.call.CreateMatch(request)
    assert first.SerializeToString() == again.SerializeToString()
    assert first.invite_code
    together = await asyncio.gather(*(service.call.CreateMatch(request) for _ in range(8)))
    assert {first.match_id} == {answer.match_id for answer in together}


async def test_creations_at_the_same_time_with_one_request_id_make_one_match(
    service: Service,
) -> None:
    request = _create()
    answers = await asyncio.gather(*(service.call.CreateMatch(request) for _ in range(8)))
    assert 1 == len({answer.SerializeToString() for answer in answers})


async def test_another_creation_with_the_same_request_id_is_refused(service: Service) -> None:
    request = _create()
    await service.call.CreateMatch(request)
    told = await refusal(service.call.CreateMatch(_create(request_id=request.request_id)))
    assert "REQUEST_ID_REUSED" == told.reason


async def test_a_repeated_join_gets_the_same_seat_and_view(service: Service) -> None:
    table = await service.create("muggins", 3)
    request = lobby_pb2.JoinMatchRequest(
        match_id=table.match_id, request_id=new_id(), name="Ana", seat_secret=new_secret()
    )
    first = await service.call.JoinMatch(request)
    again = await service.call.JoinMatch(request)
    assert first.SerializeToString() == again.SerializeToString()
    assert [2, 1, 1] == [
        seat.occupant for seat in (await service.public_view(table.match_id)).seats
    ]


async def test_a_join_with_the_secret_of_a_seat_that_is_held_gives_that_seat(
    service: Service,
) -> None:
    table = await service.create("muggins", 3)
    player = await service.join(table.match_id, seat=1)
    again = await service.join(table.match_id, seat_secret=player.secret)
    assert 1 == again.seat
    assert player.joined.version == again.joined.version
    assert not again.joined.events


async def test_a_repeated_search_gets_the_same_match_and_seat(service: Service) -> None:
    maker, guest = _find(), _find()
    made, found = [await service.call.FindMatch(request) for request in (maker, guest)]
    assert (True, False) == (made.created, found.created)
    assert made.match_id == found.match_id
    assert made.SerializeToString() == (await service.call.FindMatch(maker)).SerializeToString()
    assert found.SerializeToString() == (await service.call.FindMatch(guest)).SerializeToString()
    told = await refusal(service.call.FindMatch(_other(maker)))
    assert "REQUEST_ID_REUSED" == told.reason


def _other(request: lobby_pb2.FindMatchRequest) -> lobby_pb2.FindMatchRequest:
    other = lobby_pb2.FindMatchRequest()
    other.CopyFrom(request)
    other.name = "Bea"
    return other


async def test_a_stale_version_is_refused_with_the_current_one(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"8" * 32)
    request, key = _play(game), game.players[game.mirror.turn].key
    request.expected_version = game.version - 1
    told = await refusal(service.call.PlayTile(request, metadata=key))
    assert ("VERSION_STALE", grpc.StatusCode.ABORTED) == (told.reason, told.code)
    assert {"version": str(game.version)} == told.metadata
    assert game.version == await service.version(game.match_id)
    request.expected_version = game.version
    assert game.version < (await service.call.PlayTile(request, metadata=key)).version


async def test_of_two_that_expect_the_same_version_one_wins(service: Service) -> None:
    table = await service.create("muggins", 2)
    version = table.created.version
    calls = [
        service.call.ControlMatch(
            lobby_pb2.ControlMatchRequest(
                match_id=table.match_id,
                request_id=new_id(),
                expected_version=version,
                fill_seat=lobby_pb2.SeatFill(seat=seat, level="greedy"),
            ),
            metadata=host_key(table.host_secret),
        )
        for seat in (0, 1)
    ]
    results = await asyncio.gather(*calls, return_exceptions=True)
    failed = [result for result in results if isinstance(result, grpc.aio.AioRpcError)]
    assert [grpc.StatusCode.ABORTED] == [error.code() for error in failed]


async def test_a_play_whose_caller_is_gone_stands_and_can_be_asked_for_again(
    service: Service,
) -> None:
    game = await Game.start(service, "muggins", 2, b"9" * 32)
    request, key = _play(game), game.players[game.mirror.turn].key
    reached = asyncio.Event()
    submit = service.app.engine.submit

    def submitted(job):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        reached.set()
        return submit(job)

    service.app.engine.submit = submitted  # type: ignore[method-assign]
    try:
        call = service.call.PlayTile(request, metadata=key)
        await reached.wait()
        call.cancel()
    finally:
        service.app.engine.submit = submit  # type: ignore[method-assign]
    with pytest.raises(asyncio.CancelledError):
        await call
    answer = await service.call.PlayTile(request, metadata=key)
    assert "tile_played" == answer.events[0].WhichOneof("fact")
    assert answer.version == await service.version(game.match_id)
    assert _scores(answer.events)


async def test_a_player_who_has_left_and_repeats_it_gets_the_first_answer(
    service: Service,
) -> None:
    table = await service.create("muggins")
    player = await service.join(table.match_id)
    request = lobby_pb2.LeaveMatchRequest(match_id=table.match_id, request_id=new_id())
    first = await service.call.LeaveMatch(request, metadata=player.key)
    assert first == await service.call.LeaveMatch(request, metadata=player.key)
    again = lobby_pb2.LeaveMatchRequest(match_id=table.match_id, request_id=new_id())
    told = await refusal(service.call.LeaveMatch(again, metadata=player.key))
    assert "BAD_SEAT_SECRET" == told.reason
