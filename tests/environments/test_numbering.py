"""One number for each kind of placement, the same at every table."""

import pytest

from muggins_ai.environments.actions import format_number, number_of, numbered_actions
from muggins_ai.environments.numbering import (
    ACTIONS,
    DRAW,
    PASS,
    move_of_number,
    number_of_move,
)
from muggins_ai.environments.tables import Table
from muggins_rules import Place, legal_actions
from muggins_rules.layout import kernel_flags, move_word
from muggins_rules.notation import parse_action
from tests.ai.tables import Table as AiTable
from tests.ai.tables import random_states
from tests.environments.kit import TABLES, named


@pytest.mark.parametrize(
    ("text", "told", "number"),
    [
        ("play 0-0", "0-0 opens", 0),
        ("play 0-0/endwise", "0-0 opens endwise", 1),
        ("play 4-6@3-4.high", "4-6 half 4", 242),
        ("play 4-6@3-6.high", "4-6 half 6", 244),
        ("play 4-6@4-4.branchA", "4-6 double 4", 246),
        ("play 4-6@6-6.lineB", "4-6 double 6", 248),
        ("play 6-6@4-6.high/endwise", "6-6 half 6 endwise", 273),
        ("draw", "draw", DRAW),
        ("pass", "pass", PASS),
    ],
)
def test_an_action_has_its_number_and_text(text: str, told: str, number: int) -> None:
    assert number == number_of(parse_action(text))
    assert told == format_number(number)


@pytest.mark.parametrize("number", [-1, ACTIONS])
def test_another_number_is_no_action(number: int) -> None:
    with pytest.raises(ValueError, match="0 to 281"):
        format_number(number)


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_legal_actions_are_numbered_without_loss(table: Table) -> None:
    """A number stands for one move of the kernel, which is all that tells placements apart."""
    for state in random_states(AiTable(*table), "numbers", rounds=4):
        actions = legal_actions(state)
        moves = {move_word(action.placement) for action in actions if isinstance(action, Place)}
        numbers = [number for number in numbered_actions(actions) if number < DRAW]
        assert sorted(numbers) == numbers
        assert moves == {move_of_number(number) for number in numbers}
        assert numbers == [number_of_move(move_of_number(number)) for number in numbers]
        assert kernel_flags(table.rule_set) & 4 or not any(number & 1 for number in numbers)
