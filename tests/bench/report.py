"""The report of a run: tables for the terminal and for docs/performance.md."""

import os
import platform
import textwrap
import time
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple

from tests.bench.bench_kernel import LEAST_RATIO
from tests.bench.bench_search import LEAST_ITERATIONS

__all__ = ["Verdict", "document", "environment", "tables", "verdicts"]

Results = dict[str, Any]
"""What each bench that was run has measured, by the name of the bench."""

LEAST_OF_RULES: Final = 0.5
AIM_OF_RULES: Final = 1.0
LEAST_OF_KERNEL: Final = LEAST_RATIO

LINE: Final = 100

_PACKAGES: Final = ("grpcio", "protobuf", "uvloop", "numba", "llvmlite", "open-spiel", "muggins")


class Verdict(NamedTuple):
    """A required number: what was measured at least, and what was asked."""

    name: str
    lowest: float
    at: str
    least: float

    @property
    def reached(self) -> bool:
        """Whether it was reached."""
        return self.lowest >= self.least


def environment() -> Results:
    """The versions and the class of machine, nothing that tells which machine it was."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "versions": {"Python": platform.python_version(), **_versions()},
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "load_at_start": None if load is None else round(load, 1),
    }


def verdicts(results: Results) -> list[Verdict]:
    """The required numbers among the results."""
    found = []
    if "rules" in results:
        ratios: dict[str, float] = results["rules"]["ratio_to_open_spiel"]
        at = min(ratios, key=ratios.__getitem__)
        found.append(Verdict("rules", ratios[at], at, LEAST_OF_RULES))
    if "kernel" in results:
        line = min(results["kernel"], key=lambda line: float(line["ratio"]))
        at = f"{line['rules']}, {line['seats']} seats"
        found.append(Verdict("kernel", line["ratio"], at, LEAST_OF_KERNEL))
    if "search" in results:
        line = results["search"][0]
        rate, least = line["iterations_per_s"] / 1e6, LEAST_ITERATIONS / 1e6
        at = f"{line['rules']}, {line['seats']} seats"
        found.append(Verdict("search, million iterations a second", rate, at, least))
    return found


def tables(results: Results) -> str:
    """The results of the benches that were run, as Markdown."""
    return "\n\n".join(part(results[name]) for name, part in _PARTS.items() if name in results)


def document(results: Results) -> str:
    """docs/performance.md: how it was run, the required numbers, and the tables."""
    env = results["environment"]
    versions = ", ".join(f"{name} {number}" for name, number in env["versions"].items())
    load = env["load_at_start"]
    busy = "" if load is None else f"Load average at the start: {load}."
    rows = [
        (item.name, f"{item.least:g}", f"{item.lowest:g} ({item.at})", _yes(item.reached))
        for item in verdicts(results)
    ]
    parts = (
        "# Performance",
        _prose(f"""Written by `make bench` on {env["date"]}; do not edit. {versions}. Machine:
            {env["machine"]}. {busy}"""),
        _prose("""**Only ratios count.** The machines on which this is run are shared and differ, so
            rates and times say little by themselves. Both sides of a ratio take turns in one run,
            which a busy machine slows alike, and the ratio is the median over the turns."""),
        _prose("""To run it again: `make bench`, with nothing else running; a few minutes. One part
            alone, without writing this file: `.venv/bin/python -m tests.bench --only rules` (or
            `kernel`, `search`, `opponents`, `moves`); `--json FILE` keeps all that was
            measured."""),
        "## Required",
        _table(("ratio", "at least", "lowest", "reached"), rows),
        tables(results),
    )
    return "\n\n".join(parts) + "\n"


def _rules(results: Results) -> str:
    ratios: dict[str, float] = results["ratio_to_open_spiel"]
    rates = results["rounds_per_second"]
    other = next(name for name in rates if name not in ratios)
    rows = [(name, f"{rates[name]:.0f}", f"{ratio:.2f}") for name, ratio in ratios.items()]
    about = _prose(f"""Whole rounds of two seats with uniformly random legal actions through
        `deal_round`, `legal_actions`, `decide` and `evolve`, against random games of OpenSpiel's
        `{other}` ({rates[other]:.0f} a second), which has no boneyard, no branches and no counts.
        The aim is {AIM_OF_RULES:.1f}.""")
    table = _table(("rule set", "rounds a second", "ratio"), rows)
    return f"## Random rounds through the rules\n\n{about}\n\n{table}"


def _kernel(lines: list[Results]) -> str:
    rows = [
        (
            f"{line['rules']}",
            f"{line['seats']}",
            f"{line['compiled_placements_per_s'] / 1e6:.2f}",
            f"{line['plain_placements_per_s'] / 1e6:.3f}",
            f"{line['ratio']:.0f}",
        )
        for line in lines
    ]
    about = _prose("""Placements in playouts of whole rounds over the kernel, compiled by numba,
        against the same loop in plain Python; CPU time of one core.""")
    heads = ("rule set", "seats", "compiled, million/s", "plain, million/s", "ratio")
    return f"## Greedy playouts, compiled against plain\n\n{about}\n\n{_table(heads, rows)}"


def _search(lines: list[Results]) -> str:
    rows = [
        (
            line["rules"],
            f"{line['seats']}",
            f"{line['iterations_per_s'] / 1e6:.2f}",
            f"{line['greedy_placements_per_iteration']:.0f}",
        )
        for line in lines
    ]
    about = _prose("""Decisions of 1,500 iterations with 160 worlds at random positions, belief
        included; CPU time of one core. An iteration draws a world, walks down the tree, adds a
        node and values it by the network. Beside it, how many compiled greedy placements take the
        time of one iteration. The aim is 2 million.""")
    heads = ("rule set", "seats", "iterations, million/s", "placements an iteration")
    return f"## Tree search\n\n{about}\n\n{_table(heads, rows)}"


def _opponents(results: Results) -> str:
    rows = [
        (
            "ChooseAction of `greedy` against the no-op, calls a second",
            results["choose_to_noop"],
            ">= 0.5",
        ),
        (
            "the no-op, all workers busy against idle, calls a second",
            results["busy_to_idle"],
            ">= 0.95",
        ),
        ("Health/Check with all workers busy, median ms", results["health_median_ms"], ""),
        ("the latest of those, ms", results["health_latest_ms"], "<= 100"),
        ("first move of `strongest` after SERVING, s", results["first_move_s"], "<= 1"),
    ]
    about = _prose("""The server while its two workers analyse without end, and a decision asked of
        it by another game: the view is decoded, checked by playing its events again, and decided.
        Workers run at nice 19; ratios are medians over turns.""")
    told = [(what, f"{value:.2f}", wanted) for what, value, wanted in rows]
    return f"## Opponents as a service\n\n{about}\n\n{_table(('what', 'measured', 'asked'), told)}"


def _moves(results: Results) -> str:
    sizes, closed, opened = results["sizes"], results["closed_loop"], results["open_loop"]
    ratios = ", ".join(f"{ratio:.2f}" for ratio in closed["ratios_calls_per_s"])
    shares = ", ".join(f"{name} {share:.1%}" for name, share in results["share_of_moves"].items())
    cores = "One core each for server and client" if results["pinned"] else "Cores were not fixed"
    parts = (
        "## Moves over gRPC against a no-op",
        _prose(f"""Two-seat matches of all named rule sets, both seats played by one client over
            {sizes["connections"]} connections, nobody observing; the no-op is a unary method of the
            same server, 24 bytes in and 285 out. {cores}. Calls: {shares}. Every call has a fresh
            request id and the right version, and every answer's version, events and seat are
            checked; a wrong one fails the run."""),
        _prose(f"""Closed loop, {sizes["matches"]} matches at once:
            **{results["ratio_calls_per_s"]:.2f}** of the no-op's calls a second (turns: {ratios}),
            {closed["ratio_server_cpu"]:.2f} times its server CPU a call."""),
        _table(_SIDES, _sides(closed)),
        _prose(f"""Open loop, calls arriving at random at {sizes["rate_per_s"]} a second: a move
            takes {opened["extra_server_us"]:.0f} us more of the server's CPU than the no-op. The
            client's CPU is the higher here because it wakes for each call."""),
        _table(_SIDES, _sides(opened)),
    )
    return "\n\n".join(parts)


_SIDES: Final = ("", "calls/s", "server CPU, us", "client CPU, us", "p50, ms", "p99, ms")

_PARTS: Final[dict[str, Callable[[Any], str]]] = {
    "rules": _rules,
    "kernel": _kernel,
    "search": _search,
    "opponents": _opponents,
    "moves": _moves,
}


def _sides(loop: Results) -> list[tuple[str, ...]]:
    return [
        (
            label,
            f"{loop[side]['calls_per_s']:.0f}",
            f"{loop[side]['server_us']:.0f}",
            f"{loop[side]['client_us']:.0f}",
            f"{loop[side]['p50_ms']:.1f}",
            f"{loop[side]['p99_ms']:.1f}",
        )
        for label, side in (("no-op", "noop"), ("moves", "moves"))
    ]


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = tuple(heads)
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _prose(text: str) -> str:
    words = " ".join(text.split())
    return textwrap.fill(words, LINE, break_long_words=False, break_on_hyphens=False)


def _yes(reached: bool) -> str:  # noqa: FBT001 - a word for a bool
    return "yes" if reached else "**no**"


def _versions() -> dict[str, str]:
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
