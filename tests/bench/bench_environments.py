"""Steps a second of the environments, random play: `python -m tests.bench.bench_environments`.

One line of JSON for each table and environment: CPU time of one core, steps as each environment
counts them (the vector environment one for each row), what a learner reads after each included,
the choice of actions not. All environments take turns, and a ratio is the median over the turns of
an environment's rate to that of the AEC environment in the same turn.
"""

import json
import random
import statistics
from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import Final

import numpy as np

from muggins_ai.environments import spiel_game
from muggins_ai.environments.aec import MugginsEnv
from muggins_ai.environments.vector import VectorRounds

__all__ = ["environment_rates", "main"]

_TABLES: Final = (("muggins", 2), ("muggins", 3), ("all_fives", 4), ("five_up", 2), ("sniff", 3))
_ROWS: Final = (1, 64, 1024)
_TURNS: Final = 7
_STEPS: Final = 1_000
_BATCHES: Final = 60

Rate = Callable[[], float]


def environment_rates(
    turns: int = _TURNS, steps: int = _STEPS, batches: int = _BATCHES
) -> Iterator[dict[str, str | int | float]]:
    """Steps a second of one core, and the ratio to the AEC environment, table by table."""
    for name, seats in _TABLES:
        rates: dict[str, Rate] = {
            "aec": partial(_aec_rate, MugginsEnv(name, seats), random.Random(1), steps),
            "open_spiel": partial(_spiel_rate, name, seats, random.Random(1), steps),
        }
        for rows in _ROWS:
            rounds = VectorRounds(name, seats, rows)
            rounds.reset(seed=1)
            choose = np.random.default_rng(1)
            rates[f"vector-{rows}"] = partial(_vector_rate, rounds, choose, batches)
        for rate in rates.values():
            rate()
        found = [{label: rate() for label, rate in rates.items()} for _ in range(turns)]
        for label in rates:
            yield {
                "bench": "environments",
                "rules": name,
                "seats": seats,
                "environment": label,
                "steps_per_s": round(statistics.median(turn[label] for turn in found)),
                "ratio_to_aec": round(
                    statistics.median(turn[label] / turn["aec"] for turn in found), 2
                ),
            }


def main() -> None:
    """Print the rates."""
    for line in environment_rates():
        print(json.dumps(line), flush=True)


def _aec_rate(env: MugginsEnv, choose: random.Random, steps: int) -> float:
    env.reset(seed=1)
    spent = 0.0
    for _ in range(steps):
        mask = env.observe(env.agent_selection)["action_mask"]
        action = choose.choice(np.flatnonzero(mask).tolist())
        started = process_time()
        env.step(action)
        env.last()
        if env.terminations[env.agent_selection]:
            env.reset()
        spent += process_time() - started
    return steps / spent


def _vector_rate(rounds: VectorRounds, choose: np.random.Generator, batches: int) -> float:
    batch = rounds.reset()
    spent = 0.0
    for _ in range(batches):
        shares = choose.random(batch.masks.shape, dtype=np.float32)
        actions = (batch.masks * shares).argmax(axis=1)
        started = process_time()
        batch = rounds.step(actions)
        spent += process_time() - started
    return rounds.rows * batches / spent


def _spiel_rate(rules: str, seats: int, choose: random.Random, steps: int) -> float:
    """Actions of players only; chance is played along."""
    game = spiel_game.load(rules, seats)
    state = game.new_initial_state()
    spent = 0.0
    taken = 0
    while taken < steps:
        started = process_time()
        while state.is_chance_node():
            state.apply_action(choose.choice(state.play.outcomes()))
        if state.is_terminal():
            state = game.new_initial_state()
        else:
            state.information_state_tensor()
            actions = state.legal_actions()
            state.apply_action(choose.choice(actions))
            taken += 1
        spent += process_time() - started
    return steps / spent


if __name__ == "__main__":
    main()
