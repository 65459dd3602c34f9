"""Which parameters a rule set may have: a closed list of ranges and forbidden combinations."""

import re
from dataclasses import replace
from enum import StrEnum
from typing import Final, NamedTuple

from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import (
    FEWEST_SEATS,
    MOST_SEATS,
    RULES_VERSION,
    OpenerRule,
    RuleSet,
    SettlementRule,
)
from muggins_rules.tiles import MAX_PIP, SET_CODES

__all__ = ["InvalidRuleSet", "Problem", "RuleSetProblem", "check_rule_set", "rule_set_problems"]

MOST_RESERVED: Final = 2
HIGHEST_TARGET: Final = 10_000
MOST_ROUNDS: Final = 4_096
_DIVISORS: Final = (1, 5)
_SEAT_COUNTS: Final = MOST_SEATS - FEWEST_SEATS + 1
_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


class RuleSetProblem(StrEnum):
    """What is wrong with a rule set."""

    ID_MALFORMED = "id_malformed"
    ID_IS_TAKEN = "id_is_taken"
    RULES_VERSION_UNKNOWN = "rules_version_unknown"
    HIGHEST_PIP_OUT_OF_RANGE = "highest_pip_out_of_range"
    HAND_SIZE_OUT_OF_RANGE = "hand_size_out_of_range"
    NO_SEATS_OFFERED = "no_seats_offered"
    BONEYARD_RESERVE_OUT_OF_RANGE = "boneyard_reserve_out_of_range"
    TOO_MANY_TILES_DEALT = "too_many_tiles_dealt"
    NOTHING_TO_LEAD = "nothing_to_lead"
    POINTS_DIVISOR_UNKNOWN = "points_divisor_unknown"
    PAIRS_WITHOUT_FOUR_SEATS = "pairs_without_four_seats"
    TARGET_OUT_OF_RANGE = "target_out_of_range"
    TARGET_MISSING = "target_missing"
    TARGET_WITHOUT_SEATS = "target_without_seats"
    EXACT_TARGET_UNREACHABLE = "exact_target_unreachable"
    FIRST_SCORE_MINIMUM_OUT_OF_RANGE = "first_score_minimum_out_of_range"
    FIRST_SCORE_ABOVE_TARGET = "first_score_above_target"
    TIE_SHARES_WITHOUT_THREE_SEATS = "tie_shares_without_three_seats"
    TIE_SHARES_WITHOUT_GAIN = "tie_shares_without_gain"
    ROUND_LIMIT_OUT_OF_RANGE = "round_limit_out_of_range"


class Problem(NamedTuple):
    """A problem and the field it concerns, named as in `RuleSet`."""

    problem: RuleSetProblem
    field: str


class InvalidRuleSet(ValueError):  # noqa: N818 - says what it is, as IllegalAction does
    """A rule set whose parameters do not fit together; `problems` names each."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Keep the problems."""
        super().__init__("; ".join(f"{p.field}: {p.problem}" for p in problems))
        self.problems = problems


def check_rule_set(rule_set: RuleSet) -> None:
    """Raise InvalidRuleSet unless the rule set can be played."""
    problems = rule_set_problems(rule_set)
    if problems:
        raise InvalidRuleSet(problems)


def rule_set_problems(rule_set: RuleSet) -> tuple[Problem, ...]:
    """Everything that is wrong with a rule set, in a fixed order; empty when it can be played."""
    for by_seats in (rule_set.deal.hand_size_by_seats, rule_set.scoring.target_by_seats):
        assert len(by_seats) == _SEAT_COUNTS, "values by number of seats: two, three, four"
    return (
        *_identity(rule_set),
        *_deal(rule_set),
        *_turns(rule_set),
        *_scoring(rule_set),
        *_house_rules(rule_set),
    )


def _identity(rule_set: RuleSet) -> list[Problem]:
    found = []
    named = PRESETS.get(rule_set.id)
    if not _ID.fullmatch(rule_set.id):
        found.append(Problem(RuleSetProblem.ID_MALFORMED, "id"))
    elif named is not None and rule_set not in {named, _with_calling(named)}:
        found.append(Problem(RuleSetProblem.ID_IS_TAKEN, "id"))
    if rule_set.rules_version != RULES_VERSION:
        found.append(Problem(RuleSetProblem.RULES_VERSION_UNKNOWN, "rules_version"))
    return found


def _deal(rule_set: RuleSet) -> list[Problem]:
    found = []
    deal = rule_set.deal
    sizes = "deal.hand_size_by_seats"
    if not 1 <= deal.highest_pip <= MAX_PIP:
        found.append(Problem(RuleSetProblem.HIGHEST_PIP_OUT_OF_RANGE, "deal.highest_pip"))
    if not 0 <= deal.boneyard_reserve <= MOST_RESERVED:
        found.append(Problem(RuleSetProblem.BONEYARD_RESERVE_OUT_OF_RANGE, "deal.boneyard_reserve"))
    if any(size < 0 for size in deal.hand_size_by_seats):
        found.append(Problem(RuleSetProblem.HAND_SIZE_OUT_OF_RANGE, sizes))
    elif not any(deal.hand_size_by_seats):
        found.append(Problem(RuleSetProblem.NO_SEATS_OFFERED, sizes))
    if not found:
        tiles = len(SET_CODES[deal.highest_pip]) - deal.boneyard_reserve
        most = max(seats * rule_set.hand_size(seats) for seats in rule_set.seat_counts)
        if most > tiles:
            found.append(Problem(RuleSetProblem.TOO_MANY_TILES_DEALT, sizes))
    return found


def _turns(rule_set: RuleSet) -> list[Problem]:
    turns = rule_set.turns
    openers = (turns.first_opener, turns.opener_after_block)
    if turns.must_lead_highest_double and OpenerRule.HIGHEST_DOUBLE not in openers:
        return [Problem(RuleSetProblem.NOTHING_TO_LEAD, "turns.must_lead_highest_double")]
    return []


def _scoring(rule_set: RuleSet) -> list[Problem]:
    found = []
    scoring = rule_set.scoring
    field = "scoring.target_by_seats"
    if scoring.points_divisor not in _DIVISORS:
        found.append(Problem(RuleSetProblem.POINTS_DIVISOR_UNKNOWN, "scoring.points_divisor"))
    if scoring.pairs and not rule_set.deal.hand_size_by_seats[-1]:
        found.append(Problem(RuleSetProblem.PAIRS_WITHOUT_FOUR_SEATS, "scoring.pairs"))
    if not all(0 <= target <= HIGHEST_TARGET for target in scoring.target_by_seats):
        found.append(Problem(RuleSetProblem.TARGET_OUT_OF_RANGE, field))
    by_seats = list(zip(rule_set.deal.hand_size_by_seats, scoring.target_by_seats, strict=True))
    if any(size and not target for size, target in by_seats):
        found.append(Problem(RuleSetProblem.TARGET_MISSING, field))
    if any(target and not size for size, target in by_seats):
        found.append(Problem(RuleSetProblem.TARGET_WITHOUT_SEATS, field))
    return found


def _house_rules(rule_set: RuleSet) -> list[Problem]:
    found = []
    house, scoring = rule_set.house_rules, rule_set.scoring
    targets = [target for target in scoring.target_by_seats if target > 0]
    minimum = "house_rules.first_score_minimum"
    shares = "house_rules.blocked_tie_shares"
    if house.exact_target and any(t * scoring.points_divisor % 5 for t in targets):
        found.append(Problem(RuleSetProblem.EXACT_TARGET_UNREACHABLE, "house_rules.exact_target"))
    if not 0 <= house.first_score_minimum <= HIGHEST_TARGET:
        found.append(Problem(RuleSetProblem.FIRST_SCORE_MINIMUM_OUT_OF_RANGE, minimum))
    elif targets and house.first_score_minimum > min(targets):
        found.append(Problem(RuleSetProblem.FIRST_SCORE_ABOVE_TARGET, minimum))
    if house.blocked_tie_shares:
        three_seats = rule_set.deal.hand_size_by_seats[3 - FEWEST_SEATS]
        if not three_seats:
            found.append(Problem(RuleSetProblem.TIE_SHARES_WITHOUT_THREE_SEATS, shares))
        if scoring.blocked is not SettlementRule.GAIN:
            found.append(Problem(RuleSetProblem.TIE_SHARES_WITHOUT_GAIN, shares))
    if not 0 <= house.round_limit <= MOST_ROUNDS:
        found.append(Problem(RuleSetProblem.ROUND_LIMIT_OUT_OF_RANGE, "house_rules.round_limit"))
    return found


def _with_calling(rule_set: RuleSet) -> RuleSet:
    return replace(rule_set, calling=True)
