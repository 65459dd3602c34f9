"""The study of what beliefs know."""

import json

import pytest

from muggins_ai.belief.quality import QualityStudy, main, run_quality
from muggins_rules.presets import preset

pytest.importorskip("numba", reason="the extra `ai` is not installed")


def study(seats: int, opponent: str, likelihood: str) -> QualityStudy:
    """A short study of Muggins."""
    return QualityStudy(preset("muggins"), seats, opponent, likelihood, 60, 1500, "test")


def test_the_right_model_gains_bits_about_the_hand() -> None:
    found = run_quality(study(2, "greedy", "greedy"))
    lines = {line.moves_seen: line for line in found if not line.drawn}
    assert lines[3].gained - lines[3].error > 0.5
    assert lines[3].brier < lines[3].plain


def test_uniform_choices_are_not_taken_for_greedy_without_loss() -> None:
    lines = run_quality(study(2, "random", "greedy"))
    assert all(line.gained < 0 for line in lines if 3 <= line.moves_seen <= 5 and not line.drawn)


def test_three_seats_gain_too() -> None:
    lines = [line for line in run_quality(study(3, "greedy", "greedy")) if not line.drawn]
    assert sum(line.gained * line.positions for line in lines) > 0
    assert all(line.hidden is None for line in lines)


def test_hidden_bits_shrink_as_the_round_goes_on() -> None:
    lines = [line for line in run_quality(study(2, "greedy", "points")) if not line.drawn]
    hidden = [line.hidden for line in lines[:5] if line.hidden is not None]
    assert sorted(hidden, reverse=True) == hidden


def test_a_study_is_printed_as_a_table_or_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--rounds", "3", "--worlds", "50", "--seed", "a", "--opponent", "greedy"]
    assert 0 == main(arguments)
    assert capsys.readouterr().out.splitlines()[0].split()[:2] == ["seen", "drawn"]
    assert 0 == main([*arguments, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert {"rules", "opponent", "likelihood", "seed", "lines"} <= found.keys()
