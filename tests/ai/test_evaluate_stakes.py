"""What is at stake: points far from the target, the chance to win near it."""

import pytest

from muggins_ai import playout
from muggins_ai.evaluate import stakes, weights
from muggins_ai.evaluate.equity import CERTAIN_WIN
from muggins_ai.evaluate.families import family_of
from muggins_ai.round_rules import rules_of
from muggins_ai.search import steps
from muggins_ai.search.searcher import search_functions
from muggins_ai.search.settings import Aim
from muggins_ai.search.stakes_of_match import NEAR, StakesOfMatch
from muggins_rules.presets import PRESETS

OPENER = 4 * stakes.POINT


def _at_stake(rules: list[int], family: str, scores: list[int], aim: Aim) -> stakes.Stakes:
    table = weights.equity_table(family, compiled=False)
    functions = search_functions(compiled=False)
    match = StakesOfMatch(functions, rules, OPENER, table, compiled=False)
    match.begin(scores, aim)
    return match.arrays


def _world(scores: list[int], ended: int = steps.IN_PLAY, out: int = 0) -> steps.World:
    meta = [0] * steps.META_SIZE
    meta[steps.ENDED], meta[steps.OUT] = ended, out
    return meta, [0b1111, 0b11110000, 0, 0], [*scores, 0, 0, 0][:4], [0] * 4


def _family(name: str, seats: int) -> tuple[list[int], str]:
    return rules_of(PRESETS[name], seats), family_of(PRESETS[name], seats).id


def _utilities(
    name: str, seats: int, before: list[int], world: steps.World, aim: Aim, rest: list[int]
) -> list[int]:
    rules, family = _family(name, seats)
    values = [*rest, 0, 0, 0][:4]
    stakes.utilities(rules, world, _at_stake(rules, family, before, aim), values)
    return values[: rules[playout.SIDES]]


@pytest.mark.parametrize("aim", list(Aim))
def test_far_from_the_target_points_count(aim: Aim) -> None:
    """Nine points, less the other side's four, and what the rest of the round is worth."""
    world = _world([19, 24])
    found = _utilities("five_up", 2, [10, 20], world, aim, [2000, -2000])
    assert [25 * stakes.POINT + 2000, -25 * stakes.POINT - 2000] == found


def test_who_goes_out_opens_the_next_round() -> None:
    world = _world([30, 20], steps.ROUND_OVER, out=1)
    assert [-OPENER, OPENER] == _utilities("muggins", 2, [30, 20], world, Aim.POINTS, [99, 99])
    blocked = _world([30, 20], steps.ROUND_OVER, out=playout.BLOCKED)
    assert [0, 0] == _utilities("muggins", 2, [30, 20], blocked, Aim.POINTS, [99, 99])


def test_points_are_those_beyond_the_mean_of_the_others() -> None:
    found = _utilities("muggins", 3, [0, 0, 0], _world([30, 0, 0]), Aim.POINTS, [0, 0, 0])
    assert [30 * stakes.POINT, -15 * stakes.POINT, -15 * stakes.POINT] == found


def test_a_win_is_worth_more_than_its_points_near_the_target() -> None:
    target = PRESETS["all_fives"].target(2)
    before = [target - 10, target - 15]
    won = _world([target, target - 15], steps.MATCH_OVER)
    points = _utilities("all_fives", 2, before, won, Aim.POINTS, [0, 0])
    chance = _utilities("all_fives", 2, before, won, Aim.MATCH, [0, 0])
    assert chance[0] > 2 * points[0] > 0
    assert -chance[1] > 2 * points[0]


def test_the_same_gain_is_worth_less_to_who_is_all_but_home() -> None:
    """Ten points where 15 are left decide more than where 100 are left."""
    target = PRESETS["all_fives"].target(2)

    def worth(to_go: int, other: int) -> int:
        before = [target - to_go, target - other]
        world = _world([before[0] + 10, before[1]])
        return _utilities("all_fives", 2, before, world, Aim.MATCH, [0, 0])[0]

    assert worth(NEAR, NEAR) == pytest.approx(10 * stakes.POINT, rel=0.25)
    assert worth(20, 10) > 0
    assert worth(20, 60) > 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chances_of_all_sides_move_against_each_other(seats: int) -> None:
    target = PRESETS["muggins"].target(seats)
    before = [target - 40] * seats
    world = _world([target - 20, *before[1:]])
    found = _utilities("muggins", seats, before, world, Aim.MATCH, [0] * seats)
    assert found[0] > 0
    assert all(value < 0 for value in found[1:])
    assert abs(sum(found)) < found[0] // 8


def test_chances_between_steps_lie_between_those_of_the_steps() -> None:
    table = weights.equity_table("all_fives-2", compiled=False)
    step = 5 * stakes.POINT
    chances = [
        stakes.expected_chance(table, 4 * step + quarter * step // 4, 6 * step)
        for quarter in range(5)
    ]
    assert sorted(chances, reverse=True) == chances
    assert chances[0] > chances[4]
    mirrored = stakes.expected_chance(table, 6 * step, 4 * step)
    assert mirrored == pytest.approx(CERTAIN_WIN - chances[0], abs=2)


def test_a_side_that_gets_there_first_wins() -> None:
    table = weights.equity_table("all_fives-2", compiled=False)
    assert CERTAIN_WIN == stakes.expected_chance(table, 0, 5)
    assert 0 == stakes.expected_chance(table, 5, -1)
    assert CERTAIN_WIN == stakes.expected_chance(table, -9, -1)
    assert CERTAIN_WIN // 2 == stakes.expected_chance(table, -9, -9)
