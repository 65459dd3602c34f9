"""Matches in which opponents take their time, and the calls of two levels."""

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
import pytest_asyncio
from google.protobuf.timestamp_pb2 import Timestamp

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2
from muggins_ai.opponent import Choice
from muggins_service.opponents.calls import call_share
from muggins_service.opponents.port import Question
from muggins_service.table.pace import think_us
from muggins_service.table.policy import TablePolicy
from tests.service.server import Service, fact_of, new_id, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

HUMAN = events_pb2.OPPONENT_PACE_HUMAN
LEAST_S, MOST_S = 0.05, 0.15


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service() -> AsyncIterator[Service]:
    """A server whose paced opponents think for a short time."""
    async with running(think_least_s=LEAST_S, think_most_s=MOST_S) as started:
        yield started


async def _seen(service: Service, match_id: str, wanted: int) -> list[events_pb2.Event]:
    """The events of a match until so many turns have begun."""
    events: list[events_pb2.Event] = []
    call = service.observe(match_id, 0)
    async with asyncio.timeout(20):
        async for frame in call:
            events += frame.events.events
            if wanted <= sum(fact_of(event) == "turn_started" for event in events):
                break
    call.cancel()
    return events


def _us(message: Timestamp) -> int:
    return message.ToMicroseconds()


async def test_a_paced_match_of_opponents_takes_its_time(service: Service) -> None:
    table = await service.create(
        "muggins", 2, fills={0: "greedy", 1: "greedy"}, starts_when_full=True, opponent_pace=HUMAN
    )
    assert HUMAN == (await service.public_view(table.match_id)).options.opponent_pace
    events = await _seen(service, table.match_id, 20)
    drawn = 0
    for earlier, event in pairwise(events):
        if fact_of(earlier) == "turn_started":
            least, most = round(LEAST_S * 1e6), round(MOST_S * 1e6)
            thinks = _us(earlier.turn_started.not_before) - _us(earlier.time)
            assert least <= thinks <= most
            assert thinks == think_us(
                table.match_id,
                earlier.sequence,
                TablePolicy(think_least_us=least, think_most_us=most),
            )
            assert _us(earlier.turn_started.not_before) <= _us(event.time)
        if fact_of(earlier) == "tile_drawn" and fact_of(event) == "tile_played":
            drawn += 1
            assert round(LEAST_S / 2 * 1e6) <= _us(event.time) - _us(earlier.time)
    assert drawn


async def test_a_choice_is_made_while_the_opponent_seems_to_think(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running(think_least_s=4.0, think_most_s=4.0) as service:
        runner, clock = service.app.turns._opponents, service.app.engine.now_us
        choose, chosen = runner.choose, list[int]()

        async def timed(question: Question) -> Choice:
            choice = await choose(question)
            chosen.append(clock())
            return choice

        monkeypatch.setattr(runner, "choose", timed)
        fills = {0: "greedy", 1: "greedy"}
        table = await service.create(
            "latin_american", 2, fills=fills, starts_when_full=True, opponent_pace=HUMAN
        )
        first, _ = [
            event
            for event in await _seen(service, table.match_id, 2)
            if fact_of(event) == "turn_started"
        ]
        assert chosen[0] < _us(first.turn_started.not_before) == _us(first.time) + 4_000_000


async def test_a_stand_in_is_paced_and_a_player_is_not(service: Service) -> None:
    table, players = await service.started("latin_american", 2, opponent_pace=HUMAN)
    view = await service.public_view(table.match_id)
    turn = view.round_events[-1].turn_started
    assert not turn.HasField("not_before")
    leave = lobby_pb2.LeaveMatchRequest(match_id=table.match_id, request_id=new_id())
    await service.call.LeaveMatch(leave, metadata=players[1 - turn.seat].key)
    leave = lobby_pb2.LeaveMatchRequest(match_id=table.match_id, request_id=new_id())
    await service.call.LeaveMatch(leave, metadata=players[turn.seat].key)
    turns = [
        event.turn_started
        for event in await _seen(service, table.match_id, 4)
        if fact_of(event) == "turn_started"
    ]
    assert [False, True, True, True] == [turn.HasField("not_before") for turn in turns[:4]]


async def _forgotten_points(service: Service) -> tuple[str, moves_pb2.PlayTileResponse]:
    """A match against opponents of two levels, and the answer to a placement without a claim."""
    for number in range(60):
        table = await service.create(
            "all_fives_us",
            3,
            calling=True,
            fills={1: "beginner", 2: "casual"},
            seed=bytes([number, 1]) * 16,
            starts_when_full=True,
        )
        player = await service.join(table.match_id)
        for legal in player.joined.view.legal_actions:
            tile = legal.action.place.tile
            if (tile.low + tile.high) % 5 == 0 < tile.low + tile.high:
                request = moves_pb2.PlayTileRequest(
                    match_id=table.match_id, request_id=new_id(), placement=legal.action.place
                )
                answer = await service.call.PlayTile(request, metadata=player.key)
                return table.match_id, answer
    raise AssertionError("no seed gives such a hand")


async def _next_call(service: Service, match_id: str, after: int) -> events_pb2.Event:
    call = service.observe(match_id, after)
    async with asyncio.timeout(20):
        async for frame in call:
            for event in frame.events.events:
                if fact_of(event) == "muggins_called":
                    call.cancel()
                    return event
    raise AssertionError("the stream has ended")


async def test_of_two_opponents_the_stronger_calls_first_and_not_before_its_time() -> None:
    async with running(claim_minimum_s=1.0, claim_window_s=4.0) as service:
        match_id, answer = await _forgotten_points(service)
        played = answer.events[0]
        called = await _next_call(service, match_id, answer.version)
        assert 2 == called.muggins_called.seat
        assert 10_000 * call_share("casual") <= _us(called.time) - _us(played.time)
