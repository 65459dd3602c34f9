"""Many opponents at once: every match goes on, and what is too much is refused, not lost."""

import asyncio

import grpc
import pytest

from muggins.v1 import events_pb2, opponent_service_pb2
from muggins_ai.levels import opponent_of
from tests.ai.tables import TABLES
from tests.service.advice import message_of, stub
from tests.service.server import CALL_S, events_of, fact_of, refused_by, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

MATCHES = 16


async def test_sixteen_matches_of_the_strongest_level_are_played_to_their_ends() -> None:
    async with running(warm=True) as service:
        tables = [
            await service.create(
                "latin_american", 2, fills={0: "strongest", 1: "strongest"}, starts_when_full=True
            )
            for _ in range(MATCHES)
        ]
        async with asyncio.timeout(240):
            played = await asyncio.gather(
                *(events_of(service.observe(table.match_id, 0)) for table in tables)
            )
        engine = opponent_of("strongest").engine
        for events in played:
            assert "match_ended" == fact_of(events[-1])
            causes = {event.cause for event in events if event.engine == engine}
            assert {events_pb2.CAUSE_OPPONENT} == causes
        assert not service.app.pool.counts.crashed + service.app.pool.counts.killed
        assert not service.app.turns.fallbacks


async def test_more_than_may_wait_is_refused_with_a_time_to_come_back() -> None:
    async with running(workers=1, opponent_queue=3) as service:
        ask = opponent_service_pb2.ChooseActionRequest(view=message_of(TABLES[0]), level="greedy")
        calls = [stub(service).ChooseAction(ask, timeout=CALL_S) for _ in range(60)]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, grpc.aio.AioRpcError)]
        assert refused
        assert len(refused) < len(answers)
        for error in refused:
            told = refused_by(error)
            assert ("RATE_LIMITED", grpc.StatusCode.RESOURCE_EXHAUSTED) == (told.reason, told.code)
            assert told.retry_after_s
        again = await stub(service).ChooseAction(ask, timeout=CALL_S)
        assert not again.fallback
