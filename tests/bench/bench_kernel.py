"""Greedy playouts over the compiled kernel against the same loop uncompiled, per rule set.

`python -m tests.bench.bench_kernel [FILE]` prints one JSON object a table, and appends it to FILE.
CPU time of one core. Both sides take turns, and a ratio is the median over the turns of the two in
the same turn, so that a busy machine slows both alike.
"""

import json
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from muggins_ai.arena.chance import PairChance
from muggins_ai.arena.playouts import POLICIES, Playouts, playout_functions
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import RuleSet

__all__ = ["LEAST_RATIO", "greedy_rate", "kernel_ratios", "main"]

LEAST_RATIO = 60
"""How many times as fast the compiled kernel must be."""

_DECKS = 2000
_PLAIN_DECKS = 40
_TURNS = 15


def kernel_ratios(turns: int = _TURNS) -> Iterator[dict[str, str | int | float]]:
    """One line for each preset and number of seats: placements a second, and their ratio."""
    forms = {compiled: playout_functions(compiled=compiled) for compiled in (True, False)}
    for rule_set in PRESETS.values():
        for seats in rule_set.seat_counts:
            decks = _decks(rule_set, seats)
            fast, slow = (
                _rate(Playouts(functions, rule_set, seats, compiled=compiled), seats, decks, number)
                for (compiled, functions), number in zip(
                    forms.items(), (_DECKS, _PLAIN_DECKS), strict=True
                )
            )
            rates = [(fast(), slow()) for _ in range(turns)]
            yield {
                "bench": "kernel",
                "rules": rule_set.id,
                "seats": seats,
                "compiled_placements_per_s": round(statistics.median(rate for rate, _ in rates)),
                "plain_placements_per_s": round(statistics.median(rate for _, rate in rates)),
                "ratio": round(statistics.median(one / other for one, other in rates), 1),
                "least_ratio": LEAST_RATIO,
            }


def greedy_rate(rule_set: RuleSet, seats: int) -> Callable[[], float]:
    """What gives the compiled greedy placements a second of one core; ready to be timed."""
    playouts = Playouts(playout_functions(compiled=True), rule_set, seats, compiled=True)
    return _rate(playouts, seats, _decks(rule_set, seats), _DECKS)


def main(arguments: list[str]) -> int:
    """Print the lines, append them to a file when one is named; 1 when a ratio is too small."""
    lines = list(kernel_ratios())
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    sys.stdout.write(text)
    for name in arguments:
        with Path(name).open("a", encoding="utf-8") as report:
            report.write(text)
    return int(any(float(line["ratio"]) < LEAST_RATIO for line in lines))


def _decks(rule_set: RuleSet, seats: int) -> list[int]:
    highest_pip = rule_set.deal.highest_pip
    decks = (
        PairChance("bench", pair, seats, highest_pip).deck(round_number)
        for pair in range(_DECKS // 100)
        for round_number in range(1, 101)
    )
    return [code for deck in decks for code in deck]


def _rate(playouts: Playouts, seats: int, decks: list[int], number: int) -> Callable[[], float]:
    """What plays a number of the decks and gives its placements a second; ready to be timed."""
    seat_policies = playouts.array([POLICIES["greedy"]] * seats)
    all_decks = playouts.array(decks)
    playouts.play_rounds(seat_policies, all_decks, 1)

    def rate() -> float:
        started = process_time()
        placements: int = playouts.play_rounds(seat_policies, all_decks, number)
        return placements / (process_time() - started)

    return rate


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
