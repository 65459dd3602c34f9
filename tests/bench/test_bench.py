"""What the measurements stand on: the load client, the no-op, the benches. Nothing is timed."""

import itertools
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from muggins.v1 import moves_pb2, records_pb2
from muggins_rules import PRESETS, new_match
from tests.bench.bench_kernel import kernel_ratios
from tests.bench.bench_moves import MoveSizes, measure
from tests.bench.bench_opponents import opponent_figures
from tests.bench.bench_rules import play_ours
from tests.bench.bench_search import search_rates
from tests.bench.callers import MoveCaller, NoopCaller
from tests.bench.http2 import Connection, RefusedError, Request, ask
from tests.bench.load import closed_loop, open_loop
from tests.bench.prepared import PreparedMatch, method, prepare
from tests.bench.report import document, environment, verdicts
from tests.bench.server import NOOP, NOOP_ANSWER, BenchServer, serving

TINY = MoveSizes(
    matches=4, connections=2, turns=2, calls=60, rate_per_s=400, open_turns=1, open_calls=40
)


@pytest.fixture(scope="module")
def server() -> Iterator[BenchServer]:
    """A server process for all tests of the module."""
    with serving() as started:
        yield started


@pytest.fixture
def connections(server: BenchServer) -> Iterator[list[Connection[int]]]:
    """Two connections to it."""
    opened = [Connection[int](server.host, server.port) for _ in range(2)]
    yield opened
    for connection in opened:
        connection.close()


def _prepared(server: BenchServer, *names: str) -> list[PreparedMatch]:
    with server.control() as control:
        return [prepare(control, name, bytes([i]) * 32) for i, name in enumerate(names)]


def _exported(server: BenchServer, match: PreparedMatch) -> records_pb2.MatchRecord:
    asked = moves_pb2.ExportMatchRequest(match_id=match.match_id).SerializeToString()
    with server.control() as control:
        answer = ask(control, Request(method("ExportMatch"), b"", asked))
    return moves_pb2.ExportMatchResponse.FromString(answer).record


def test_the_no_op_answers_every_call_with_the_same_bytes(server: BenchServer) -> None:
    with server.control() as control:
        assert [NOOP_ANSWER] * 3 == [ask(control, NOOP) for _ in range(3)]


def test_a_call_that_is_refused_is_told_with_what_came_instead(server: BenchServer) -> None:
    request = Request(method("PlayTile"), b"", b"")
    with server.control() as control, pytest.raises(RefusedError, match="PlayTile"):
        ask(control, request)


def test_every_move_of_a_match_that_the_load_has_played_is_in_its_export_exactly_once(
    server: BenchServer, connections: list[Connection[int]]
) -> None:
    names = ("sniff", "all_fives", "sniff_us", "latin_american", "all_fives_us", "sniff")
    matches = _prepared(server, *names)
    pool = iter(matches)
    movers = [MoveCaller(pool) for _ in range(2)]
    calls = sum(len(match.steps) for match in matches[:2])
    assert 0 == closed_loop(connections, movers, calls).failed
    finished = [match for mover in movers for match in mover.finished]
    assert finished
    for match in finished:
        recorded = Counter(record.request_id for record in _exported(server, match).records)
        asked = {step.request_id: 1 for step in match.steps}
        assert asked == {name: number for name, number in recorded.items() if name in asked}


def test_calls_that_arrive_at_random_are_all_answered(connections: list[Connection[int]]) -> None:
    load = open_loop(connections, [NoopCaller() for _ in range(3)], 1_000, 50, 1)
    assert (50, 0, 50) == (load.calls, load.failed, len(load.latencies_s))


def test_only_the_answer_that_follows_and_tells_of_the_right_seat_is_taken(
    server: BenchServer,
) -> None:
    match = _prepared(server, "all_fives")[0]
    caller = MoveCaller(itertools.repeat(match))
    with server.control() as control:
        answer = ask(control, caller.request())
    right = moves_pb2.PlayTileResponse.FromString(answer)
    later, gap, other = (moves_pb2.PlayTileResponse.FromString(answer) for _ in range(3))
    later.version += 1
    gap.events[0].sequence += 1
    other.events[0].tile_played.seat = 1 - right.events[0].tile_played.seat
    for wrong in (later, gap, other, moves_pb2.PlayTileResponse(version=right.version)):
        assert not caller.take(wrong.SerializeToString())
    assert not caller.take(b"")
    assert caller.take(answer)


def test_moves_and_no_ops_are_measured_and_reported() -> None:
    moves = measure(TINY)
    assert 0 < moves["ratio_calls_per_s"]
    assert 1 == pytest.approx(sum(moves["share_of_moves"].values()), abs=0.01)
    assert "calls a second" in document({"environment": environment(), "moves": moves})


@pytest.mark.parametrize("name", PRESETS)
def test_a_round_of_every_rule_set_can_be_played_to_be_timed(name: str) -> None:
    play_ours(new_match(PRESETS[name], 2), Random(1))


def test_the_compiled_kernel_is_measured_against_the_plain_one() -> None:
    line = next(kernel_ratios(1))
    assert ("kernel", "muggins", 2) == (line["bench"], line["rules"], line["seats"])


def test_the_search_is_measured_and_reported() -> None:
    line = next(search_rates(turns=1, positions=2))
    assert ("muggins", 2) == (line["rules"], line["seats"])
    assert float(line["iterations_per_s"]) > 0
    assert "Tree search" in document({"environment": environment(), "search": [line]})


def test_the_server_with_busy_opponents_is_measured_and_reported() -> None:
    figures = opponent_figures(turns=1, calls=60)
    assert 0 < figures["choose_to_noop"]
    assert 0 < figures["health_median_ms"] <= figures["health_latest_ms"]
    text = document({"environment": environment(), "opponents": figures})
    assert "Opponents as a service" in text


def test_a_required_number_that_is_missed_is_told_with_where() -> None:
    rules = {"ratio_to_open_spiel": {"muggins": 0.7, "sniff": 0.4}}
    kernel = [{"rules": "sniff", "seats": 3, "ratio": 61.0}]
    told = verdicts({"rules": rules, "kernel": kernel})
    assert [("sniff", False), ("sniff, 3 seats", True)] == [(one.at, one.reached) for one in told]
