"""A rule set and a number of seats as the integers that `playout` reads."""

from muggins_rules.layout import kernel_flags
from muggins_rules.ruleset import RuleSet, SettlementRule
from muggins_rules.tiles import SET_CODES

__all__ = ["rules_of", "set_mask"]


def rules_of(rule_set: RuleSet, seats: int) -> list[int]:
    """What a round of a rule set is played by, in the order of the places that `playout` names."""
    scoring, house = rule_set.scoring, rule_set.house_rules
    return [
        kernel_flags(rule_set),
        seats,
        rule_set.sides(seats),
        rule_set.next_seat(0, seats),
        rule_set.hand_size(seats),
        len(SET_CODES[rule_set.deal.highest_pip]),
        rule_set.deal.boneyard_reserve,
        scoring.points_divisor,
        int(scoring.going_out is SettlementRule.DEBIT),
        int(scoring.blocked is SettlementRule.DEBIT),
        rule_set.target(seats),
        int(house.exact_target),
        house.first_score_minimum,
        int(house.blocked_tie_shares),
    ]


def set_mask(highest_pip: int) -> int:
    """The mask of all tiles of a set."""
    return sum(1 << code for code in SET_CODES[highest_pip])
