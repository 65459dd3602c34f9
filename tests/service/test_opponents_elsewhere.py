"""Matches whose opponents are on another server: asked by the contract, made up for here."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import grpc
import pytest
import pytest_asyncio

from muggins.v1 import events_pb2, moves_pb2
from muggins.v1 import opponent_service_pb2 as pb
from muggins_ai.opponent import Choice
from muggins_rules.views import SeatView
from muggins_service.opponents import worker
from muggins_service.opponents.pool import WorkerPool
from muggins_service.opponents.port import Question
from muggins_service.opponents.remote import RemoteOpponents
from muggins_service.opponents.runner import OpponentRunner
from muggins_service.recorded import RecordedDecision, decisions_of
from muggins_service.wire.match_records import decode_match_record
from muggins_service.wire.views import asked_view_bytes
from tests.service.elsewhere import answering, first_action
from tests.service.process import serving
from tests.service.server import Field, Service, events_of, fact_of, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

Context = grpc.aio.ServicerContext[bytes, bytes]
FREE = "127.0.0.1:1"
"""An address at which nothing listens."""
MOVES = {"tile_played", "tile_drawn", "seat_passed"}


class Own:
    """Opponents at home that tell who asked."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def choose(self, question: Question, /) -> Choice:
        self.asked.append(question)
        return Choice(question.view.legal_actions[0].action, "own")

    async def calls(self, caller: str, level: str, view: SeatView, /) -> bool:
        raise AssertionError(f"{caller} did not ask {level} of {view.seat}")


@asynccontextmanager
async def asking(
    address: str, own: Own, deadline_s: float = 5.0, rest_s: float = 0.0
) -> AsyncIterator[RemoteOpponents]:
    remote = RemoteOpponents(address, deadline_s, own, rest_s)
    remote.open()
    try:
        yield remote
    finally:
        await remote.close()


def question_of(decision: RecordedDecision, level: str = "") -> Question:
    message = partial(asked_view_bytes, decision.table, decision.seat, decision.past)
    seed = decision.seed
    assert seed is not None
    return Question("test", level or decision.level, decision.view(), seed, message)


async def finished(service: Service, name: str, seats: int, **options: Field) -> str:
    """The id of a match that opponents have played."""
    fills = dict.fromkeys(range(seats), "greedy")
    table = await service.create(name, seats, fills=fills, starts_when_full=True, **options)
    await events_of(service.observe(table.match_id, 0))
    return table.match_id


async def decided(service: Service, match_id: str) -> list[RecordedDecision]:
    exported = await service.call.ExportMatch(moves_pb2.ExportMatchRequest(match_id=match_id))
    return list(decisions_of(decode_match_record(exported.record.SerializeToString())))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def one(service: Service) -> Question:
    """A question of which more than one answer is lawful."""
    decisions = await decided(service, await finished(service, "five_up", 2, seed=b"q" * 32))
    return next(question_of(made) for made in decisions if len(made.view().legal_actions) > 1)


async def test_another_server_chooses_as_this_one_does(service: Service) -> None:
    pool = WorkerPool(1, 10, warm=False)
    here = OpponentRunner(pool)
    own = Own()
    await pool.start()
    try:
        async with asking(service.address, own, 20.0) as elsewhere:
            for name, seats, calling in (("muggins", 3, False), ("all_fives", 4, True)):
                match_id = await finished(service, name, seats, calling=calling, seed=b"e" * 32)
                decisions = await decided(service, match_id)
                assert any(made.past for made in decisions)
                for made in decisions[:: len(decisions) // 12]:
                    for level in ("greedy_plus", "random"):
                        question = question_of(made, level)
                        assert await here.choose(question) == await elsewhere.choose(question)
        assert [] == own.asked
    finally:
        await pool.stop()


@pytest.mark.parametrize("level", ["skilled", "strongest"])
async def test_another_server_searches_as_this_one_does(service: Service, level: str) -> None:
    own = Own()
    async with asking(service.address, own, 60.0) as elsewhere:
        match_id = await finished(service, "five_up", 2, seed=b"s" * 32)
        made = [d for d in await decided(service, match_id) if d.past and d.seat]
        question = question_of(made[len(made) // 2], level)
        here = await asyncio.to_thread(worker.choose, level, question.view, question.seed)
        assert here == await elsewhere.choose(question)
    assert [] == own.asked


async def test_moves_name_the_engine_of_the_other_server() -> None:
    async def answer(request: pb.ChooseActionRequest, _: Context) -> bytes:
        return first_action(request)

    async with (
        answering(answer) as elsewhere,
        running(opponents_address=elsewhere.address) as service,
    ):
        table = await service.create(
            "latin_american", fills={0: "greedy", 1: "about_even"}, starts_when_full=True
        )
        events = await events_of(service.observe(table.match_id, 0))
        moves = [event for event in events if fact_of(event) in MOVES]
        assert {"elsewhere-1"} == {event.engine for event in moves}
        assert {events_pb2.CAUSE_OPPONENT} == {event.cause for event in moves}
        assert 0 == service.app.pool.counts.started
        by_level = {request.level: request.view for request in elsewhere.asked}
        assert {"greedy", "about_even"} == set(by_level)
        assert not by_level["greedy"].past
        assert by_level["about_even"].past
        assert all(32 == len(request.seed) for request in elsewhere.asked)
        assert not any(info.name for info in by_level["greedy"].table.seats)


async def test_a_match_goes_on_when_the_opponents_are_killed() -> None:
    async with (
        serving(command="opponents") as opponents,
        running(opponents_address=opponents.address) as service,
    ):
        table = await service.create(
            "muggins", 3, fills=dict.fromkeys(range(3), "greedy"), starts_when_full=True
        )
        events = []
        async for frame in service.observe(table.match_id, 0):
            events += list(frame.events.events)
            if len(events) > 60 and opponents.process.returncode is None:
                assert 0 == service.app.pool.counts.started
                opponents.process.kill()
                await opponents.ended()
        assert "match_ended" == fact_of(events[-1])
        assert service.app.pool.counts.started > 0
        moves = [event for event in events if fact_of(event) in MOVES]
        assert {events_pb2.CAUSE_OPPONENT} == {event.cause for event in moves}
        assert 1 == len({event.engine for event in moves})


async def test_a_server_that_is_not_there_is_made_up_for(one: Question) -> None:
    own = Own()
    async with asking(FREE, own) as elsewhere:
        assert "own" == (await elsewhere.choose(one)).engine
    assert [one] == own.asked


async def test_a_question_is_asked_once_more_where_the_first_try_failed(one: Question) -> None:
    tries = []

    async def answer(request: pb.ChooseActionRequest, context: Context) -> bytes:
        tries.append(request)
        if len(tries) == 1:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "not now")
        return first_action(request)

    own = Own()
    async with answering(answer) as server, asking(server.address, own) as elsewhere:
        assert "elsewhere-1" == (await elsewhere.choose(one)).engine
    assert (2, []) == (len(tries), own.asked)


@pytest.mark.parametrize(
    ("code", "tries"),
    [
        (grpc.StatusCode.UNAVAILABLE, 2),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, 2),
        (grpc.StatusCode.NOT_FOUND, 1),
        (grpc.StatusCode.UNIMPLEMENTED, 1),
    ],
)
async def test_a_refusal_is_no_answer(one: Question, code: grpc.StatusCode, tries: int) -> None:
    async def answer(_: pb.ChooseActionRequest, context: Context) -> bytes:
        await context.abort(code, "no")

    own = Own()
    async with answering(answer) as server, asking(server.address, own) as elsewhere:
        assert "own" == (await elsewhere.choose(one)).engine
        assert tries == len(server.asked)


async def test_a_level_that_the_other_server_lacks_is_no_answer(
    service: Service, one: Question
) -> None:
    own = Own()
    question = Question("test", "grandmaster", one.view, one.seed, one.message)
    async with asking(service.address, own) as elsewhere:
        assert "own" == (await elsewhere.choose(question)).engine


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param({"fallback": True}, id="fallback"),
        pytest.param({"engine": ""}, id="no engine"),
        pytest.param({"engine": "x" * 1000}, id="an endless engine"),
    ],
)
async def test_an_answer_that_is_no_engines_is_no_answer(
    one: Question, spoil: dict[str, object]
) -> None:
    async def answer(request: pb.ChooseActionRequest, _: Context) -> bytes:
        return first_action(request, **spoil)

    own = Own()
    async with answering(answer) as server, asking(server.address, own) as elsewhere:
        assert "own" == (await elsewhere.choose(one)).engine
        assert 1 == len(server.asked)


async def test_an_unlawful_action_and_bytes_that_are_none_are_no_answer(one: Question) -> None:
    passing = pb.ChooseActionResponse(engine="elsewhere-1")
    passing.action.pass_turn.SetInParent()
    for raw in (passing.SerializeToString(), b"", b"\xff"):

        async def answer(_: pb.ChooseActionRequest, __: Context, raw: bytes = raw) -> bytes:
            return raw

        own = Own()
        async with answering(answer) as server, asking(server.address, own) as elsewhere:
            assert "own" == (await elsewhere.choose(one)).engine


async def test_a_server_that_hangs_is_left_alone_for_a_while(one: Question) -> None:
    async def answer(_: pb.ChooseActionRequest, __: Context) -> bytes:
        await asyncio.sleep(60)
        raise AssertionError

    own = Own()
    async with (
        answering(answer) as server,
        asking(server.address, own, deadline_s=0.3, rest_s=30.0) as elsewhere,
    ):
        began = time.monotonic()
        assert "own" == (await elsewhere.choose(one)).engine
        took = time.monotonic() - began
        assert 0.3 <= took < 3
        began = time.monotonic()
        assert "own" == (await elsewhere.choose(one)).engine
        assert time.monotonic() - began < 0.3
        assert 1 == len(server.asked)


async def test_beside_another_server_one_worker_stands_by_and_others_come_at_need() -> None:
    async with running(opponents_address=FREE, workers=2) as service:
        assert 1 == len(service.app.pool.pids)
        matches = [
            await service.create("muggins", fills={0: "greedy", 1: "greedy"}, starts_when_full=True)
            for _ in range(6)
        ]
        streams = [events_of(service.observe(table.match_id, 0)) for table in matches]
        for events in await asyncio.gather(*streams):
            assert "match_ended" == fact_of(events[-1])
        assert 2 == len(service.app.pool.pids)
