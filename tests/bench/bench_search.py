"""Iterations of the tree search a second, beside compiled greedy placements of the same run.

`python -m tests.bench.bench_search` prints one JSON object a table. CPU time of one core, belief
included; medians over turns, in which search and playouts take turns.
"""

import json
import statistics
from collections.abc import Callable, Iterator
from itertools import islice
from time import process_time
from typing import Final

from muggins_ai.belief import DEALS_ONLY
from muggins_ai.search.searcher import Known, Searcher
from muggins_ai.search.settings import SearchBudget, models_of
from muggins_ai.search_player import known_of, searcher_of
from muggins_rules.presets import PRESETS
from muggins_rules.state import MatchState
from muggins_rules.viewing import seat_view
from tests.ai.tables import Table, states_with_choice
from tests.bench.bench_kernel import greedy_rate

__all__ = ["LEAST_ITERATIONS", "main", "search_rates"]

LEAST_ITERATIONS: Final = 0.9e6
"""Iterations a second of one core, at the first table."""

_TABLES: Final = (
    ("muggins", 2),
    ("all_fives", 2),
    ("all_fives", 4),
    ("muggins", 3),
    ("sniff", 2),
    ("five_up", 2),
)
_POSITIONS: Final = 40
_ROUNDS: Final = 30
_BUDGET: Final = SearchBudget(iterations=1500, worlds=160, nodes=0)
_TURNS: Final = 9


def search_rates(
    turns: int = _TURNS, positions: int = _POSITIONS
) -> Iterator[dict[str, str | int | float]]:
    """One line for each table: iterations a second, and greedy placements for each."""
    for name, seats in _TABLES:
        table = Table(PRESETS[name], seats)
        states = islice(states_with_choice(table, "bench", _ROUNDS), positions)
        known = [known_of(seat_view(state, _seat_on_turn(state))) for state in states]
        search = _searching(searcher_of(table.rule_set, seats), known)
        playouts = greedy_rate(table.rule_set, seats)
        rates = [(search(), playouts()) for _ in range(turns)]
        yield {
            "bench": "search",
            "rules": name,
            "seats": seats,
            "iterations_per_s": round(statistics.median(rate for rate, _ in rates)),
            "greedy_placements_per_iteration": round(
                statistics.median(placed / rate for rate, placed in rates), 1
            ),
        }


def _seat_on_turn(state: MatchState) -> int:
    assert state.table is not None, "a round is played"
    assert state.table.turn is not None, "a seat is to place"
    return state.table.turn


def _searching(searcher: Searcher, known: list[Known]) -> Callable[[], float]:
    """What searches all positions and gives the iterations a second; ready to be timed."""
    models = models_of(DEALS_ONLY)
    searcher.decide(known[0], SearchBudget(8, 8, 0), DEALS_ONLY, models, 1)

    def rate() -> float:
        made, started = 0, process_time()
        for number, position in enumerate(known, 1):
            made += searcher.decide(position, _BUDGET, DEALS_ONLY, models, number).used.iterations
        return made / (process_time() - started)

    return rate


def main() -> None:
    """Print the lines."""
    for line in search_rates():
        print(json.dumps(line))


if __name__ == "__main__":
    main()
