"""Greedy and greedy_plus choose as their definitions read, in every rule set."""

import pytest

from muggins_ai import opponent_of
from muggins_rules.viewing import seat_view
from tests.ai.naive import naive_greedy, naive_greedy_plus
from tests.ai.tables import TABLES, Table, states_with_choice


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_greedy_takes_the_most_points_at_once(table: Table) -> None:
    greedy = opponent_of("greedy")
    for state in states_with_choice(table, "greedy", rounds=4):
        assert state.table is not None
        assert state.table.turn is not None
        choice = greedy.choose(seat_view(state, state.table.turn), b"")
        assert naive_greedy(state) == choice.action


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_greedy_plus_takes_the_highest_value(table: Table) -> None:
    greedy_plus = opponent_of("greedy_plus")
    for state in states_with_choice(table, "greedy_plus", rounds=2):
        assert state.table is not None
        assert state.table.turn is not None
        choice = greedy_plus.choose(seat_view(state, state.table.turn), b"")
        assert naive_greedy_plus(state) == choice.action
