"""Studies over processes come out the same whatever their number."""

from importlib.util import find_spec

import pytest

from muggins_ai.arena.mirror import run_study
from muggins_ai.arena.running import chunks_of, run_agents
from muggins_ai.arena.study import MirrorStudy, StudyResult
from muggins_ai.evaluate.weights import WeightsError
from muggins_rules.presets import PRESETS

needs_numba = pytest.mark.skipif(
    find_spec("numba") is None, reason="the extra `ai` is not installed"
)

SMALL_SEARCH = "search,iterations=30,worlds=8,inference=adaptive"


def study(a: str, b: str, pairs: int, *, single_rounds: bool = False) -> MirrorStudy:
    return MirrorStudy(a, b, PRESETS["muggins"], 2, pairs, "test", single_rounds=single_rounds)


def without_cpu(result: StudyResult) -> tuple[object, ...]:
    return (result.win_rate, result.points_per_round, result.pairs, result.rounds, result.cut)


@needs_numba
@pytest.mark.parametrize("single_rounds", [False, True])
def test_one_and_two_processes_find_the_same(single_rounds: bool) -> None:  # noqa: FBT001
    asked = study(SMALL_SEARCH, "greedy", 10, single_rounds=single_rounds)
    one, two = run_agents(asked, 1), run_agents(asked, 2)
    assert without_cpu(one) == without_cpu(two)
    assert one.cpu_ms_per_decision_a > one.cpu_ms_per_decision_b > 0


def test_the_fast_path_finds_the_same() -> None:
    asked = study("greedy_plus", "greedy", 3)
    assert without_cpu(run_study(asked)) == without_cpu(run_agents(asked))


def test_progress_tells_the_sets_that_are_done() -> None:
    told: list[int] = []
    run_agents(study("greedy", "random", 9), progress=told.append)
    assert [4, 8, 9] == told


def test_chunks_hold_each_set_once() -> None:
    chunks = chunks_of(study("greedy", "random", 10))
    numbers = [n for chunk in chunks for n in range(chunk.first, chunk.first + chunk.number)]
    assert list(range(10)) == numbers


@needs_numba
def test_missing_weights_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from muggins_ai.evaluate import weights

    monkeypatch.setattr(weights, "load_manifest", lambda _folder: {})
    asked = MirrorStudy("network", "greedy", PRESETS["sniff_us"], 4, 1, "missing")
    with pytest.raises(WeightsError, match="there are no weights for"):
        run_agents(asked)
