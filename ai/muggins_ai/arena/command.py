"""The command that plays two agents against each other and tells what came out."""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from typing import Final, TextIO

from muggins_ai.arena.study import MirrorStudy, StudyResult
from muggins_rules.presets import PRESETS

__all__ = ["Bar", "add_arguments", "main", "result_fields", "run"]

_UNUSABLE: Final = 2
_PACE_DECKS: Final = 400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The two agents, the table, and how much is played."""
    parser.add_argument(
        "a", help="the agent that is measured: a level, policy, search or oracle, with settings"
    )
    parser.add_argument("b", help="the agent on all other sides")
    parser.add_argument("--rules", choices=PRESETS, default="muggins", help="rule set")
    parser.add_argument("--seats", type=int, default=2, help="number of seats (default: 2)")
    parser.add_argument(
        "--pairs", type=int, default=2000, help="sets of mirrored matches (default: 2000)"
    )
    parser.add_argument("--seed", required=True, help="any text; decks and lots follow from it")
    parser.add_argument(
        "--rounds", action="store_true", help="single rounds from scores of 0, not whole matches"
    )
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")
    parser.add_argument(
        "--processes",
        type=int,
        default=os.cpu_count() or 1,
        help="processes that play (default: one a core); the result is the same with any number",
    )


def run(options: argparse.Namespace) -> int:
    """Play a study, print what it found, and give the exit status."""
    rule_set = PRESETS[options.rules]
    study = MirrorStudy(
        options.a,
        options.b,
        rule_set,
        options.seats,
        options.pairs,
        options.seed,
        single_rounds=options.rounds,
    )
    try:
        result = _played(study, max(1, options.processes))
    except ValueError as error:
        sys.stderr.write(f"muggins: {error}\n")
        return _UNUSABLE
    if options.json:
        sys.stdout.write(f"{json.dumps(result_fields(result, _plies_per_ms(study)))}\n")
    else:
        sys.stdout.write(f"{_sentence(study, result)}\n")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and play; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m muggins_ai.arena", description=__doc__)
    add_arguments(parser)
    return run(parser.parse_args(arguments))


def result_fields(result: StudyResult, plies_per_ms: float) -> dict[str, float | int]:
    """A result as flat fields; CPU also in thousands of compiled kernel plies."""
    return {
        "win_rate": result.win_rate.value,
        "win_rate_low": result.win_rate.low,
        "win_rate_high": result.win_rate.high,
        "points_per_round": result.points_per_round.value,
        "points_per_round_low": result.points_per_round.low,
        "points_per_round_high": result.points_per_round.high,
        "pairs": result.pairs,
        "rounds": result.rounds,
        "cut": result.cut,
        "cpu_ms_per_decision_a": result.cpu_ms_per_decision_a,
        "cpu_ms_per_decision_b": result.cpu_ms_per_decision_b,
        "kernel_plies_per_ms": plies_per_ms,
        "kilo_plies_per_decision_a": result.cpu_ms_per_decision_a * plies_per_ms / 1000,
        "kilo_plies_per_decision_b": result.cpu_ms_per_decision_b * plies_per_ms / 1000,
    }


def _played(study: MirrorStudy, processes: int) -> StudyResult:
    # What plays is imported here, since the list of commands should not wait for it.
    from muggins_ai.arena.mirror import run_study  # noqa: PLC0415 - as said
    from muggins_ai.arena.playouts import POLICIES  # noqa: PLC0415 - as said
    from muggins_ai.arena.running import run_agents  # noqa: PLC0415 - as said

    if study.a in POLICIES and study.b in POLICIES and not study.single_rounds:
        return run_study(study)
    bar = Bar(sys.stderr, study.pairs)
    try:
        return run_agents(study, processes, bar.show)
    finally:
        bar.close()


def _plies_per_ms(study: MirrorStudy) -> float:
    """Placements that greedy playouts make in a millisecond of this core, now and at this table."""
    from muggins_ai.arena.chance import PairChance  # noqa: PLC0415 - as in _played
    from muggins_ai.arena.playouts import (  # noqa: PLC0415 - as in _played
        POLICIES,
        Playouts,
        can_compile,
        playout_functions,
    )

    compiled, seats = can_compile(), study.seats
    playouts = Playouts(
        playout_functions(compiled=compiled), study.rule_set, seats, compiled=compiled
    )
    chance = PairChance(study.seed, 0, seats, study.rule_set.deal.highest_pip)
    decks = [code for number in range(1, _PACE_DECKS + 1) for code in chance.deck(number)]
    seat_policies = playouts.array([POLICIES["greedy"]] * seats)
    all_decks = playouts.array(decks)
    playouts.play_rounds(seat_policies, all_decks, 1)
    started = time.process_time_ns()
    placements = playouts.play_rounds(seat_policies, all_decks, _PACE_DECKS)
    return placements / (time.process_time_ns() - started) * 1e6


def _sentence(study: MirrorStudy, result: StudyResult) -> str:
    win, points = result.win_rate, result.points_per_round
    cut = f", {result.cut} matches cut" if result.cut else ""
    played = "rounds" if study.single_rounds else "matches"
    return (
        f"{study.a} against {study.b}, {study.rule_set.id} with {study.seats} seats: "
        f"wins {win.value:.1%} ({win.low:.1%} to {win.high:.1%}) of {played}, "
        f"{points.value:+.2f} points a round ({points.low:+.2f} to {points.high:+.2f}); "
        f"{result.pairs} mirrored sets, {result.rounds} rounds{cut}; "
        f"{result.cpu_ms_per_decision_a:.4f} and {result.cpu_ms_per_decision_b:.4f} ms of CPU "
        f"a decision"
    )


class Bar:
    """A line that tells how many sets are done and how long the rest will take."""

    def __init__(self, stream: TextIO, total: int) -> None:
        self._stream = stream
        self._total = total
        self._started = time.monotonic()
        self._written = False

    def show(self, done: int) -> None:
        """Tell that so many are done, on a terminal only."""
        if not self._stream.isatty():
            return
        spent = time.monotonic() - self._started
        left = spent / done * (self._total - done)
        filled = "#" * (30 * done // self._total)
        self._stream.write(
            f"\r\x1b[K[{filled:<30}] {done} of {self._total} sets, "
            f"{done / spent:.2f} a second, {left / 60:.1f} min left"
        )
        self._stream.flush()
        self._written = True

    def close(self) -> None:
        """End the line."""
        if self._written:
            self._stream.write("\n")
