"""Through a network that cuts, tears, delays and loses, everything is done exactly once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2
from muggins_rules import Place
from tests.proxy import Fault, Schedule
from tests.service.game import Game
from tests.service.insistent import through_proxy
from tests.service.mirror import placement_message
from tests.service.server import Service, host_key, new_id, new_secret, running
from tests.service.stormy import play_in_storm

pytestmark = pytest.mark.asyncio(loop_scope="module")

STORM = "lose_request=0.06,lose_answer=0.1,tear_answer=0.06,silence=0.01,delay=0.1,delay_s=0.01"
LOSSES = [Fault.LOSE_REQUEST, Fault.LOSE_ANSWER, Fault.TEAR_ANSWER, Fault.SILENCE]

Asked = tuple[Callable[..., Awaitable[Message]], Message, tuple[tuple[str, str], ...]]


async def test_whole_matches_in_a_storm_end_as_they_would_have() -> None:
    async with running(claim_minimum_s=0.0) as service:
        played = [
            play_in_storm(service, number, Schedule.from_text(f"seed={number},{STORM}"))
            for number in range(10)
        ]
        told = await asyncio.gather(*played)
    assert 0 == sum(one.doubled for one in told)
    assert 0 == sum(one.lost for one in told)
    assert all(one.moves > 20 for one in told)
    assert sum(one.repeats for one in told) > 50


def _create(**fields: Any) -> lobby_pb2.CreateMatchRequest:  # noqa: ANN401 - fields of a message
    return lobby_pb2.CreateMatchRequest(
        request_id=new_id(),
        preset=lobby_pb2.PresetChoice(rule_set_id="muggins"),
        seats=2,
        host_secret=new_secret(),
        **fields,
    )


async def _asked(seen: Service, near: Service, name: str) -> Asked:
    """A call that changes something, ready to be made through the proxy.

    What has to be there before is made by the way without one.
    """
    if name == "CreateMatch":
        options = events_pb2.MatchOptions(private=True)
        return seen.call.CreateMatch, _create(options=options), ()
    if name == "FindMatch":
        preset = lobby_pb2.PresetChoice(rule_set_id="five_up")
        secret = new_secret()
        find = lobby_pb2.FindMatchRequest(
            request_id=new_id(),
            preset=preset,
            seats=3,
            seat_secret=secret,
            host_secret=new_secret(),
            name="Ana",
        )
        return seen.call.FindMatch, find, ()
    if name == "JoinMatch":
        table = await near.create()
        join = lobby_pb2.JoinMatchRequest(
            match_id=table.match_id, request_id=new_id(), seat_secret=new_secret(), name="Ana"
        )
        return seen.call.JoinMatch, join, ()
    if name == "ControlMatch":
        table, _ = await near.started()
        await near.control(table, cancel={})
        rematch = lobby_pb2.ControlMatchRequest(
            match_id=table.match_id, request_id=new_id(), rematch=lobby_pb2.Rematch()
        )
        return seen.call.ControlMatch, rematch, host_key(table.host_secret)
    if name == "LeaveMatch":
        player = await near.join((await near.create()).match_id)
        leave = lobby_pb2.LeaveMatchRequest(match_id=player.match_id, request_id=new_id())
        return seen.call.LeaveMatch, leave, player.key
    game = await Game.start(near, "muggins", 2, bytes([7]) * 32)
    player = game.players[game.mirror.turn]
    common: dict[str, Any] = {"match_id": game.match_id, "request_id": new_id()}
    action = game.mirror.legal()[0]
    assert isinstance(action, Place)
    put = placement_message(action.placement)
    return seen.call.PlayTile, moves_pb2.PlayTileRequest(**common, placement=put), player.key


@pytest.mark.parametrize("fault", LOSSES, ids=str)
@pytest.mark.parametrize(
    "name", ["PlayTile", "JoinMatch", "CreateMatch", "FindMatch", "ControlMatch", "LeaveMatch"]
)
async def test_a_lost_answer_is_given_again_and_nothing_is_done_twice(
    service: Service, name: str, fault: Fault
) -> None:
    schedule = Schedule(silence_s=0.1)
    async with through_proxy(service, schedule) as (seen, _, insistent):
        call, request, key = await _asked(seen, service, name)
        schedule.lose_next(fault)
        matches = len(service.app.registry)
        answer = await call(request, metadata=key)
        again = await call(request, metadata=key)
        assert 1 == insistent.repeats
    assert {fault: 1} == schedule.drawn
    assert answer == again
    version = answer.version  # type: ignore[attr-defined]
    made = len(service.app.registry) - matches
    assert (name in {"CreateMatch", "ControlMatch"}) == made or name == "FindMatch"
    match_id = getattr(request, "match_id", "") or answer.match_id  # type: ignore[attr-defined]
    assert version == await service.version(match_id)


@pytest.mark.parametrize("fault", [Fault.LOSE_ANSWER, Fault.TEAR_ANSWER, Fault.SILENCE], ids=str)
async def test_a_client_cannot_tell_whether_a_lost_answer_was_to_something_done(
    service: Service, fault: Fault
) -> None:
    schedule = Schedule(silence_s=0.1)
    async with through_proxy(service, schedule) as (_, proxy, _):
        schedule.lose_next(fault)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{proxy.port}") as channel:
            request = _create()
            call = Service(service.app, channel).call.CreateMatch(request, timeout=5)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call
    assert grpc.StatusCode.UNAVAILABLE is caught.value.code()
    made = await service.call.CreateMatch(request)
    assert made.match_id in service.app.registry
    with pytest.raises(grpc.aio.AioRpcError):
        await service.call.CreateMatch(_changed(request))


def _changed(request: lobby_pb2.CreateMatchRequest) -> lobby_pb2.CreateMatchRequest:
    other = lobby_pb2.CreateMatchRequest()
    other.CopyFrom(request)
    other.seats = 3
    return other
