"""Rule sets, both ways."""

from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeVar

from muggins.i18n import FALLBACK_LANGUAGE, sentence
from muggins.v1 import rule_sets_pb2 as pb
from muggins_rules.rule_set_check import Problem, rule_set_problems
from muggins_rules.ruleset import (
    FEWEST_SEATS,
    PAIRS_SEATS,
    RULES_VERSION,
    Deal,
    HouseRules,
    Layout,
    OpenerRule,
    RuleSet,
    Scoring,
    SettlementRule,
    SpinnerRule,
    Turns,
)
from muggins_service.errors import FieldProblem, ServiceError, ServiceReason, malformed_field

__all__ = [
    "check_playable",
    "check_seats",
    "decode_rule_set",
    "problem_sentence",
    "rule_set_bytes",
    "set_rule_set",
]

_SPINNERS: Final = {pb.SpinnerRule.Value(f"SPINNER_RULE_{rule.name}"): rule for rule in SpinnerRule}
_OPENERS: Final = {pb.OpenerRule.Value(f"OPENER_RULE_{rule.name}"): rule for rule in OpenerRule}
_SETTLEMENTS: Final = {
    pb.SettlementRule.Value(f"SETTLEMENT_RULE_{rule.name}"): rule for rule in SettlementRule
}
_SPINNER_NUMBERS: Final = {rule: number for number, rule in _SPINNERS.items()}
_OPENER_NUMBERS: Final = {rule: number for number, rule in _OPENERS.items()}
_SETTLEMENT_NUMBERS: Final = {rule: number for number, rule in _SETTLEMENTS.items()}

_KEPT: Final = 256
_SEAT_COUNTS: Final = PAIRS_SEATS - FEWEST_SEATS + 1

_Number = TypeVar("_Number", bound=int)
_Rule = TypeVar("_Rule", bound=StrEnum)


# --- out ---


@lru_cache(_KEPT)
def rule_set_bytes(rule_set: RuleSet) -> bytes:
    """A RuleSet."""
    message = pb.RuleSet()
    _write(message, rule_set)
    return message.SerializeToString()


def set_rule_set(message: pb.RuleSet, rule_set: RuleSet) -> None:
    """Fill an empty RuleSet."""
    message.MergeFromString(rule_set_bytes(rule_set))


def _write(message: pb.RuleSet, rule_set: RuleSet) -> None:
    message.id = rule_set.id
    message.calling = rule_set.calling
    message.rules_version = rule_set.rules_version
    deal, turns, scoring = rule_set.deal, rule_set.turns, rule_set.scoring
    message.deal.highest_pip = deal.highest_pip
    message.deal.hand_size_by_seats.extend(deal.hand_size_by_seats)
    message.deal.boneyard_reserve = deal.boneyard_reserve
    message.turns.anticlockwise = turns.anticlockwise
    message.turns.first_opener = _OPENER_NUMBERS[turns.first_opener]
    message.turns.opener_after_block = _OPENER_NUMBERS[turns.opener_after_block]
    message.turns.must_lead_highest_double = turns.must_lead_highest_double
    message.layout.spinner = _SPINNER_NUMBERS[rule_set.layout.spinner]
    message.scoring.going_out = _SETTLEMENT_NUMBERS[scoring.going_out]
    message.scoring.blocked = _SETTLEMENT_NUMBERS[scoring.blocked]
    message.scoring.points_divisor = scoring.points_divisor
    message.scoring.pairs = scoring.pairs
    message.scoring.target_by_seats.extend(scoring.target_by_seats)
    house = rule_set.house_rules
    if house != HouseRules():
        message.house_rules.exact_target = house.exact_target
        message.house_rules.first_score_minimum = house.first_score_minimum
        message.house_rules.blocked_tie_shares = house.blocked_tie_shares
        message.house_rules.round_limit = house.round_limit


# --- in ---


def decode_rule_set(message: pb.RuleSet, field: str) -> RuleSet:
    """The value that a message stands for, whether or not it can be played."""
    for part in ("deal", "turns", "layout", "scoring"):
        if not message.HasField(part):
            raise malformed_field(f"{field}.{part}", "This part of a rule set is required.")
    deal, turns, scoring = message.deal, message.turns, message.scoring
    house = message.house_rules
    return RuleSet(
        message.id,
        Deal(
            deal.highest_pip,
            _by_seats(tuple(deal.hand_size_by_seats), f"{field}.deal.hand_size_by_seats"),
            deal.boneyard_reserve,
        ),
        Turns(
            turns.anticlockwise,
            _rule(_OPENERS, turns.first_opener, f"{field}.turns.first_opener"),
            _rule(_OPENERS, turns.opener_after_block, f"{field}.turns.opener_after_block"),
            turns.must_lead_highest_double,
        ),
        Layout(_rule(_SPINNERS, message.layout.spinner, f"{field}.layout.spinner")),
        Scoring(
            _rule(_SETTLEMENTS, scoring.going_out, f"{field}.scoring.going_out"),
            _rule(_SETTLEMENTS, scoring.blocked, f"{field}.scoring.blocked"),
            scoring.points_divisor,
            scoring.pairs,
            _by_seats(tuple(scoring.target_by_seats), f"{field}.scoring.target_by_seats"),
        ),
        message.calling,
        HouseRules(
            house.exact_target,
            house.first_score_minimum,
            house.blocked_tie_shares,
            house.round_limit,
        ),
        message.rules_version or RULES_VERSION,
    )


def check_playable(rule_set: RuleSet, field: str) -> None:
    """Refuse a rule set that cannot be played, naming everything that is wrong with it."""
    problems = rule_set_problems(rule_set)
    if problems:
        raise ServiceError(
            ServiceReason.RULE_SET_INVALID,
            fields=tuple(
                FieldProblem(
                    f"{field}.{problem.field}",
                    f"{problem.problem.upper()}: {problem_sentence(problem)}",
                )
                for problem in problems
            ),
        )


def check_seats(rule_set: RuleSet, seats: int) -> None:
    """Refuse a number of seats that a rule set does not offer."""
    if seats not in rule_set.seat_counts:
        raise ServiceError(ServiceReason.UNSUPPORTED_SEATS)


def problem_sentence(problem: Problem, language: str = FALLBACK_LANGUAGE) -> str:
    """What is wrong with a rule set, for people."""
    return sentence(problem.problem, language)


def _rule(rules: dict[_Number, _Rule], number: _Number, field: str) -> _Rule:
    rule = rules.get(number)
    if rule is None:
        raise malformed_field(field, "A rule is required here, one that this version knows.")
    return rule


def _by_seats(numbers: tuple[int, ...], field: str) -> tuple[int, int, int]:
    if len(numbers) != _SEAT_COUNTS:
        raise malformed_field(field, "Three numbers are required: for two, three and four seats.")
    two, three, four = numbers
    return two, three, four
