"""All measurements with their report: `python -m tests.bench`, which `make bench` runs.

Prints the tables and, when everything was measured, writes docs/performance.md. The exit status is
1 when a required number was not reached. A few minutes on a machine that does nothing else.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.bench import bench_kernel, bench_moves, bench_opponents, bench_rules, bench_search
from tests.bench.report import document, environment, tables, verdicts

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "performance.md"

RULES_ROUNDS: Final = 40
RULES_TURNS: Final = 9

# Moves come first: their client is best measured in a process that holds little else.
BENCHES: Final[dict[str, Callable[[], Any]]] = {
    "moves": bench_moves.measure,
    "rules": lambda: bench_rules.measure(RULES_ROUNDS, RULES_TURNS),
    "kernel": lambda: list(bench_kernel.kernel_ratios()),
    "search": lambda: list(bench_search.search_rates()),
    "opponents": bench_opponents.opponent_figures,
}


def main() -> int:
    """Measure, report; the exit status."""
    parser = argparse.ArgumentParser(prog="tests.bench", description="Measure, as ratios.")
    parser.add_argument(
        "--only", action="append", choices=BENCHES, help="measure this; may be given repeatedly"
    )
    parser.add_argument("--json", type=Path, help="where all that was measured is written")
    arguments = parser.parse_args()
    names = [name for name in BENCHES if not arguments.only or name in arguments.only]
    results: dict[str, Any] = {"environment": environment()}
    for name in names:
        print(f"measuring {name}", file=sys.stderr, flush=True)
        results[name] = BENCHES[name]()
    print(tables(results))
    missed = [item for item in verdicts(results) if not item.reached]
    for item in missed:
        print(f"{item.name}: {item.lowest:g} at {item.at}, required {item.least:g}")
    if arguments.json is not None:
        text = json.dumps(results, indent=2)
        arguments.json.write_text(text + "\n", encoding="utf-8")
    if len(names) == len(BENCHES):
        DOCUMENT.write_text(document(results), encoding="utf-8")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
