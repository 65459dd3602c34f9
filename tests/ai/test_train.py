"""Training: gradients, what self-play records, that it learns and learns the same again."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from muggins_ai.evaluate import weights
from muggins_rules.ruleset import Deal, RuleSet, Scoring
from tests.ai.tables import SMALL_SNIFF

np = pytest.importorskip("numpy", reason="the extra `ai` is not installed")
pytest.importorskip("numba", reason="the extra `ai` is not installed")

from muggins_ai.train import learning  # noqa: E402 - needs what was just looked for
from muggins_ai.train.command import main  # noqa: E402 - as above
from muggins_ai.train.equity_fit import FitSize, fit_equity  # noqa: E402 - as above
from muggins_ai.train.jobs import UnknownFamilyError, jobs_of  # noqa: E402 - as above
from muggins_ai.train.rounds import GAIN_ROW, NOBODY, play_match  # noqa: E402 - as above
from muggins_ai.train.trainer import (  # noqa: E402 - as above
    Schedule,
    Trainer,
    training_functions,
)
from muggins_ai.train.trial import PolicyTrial  # noqa: E402 - as above

SMALL = RuleSet(
    "small",
    deal=Deal(highest_pip=3, hand_size_by_seats=(3, 2, 2)),
    scoring=Scoring(target_by_seats=(60, 60, 60)),
)
ROWS, HIDDEN, STRIDE = 12, 5, 4

Array = Any
"""Of numpy, which may be absent."""


@pytest.fixture(scope="module")
def functions() -> SimpleNamespace:
    """The functions of training, compiled."""
    return training_functions()


def trained(functions: SimpleNamespace, rule_set: RuleSet, seats: int, batches: int) -> Trainer:
    trainer = Trainer(functions, rule_set, seats, seed=5, batch=64)
    trainer.train(Schedule(batches, 64), lambda _: None, batches)
    return trainer


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_small_training_explains_what_was_unexplained(
    functions: SimpleNamespace, seats: int
) -> None:
    untrained = Trainer(functions, SMALL, seats, seed=5, batch=64).held_out(20, 3.0)
    learned = trained(functions, SMALL, seats, 150).held_out(20, 3.0)
    assert learned[0] > untrained[0] + 0.1
    assert learned[1] > untrained[1] + 0.1


def test_the_same_seed_gives_the_same_integers_and_another_seed_others(
    functions: SimpleNamespace,
) -> None:
    first, again = (trained(functions, SMALL_SNIFF, 2, 12) for _ in range(2))
    for one, other in ((first.value, again.value), (first.policy, again.policy)):
        assert one.integers()[0].tolist() == other.integers()[0].tolist()
        assert one.integers()[1].tolist() == other.integers()[1].tolist()
    assert first.opener_value == again.opener_value
    other_seed = Trainer(functions, SMALL_SNIFF, 2, seed=6, batch=64)
    assert first.value.weights.tolist() != other_seed.value.weights.tolist()


def test_a_trained_policy_beats_an_untrained_one_against_greedy_plus(
    functions: SimpleNamespace,
) -> None:
    nets = [
        Trainer(functions, SMALL, 2, seed=5, batch=64).policy.net(),
        trained(functions, SMALL, 2, 200).policy.net(),
    ]
    before, after = (PolicyTrial(functions, SMALL, 2, net, 3).play(200) for net in nets)
    assert after.points_per_round.low > before.points_per_round.high


def flat(lists: Sequence[Sequence[Any]]) -> list[Any]:
    return [number for row in lists for number in row]


def weights_of(outputs: int) -> Array:
    choices = random.Random(4)
    size = (ROWS + 1) * HIDDEN + outputs * (HIDDEN + 1)
    return np.array([choices.uniform(-1, 1) for _ in range(size)])


def hidden_of(net: Array, inputs: list[int]) -> Array:
    rows = net[: ROWS * HIDDEN].reshape(ROWS, HIDDEN)
    return np.maximum(rows[inputs].sum(axis=0) + net[ROWS * HIDDEN : (ROWS + 1) * HIDDEN], 0)


def slope_of(loss: Array, net: Array) -> Array:
    """The gradient of a loss by small differences."""
    found = np.zeros_like(net)
    for index in range(len(net)):
        for step in (1e-6, -1e-6):
            moved = net.copy()
            moved[index] += step
            found[index] += loss(moved) / (2 * step)
    return found


@pytest.mark.parametrize("outputs", [1, 3])
def test_the_gradient_of_values_is_that_of_the_mean_squared_error(outputs: int) -> None:
    net = weights_of(outputs)
    inputs = [[1, 4, 7, 0], [2, 4, 0, 0]]
    outcomes = [[0.3, -0.5, 0.2, 0.0], [-2.0, 1.5, 0.5, 0.0]]
    limit = 0.9 if outputs == 1 else 9.0  # a cut would leave sides that do not cancel

    def loss(moved: Array) -> float:
        tail = moved[(ROWS + 1) * HIDDEN :]
        total = 0.0
        for position, outcome in zip(inputs, outcomes, strict=True):
            found = tail[: outputs * HIDDEN].reshape(outputs, HIDDEN) @ hidden_of(moved, position)
            found = found + tail[outputs * HIDDEN :]
            if outputs > 1:
                found = found - found.mean()
            target = np.clip(np.array(outcome[:outputs]) / 2, -limit, limit)
            total += ((found - target) ** 2).sum() / 4
        return total

    gradient, losses = np.zeros_like(net), np.zeros(3)
    learning.value_gradient(
        net, gradient, ROWS, HIDDEN, outputs, STRIDE, flat(inputs), [4, 8], 0, 2,
        flat(outcomes), 2.0, limit, 0.5, np.zeros(HIDDEN), np.zeros(HIDDEN), np.zeros(4),
        losses,
    )  # fmt: skip
    assert np.allclose(slope_of(loss, net), gradient, atol=1e-6)
    assert np.allclose(4 * loss(net), losses[0])


def test_the_gradient_of_a_policy_is_that_of_the_weighted_squared_error() -> None:
    net = weights_of(1)
    inputs = [[1, 4, 7, 0], [2, 4, 0, 0], [3, 5, 6, 8], [1, 2, 0, 0], [9, 10, 11, 0]]
    gains = [[3.0, 0.7], [-1.0, 0.1], [2.0, 0.2], [5.0, 0.5], [1.0, 0.5]]
    floor = 0.1

    def loss(moved: Array) -> float:
        tail = moved[(ROWS + 1) * HIDDEN :][:HIDDEN]
        total = 0.0
        for first, last in ((0, 3), (3, 5)):
            chances = np.array([gains[index][1] for index in range(first, last)])
            chances = (chances + floor / len(chances)) / (1 + floor)
            found = np.array([hidden_of(moved, inputs[i]) @ tail for i in range(first, last)])
            worth = np.array([gains[index][0] / 2 for index in range(first, last)])
            error = (found - chances @ found) - (worth - chances @ worth)
            total += (chances * error**2).sum() / 4
        return total

    gradient, losses = np.zeros_like(net), np.zeros(3)
    learning.policy_gradient(
        net, gradient, ROWS, HIDDEN, STRIDE, flat(inputs), [4, 8, 12, 16, 20], [3, 5], 2,
        flat(gains), 2.0, 9.0, floor, 0.5, np.zeros(HIDDEN * 8), np.zeros(HIDDEN), np.zeros(8),
        losses,
    )  # fmt: skip
    assert np.allclose(slope_of(loss, net), gradient, atol=1e-6)


def test_adam_goes_down_the_gradient_by_its_rate_at_first() -> None:
    weights, gradient = [1.0, -1.0], [0.5, -3.0]
    correction = (1 - 0.999) ** 0.5 / (1 - 0.9)
    rate = 0.1 * correction
    learning.adam(weights, gradient, [0.0] * 2, [0.0] * 2, 2, rate, 0.9, 0.999, 0.0, 0.0, 1.0)
    assert np.allclose([0.9, -0.9], weights)
    assert [0.0, 0.0] == gradient


def test_weights_without_a_gradient_shrink() -> None:
    weights, none = [1.0, -2.0], [0.0] * 2
    learning.adam(weights, none, [0.0] * 2, [0.0] * 2, 2, 0.1, 0.9, 0.999, 1e-8, 0.01, 1.0)
    assert np.allclose([0.99, -1.98], weights)


def test_recorded_outcomes_are_what_the_rest_of_the_round_brought(
    functions: SimpleNamespace,
) -> None:
    """Utilities of the sides cancel, and a value learned from them has something to explain."""
    trainer = Trainer(functions, SMALL, 3, seed=2, batch=64)
    positions, choices = trainer.play(3.0)
    outcomes = trainer.recorded_outcomes(positions)
    assert np.allclose(0, outcomes[:, :3].sum(axis=1), atol=1e-4)
    assert outcomes[:, :3].std() > 1
    assert 0 < choices < positions


def round_of(gains: list[tuple[int, int]], settled: list[int], opens: int) -> list[int]:
    row = [0] * GAIN_ROW
    row[0] = len(gains)
    for index, (side, steps) in enumerate(gains):
        row[1 + 2 * index : 3 + 2 * index] = [side, steps]
    row[57 : 57 + len(settled)] = settled
    row[-1] = opens
    return row


def test_whoever_gets_there_first_wins_a_match_of_recorded_rounds() -> None:
    race = round_of([(0, 2), (1, 3), (0, 1)], [0, 0], NOBODY)
    assert 1 == play_match(2, race, 1, [3, 3], 0, 10, [9])
    assert 0 == play_match(2, race, 1, [3, 4], 0, 10, [9])
    assert 0 == play_match(2, race, 1, [3, 3], 1, 10, [9])


def test_settlements_count_and_a_long_match_goes_to_who_is_ahead() -> None:
    debit = round_of([(0, 1)], [-2, 1], 0)
    to_go = [2, 9]
    assert 0 == play_match(2, debit, 1, to_go, 0, 3, [9])
    assert [5, 6] == to_go


def test_equity_of_a_small_game_is_calibrated(functions: SimpleNamespace) -> None:
    trainer = trained(functions, SMALL, 2, 60)
    fit = fit_equity(functions, SMALL, 2, trainer.policy.net(), 1, FitSize(1500, 3000))
    for found in fit.calibration:
        assert abs(found.predicted - found.won) < 0.12
    assert fit.brier < 0.7 * fit.brier_even


def test_the_command_trains_a_family_into_a_folder(tmp_path: Path) -> None:
    arguments = ["--families", "five_up-3", "--minutes", "0.003", "--processes", "1"]
    assert 0 == main([*arguments, "--out", str(tmp_path)])
    entry = json.loads((tmp_path / weights.MANIFEST).read_text())["families"]["five_up-3"]
    assert (
        "muggins train --families five_up-3 --minutes 0.00277778 --seed 1"
        == (entry["trained"]["command"])
    )
    weights.value_net("five_up-3", compiled=False, folder=tmp_path)
    weights.policy_net("five_up-3", compiled=False, folder=tmp_path)
    assert 3 == len(weights.equity_table("five_up-3", compiled=False, folder=tmp_path))
    before = weights.weights_digest("five_up-3", tmp_path)
    assert 0 == main(["--families", "five_up-3", "--keep-weights", "--out", str(tmp_path)])
    assert before == weights.weights_digest("five_up-3", tmp_path)


def test_families_are_named_and_others_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = jobs_of(["muggins-4", "sniff-2"], 1, 7, tmp_path)
    assert ["muggins-4", "sniff-2"] == [job.family for job in jobs]
    assert 20 == len(jobs_of([], 1, 7, tmp_path))
    with pytest.raises(UnknownFamilyError, match="chess-2"):
        jobs_of(["chess-2"], 1, 7, tmp_path)
    assert 2 == main(["--families", "chess-2", "--out", str(tmp_path)])
    assert "muggins-2" in capsys.readouterr().err
