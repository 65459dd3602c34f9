"""The server while its opponents think: `python -m tests.bench.bench_opponents`.

One object of JSON. Ratios are medians over turns in which both sides take turns.

    choose_to_noop        ChooseAction of the cheapest level against the no-op, calls a second
    busy_to_idle          the no-op with all workers busy against none busy, calls a second
    health_median_ms      Health/Check with all workers busy
    health_latest_ms      the latest of those calls
    first_move_s          from SERVING to the first move of a match of the strongest level
"""

import asyncio
import json
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2

from muggins.v1 import opponent_service_pb2, opponent_service_pb2_grpc, streams_pb2
from tests.ai.tables import TABLES
from tests.bench.callers import Caller, NoopCaller
from tests.bench.http2 import Connection, Request, ask
from tests.bench.load import closed_loop
from tests.bench.server import BenchServer, serving
from tests.service.advice import message_of
from tests.service.server import SETTINGS, running

__all__ = ["main", "opponent_figures"]

_TURNS: Final = 7
_CALLS: Final = 1500
_CALLERS: Final = 32
_CHECKS: Final = 300
_HEALTH: Final = Request(
    b"/grpc.health.v1.Health/Check", b"", health_pb2.HealthCheckRequest().SerializeToString()
)


class _ChooseCaller:
    """Asks the cheapest level for the action of one view."""

    def __init__(self) -> None:
        asked = opponent_service_pb2.ChooseActionRequest(
            view=message_of(TABLES[0], skip=3), level="greedy"
        )
        path = b"/muggins.v1.OpponentService/ChooseAction"
        self._request = Request(path, b"", asked.SerializeToString())

    def request(self) -> Request:
        """The same call each time."""
        return self._request

    def take(self, answer: bytes) -> bool:
        """An action of that level, not a fallback."""
        found = opponent_service_pb2.ChooseActionResponse.FromString(answer)
        return found.engine.startswith("greedy") and not found.fallback


def opponent_figures(turns: int = _TURNS, calls: int = _CALLS) -> dict[str, float]:
    """All figures."""
    with serving() as server:
        choose = _choose(server, turns, calls)
        busy, waits = _while_busy(server, turns, calls)
    return {
        "choose_to_noop": choose,
        "busy_to_idle": busy,
        "health_median_ms": statistics.median(waits),
        "health_latest_ms": max(waits),
        "first_move_s": asyncio.run(_first_move()),
    }


def _rate(server: BenchServer, callers: Sequence[Caller], calls: int) -> float:
    connections = [Connection[int](server.host, server.port) for _ in range(2)]
    try:
        load = closed_loop(connections, callers, calls)
    finally:
        for connection in connections:
            connection.close()
    assert not load.failed, "every answer is what it has to be"
    return calls / load.wall_s


def _choose(server: BenchServer, turns: int, calls: int) -> float:
    ratios = []
    for _ in range(turns):
        chosen = _rate(server, [_ChooseCaller() for _ in range(_CALLERS)], calls // 3)
        noop = _rate(server, [NoopCaller() for _ in range(_CALLERS)], calls)
        ratios.append(chosen / noop)
    return statistics.median(ratios)


def _while_busy(server: BenchServer, turns: int, calls: int) -> tuple[float, list[float]]:
    ratios, waits = [], []
    for _ in range(turns):
        idle = _rate(server, [NoopCaller() for _ in range(_CALLERS)], calls)
        with _busy(server):
            ratios.append(_rate(server, [NoopCaller() for _ in range(_CALLERS)], calls) / idle)
            with server.control() as control:
                for _ in range(_CHECKS // turns):
                    began = time.perf_counter()
                    ask(control, _HEALTH)
                    waits.append((time.perf_counter() - began) * 1e3)
    return statistics.median(ratios), waits


@contextmanager
def _busy(server: BenchServer) -> Iterator[None]:
    """More analyses than there are workers, for as long as the context lasts."""
    asked = opponent_service_pb2.AnalyzePositionRequest(view=message_of(TABLES[0], skip=3))
    with grpc.insecure_channel(f"{server.host}:{server.port}") as channel:
        stub: Any = opponent_service_pb2_grpc.OpponentServiceStub(channel)
        streams = [stub.AnalyzePosition(asked) for _ in range(4)]
        begun = threading.Barrier(len(streams) + 1)

        def read(stream: Any) -> None:  # noqa: ANN401 - a stream of answers
            try:
                for number, _ in enumerate(stream):
                    if number == 0:
                        begun.wait(60)
            except grpc.RpcError:
                pass  # cancelled below

        readers = [threading.Thread(target=read, args=(stream,)) for stream in streams]
        for reader in readers:
            reader.start()
        begun.wait(60)
        try:
            yield
        finally:
            for stream in streams:
                stream.cancel()
            for reader in readers:
                reader.join()


async def _first_move() -> float:
    """Seconds from SERVING to the first move of the strongest level."""
    async with running(replace(SETTINGS, warm=True)) as service:
        began = time.monotonic()
        table = await service.create(
            "muggins", 2, fills={0: "strongest", 1: "strongest"}, starts_when_full=True
        )
        asked = streams_pb2.ObserveMatchRequest(match_id=table.match_id, from_sequence=0)
        async for answer in service.call.ObserveMatch(asked, timeout=60):
            if any(event.HasField("tile_played") for event in answer.events.events):
                return time.monotonic() - began
    raise AssertionError("the match is played")


def main() -> None:
    """Print the figures."""
    print(json.dumps({name: round(value, 3) for name, value in opponent_figures().items()}))


if __name__ == "__main__":
    main()
