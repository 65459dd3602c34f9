"""Turns of opponents that go wrong: each is made up for, and marked."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from muggins.v1 import events_pb2
from muggins_rules import RoundChance, deal_round, evolve_all, new_match, preset
from muggins_rules.viewing import seat_view
from muggins_service.opponents.pool import WorkerPool
from muggins_service.opponents.port import OpponentsUnavailable, Question
from muggins_service.opponents.runner import OpponentRunner
from muggins_service.store.port import Append, AppendResult
from muggins_service.table.record import ActorKind
from tests.service.server import events_of, fact_of, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

Done = Callable[[Sequence[AppendResult]], None]


async def test_a_fault_in_an_opponent_is_told_as_no_answer() -> None:
    state = new_match(preset("muggins"), 2)
    codes = tuple(range(28))
    state = evolve_all(state, deal_round(state, RoundChance(codes, codes)))
    assert state.table is not None
    assert state.table.turn is not None
    view = seat_view(state, state.table.turn)
    pool = WorkerPool(1, 10, warm=False)
    runner = OpponentRunner(pool)
    await pool.start()
    try:
        with pytest.raises(OpponentsUnavailable):
            await runner.choose(Question("test", "no such level", view, b"seed", bytes))
        assert not (await runner.choose(Question("test", "greedy", view, b"seed", bytes))).fallback
    finally:
        await pool.stop()


async def test_a_turn_that_could_not_be_stored_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running() as service:
        store = service.app.store
        append_batch, failed = store.append_batch, list[Append]()

        def fails_once(batch: Sequence[Append], done: Done) -> None:
            by_opponents = [a for a in batch if a.record.actor.kind is ActorKind.OPPONENT]
            if by_opponents and not failed:
                failed.extend(by_opponents)
                done([AppendResult.FAILED] * len(batch))
            else:
                append_batch(batch, done)

        monkeypatch.setattr(store, "append_batch", fails_once)
        table = await service.create(
            "latin_american", fills={0: "greedy", 1: "greedy"}, starts_when_full=True
        )
        async with asyncio.timeout(20):
            events = await events_of(service.observe(table.match_id, 0))
        assert "match_ended" == fact_of(events[-1])
        moves = [e for e in events if e.cause != events_pb2.CAUSE_UNSPECIFIED and e.round]
        fallbacks = [e for e in moves if e.cause == events_pb2.CAUSE_FALLBACK]
        assert [(moves[0].sequence, "fallback")] == [(e.sequence, e.engine) for e in fallbacks]
