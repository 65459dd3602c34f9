"""The questions of a turn: what fits, what can be drawn, whether the round is blocked."""

from muggins_rules import kernel
from muggins_rules.layout import TableLayout
from muggins_rules.places import Count
from muggins_rules.ruleset import RuleSet
from muggins_rules.scoring import credited_gain
from muggins_rules.state import MatchState, RoundState

__all__ = ["drawable", "ends_round", "fitting", "is_blocked", "outcome_of"]


def fitting(table: RoundState, seat: int) -> int:
    """The tiles that a seat may place now, as a mask.

    A tile just drawn that fits is the only one, and so is a tile that must be led.
    """
    hand = table.hands[seat]
    if table.must_lead is not None:
        return hand & 1 << table.must_lead
    if table.drawn is not None:
        hand = 1 << table.drawn
    return kernel.legal_tiles(table.layout.word, hand)


def drawable(rule_set: RuleSet, table: RoundState) -> int:
    """The number of tiles that may still be drawn; the reserve may not."""
    left = len(table.boneyard) - rule_set.deal.boneyard_reserve
    return max(0, left)


def is_blocked(rule_set: RuleSet, table: RoundState) -> bool:
    """True when nothing is drawable and no seat holds a tile that fits."""
    if drawable(rule_set, table):
        return False
    held = 0
    for hand in table.hands:
        held |= hand
    return not kernel.legal_tiles(table.layout.word, held)


def ends_round(rule_set: RuleSet, table: RoundState, seat: int, layout: TableLayout) -> bool:
    """True when a seat's placement, which makes that layout, is the round's last.

    It goes out, or nobody can go on: the same as `is_blocked` afterwards, told beforehand.
    """
    if not table.hands[seat] & ~layout.laid:
        return True
    if drawable(rule_set, table):
        return False
    held = 0
    for hand in table.hands:
        held |= hand
    return not kernel.legal_tiles(layout.word, held & ~layout.laid)


def outcome_of(state: MatchState, seat: int, layout: TableLayout) -> Count:
    """What the layout that a seat's placement makes counts, and scores for that seat.

    House rules apply when points are credited: at once, or under calling when the window closes.
    """
    rule_set = state.rule_set
    count = kernel.count_of(layout.word)
    points = kernel.points_of(count, rule_set.scoring.points_divisor)
    if points and not rule_set.calling:
        side = rule_set.side_of(seat, state.seats)
        has_scored = state.have_scored[side]
        points = credited_gain(
            rule_set, state.seats, state.scores[side], points, has_scored=has_scored
        )
    return Count(count, layout.contributions, points)
