"""Moves over gRPC against a no-op method of the same server: `python -m tests.bench.bench_moves`.

Two-seat matches of every named rule set, nobody observing, both seats played over a few
connections; each call has a fresh request id and the version of the answer before it, and each
answer is checked for its version, its events and its seat. Moves and no-ops take turns in one run.
In a closed loop, where the server sets the pace, the ratio of calls a second is what counts; in an
open loop, where calls arrive at random, it is the extra CPU of a move, and the latencies. A ratio
is the median over the turns of the two in the same turn, so that a busy machine slows both alike.
Where the system can, the server has one core to itself and the client another.
"""

import itertools
import json
import os
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Final

from muggins_rules import PRESETS
from tests.bench.callers import Caller, MoveCaller, NoopCaller
from tests.bench.http2 import Connection
from tests.bench.load import Load, closed_loop, open_loop
from tests.bench.prepared import PreparedMatch, prepare
from tests.bench.server import BenchServer, serving

__all__ = ["MoveSizes", "measure", "prepared_for"]

STAGES: Final = 8
MOVES_A_STAGE: Final = 25


@dataclass(frozen=True, slots=True)
class MoveSizes:
    """How much is measured. `calls` and `open_calls` are those of each side in one turn."""

    matches: int = 128
    connections: int = 8
    turns: int = 5
    calls: int = 4_000
    rate_per_s: int = 500
    open_turns: int = 2
    open_calls: int = 2_000

    @property
    def stages(self) -> range:
        """How many matches play in each stage of the warm-up."""
        step = max(1, self.matches // STAGES)
        return range(step, self.matches + 1, step)

    @property
    def moves(self) -> int:
        """How many moves are made in all, the warm-up included."""
        warm_up = MOVES_A_STAGE * sum(self.stages)
        return warm_up + self.turns * self.calls + self.open_turns * self.open_calls


@dataclass(frozen=True, slots=True)
class Sample:
    """One side in one turn, or the median of them; CPU in microseconds a call."""

    calls_per_s: float
    server_us: float
    client_us: float
    p50_ms: float
    p99_ms: float


def measure(sizes: MoveSizes | None = None) -> dict[str, Any]:
    """The rates, the CPU a call and their ratios; AssertionError when any answer was wrong."""
    sizes = MoveSizes() if sizes is None else sizes
    with ExitStack() as stack:
        cores = stack.enter_context(_two_cores())
        server = stack.enter_context(serving(cores[1] if cores else None))
        matches = prepared_for(server, sizes.moves, sizes.matches)
        connections = [Connection[int](server.host, server.port) for _ in range(sizes.connections)]
        for connection in connections:
            stack.callback(connection.close)
        pool = iter(matches)
        movers = [MoveCaller(pool) for _ in range(sizes.matches)]
        sides: dict[str, Sequence[Caller]] = {
            "noop": [NoopCaller() for _ in range(sizes.matches)],
            "moves": movers,
        }
        # Matches that begin one after another end one after another.
        for live in sizes.stages:
            _checked(closed_loop(connections, movers[:live], MOVES_A_STAGE * live))
        _checked(closed_loop(connections, sides["noop"], sizes.calls // 4))
        closed = _turns(
            server,
            sides,
            sizes.turns,
            lambda callers, _: closed_loop(connections, callers, sizes.calls),
        )
        opened = _turns(
            server,
            sides,
            sizes.open_turns,
            lambda callers, turn: open_loop(
                connections, callers, sizes.rate_per_s, sizes.open_calls, turn
            ),
        )
        closed_summary = _summary(closed)
        methods = sum((mover.methods for mover in movers), Counter[bytes]())
        return {
            "sizes": asdict(sizes),
            "pinned": cores is not None,
            "matches_begun": len(matches) - sum(1 for _ in pool),
            "matches_ended": sum(len(mover.finished) for mover in movers),
            "share_of_moves": {
                path.decode().rpartition("/")[2]: round(number / methods.total(), 3)
                for path, number in sorted(methods.items())
            },
            "ratio_calls_per_s": statistics.median(closed_summary["ratios_calls_per_s"]),
            "closed_loop": closed_summary,
            "open_loop": _summary(opened),
        }


def prepared_for(server: BenchServer, moves: int, live: int) -> list[PreparedMatch]:
    """So many matches that a number always play, until a number of moves have been made."""
    matches: list[PreparedMatch] = []
    rule_set_ids = itertools.cycle(PRESETS)
    with server.control() as control:
        # Those that play at the end may have all their moves before them, the longest ones too.
        while sum(sorted(len(match.steps) for match in matches)[:-live]) < moves:
            seed = len(matches).to_bytes(32, "big")
            matches.append(prepare(control, next(rule_set_ids), seed))
    return matches


def _turns(
    server: BenchServer,
    sides: dict[str, Sequence[Caller]],
    turns: int,
    run: Callable[[Sequence[Caller], int], Load],
) -> dict[str, list[Sample]]:
    """The samples of each side; who goes first changes from turn to turn."""
    samples: dict[str, list[Sample]] = {name: [] for name in sides}
    for turn in range(turns):
        for name in sorted(sides, reverse=bool(turn % 2)):
            before = server.cpu_s()
            load = _checked(run(sides[name], turn))
            samples[name].append(_sample(load, server.cpu_s() - before))
    return samples


def _checked(load: Load) -> Load:
    assert load.failed == 0, f"{load.failed} of {load.calls} answers were wrong"
    return load


def _sample(load: Load, server_cpu_s: float) -> Sample:
    return Sample(
        load.calls / load.wall_s,
        server_cpu_s / load.calls * 1e6,
        load.client_cpu_s / load.calls * 1e6,
        load.percentile_ms(50),
        load.percentile_ms(99),
    )


def _summary(samples: dict[str, list[Sample]]) -> dict[str, Any]:
    pairs = list(zip(samples["moves"], samples["noop"], strict=True))
    return {
        **{name: _median(values) for name, values in samples.items()},
        "ratios_calls_per_s": [
            round(move.calls_per_s / noop.calls_per_s, 3) for move, noop in pairs
        ],
        "ratio_server_cpu": round(
            statistics.median(move.server_us / noop.server_us for move, noop in pairs), 3
        ),
        "extra_server_us": round(
            statistics.median(move.server_us - noop.server_us for move, noop in pairs), 1
        ),
    }


def _median(samples: list[Sample]) -> dict[str, float]:
    rows = [asdict(sample) for sample in samples]
    return {name: round(statistics.median(row[name] for row in rows), 2) for name in rows[0]}


@contextmanager
def _two_cores() -> Iterator[tuple[int, int] | None]:
    """A core for this process, which it keeps to, and another for the server; none without two."""
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        yield None
        return
    os.sched_setaffinity(0, {cores[0]})
    try:
        yield cores[0], cores[-1]
    finally:
        os.sched_setaffinity(0, cores)


def main() -> None:
    """Print the report."""
    print(json.dumps(measure(), indent=2))


if __name__ == "__main__":
    main()
