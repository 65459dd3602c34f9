"""Studies are mirrored, repeatable and told with honest intervals."""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from muggins_ai.arena import MirrorStudy, run_study
from muggins_ai.arena.intervals import rate, ratio
from muggins_rules.presets import PRESETS

needs_numba = pytest.mark.skipif(
    find_spec("numba") is None, reason="the extra `ai` is not installed"
)


def study(a: str, b: str, rules: str = "all_fives", seats: int = 2, pairs: int = 4) -> MirrorStudy:
    return MirrorStudy(a, b, PRESETS[rules], seats, pairs, "test")


@pytest.mark.parametrize(
    ("rules", "seats", "share"),
    [("all_fives", 2, 1 / 2), ("all_fives", 4, 1 / 2), ("sniff", 3, 1 / 3)],
)
def test_a_level_is_even_with_itself(rules: str, seats: int, share: float) -> None:
    """Mirrored matches between equal players are one match, so nothing is left to luck."""
    result = run_study(study("greedy", "greedy", rules, seats, 2), compiled=False)
    assert share == pytest.approx(result.win_rate.value)
    assert 0 == pytest.approx(result.points_per_round.value)


@needs_numba
@pytest.mark.parametrize("a", ["greedy", "greedy_plus"])
def test_compiled_and_plain_studies_agree(a: str) -> None:
    compiled = run_study(study(a, "random"), compiled=True)
    plain = run_study(study(a, "random"), compiled=False)
    assert compiled.win_rate == plain.win_rate
    assert compiled.points_per_round == plain.points_per_round
    assert compiled.rounds == plain.rounds


@needs_numba
def test_other_seeds_deal_other_matches() -> None:
    results = {
        run_study(MirrorStudy("greedy", "random", PRESETS["muggins"], 2, 5, seed)).points_per_round
        for seed in ("a", "b")
    }
    assert 2 == len(results)


@needs_numba
def test_the_better_level_wins_more() -> None:
    result = run_study(study("greedy", "random", pairs=60))
    assert result.win_rate.low > 1 / 2
    assert result.points_per_round.low > 0


def test_a_cut_match_is_shared() -> None:
    """Random Muggins with four seats sinks without end."""
    result = run_study(study("random", "random", "muggins", 4, 1), compiled=False)
    assert 4 == result.cut
    assert 1 / 4 == result.win_rate.value


@pytest.mark.parametrize(("seats", "pairs"), [(3, 1), (2, 0)])
def test_impossible_studies_are_refused(seats: int, pairs: int) -> None:
    with pytest.raises(ValueError, match=r"with 2, 4 seats, not 3|a study needs pairs"):
        run_study(study("greedy", "random", "all_fives", seats, pairs))


def test_the_interval_of_a_rate_is_wilsons_for_single_matches() -> None:
    """8 of 10: Wilson's interval is 0.490 to 0.943 (sample variance makes it a little wider)."""
    estimate = rate([1.0] * 8 + [0.0] * 2)
    assert 0.8 == pytest.approx(estimate.value)
    assert 0.46 < estimate.low < 0.49
    assert 0.943 < estimate.high < 0.95


def test_a_rate_without_exception_is_no_certainty() -> None:
    estimate = rate([1.0] * 100)
    assert 1.0 == estimate.value == estimate.high
    assert 0.963 == pytest.approx(estimate.low, abs=0.001)


def test_a_ratio_weighs_units_by_their_size() -> None:
    estimate = ratio([10, 0], [1, 4])
    assert 2 == estimate.value
    assert estimate.low < 2 < estimate.high


def test_a_ratio_that_never_varies_is_exact() -> None:
    assert (3, 3, 3) == ratio([6, 9, 12], [2, 3, 4])


def test_the_command_prints_one_json_line() -> None:
    command = "muggins_ai.arena greedy random --rules sniff --seats 2 --pairs 3 --seed s --json"
    done = subprocess.run(
        [sys.executable, "-m", *command.split()], check=True, capture_output=True, text=True
    )
    fields = json.loads(done.stdout)
    assert fields.keys() >= {
        *("win_rate", "win_rate_low", "win_rate_high"),
        *("points_per_round", "points_per_round_low", "points_per_round_high"),
        *("pairs", "cpu_ms_per_decision_a", "cpu_ms_per_decision_b"),
    }
    assert 3 == fields["pairs"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("greedy grand --seed s", "no agent is called 'grand'"),
        ("greedy random --seed s --rules whist", "invalid choice: 'whist'"),
        ("greedy random --seed s --rules all_fives --seats 3", "is played with"),
        ("greedy random --seed s --pairs 0", "a study needs pairs"),
        ("greedy search,depth=3 --seed s", "search has no setting 'depth'"),
        ("greedy search,worlds=0 --seed s", "'worlds=0' of search: must be at least 1"),
        ("greedy oracle,nodes=few --seed s", "'nodes=few' of oracle: not a whole number"),
        ("greedy random", "--seed"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments: str, reason: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "muggins_ai.arena", *arguments.split()],
        check=False,
        capture_output=True,
        text=True,
    )
    assert 2 == done.returncode
    assert reason in done.stderr
