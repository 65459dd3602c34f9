"""Random whole rounds through the object layer against OpenSpiel's random block dominoes.

Both sides play a round from the deal to its end with uniformly random legal actions. Ours goes
through `deal_round`, `legal_actions`, `decide` and `evolve`, none skipped, and draws, branches,
counts and settles; theirs is `python_block_dominoes`, two players with seven tiles each and no
boneyard, chance nodes included. All sides take turns in one process, and a ratio is the median
over the turns of ours to theirs in the same turn, so that a busy machine slows both alike. The
last line names the lowest.

    python tests/bench/bench_rules.py [--rounds N] [--turns N] [--json FILE]
"""

import argparse
import functools
import importlib
import json
import random
import statistics
import time
from collections.abc import Callable
from operator import truediv
from pathlib import Path
from typing import Any, Final

from muggins_rules import (
    PRESETS,
    MatchState,
    Phase,
    RoundChance,
    deal_round,
    decide,
    evolve,
    legal_actions,
    new_match,
)
from muggins_rules.tiles import SET_CODES

THEIRS: Final = "python_block_dominoes"
SEATS: Final = 2


def main() -> None:
    """Measure and print the report; write it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=40, help="rounds in one turn of a side")
    parser.add_argument("--turns", type=int, default=9, help="turns of each side")
    parser.add_argument("--json", type=Path, help="where the report is written")
    arguments = parser.parse_args()
    report = measure(arguments.rounds, arguments.turns)
    text = json.dumps(report, indent=2)
    print(text)
    if arguments.json is not None:
        arguments.json.write_text(text + "\n", encoding="utf-8")
    print(f"lowest: {report['lowest']}, {report['lowest_ratio']} of {THEIRS}")


def measure(rounds: int, turns: int) -> dict[str, Any]:
    """Rounds per second of every preset and of the other side, and their ratios."""
    # By name, so that type checkers do not look for what only the bench extra installs.
    importlib.import_module("open_spiel.python.games.block_dominoes")  # registers the game
    game = importlib.import_module("pyspiel").load_game(THEIRS)
    choose = random.Random(1)
    sides: dict[str, Callable[[], None]] = {THEIRS: functools.partial(play_theirs, game, choose)}
    for name, rules in PRESETS.items():
        sides[name] = functools.partial(play_ours, new_match(rules, SEATS), choose)
    per_second: dict[str, list[float]] = {name: [] for name in sides}
    for play in sides.values():
        play()
    for _ in range(turns):
        for name, play in sides.items():
            start = time.perf_counter()
            for _ in range(rounds):
                play()
            per_second[name].append(rounds / (time.perf_counter() - start))
    medians = {name: statistics.median(values) for name, values in per_second.items()}
    ratios = {
        name: round(statistics.median(map(truediv, per_second[name], per_second[THEIRS])), 3)
        for name in PRESETS
    }
    lowest = min(ratios, key=ratios.__getitem__)
    return {
        "rounds_per_turn": rounds,
        "turns": turns,
        "seats": SEATS,
        "rounds_per_second": {name: round(value, 1) for name, value in medians.items()},
        "ratio_to_open_spiel": ratios,
        "lowest": lowest,
        "lowest_ratio": ratios[lowest],
    }


def play_ours(state: MatchState, choose: random.Random) -> None:
    """One round of a match that has not begun."""
    deck, lot = list(SET_CODES[6]), list(SET_CODES[6])
    choose.shuffle(deck)
    choose.shuffle(lot)
    for event in deal_round(state, RoundChance(tuple(deck), tuple(lot))):
        state = evolve(state, event)
    while state.phase is Phase.PLAYING:
        table = state.table
        assert table is not None
        assert table.turn is not None
        action = choose.choice(legal_actions(state))
        for event in decide(state, table.turn, action):
            state = evolve(state, event)


def play_theirs(game: Any, choose: random.Random) -> None:  # noqa: ANN401 - it ships no types
    """One game of the other side."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions = [action for action, _ in state.chance_outcomes()]
        else:
            actions = state.legal_actions()
        state.apply_action(choose.choice(actions))


if __name__ == "__main__":
    main()
