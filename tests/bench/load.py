"""The load: many callers over a few connections, one call of each in flight at most.

In a closed loop each caller calls again as soon as it is answered. In an open loop calls arrive by
a Poisson process, whether or not the server keeps up; one that finds no caller free waits, and its
latency counts from its arrival.
"""

import select
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from tests.bench.callers import Caller
from tests.bench.http2 import Connection

__all__ = ["Load", "closed_loop", "open_loop"]

SILENCE_S: Final = 30.0

Connections = Sequence[Connection[int]]
"""Calls are tagged with the number of their caller; a caller keeps to one connection."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a run saw; times in seconds, a latency for each call in the order of the answers."""

    calls: int
    failed: int
    wall_s: float
    client_cpu_s: float
    latencies_s: tuple[float, ...]

    def percentile_ms(self, percent: float) -> float:
        """The latency that a share of the calls stays within, in milliseconds."""
        ordered = sorted(self.latencies_s)
        return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] * 1e3


def closed_loop(connections: Connections, callers: Sequence[Caller], calls: int) -> Load:
    """Make a number of calls, as many at once as there are callers."""
    homes = _homes(connections, len(callers))
    latencies: list[float] = []
    failed = 0
    cpu, start = time.process_time(), time.perf_counter()
    began = [start] * len(callers)
    started = min(len(callers), calls)
    for number in range(started):
        homes[number].call(number, callers[number].request())
    _flush(connections)
    while len(latencies) < calls:
        for connection in _ready(connections, SILENCE_S):
            answers = connection.receive()
            now = time.perf_counter()
            for number, answer in answers:
                latencies.append(now - began[number])
                caller = callers[number]
                failed += not caller.take(answer)
                if started < calls:
                    started += 1
                    began[number] = now
                    connection.call(number, caller.request())
            connection.flush()
    wall = time.perf_counter() - start
    return Load(calls, failed, wall, time.process_time() - cpu, tuple(latencies))


def open_loop(
    connections: Connections, callers: Sequence[Caller], rate_per_s: float, calls: int, seed: int
) -> Load:
    """Make a number of calls that arrive at random, at a mean rate."""
    homes = _homes(connections, len(callers))
    free, waiting = deque(range(len(callers))), deque(_arrivals(rate_per_s, calls, seed))
    latencies: list[float] = []
    failed = 0
    cpu, start = time.process_time(), time.perf_counter()
    began = [start] * len(callers)
    while len(latencies) < calls:
        elapsed = time.perf_counter() - start
        while free and waiting and waiting[0] <= elapsed:
            number = free.popleft()
            began[number] = waiting.popleft()
            homes[number].call(number, callers[number].request())
        _flush(connections)
        pause = waiting[0] - elapsed if free and waiting else SILENCE_S
        for connection in _ready(connections, max(0.0, pause), silent=pause < SILENCE_S):
            answers = connection.receive()
            elapsed = time.perf_counter() - start
            for number, answer in answers:
                latencies.append(elapsed - began[number])
                failed += not callers[number].take(answer)
                free.append(number)
    wall = time.perf_counter() - start
    return Load(calls, failed, wall, time.process_time() - cpu, tuple(latencies))


def _arrivals(rate_per_s: float, calls: int, seed: int) -> list[float]:
    random, time_s, arrivals = Random(seed), 0.0, []
    for _ in range(calls):
        time_s += random.expovariate(rate_per_s)
        arrivals.append(time_s)
    return arrivals


def _homes(connections: Connections, callers: int) -> list[Connection[int]]:
    return [connections[number % len(connections)] for number in range(callers)]


def _flush(connections: Connections) -> None:
    for connection in connections:
        connection.flush()


def _ready(
    connections: Connections, wait_s: float, *, silent: bool = False
) -> list[Connection[int]]:
    """The connections that have something to read; TimeoutError for none unless it may be."""
    ready: list[Connection[int]] = select.select(connections, (), (), wait_s)[0]
    if not ready and not silent:
        raise TimeoutError("the server has not answered")
    return ready
