"""OpponentService through the contract: levels, decisions, analysis and reviews for any game."""

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest
import pytest_asyncio

from muggins.v1 import (
    analysis_pb2,
    moves_pb2,
    opponent_service_pb2,
    records_pb2,
    views_pb2,
)
from muggins_ai.levels import LADDER, LEVELS, opponent_of
from muggins_rules.presets import PRESETS
from muggins_rules.viewing import seat_view
from muggins_service.opponents.analysing import FIXED_SEED
from muggins_service.wire.actions import decode_action
from muggins_service.wire.view_decoding import decode_seat_view
from tests.ai.tables import TABLES, Table
from tests.service.advice import message_of, state_of, stub
from tests.service.server import (
    CALL_S,
    Service,
    events_of,
    fact_of,
    refusal,
    refusal_of_stream,
    running,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service() -> AsyncIterator[Service]:
    """One server for the module, with every opponent ready."""
    async with running(warm=True) as started:
        yield started


async def test_levels_are_told_weakest_first_in_the_language_asked_for(service: Service) -> None:
    ask = opponent_service_pb2.ListLevelsRequest()
    english = (await stub(service).ListLevels(ask, timeout=CALL_S)).levels
    french = (
        await stub(service).ListLevels(
            ask, timeout=CALL_S, metadata=(("accept-language", "fr-CA"),)
        )
    ).levels
    names = [level.level for level in english]
    assert set(LEVELS) == set(names)
    assert list(LADDER) == [name for name in names if name in LADDER]
    assert all(
        one.description != other.description for one, other in zip(english, french, strict=True)
    )
    strongest = next(level for level in english if level.level == "strongest")
    assert strongest.budget.iterations == LEVELS["strongest"].budget.iterations  # type: ignore[union-attr]
    assert not next(level for level in english if level.level == "casual").HasField("budget")


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("level", ["random", "casual", "regular", "strongest"])
async def test_a_choice_is_that_of_the_level_for_the_view_and_seed(
    service: Service, table: Table, level: str
) -> None:
    view = message_of(table)
    ask = opponent_service_pb2.ChooseActionRequest(view=view, level=level, seed=b"abc")
    answer = await stub(service).ChooseAction(ask, timeout=CALL_S)
    again = await stub(service).ChooseAction(ask, timeout=CALL_S)
    assert answer == again
    assert not answer.fallback
    assert answer.engine == opponent_of(level).engine
    expected = opponent_of(level).choose(seat_view(state_of(table), view.seat), b"abc").action
    assert expected == decode_action(answer.action)


async def test_a_budget_lets_the_strongest_think_so_much(service: Service) -> None:
    view = message_of(TABLES[0])
    budget = analysis_pb2.Budget(iterations=777, samples=50)
    ask = opponent_service_pb2.ChooseActionRequest(view=view, budget=budget)
    answer = await stub(service).ChooseAction(ask, timeout=CALL_S)
    assert 777 == answer.used.iterations
    assert answer.used.samples <= 50
    fixed = opponent_service_pb2.ChooseActionRequest(view=view, budget=budget, seed=FIXED_SEED)
    assert answer == await stub(service).ChooseAction(fixed, timeout=CALL_S)


async def test_bad_requests_are_refused_by_name(service: Service) -> None:
    view = message_of(TABLES[0])
    request = opponent_service_pb2.ChooseActionRequest

    async def reason(asked: opponent_service_pb2.ChooseActionRequest) -> tuple[str, str]:
        refused = await refusal(stub(service).ChooseAction(asked, timeout=CALL_S))
        return refused.reason, refused.metadata.get("field", "")

    nothing = analysis_pb2.Budget()
    huge = analysis_pb2.Budget(iterations=4_000_000_000)
    assert ("LEVEL_UNKNOWN", "") == await reason(request(view=view, level="grandmaster"))
    assert ("MALFORMED_FIELD", "budget") == await reason(request(view=view, budget=nothing))
    assert ("MALFORMED_FIELD", "budget") == await reason(request(view=view, budget=huge))
    assert ("MALFORMED_FIELD", "strength") == await reason(request(view=view))
    assert ("MALFORMED_FIELD", "view") == await reason(request(level="greedy"))
    assert ("MALFORMED_FIELD", "seed") == await reason(
        request(view=view, level="greedy", seed=bytes(65))
    )
    forged = views_pb2.SeatView.FromString(view.SerializeToString())
    forged.table.scores.extend([1000, 5])
    expected = ("VIEW_INCONSISTENT", "view.table.scores")
    assert expected == await reason(request(view=forged, level="greedy"))
    forged = views_pb2.SeatView.FromString(view.SerializeToString())
    del forged.round_events[-2]
    expected = ("VIEW_INCONSISTENT", "view.round_events")
    assert expected == await reason(request(view=forged, level="greedy"))


async def test_a_seat_with_nothing_to_decide_is_told_so(service: Service) -> None:
    view = message_of(TABLES[0])
    seen = decode_seat_view(view).view
    other = views_pb2.SeatView.FromString(view.SerializeToString())
    other.seat = 1 - seen.seat
    refused = await refusal(
        stub(service).ChooseAction(
            opponent_service_pb2.ChooseActionRequest(view=other, level="greedy"), timeout=CALL_S
        )
    )
    # The events are those of the first seat: its own draws and hand give the other one away.
    assert refused.reason in {"NOT_YOUR_TURN", "VIEW_INCONSISTENT"}


async def test_an_analysis_improves_until_the_budget_is_used(service: Service) -> None:
    view = message_of(Table(PRESETS["all_fives"], 2), skip=3)
    ask = opponent_service_pb2.AnalyzePositionRequest(
        view=view, budget=analysis_pb2.Budget(samples=2048)
    )
    answers = [a async for a in stub(service).AnalyzePosition(ask, timeout=CALL_S)]
    again = [a async for a in stub(service).AnalyzePosition(ask, timeout=CALL_S)]
    assert answers == again
    assert [False] * (len(answers) - 1) + [True] == [answer.last for answer in answers]
    samples = [answer.analysis.actions[0].samples for answer in answers]
    assert [256, 512, 1024, 2048] == samples
    errors = [answer.analysis.actions[0].points_standard_error for answer in answers]
    assert errors[-1] < errors[0]
    last = answers[-1].analysis
    assert not last.truncated
    assert 2048 == last.used.samples
    assert last.engine
    losses = [action.loss for action in last.actions]
    assert sorted(losses) == losses
    assert 0 == losses[0]
    assert [*range(1, len(losses) + 1)] == [action.rank for action in last.actions]
    for odds in last.belief:
        assert 1 == pytest.approx(sum(odds.seat_probabilities) + odds.boneyard_probability)


async def test_an_analysis_ends_when_it_is_precise_enough(service: Service) -> None:
    view = message_of(Table(PRESETS["all_fives"], 2), skip=3)
    ask = opponent_service_pb2.AnalyzePositionRequest(view=view, enough_standard_error=1.0)
    answers = [a async for a in stub(service).AnalyzePosition(ask, timeout=CALL_S)]
    assert answers[-1].last
    assert answers[-1].analysis.actions[0].points_standard_error <= 1.0
    assert not answers[-1].analysis.truncated


async def test_an_analysis_that_the_deadline_ends_says_so(service: Service) -> None:
    view = message_of(Table(PRESETS["all_fives"], 2), skip=3)
    ask = opponent_service_pb2.AnalyzePositionRequest(view=view)
    answers = [a async for a in stub(service).AnalyzePosition(ask, timeout=1.5)]
    assert answers[-1].last
    assert answers[-1].analysis.truncated


async def test_a_caller_that_goes_leaves_no_work_behind(service: Service) -> None:
    pool = service.app.pool
    view = message_of(Table(PRESETS["all_fives"], 4), skip=3)
    ask = opponent_service_pb2.AnalyzePositionRequest(view=view)
    call = stub(service).AnalyzePosition(ask, timeout=CALL_S)
    assert await call.read() is not grpc.aio.EOF
    call.cancel()
    async with asyncio.timeout(5):
        while pool.busy or pool.waiting:  # noqa: ASYNC110 - the pool is watched from outside
            await asyncio.sleep(0.02)


async def test_a_deadline_of_a_millisecond_harms_nobody(service: Service) -> None:
    ask = opponent_service_pb2.ChooseActionRequest(view=message_of(TABLES[0]), level="strongest")
    calls = [stub(service).ChooseAction(ask, timeout=0.001) for _ in range(20)]
    for answer in await asyncio.gather(*calls, return_exceptions=True):
        if isinstance(answer, BaseException):
            assert isinstance(answer, grpc.aio.AioRpcError)
            assert grpc.StatusCode.DEADLINE_EXCEEDED == answer.code()
        else:
            assert answer.fallback
    assert not (await stub(service).ChooseAction(ask, timeout=CALL_S)).fallback


async def exported(service: Service) -> records_pb2.MatchRecord:
    """The record of a match among opponents."""
    table = await service.create(
        "latin_american", 2, fills={0: "greedy", 1: "random"}, starts_when_full=True
    )
    async with asyncio.timeout(30):
        events = await events_of(service.observe(table.match_id, 0))
    assert "match_ended" == fact_of(events[-1])
    asked = moves_pb2.ExportMatchRequest(match_id=table.match_id)
    return (await service.call.ExportMatch(asked, timeout=CALL_S)).record


async def test_a_review_tells_worst_decisions_first_and_its_sums_add_up(service: Service) -> None:
    record = await exported(service)
    ask = opponent_service_pb2.AnalyzeMatchRequest(
        record=record, budget=analysis_pb2.Budget(samples=32)
    )
    parts = [part async for part in stub(service).AnalyzeMatch(ask, timeout=60)]
    kinds = [part.WhichOneof("part") for part in parts]
    order = ["progress", "decision", "luck", "totals"]
    assert sorted(kinds, key=order.index) == kinds
    progress = [part.progress for part in parts if part.HasField("progress")]
    assert progress[-1].done == progress[-1].total
    decisions = [part.decision for part in parts if part.HasField("decision")]
    losses = [decision.loss for decision in decisions]
    assert sorted(losses, reverse=True) == losses
    totals = parts[-1].totals
    ended = next(
        event.match_ended
        for part in reversed(record.records)
        for event in part.events
        if event.HasField("match_ended")
    )
    for line in totals.seats:
        assert line.luck + line.skill == pytest.approx(line.result)
        other = ended.scores[1 - line.seat]
        assert line.result == pytest.approx(ended.scores[line.seat] - other)
        assert line.loss == pytest.approx(sum(d.loss for d in decisions if d.seat == line.seat))
    # The one that plays at random gives more away.
    assert totals.seats[1].loss > totals.seats[0].loss
    assert not totals.truncated


async def test_a_review_can_be_kept_to_the_worst_of_a_seat(service: Service) -> None:
    record = await exported(service)
    ask = opponent_service_pb2.AnalyzeMatchRequest(
        record=record,
        budget=analysis_pb2.Budget(samples=8),
        seats=[1],
        max_decisions=3,
        min_loss=0.5,
    )
    parts = [part async for part in stub(service).AnalyzeMatch(ask, timeout=60)]
    decisions = [part.decision for part in parts if part.HasField("decision")]
    assert len(decisions) <= 3
    assert all(decision.seat == 1 and decision.loss >= 0.5 for decision in decisions)


async def test_what_is_no_finished_match_is_not_reviewed(service: Service) -> None:
    record = await exported(service)

    async def reason(changed: records_pb2.MatchRecord) -> str:
        asked = opponent_service_pb2.AnalyzeMatchRequest(record=changed)
        return (await refusal_of_stream(stub(service).AnalyzeMatch(asked, timeout=60))).reason

    unfinished = records_pb2.MatchRecord.FromString(record.SerializeToString())
    del unfinished.records[-1]
    assert "MATCH_NOT_FINISHED" == await reason(unfinished)
    changed = records_pb2.MatchRecord.FromString(record.SerializeToString())
    for part in changed.records:
        for event in part.events:
            if event.HasField("tile_played"):
                event.tile_played.scores[0] += 5
    assert "EVENTS_INCONSISTENT" == await reason(changed)
    assert "MALFORMED_FIELD" == await reason(records_pb2.MatchRecord())
