"""The training of one family: self-play and learning by turns, a fixed number of times."""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from muggins_ai import playout, policies, table_order
from muggins_ai.arena import contest
from muggins_ai.compiled import compiled_kernel, integer_array
from muggins_ai.evaluate import equity, inputs, policy, public, scoring, value
from muggins_ai.evaluate.weights import (
    UNIT,
    policy_scratch,
    policy_shape,
    value_scratch,
    value_shape,
)
from muggins_ai.round_rules import rules_of
from muggins_ai.search import steps
from muggins_ai.train import learning, rounds, self_play
from muggins_ai.train.learner import POINTS, Learner
from muggins_rules import kernel
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import SET_CODES

__all__ = ["MODULES", "Progress", "Schedule", "Trainer", "training_functions"]

MODULES: Final = (
    kernel,
    policies,
    table_order,
    playout,
    steps,
    inputs,
    scoring,
    public,
    value,
    policy,
    equity,
    contest,
    self_play,
    learning,
    rounds,
)
"""The kernel-style modules of self-play and learning."""

ENDLESS: Final = 1 << 40
"""A target that no round reaches: a value is about rounds, not about the end of a match."""

_MOST_MOVES: Final = 8
"""Room for moves that are tried, at each ply of a round in the mean; far more than there are."""
_FORGET: Final = 0.99
_OUTCOME_LIMIT: Final = 5.0
_GAIN_LIMIT: Final = 3.0
_CHANCE_FLOOR: Final = 0.1
_VALUE_DECAY: Final = 0.1
_POLICY_DECAY: Final = 1.0
"""The policy is told apart by differences between moves alone: without decay, what all moves have
in common grows for as long as it learns, and strength is lost again."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a training goes; batches are of so many rounds."""

    batches: int
    rounds: int = 256
    rate: float = 2e-3
    last_rate: float = 2e-5
    temperature: float = 3.0
    last_temperature: float = 0.8
    """Raw points, at which the policy plays against itself."""

    def rate_at(self, batch: int) -> float:
        """The rate of learning, falling evenly."""
        return self.rate + (self.last_rate - self.rate) * batch / self.batches

    def temperature_at(self, batch: int) -> float:
        """The temperature of play, falling evenly."""
        return self.temperature + (self.last_temperature - self.temperature) * batch / self.batches


class Progress(NamedTuple):
    """Where a training stands: shares of variance explained since the last report."""

    batch: int
    value_fit: float
    policy_fit: float
    opener_value: float


def training_functions() -> SimpleNamespace:
    """The functions of MODULES, compiled."""
    return compiled_kernel(MODULES)


class Trainer:
    """Trains the two networks of a table; the same seed and schedule give the same integers."""

    def __init__(
        self, functions: SimpleNamespace, rule_set: RuleSet, seats: int, seed: int, batch: int
    ) -> None:
        self._functions = functions
        rules = rules_of(rule_set, seats)
        rules[playout.TARGET] = ENDLESS
        rules[playout.EXACT_TARGET] = rules[playout.FIRST_MINIMUM] = 0
        self.rules = integer_array(rules)
        shape = value_shape(seats, rules[playout.SIDES])
        self.value = Learner(
            functions,
            shape,
            value.LARGEST_WEIGHT,
            2 * seed + 1,
            kind="value",
            decay=_VALUE_DECAY,
        )
        self.policy = Learner(
            functions,
            policy_shape(),
            policy.LARGEST_WEIGHT,
            2 * seed + 2,
            kind="policy",
            decay=_POLICY_DECAY,
        )
        self.opener_value = 0.0
        self._gain = self._keeps = 0.0
        self._tiles = integer_array(SET_CODES[rule_set.deal.highest_pip])
        self._state = integer_array([(seed * 2654435761 + 12345) % 0xFFFFFFFF + 1])
        self._work = (_world(), _world(), *(integer_array([0] * n) for n in _WORK))
        self._scratch = value_scratch(compiled=True), policy_scratch(compiled=True)
        self._buffers = _Buffers(batch, rules[playout.TILES])
        self._rounds = batch
        self._batches = 0

    def train(self, schedule: Schedule, report: Callable[[Progress], None], every: int) -> None:
        """Train from where it stands; a report every so many batches."""
        for batch in range(schedule.batches):
            rate = schedule.rate_at(batch)
            positions, choices = self.play(schedule.temperature_at(batch))
            middle = positions // 2
            self.learn_values(0, middle)
            self.value.step(rate)
            self.learn_values(middle, positions)
            self.value.step(rate)
            self.learn_policy(choices)
            self.policy.step(rate)
            if (batch + 1) % every == 0:
                report(self._progress(batch + 1))

    def play(self, temperature: float) -> tuple[int, int]:
        """Play a batch of rounds with the networks of now; positions and choices recorded."""
        b = self._buffers
        self._functions.play_self(
            self.rules,
            self._rounds,
            self._tiles,
            self.opener_value,
            round(temperature * UNIT),
            self.value.net(),
            self.policy.net(),
            *self._scratch,
            *self._work,
            self._state,
            b.position_inputs,
            b.position_ends,
            b.movers,
            b.outcomes,
            b.move_rows,
            b.move_ends,
            b.gains,
            b.choice_ends,
            b.counts,
            b.statistics,
        )
        self._batches += 1
        gain, keeps = (b.statistics / self._rounds).tolist()
        self._gain += (1 - _FORGET) * (gain - self._gain)
        self._keeps += (1 - _FORGET) * (keeps - self._keeps)
        # What is remembered begins at 0 and is complete only in the long run.
        known = 1 - _FORGET**self._batches
        self.opener_value = self._gain / known / (1 - self._keeps / known)
        return int(b.counts[self_play.POSITIONS]), int(b.counts[self_play.CHOICES])

    def learn_values(self, first: int, last: int) -> None:
        """Add the value's gradient over recorded positions, and its losses."""
        net, b, single = self.value, self._buffers, np.float32
        self._functions.value_gradient(
            net.weights,
            net.gradient,
            *net.shape,
            value.MOST_INPUTS,
            b.position_inputs,
            b.position_ends,
            first,
            last,
            b.outcomes,
            single(POINTS),
            single(_OUTCOME_LIMIT),
            single(1 / max(1, last - first)),
            net.units,
            net.slopes,
            net.found,
            net.losses,
        )

    def learn_policy(self, choices: int) -> None:
        """Add the policy's gradient over recorded choices, and its losses."""
        net, b, single = self.policy, self._buffers, np.float32
        self._functions.policy_gradient(
            net.weights,
            net.gradient,
            net.shape.rows,
            net.shape.hidden,
            policy.POLICY_MOST_INPUTS,
            b.move_rows,
            b.move_ends,
            b.choice_ends,
            choices,
            b.gains,
            single(POINTS),
            single(_GAIN_LIMIT),
            single(_CHANCE_FLOOR),
            single(1 / max(1, choices)),
            net.units,
            net.slopes,
            net.found,
            net.losses,
        )

    def held_out(self, batches: int, temperature: float) -> tuple[float, float]:
        """Shares of variance that the networks explain in new rounds, nothing learned."""
        self.value.take_losses()
        self.policy.take_losses()
        for _ in range(batches):
            positions, choices = self.play(temperature)
            self.learn_values(0, positions)
            self.learn_policy(choices)
        self.value.gradient[:] = 0
        self.policy.gradient[:] = 0
        progress = self._progress(0)
        return progress.value_fit, progress.policy_fit

    def recorded_outcomes(self, positions: int) -> npt.NDArray[np.float32]:
        """Raw points of utility by side, from the mover's on, of so many recorded positions."""
        return self._buffers.outcomes.reshape(-1, self_play.ALONE)[:positions].copy()

    def _progress(self, batch: int) -> Progress:
        of_value, of_policy = self.value.take_losses(), self.policy.take_losses()
        return Progress(
            batch,
            1 - of_value[0] / (of_value[1] or 1),
            1 - of_policy[0] / (of_policy[1] or 1),
            self.opener_value,
        )


_WORK: Final = (public.PUBLIC_SIZE, 28, kernel.MOST_MOVES, kernel.MOST_MOVES, 4)
"""Sizes of the arrays public, deck, moves, weights and out."""


class _Buffers:
    """Room for what a batch of rounds records."""

    def __init__(self, rounds: int, tiles: int) -> None:
        plies = rounds * tiles
        tried = plies * _MOST_MOVES
        self.position_inputs = np.zeros(plies * value.MOST_INPUTS, dtype=np.int16)
        self.position_ends = np.zeros(plies, dtype=np.int64)
        self.movers = np.zeros(plies, dtype=np.int64)
        self.outcomes = np.zeros(plies * self_play.ALONE, dtype=np.float32)
        self.move_rows = np.zeros(tried * policy.POLICY_MOST_INPUTS, dtype=np.int16)
        self.move_ends = np.zeros(tried, dtype=np.int64)
        self.gains = np.zeros(tried * self_play.GAINS, dtype=np.float32)
        self.choice_ends = np.zeros(plies, dtype=np.int64)
        self.counts = np.zeros(4, dtype=np.int64)
        self.statistics = np.zeros(self_play.STATISTICS)


def _world() -> tuple[Any, Any, Any, Any]:
    meta, hands, scores, scored = (integer_array([0] * size) for size in (steps.META_SIZE, 4, 4, 4))
    return meta, hands, scores, scored
