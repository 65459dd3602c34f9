"""A legal action within the budget, at 100,000 positions for the cheap levels, 5,000 for others."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from muggins_ai.levels import LEVELS, opponent_of
from muggins_ai.search.searcher import Searcher, SearchReport
from muggins_rules.actions import Draw
from muggins_rules.kernel import MOST_MOVES
from muggins_rules.legal import legal_actions
from muggins_rules.state import MatchState
from muggins_rules.viewing import seat_view
from tests.ai.tables import TABLES, Table, random_states

CHEAP = tuple(name for name in LEVELS if LEVELS[name].budget is None and name != "about_even")
STRONG = tuple(name for name in LEVELS if LEVELS[name].budget is not None)
POSITIONS = 100_000 // len(TABLES) + 1
SEARCHED = 5_000 // len(TABLES) + 1
ROUNDS = POSITIONS
SEED = b"\x05" * 32

Reports = list[SearchReport]


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> Reports:
    """What the searches of a test report, as they are made."""
    found: Reports = []
    decide = Searcher.decide

    def told(*given: Any) -> SearchReport:  # noqa: ANN401 - what the caller gave
        found.append(decide(*given))
        return found[-1]

    monkeypatch.setattr(Searcher, "decide", told)
    return found


def _positions(table: Table, number: int) -> Iterator[tuple[int, MatchState]]:
    return enumerate(islice(random_states(table, f"many/{table}", ROUNDS), number))


def _check_choice(level: str, state: MatchState) -> None:
    assert state.table is not None
    assert state.table.turn is not None
    action = opponent_of(level).choose(seat_view(state, state.table.turn), SEED).action
    legal = legal_actions(state)
    assert action in legal or (action, legal) == (Draw(until_playable=True), (Draw(),))


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_cheap_levels_choose_a_legal_action(table: Table) -> None:
    seen = 0
    for number, state in _positions(table, POSITIONS):
        _check_choice(CHEAP[number % len(CHEAP)], state)
        seen += 1
    assert POSITIONS == seen


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_searching_levels_choose_a_legal_action_within_their_budget(
    table: Table, reports: Reports
) -> None:
    searched = 0
    for number, state in _positions(table, 20 * SEARCHED):
        level = STRONG[number % len(STRONG)]
        _check_choice(level, state)
        budget = LEVELS[level].budget
        assert budget is not None
        if reports:
            used = reports.pop().used
            assert used.iterations <= budget.iterations
            assert used.worlds <= max(budget.worlds, 1)
            assert used.nodes <= max(budget.nodes, 1) * MOST_MOVES
            searched += 1
        if searched == SEARCHED:
            return
    raise AssertionError("random rounds have so many positions with a choice")
