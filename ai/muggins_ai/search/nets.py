"""The learned functions that a search uses, as it takes them."""

from typing import Any, NamedTuple

from muggins_ai.evaluate import weights
from muggins_ai.evaluate.families import family_of
from muggins_rules.ruleset import RuleSet

__all__ = ["SearchNets", "search_nets"]


class SearchNets(NamedTuple):
    """The learned functions of a family: weights as `evaluate` reads them, and their scratch.

    `opener_value` is what opening the next round is worth, in 1/1024 raw point; `equity_table` is
    what `evaluate.equity` reads.
    """

    value_net: Any
    value_scratch: Any
    policy_net: Any
    policy_scratch: Any
    opener_value: int
    equity_table: Any


def search_nets(rule_set: RuleSet, seats: int, *, compiled: bool = True) -> SearchNets:
    """What was learned for the family of a table, or for the nearest.

    Raises:
        WeightsError: the family has no weights.
    """
    family = family_of(rule_set, seats).id
    return SearchNets(
        weights.value_net(family, compiled=compiled),
        weights.value_scratch(compiled=compiled),
        weights.policy_net(family, compiled=compiled),
        weights.policy_scratch(compiled=compiled),
        weights.opener_value(family),
        weights.equity_table(family, compiled=compiled),
    )
