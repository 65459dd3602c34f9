"""Families of tables that share learned values: what a round is like, whatever the game is called.

A family is told by the number of seats and sides, the spinner, both settlements and the hand size.
Units, targets, the direction of play and who opens do not matter to the rest of a round, so games
that differ in nothing else share one. A table of another kind uses the nearest family.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import RuleSet, SettlementRule, SpinnerRule

__all__ = ["FAMILIES", "Family", "FamilyKey", "family_of", "key_of"]

_FULL_SET: Final = 6
_SPINNERS: Final = tuple(SpinnerRule)


class FamilyKey(NamedTuple):
    """What tells families apart."""

    seats: int
    sides: int
    spinner: SpinnerRule
    going_out: SettlementRule
    blocked: SettlementRule
    hand_size: int


@dataclass(frozen=True, slots=True)
class Family:
    """The family whose learned values a table uses; not `exact`: the nearest there is."""

    id: str
    exact: bool


def key_of(rule_set: RuleSet, seats: int) -> FamilyKey:
    """The key of a rule set with so many seats."""
    return FamilyKey(
        seats,
        rule_set.sides(seats),
        rule_set.layout.spinner,
        rule_set.scoring.going_out,
        rule_set.scoring.blocked,
        rule_set.hand_size(seats),
    )


def _families() -> dict[FamilyKey, str]:
    found: dict[FamilyKey, str] = {}
    for rule_set in PRESETS.values():
        for seats in rule_set.seat_counts:
            found.setdefault(key_of(rule_set, seats), f"{rule_set.id}-{seats}")
    return found


FAMILIES: Final = MappingProxyType(_families())
"""The families of the presets by key; each has the name of the first preset in it."""


def family_of(rule_set: RuleSet, seats: int) -> Family:
    """The family of a table: its own, or the nearest.

    Nearest is decided in this order: seats and sides, the spinner, the settlements, the hand size;
    of equally near ones the first.
    """
    key = key_of(rule_set, seats)
    whole = rule_set.deal.highest_pip == _FULL_SET and not rule_set.deal.boneyard_reserve
    name = FAMILIES.get(key)
    if name is not None:
        return Family(name, exact=whole)
    nearest = min(FAMILIES, key=lambda other: _distance(key, other))
    return Family(FAMILIES[nearest], exact=False)


def _distance(key: FamilyKey, other: FamilyKey) -> tuple[int, ...]:
    return (
        abs(key.seats - other.seats),
        abs(key.sides - other.sides),
        abs(_SPINNERS.index(key.spinner) - _SPINNERS.index(other.spinner)),
        (key.going_out is not other.going_out) + (key.blocked is not other.blocked),
        abs(key.hand_size - other.hand_size),
    )
