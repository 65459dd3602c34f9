"""`muggins ladder`: each level against the next, by sequential tests that can be resumed."""

import argparse
import json
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from muggins_rules import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from muggins_ai.arena.ladder import LadderPlan, Step

__all__ = ["add_arguments", "run"]

_UNUSABLE: Final = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The levels, the tables, the tests, and where results go."""
    parser.add_argument("--minutes", type=float, default=60.0, help="time to play (default: 60)")
    parser.add_argument(
        "--levels",
        nargs="+",
        metavar="LEVEL",
        help="weakest first (default: those that people choose)",
    )
    parser.add_argument(
        "--tables",
        nargs="+",
        metavar="RULES-SEATS",
        help="such as muggins-2 (default: the eight of the page)",
    )
    parser.add_argument(
        "--margin",
        type=float,
        default=0.05,
        help="share of wins above an even one that a level should have (default: 0.05)",
    )
    parser.add_argument(
        "--error", type=float, default=0.05, help="of each test, both ways (default: 0.05)"
    )
    parser.add_argument(
        "--most-sets", type=int, default=400, help="sets after which a test stays open"
    )
    parser.add_argument(
        "--results",
        type=Path,
        default=Path("docs/strength-ladder.jsonl"),
        help="raw results; a ladder goes on where this file ends",
    )
    parser.add_argument(
        "--page", type=Path, default=Path("docs/strength.md"), help="page for table and plot"
    )
    parser.add_argument(
        "--strengths",
        type=Path,
        help="file for what ListLevels tells of each level, as muggins_service reads it",
    )
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="default: one a core"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play, write results and page; the exit status."""
    from muggins_ai.arena.ladder import FAMILIES, Ladder, LadderPlan, Table, climb, engine_digest
    from muggins_ai.arena.ladder_report import write_report
    from muggins_ai.arena.registry import agent_maker
    from muggins_ai.levels import LADDER

    plan = LadderPlan(
        tuple(arguments.levels or LADDER),
        arguments.margin,
        arguments.error,
        arguments.error,
        arguments.most_sets,
    )
    try:
        for level in plan.levels:
            agent_maker(level)
        tables = [Table(*_table(name)) for name in arguments.tables or []] or list(FAMILIES)
        ladder = Ladder(arguments.results, plan, engine_digest(), secrets.token_hex(8))
        climb(
            ladder,
            tables,
            max(1, arguments.processes),
            60 * arguments.minutes,
            lambda step: _tell(plan, step),
        )
    except ValueError as error:
        print(f"muggins: {error}", file=sys.stderr)
        return _UNUSABLE
    write_report(ladder, tables, arguments.page)
    if arguments.strengths is not None:
        found = json.dumps(_strengths(ladder.steps(tables)), indent=2)
        arguments.strengths.write_text(f"{found}\n", encoding="utf-8")
    done = [step.is_done(plan) for step in ladder.steps(tables)]
    print(f"{sum(done)} of {len(done)} tests are done; {arguments.page} and its plot are written")
    return 0


def _strengths(steps: "Iterable[Step]") -> dict[str, list[dict[str, str | int | float]]]:
    """By level what was measured against the one below it, in the fields of MeasuredStrength."""
    found: dict[str, list[dict[str, str | int | float]]] = {}
    for step in steps:
        if not step.sets:
            continue
        rate = step.result().win_rate
        found.setdefault(step.rung.upper, []).append(
            {
                "rule_set_id": step.rung.table.rules,
                "seats": step.rung.table.seats,
                "against": step.rung.lower,
                "win_rate": round(rate.value, 4),
                "win_rate_low": round(rate.low, 4),
                "win_rate_high": round(rate.high, 4),
                "pairs": len(step.sets),
            }
        )
    return found


def _table(name: str) -> tuple[str, int]:
    rules, _, seats = name.rpartition("-")
    if rules not in PRESETS or not seats.isdecimal():
        raise ValueError(f"{name!r} is no rule set and number of seats, such as muggins-2")
    if int(seats) not in PRESETS[rules].seat_counts:
        raise ValueError(f"{rules} is not played with {seats} seats")
    return rules, int(seats)


def _tell(plan: "LadderPlan", step: "Step") -> None:
    table, upper, lower = step.rung
    rate = step.result().win_rate
    print(
        f"{table.rules}-{table.seats} {upper} / {lower}: {rate.value:.1%} "
        f"({rate.low:.1%} to {rate.high:.1%}) of {len(step.sets)} sets, "
        f"{step.verdict(plan).value}",
        file=sys.stderr,
    )
