"""CPU of a belief pool, compiled, at random positions: `python -m tests.bench.bench_belief`.

One line of JSON for each table, number of worlds and likelihood; microseconds a pool on one core.
"""

import json
import random
from collections.abc import Iterator
from time import process_time

from muggins_ai.belief import DEALS_ONLY, POINTS_ONLY, Believer
from muggins_ai.belief.studied import StudiedRounds
from muggins_rules.presets import PRESETS

__all__ = ["belief_times", "main"]

_TABLES = (("muggins", 2), ("muggins", 3), ("all_fives", 2), ("all_fives", 4), ("five_up", 2))
_WEIGHTS = {"deals": DEALS_ONLY, "points": POINTS_ONLY, "mixture": (0, 500, 200, 200, 100) * 4}
_ROUNDS = 40
_RUNS = 5


def belief_times() -> Iterator[dict[str, str | int | float]]:
    """Times of pools of 80 and 600 worlds."""
    for name, seats in _TABLES:
        believer = Believer(PRESETS[name], seats)
        rounds = StudiedRounds(PRESETS[name], seats, "greedy_plus", "bench")
        truths = [truth for number in range(_ROUNDS) for truth in rounds.positions(number)]
        random.Random(1).shuffle(truths)
        for worlds in (80, 600):
            for label, weights in _WEIGHTS.items():
                best = float("inf")
                for _ in range(_RUNS):
                    started = process_time()
                    for truth in truths:
                        hand = truth.hands[truth.viewer]
                        believer.pool(truth.turns, truth.viewer, hand, weights, worlds, 1)
                    best = min(best, process_time() - started)
                yield {
                    "bench": "belief",
                    "rules": name,
                    "seats": seats,
                    "worlds": worlds,
                    "likelihood": label,
                    "us_per_pool": round(best / len(truths) * 1e6, 1),
                }


def main() -> None:
    """Print the times."""
    for line in belief_times():
        print(json.dumps(line))


if __name__ == "__main__":
    main()
