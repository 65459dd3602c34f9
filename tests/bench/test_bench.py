"""What the measurements stand on: the load client, the no-op, the benches. Nothing is timed."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from muggins.v1 import moves_pb2, records_pb2
from tests.bench.bench_moves import MoveSizes, measure, prepared_for
from tests.bench.callers import MoveCaller, NoopCaller
from tests.bench.http2 import Connection, Refused, Request, ask
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
    with server.control() as control, pytest.raises(Refused, match="PlayTile"):
        ask(control, request)


def test_every_move_of_the_load_is_in_the_export_exactly_once(
    server: BenchServer, connections: list[Connection[int]]
) -> None:
    matches = prepared_for(server, 200, 4)
    pool = iter(matches)
    movers = [MoveCaller(pool) for _ in range(4)]
    # Until the first four have ended: as many moves as there are, less those that end last.
    while not all(match in _finished(movers) for match in matches[:4]) and len(
        _finished(movers)
    ) < len(matches) - 4:
        assert 0 == closed_loop(connections, movers, 40).failed
    assert _finished(movers)
    for match in _finished(movers):
        record = _exported(server, match)
        recorded = Counter(record.request_id for record in record.records)
        assert {step.request_id: 1 for step in match.steps} == {
            step.request_id: recorded[step.request_id] for step in match.steps
        }


def _finished(movers: list[MoveCaller]) -> list[PreparedMatch]:
    return [match for mover in movers for match in mover.finished]


def test_calls_that_arrive_at_random_are_all_answered(
    server: BenchServer, connections: list[Connection[int]]
) -> None:
    load = open_loop(connections, [NoopCaller() for _ in range(3)], 1_000, 50, 1)
    assert (50, 0, 50) == (load.calls, load.failed, len(load.latencies_s))
    del server


def test_an_answer_to_another_seat_or_version_or_none_at_all_counts_as_failed(
    server: BenchServer,
) -> None:
    with server.control() as control:
        for wrong in (b"", NOOP_ANSWER[:2], "stale", "seat"):
            ...
