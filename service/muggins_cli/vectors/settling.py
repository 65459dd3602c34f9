"""Hands that a settlement is worth a wanted change with, found for cases that name the change."""

from collections.abc import Iterator
from itertools import product

from muggins_cli.vectors.faults import CaseError, Fault
from muggins_cli.vectors.staging import tiles_worth
from muggins_rules import RuleSet
from muggins_rules.ruleset import SettlementRule

__all__ = ["hands_that_settle"]

_ROUNDED_AWAY = (0, 1, -1, 2, -2)
_TIED_PIPS = range(3, 13)
_WINNING_PIPS = range(10)


def hands_that_settle(
    rule_set: RuleSet, seats: int, went_out: int | None, changes: list[int], tiles: int
) -> tuple[int, ...] | None:
    """Hands as masks, from the tiles of a mask, whose settlement changes the scores like that.

    The tiles of a side are in its first seat's hand, or with its other seat where the first went
    out. Where the round is blocked, somebody holds a tile. None when no such hands are found.

    Raises:
        CaseError: the rule set settles no round like that.
    """
    for totals in _totals(rule_set, seats, went_out, changes):
        hands = _hands(rule_set, seats, went_out, totals, tiles)
        if hands is not None and (went_out is not None or any(hands)):
            return hands
    return None


def _totals(
    rule_set: RuleSet, seats: int, went_out: int | None, changes: list[int]
) -> Iterator[tuple[int, ...]]:
    """Pips by side that come to the changes, likely ones first."""
    scoring = rule_set.scoring
    rule = scoring.blocked if went_out is None else scoring.going_out
    rounded = [change * scoring.points_divisor for change in changes]
    if rule is SettlementRule.DEBIT:
        if max(rounded) > 0:
            raise CaseError(Fault.IMPOSSIBLE_POSITION, "a debit is no gain")
        return product(*(_around(-pips) for pips in rounded))
    gaining = [side for side, pips in enumerate(rounded) if pips]
    if min(rounded) < 0 or len(gaining) > 1:
        raise CaseError(Fault.IMPOSSIBLE_POSITION, "one side gains, no side loses")
    if went_out is None:
        return _blocked_totals(rounded, gaining)
    winner = rule_set.side_of(went_out, seats)
    if gaining not in ([], [winner]):
        raise CaseError(Fault.IMPOSSIBLE_POSITION, "another side gains than the one that went out")
    others = len(changes) - 1
    return (
        (*split[:winner], 0, *split[winner:])
        for total in _around(rounded[winner])
        for split in [(total, *[0] * (others - 1))]
    )


def _blocked_totals(rounded: list[int], gaining: list[int]) -> Iterator[tuple[int, ...]]:
    if not gaining:
        return ((pips,) * len(rounded) for pips in _TIED_PIPS)
    winner = gaining[0]
    more_losers = len(rounded) - 2
    return (
        (*losing[:winner], own, *losing[winner:])
        for own in _WINNING_PIPS
        for total in _around(rounded[winner])
        for losing in [(total - more_losers * (own + 1), *[own + 1] * more_losers)]
        if losing[0] > own
    )


def _around(rounded: int) -> list[int]:
    """The numbers of pips that are rounded to a multiple of five."""
    return [rounded + more for more in _ROUNDED_AWAY if rounded + more >= 0]


def _hands(
    rule_set: RuleSet, seats: int, went_out: int | None, totals: tuple[int, ...], tiles: int
) -> tuple[int, ...] | None:
    hands = [0] * seats
    for total, side in sorted(((total, side) for side, total in enumerate(totals)), reverse=True):
        holders = [seat for seat in rule_set.seats_of(side, seats) if seat != went_out]
        held = tiles_worth(total, tiles)
        if held is None or (held and not holders):
            return None
        if holders:
            hands[holders[0]] = held
        tiles &= ~held
    return tuple(hands)
