"""The tables that environments play at, and what points are worth to each seat."""

from collections.abc import Sequence
from typing import NamedTuple

from muggins_rules.presets import PRESETS
from muggins_rules.rule_set_check import check_rule_set
from muggins_rules.ruleset import RuleSet

__all__ = ["Table", "TableError", "table_of", "utilities"]


class TableError(ValueError):
    """A rule set or a number of seats that no environment plays."""


class Table(NamedTuple):
    """A rule set without calling, and a number of seats it is played with."""

    rule_set: RuleSet
    seats: int


def table_of(rules: str | RuleSet, seats: int) -> Table:
    """The table of a preset, by its id, or of a rule set.

    Raises:
        TableError: there is no such preset, it has no such number of seats, or calling is on.
        InvalidRuleSet: the parameters do not fit together.
    """
    if isinstance(rules, str):
        if rules not in PRESETS:
            message = f"no preset is called {rules!r}: there are {', '.join(PRESETS)}"
            raise TableError(message)
        rules = PRESETS[rules]
    check_rule_set(rules)
    if seats not in rules.seat_counts:
        offered = ", ".join(map(str, rules.seat_counts))
        message = f"{rules.id} is played with {offered} seats, not with {seats}"
        raise TableError(message)
    if rules.calling:
        message = f"environments play without calling, which {rules.id} has switched on"
        raise TableError(message)
    return Table(rules, seats)


def utilities(table: Table, points: Sequence[int]) -> tuple[float, ...]:
    """By seat, the points of its side less the mean of the others'; their sum is 0.

    `points` are by side, in the rule set's own unit: scores, or what they have changed by.
    """
    rule_set, seats = table
    total, sides = sum(points), len(points)
    by_side = [own - (total - own) / (sides - 1) for own in points]
    return tuple(by_side[rule_set.side_of(seat, seats)] for seat in range(seats))
