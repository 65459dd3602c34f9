"""Decisions that nobody waits for are given up; one that goes on is not changed by being asked."""

import pytest

from muggins_ai.levels import LEVELS, opponent_of
from muggins_ai.search.searcher import SLICE
from muggins_ai.stopping import DecisionStopped, never
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from tests.ai.tables import TABLES, states_with_choice

SEED = b"\x07" * 32
SEARCHING = [name for name, level in LEVELS.items() if level.budget is not None]


def _view() -> SeatView:
    state = next(states_with_choice(TABLES[0], "stopping", rounds=1))
    assert state.table is not None
    assert state.table.turn is not None
    return seat_view(state, state.table.turn)


@pytest.mark.parametrize("level", SEARCHING)
def test_a_search_that_is_told_to_stop_decides_nothing(level: str) -> None:
    with pytest.raises(DecisionStopped):
        opponent_of(level, lambda: True).choose(_view(), SEED)


def test_a_search_is_stopped_between_two_slices() -> None:
    asked: list[bool] = []

    def after_the_first_slice() -> bool:
        asked.append(len(asked) > 0)
        return asked[-1]

    with pytest.raises(DecisionStopped):
        opponent_of("strongest", after_the_first_slice).choose(_view(), SEED)
    assert [False, True] == asked


def test_what_is_chosen_does_not_depend_on_being_asked() -> None:
    asked: list[int] = []

    def counted() -> bool:
        asked.append(1)
        return False

    choice = opponent_of("strongest", counted).choose(_view(), SEED)
    assert choice == opponent_of("strongest", never).choose(_view(), SEED)
    assert choice.used is not None
    assert choice.used.iterations == LEVELS["strongest"].budget.iterations  # type: ignore[union-attr]
    assert len(asked) == -(-choice.used.iterations // SLICE)


@pytest.mark.parametrize("level", ["random", "casual", "regular"])
def test_levels_that_do_not_search_answer_at_once(level: str) -> None:
    choice = opponent_of(level, lambda: True).choose(_view(), SEED)
    assert choice.used is None
