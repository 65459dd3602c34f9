"""Which tables are played, and what points are worth."""

import pytest

from muggins_ai.environments.tables import TableError, table_of, utilities
from muggins_rules import PRESETS, preset


@pytest.mark.parametrize(
    ("rules", "seats", "told"),
    [
        ("chess", 2, "no preset is called 'chess'"),
        ("all_fives", 3, "all_fives is played with 2, 4 seats, not with 3"),
        ("muggins", 5, "not with 5"),
        (preset("sniff", calling=True), 2, "without calling"),
    ],
)
def test_a_table_that_nobody_plays_is_refused(rules: str, seats: int, told: str) -> None:
    with pytest.raises(TableError, match=told):
        table_of(rules, seats)


@pytest.mark.parametrize(
    ("rules", "seats", "points", "worth"),
    [
        ("muggins", 2, (10, -5), (15, -15)),
        ("muggins", 3, (10, 0, 5), (7.5, -7.5, 0)),
        ("muggins", 4, (9, 0, 0, 0), (9, -3, -3, -3)),
        ("all_fives", 4, (10, 25), (-15, 15, -15, 15)),
    ],
)
def test_points_are_worth_those_of_the_own_side_less_the_mean_of_the_others(
    rules: str, seats: int, points: tuple[int, ...], worth: tuple[float, ...]
) -> None:
    assert worth == utilities(table_of(PRESETS[rules], seats), points)
