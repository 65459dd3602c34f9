"""Every way in which a rule set does not fit together is named, with the field it concerns."""

from dataclasses import replace
from typing import Any

import pytest

from muggins_rules import PRESETS, RuleSet, new_match, preset
from muggins_rules.rule_set_check import (
    InvalidRuleSet,
    Problem,
    RuleSetProblem,
    check_rule_set,
    rule_set_problems,
)
from muggins_rules.ruleset import (
    Deal,
    HouseRules,
    OpenerRule,
    Scoring,
    SettlementRule,
    Turns,
)

P = RuleSetProblem
CUSTOM = RuleSet("custom")
LED = OpenerRule.HIGHEST_DOUBLE


def deal(**changes: Any) -> RuleSet:  # noqa: ANN401 - fields of any type, by name
    return replace(CUSTOM, deal=replace(Deal(), **changes))


def scoring(**changes: Any) -> RuleSet:  # noqa: ANN401 - as above
    return replace(CUSTOM, scoring=replace(Scoring(), **changes))


def house(**changes: Any) -> RuleSet:  # noqa: ANN401 - as above
    return replace(CUSTOM, house_rules=replace(HouseRules(), **changes))


def with_sizes(sizes: tuple[int, int, int], targets: tuple[int, int, int]) -> RuleSet:
    return replace(CUSTOM, deal=Deal(6, sizes), scoring=Scoring(target_by_seats=targets))


SIZES = "deal.hand_size_by_seats"
TARGETS = "scoring.target_by_seats"
MINIMUM = "house_rules.first_score_minimum"
SHARES = "house_rules.blocked_tie_shares"

BROKEN = [
    (P.ID_MALFORMED, "id", replace(CUSTOM, id="")),
    (P.ID_MALFORMED, "id", replace(CUSTOM, id="Upper")),
    (P.ID_MALFORMED, "id", replace(CUSTOM, id="1st")),
    (P.ID_MALFORMED, "id", replace(CUSTOM, id="a" * 41)),
    (P.ID_MALFORMED, "id", replace(CUSTOM, id="custom\n")),
    (P.ID_IS_TAKEN, "id", replace(CUSTOM, id="sniff")),
    (P.RULES_VERSION_UNKNOWN, "rules_version", replace(CUSTOM, rules_version=2)),
    (P.HIGHEST_PIP_OUT_OF_RANGE, "deal.highest_pip", deal(highest_pip=0)),
    (P.HIGHEST_PIP_OUT_OF_RANGE, "deal.highest_pip", deal(highest_pip=7)),
    (P.HAND_SIZE_OUT_OF_RANGE, SIZES, deal(hand_size_by_seats=(7, -1, 5))),
    (P.BONEYARD_RESERVE_OUT_OF_RANGE, "deal.boneyard_reserve", deal(boneyard_reserve=3)),
    (P.BONEYARD_RESERVE_OUT_OF_RANGE, "deal.boneyard_reserve", deal(boneyard_reserve=-1)),
    (P.TOO_MANY_TILES_DEALT, SIZES, deal(hand_size_by_seats=(15, 5, 5))),
    (P.TOO_MANY_TILES_DEALT, SIZES, deal(hand_size_by_seats=(5, 10, 5))),
    (P.TOO_MANY_TILES_DEALT, SIZES, deal(hand_size_by_seats=(5, 5, 7), boneyard_reserve=1)),
    (P.TOO_MANY_TILES_DEALT, SIZES, deal(highest_pip=1, hand_size_by_seats=(1, 1, 1))),
    (
        P.NOTHING_TO_LEAD,
        "turns.must_lead_highest_double",
        replace(CUSTOM, turns=Turns(must_lead_highest_double=True)),
    ),
    (P.POINTS_DIVISOR_UNKNOWN, "scoring.points_divisor", scoring(points_divisor=0)),
    (P.POINTS_DIVISOR_UNKNOWN, "scoring.points_divisor", scoring(points_divisor=2)),
    (P.TARGET_OUT_OF_RANGE, TARGETS, scoring(target_by_seats=(250, -5, 200))),
    (P.TARGET_OUT_OF_RANGE, TARGETS, scoring(target_by_seats=(250, 10_001, 200))),
    (P.TARGET_MISSING, TARGETS, scoring(target_by_seats=(250, 0, 200))),
    (P.TARGET_WITHOUT_SEATS, TARGETS, with_sizes((7, 0, 5), (250, 200, 200))),
    (
        P.EXACT_TARGET_UNREACHABLE,
        "house_rules.exact_target",
        replace(house(exact_target=True), scoring=Scoring(target_by_seats=(250, 61, 200))),
    ),
    (P.FIRST_SCORE_MINIMUM_OUT_OF_RANGE, MINIMUM, house(first_score_minimum=-5)),
    (P.FIRST_SCORE_MINIMUM_OUT_OF_RANGE, MINIMUM, house(first_score_minimum=10_001)),
    (P.FIRST_SCORE_ABOVE_TARGET, MINIMUM, house(first_score_minimum=205)),
    (
        P.TIE_SHARES_WITHOUT_GAIN,
        SHARES,
        replace(house(blocked_tie_shares=True), scoring=Scoring(blocked=SettlementRule.DEBIT)),
    ),
    (
        P.TIE_SHARES_WITHOUT_THREE_SEATS,
        SHARES,
        replace(
            with_sizes((7, 0, 5), (250, 0, 200)), house_rules=HouseRules(blocked_tie_shares=True)
        ),
    ),
    (P.ROUND_LIMIT_OUT_OF_RANGE, "house_rules.round_limit", house(round_limit=-1)),
    (P.ROUND_LIMIT_OUT_OF_RANGE, "house_rules.round_limit", house(round_limit=4_097)),
    (
        P.PAIRS_WITHOUT_FOUR_SEATS,
        "scoring.pairs",
        replace(
            CUSTOM,
            deal=Deal(6, (7, 5, 0)),
            scoring=Scoring(pairs=True, target_by_seats=(250, 200, 0)),
        ),
    ),
    (
        P.NO_SEATS_OFFERED,
        SIZES,
        with_sizes((0, 0, 0), (0, 0, 0)),
    ),
]


@pytest.mark.parametrize(("problem", "field", "rule_set"), BROKEN)
def test_a_problem_is_named_alone_with_its_field(
    problem: RuleSetProblem, field: str, rule_set: RuleSet
) -> None:
    assert (Problem(problem, field),) == rule_set_problems(rule_set)
    with pytest.raises(InvalidRuleSet) as raised:
        check_rule_set(rule_set)
    assert (Problem(problem, field),) == raised.value.problems


def test_every_problem_has_its_case() -> None:
    assert set(RuleSetProblem) == {problem for problem, _, _ in BROKEN}


def test_all_problems_are_named_at_once_in_a_fixed_order() -> None:
    broken = replace(deal(highest_pip=9), id="X", scoring=Scoring(points_divisor=3))
    expected = [P.ID_MALFORMED, P.HIGHEST_PIP_OUT_OF_RANGE, P.POINTS_DIVISOR_UNKNOWN]
    assert expected == [found.problem for found in rule_set_problems(broken)]


@pytest.mark.parametrize("values", [(7, 5), (7, 5, 5, 5)])
def test_values_for_any_other_numbers_of_seats_are_a_programming_error(
    values: tuple[int, int, int],
) -> None:
    for broken in (deal(hand_size_by_seats=values), scoring(target_by_seats=values)):
        with pytest.raises(AssertionError, match="two, three, four"):
            check_rule_set(broken)


@pytest.mark.parametrize("calling", [False, True])
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_can_be_played_and_keeps_its_name_under_calling(
    name: str,
    calling: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    assert () == rule_set_problems(preset(name, calling=calling))


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_with_any_other_change_needs_another_name(name: str) -> None:
    changed = replace(PRESETS[name], house_rules=HouseRules(round_limit=3))
    assert (Problem(P.ID_IS_TAKEN, "id"),) == rule_set_problems(changed)
    assert () == rule_set_problems(replace(changed, id="mine"))


def test_the_widest_rule_sets_can_be_played() -> None:
    assert () == rule_set_problems(deal(hand_size_by_seats=(14, 9, 7)))
    assert () == rule_set_problems(deal(hand_size_by_seats=(13, 8, 6), boneyard_reserve=2))
    assert () == rule_set_problems(deal(highest_pip=2, hand_size_by_seats=(3, 2, 1)))
    assert () == rule_set_problems(
        replace(CUSTOM, turns=Turns(opener_after_block=LED, must_lead_highest_double=True))
    )


@pytest.mark.parametrize("seats", [0, 1, 3, 5])
def test_a_match_has_a_number_of_seats_that_is_offered(seats: int) -> None:
    with pytest.raises(ValueError, match="is not played with"):
        new_match(PRESETS["all_fives"], seats)


def test_a_match_has_a_rule_set_that_can_be_played() -> None:
    with pytest.raises(InvalidRuleSet, match="highest_pip_out_of_range"):
        new_match(deal(highest_pip=7), 2)
