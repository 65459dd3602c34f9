"""Points that change a score: gains under the house rules, and the settlement of a round."""

from muggins_rules import kernel
from muggins_rules.events import Settlement
from muggins_rules.ruleset import RuleSet, SettlementRule
from muggins_rules.tiles import pips_of_mask

__all__ = ["credited_gain", "settle"]

TIED_WITH_SHARES = 2
SEATS_WITH_SHARES = 3


def credited_gain(rule_set: RuleSet, seats: int, score: int, gain: int, *, has_scored: bool) -> int:
    """What of a side's gain counts: all of it, or nothing where a house rule forbids it."""
    house = rule_set.house_rules
    if house.exact_target and score + gain > rule_set.target(seats):
        return 0
    if not has_scored and gain < house.first_score_minimum:
        return 0
    return gain


def settle(
    rule_set: RuleSet,
    seats: int,
    hands: tuple[int, ...],
    went_out: int | None,
    scores: tuple[int, ...],
    have_scored: tuple[bool, ...],
) -> tuple[int | None, tuple[Settlement, ...]]:
    """The winning side, if any, and each side's line of the settlement.

    `hands` are masks by seat, `went_out` is absent for a blocked round.
    """
    pips = _pips_by_side(rule_set, seats, hands)
    rule = rule_set.scoring.blocked if went_out is None else rule_set.scoring.going_out
    if rule is SettlementRule.DEBIT:
        return None, _debits(rule_set, pips, scores)
    if went_out is not None:
        winner: int | None = rule_set.side_of(went_out, seats)
    else:
        winner = _lowest(pips)
    summed = [0] * len(pips)
    rounded = [0] * len(pips)
    changes = [0] * len(pips)
    if winner is not None:
        summed[winner] = sum(pips) - pips[winner]
        rounded[winner] = kernel.nearest_five(summed[winner])
        changes[winner] = rounded[winner] // rule_set.scoring.points_divisor
    else:
        for side in _sharing(rule_set, pips):
            summed[side] = max(pips)
            rounded[side] = kernel.nearest_five(summed[side]) // 2 // 5 * 5
            changes[side] = rounded[side] // rule_set.scoring.points_divisor
    lines = []
    for side, gain in enumerate(changes):
        change = credited_gain(rule_set, seats, scores[side], gain, has_scored=have_scored[side])
        lines.append(Settlement(side, summed[side], rounded[side], change, scores[side] + change))
    return winner, tuple(lines)


def _pips_by_side(rule_set: RuleSet, seats: int, hands: tuple[int, ...]) -> list[int]:
    pips = [0] * rule_set.sides(seats)
    for seat, hand in enumerate(hands):
        pips[rule_set.side_of(seat, seats)] += pips_of_mask(hand)
    return pips


def _debits(rule_set: RuleSet, pips: list[int], scores: tuple[int, ...]) -> tuple[Settlement, ...]:
    lines = []
    for side, own in enumerate(pips):
        rounded = kernel.nearest_five(own)
        change = -(rounded // rule_set.scoring.points_divisor)
        lines.append(Settlement(side, own, rounded, change, scores[side] + change))
    return tuple(lines)


def _lowest(pips: list[int]) -> int | None:
    """The side with the fewest pips; none when several tie."""
    least = min(pips)
    return pips.index(least) if pips.count(least) == 1 else None


def _sharing(rule_set: RuleSet, pips: list[int]) -> list[int]:
    """The two of three sides that tie for the lowest and share, where the house rule is set."""
    least = min(pips)
    tied = [side for side, own in enumerate(pips) if own == least]
    shares = rule_set.house_rules.blocked_tie_shares and len(pips) == SEATS_WITH_SHARES
    return tied if shares and len(tied) == TIED_WITH_SHARES else []
