"""`python -m muggins_ai.arena`: a study of two levels from the command line."""

import argparse
import json
import sys
from collections.abc import Sequence

from muggins_ai.arena.mirror import MirrorStudy, StudyResult, run_study
from muggins_ai.arena.playouts import POLICIES
from muggins_rules.presets import PRESETS

__all__ = ["main", "result_fields"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a study, print what it found, and give the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    rule_set = PRESETS[options.rules]
    if options.seats not in rule_set.seat_counts:
        parser.error(f"{options.rules} is played with {rule_set.seat_counts} seats")
    if options.pairs < 1:
        parser.error("--pairs must be at least 1")
    study = MirrorStudy(options.a, options.b, rule_set, options.seats, options.pairs, options.seed)
    result = run_study(study)
    text = json.dumps(result_fields(result)) if options.json else _sentence(study, result)
    sys.stdout.write(f"{text}\n")
    return 0


def result_fields(result: StudyResult) -> dict[str, float | int]:
    """A result as flat fields."""
    return {
        "win_rate": result.win_rate.value,
        "win_rate_low": result.win_rate.low,
        "win_rate_high": result.win_rate.high,
        "points_per_round": result.points_per_round.value,
        "points_per_round_low": result.points_per_round.low,
        "points_per_round_high": result.points_per_round.high,
        "pairs": result.pairs,
        "cpu_ms_per_decision_a": result.cpu_ms_per_decision_a,
        "cpu_ms_per_decision_b": result.cpu_ms_per_decision_b,
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m muggins_ai.arena",
        description="Play whole mirrored matches between two levels and measure the difference.",
    )
    parser.add_argument("a", choices=POLICIES, help="the level that is measured")
    parser.add_argument("b", choices=POLICIES, help="the level on all other sides")
    parser.add_argument("--rules", choices=PRESETS, default="muggins", help="rule set")
    parser.add_argument("--seats", type=int, default=2, help="number of seats")
    parser.add_argument("--pairs", type=int, default=2000, help="sets of mirrored matches")
    parser.add_argument("--seed", required=True, help="any text; decks and lots follow from it")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a sentence")
    return parser


def _sentence(study: MirrorStudy, result: StudyResult) -> str:
    win, points = result.win_rate, result.points_per_round
    cut = f", {result.cut} matches cut" if result.cut else ""
    return (
        f"{study.a} against {study.b}, {study.rule_set.id} with {study.seats} seats: "
        f"wins {win.value:.1%} ({win.low:.1%} to {win.high:.1%}), "
        f"{points.value:+.2f} points a round ({points.low:+.2f} to {points.high:+.2f}); "
        f"{result.pairs} mirrored sets, {result.rounds} rounds{cut}; "
        f"{result.cpu_ms_per_decision_a:.4f} and {result.cpu_ms_per_decision_b:.4f} ms of CPU "
        f"a decision"
    )


if __name__ == "__main__":
    sys.exit(main())
