"""What ends by itself: matches in which nothing happens, and finished ones after a while."""

import asyncio
import gc

import grpc
import pytest

from muggins.v1 import events_pb2, lobby_pb2, streams_pb2, views_pb2
from tests.service.server import Service, Table, fact_of, refusal, running


async def _ended(service: Service, table: Table) -> events_pb2.MatchEnded:
    async for frame in service.observe(table.match_id, 0):
        for event in frame.events.events:
            if fact_of(event) == "match_ended":
                return event.match_ended
    raise AssertionError("the stream ended without the end of the match")


async def test_a_match_that_nobody_starts_expires() -> None:
    async with running(open_lifetime_s=0.3) as service:
        table = await service.create("muggins", 2)
        assert events_pb2.MATCH_END_REASON_EXPIRED == (await _ended(service, table)).reason
        view = await service.public_view(table.match_id)
        assert views_pb2.MATCH_STATE_ABANDONED == view.state


async def test_a_match_in_which_nobody_acts_expires() -> None:
    async with running(idle_lifetime_s=0.3) as service:
        table, _ = await service.started()
        ended = await _ended(service, table)
        assert events_pb2.MATCH_END_REASON_EXPIRED == ended.reason
        assert [7, 7] == [len(hand.tiles) for hand in ended.hands]


async def test_a_finished_match_is_kept_for_a_while_and_then_forgotten() -> None:
    async with running(finished_lifetime_s=0.5, rematch_wait_s=30) as service:
        table, players = await service.started()
        call = service.observe(table.match_id, key=players[0].key)
        assert isinstance(await call.read(), streams_pb2.ObserveMatchResponse)
        await service.control(table, cancel={})
        assert (await service.public_view(table.match_id)).HasField("ended")
        frames = []
        while isinstance(frame := await call.read(), streams_pb2.ObserveMatchResponse):
            frames.append(frame)
        assert streams_pb2.GO_AWAY_REASON_MATCH_REMOVED == frames[-1].go_away.reason
        assert grpc.StatusCode.OK is await call.code()
        request = lobby_pb2.GetMatchRequest(match_id=table.match_id)
        told = await refusal(service.call.GetMatch(request))
        assert "MATCH_NOT_FOUND" == told.reason
        assert not list(service.app.store.summaries())


async def test_forgotten_matches_leave_no_task_timer_or_object_behind() -> None:
    async with running(finished_lifetime_s=0.1, rematch_wait_s=0) as service:
        tasks = len(asyncio.all_tasks())
        fills = dict.fromkeys(range(4), "greedy")
        for _ in range(3):
            await service.create("latin_american", 4, fills=fills, starts_when_full=True)
        for _ in range(30):
            table, _ = await service.started()
            await service.control(table, cancel={})
        async with asyncio.timeout(30):
            while len(service.app.registry):  # noqa: ASYNC110 - the server has no event for it
                await asyncio.sleep(0.05)
        assert 0 == len(service.app.registry)
        await asyncio.sleep(0.05)
        assert tasks >= len(asyncio.all_tasks())
        gc.collect()
        slots = [found for found in gc.get_objects() if type(found).__name__ == "Slot"]
        assert len(slots) <= 1


@pytest.mark.parametrize("limit", [1])
async def test_no_more_matches_are_held_than_the_server_may(limit: int) -> None:
    async with running(max_matches=limit) as service:
        table = await service.create("muggins", 2)
        request = lobby_pb2.CreateMatchRequest(
            preset=lobby_pb2.PresetChoice(rule_set_id="muggins"), seats=2, host_secret=b"h" * 32
        )
        told = await refusal(service.call.CreateMatch(request))
        assert ("RATE_LIMITED", grpc.StatusCode.RESOURCE_EXHAUSTED) == (told.reason, told.code)
        assert told.retry_after_s
        assert 1 == (await service.public_view(table.match_id)).version
