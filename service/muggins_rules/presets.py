"""The games that have a name, as values of `RuleSet`.

Sources: the Portuguese and French sheets of Muggins, the Portuguese sheet of All Fives with its
table of variants; `docs/rules/` cites them parameter by parameter.
"""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from muggins_rules.ruleset import (
    Deal,
    Layout,
    OpenerRule,
    RuleSet,
    Scoring,
    SettlementRule,
    SpinnerRule,
    Turns,
)

__all__ = ["PRESETS", "preset"]

_FIRST_DOUBLE = Layout(SpinnerRule.FIRST_DOUBLE)
_DEBIT = SettlementRule.DEBIT

_MUGGINS = RuleSet(
    "muggins",
    deal=Deal(hand_size_by_seats=(7, 5, 5)),
    scoring=Scoring(going_out=_DEBIT, blocked=_DEBIT),
)
_ALL_FIVES = RuleSet(
    "all_fives",
    deal=Deal(hand_size_by_seats=(7, 0, 5)),
    layout=_FIRST_DOUBLE,
    scoring=Scoring(pairs=True, target_by_seats=(250, 0, 200)),
)
_ALL_FIVES_US = RuleSet(
    "all_fives_us",
    deal=Deal(hand_size_by_seats=(9, 7, 5)),
    layout=_FIRST_DOUBLE,
    scoring=Scoring(pairs=True),
)
_FIVE_UP = RuleSet(
    "five_up",
    deal=Deal(hand_size_by_seats=(5, 5, 5)),
    layout=Layout(SpinnerRule.EVERY_DOUBLE),
    scoring=Scoring(points_divisor=5, pairs=True, target_by_seats=(61, 61, 61)),
)
_FIVE_UP_DEBIT = replace(
    _FIVE_UP,
    id="five_up_debit",
    scoring=replace(_FIVE_UP.scoring, going_out=_DEBIT, blocked=_DEBIT),
)
_SNIFF = RuleSet(
    "sniff",
    deal=Deal(hand_size_by_seats=(7, 6, 5)),
    layout=Layout(SpinnerRule.SNIFF),
    scoring=Scoring(pairs=True),
)
_SNIFF_US = replace(_SNIFF, id="sniff_us", layout=Layout(SpinnerRule.SNIFF_US))
_LATIN_AMERICAN = RuleSet(
    "latin_american",
    deal=Deal(hand_size_by_seats=(7, 0, 7)),
    turns=Turns(
        anticlockwise=True,
        first_opener=OpenerRule.HIGHEST_DOUBLE,
        opener_after_block=OpenerRule.HIGHEST_DOUBLE,
        must_lead_highest_double=True,
    ),
    layout=_FIRST_DOUBLE,
    scoring=Scoring(pairs=True, target_by_seats=(250, 0, 200)),
)

PRESETS: Final = MappingProxyType(
    {
        rule_set.id: rule_set
        for rule_set in (
            _MUGGINS,
            _ALL_FIVES,
            _ALL_FIVES_US,
            _FIVE_UP,
            _FIVE_UP_DEBIT,
            _SNIFF,
            _SNIFF_US,
            _LATIN_AMERICAN,
        )
    }
)
"""Presets by id."""


def preset(rule_set_id: str, *, calling: bool = False) -> RuleSet:
    """The preset of that id, with the calling switch as asked; KeyError when there is none."""
    rule_set = PRESETS[rule_set_id]
    return replace(rule_set, calling=True) if calling else rule_set
