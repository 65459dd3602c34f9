"""Tables, orders and random play for the tests of environments."""

from collections.abc import Iterator
from random import Random

from muggins_ai.environments.chance_round import (
    ChanceRound,
    after_action,
    after_chance,
    new_round,
)
from muggins_ai.environments.tables import Table, table_of
from muggins_rules import PRESETS
from tests.ai.tables import HOUSE, SMALL_SNIFF, SMALL_TREE

__all__ = ["PRESET_TABLES", "TABLES", "named", "random_plays"]

PRESET_TABLES = tuple(
    table_of(rule_set, seats) for rule_set in PRESETS.values() for seats in rule_set.seat_counts
)

TABLES = (
    *PRESET_TABLES,
    *(
        table_of(rule_set, seats)
        for rule_set in (SMALL_SNIFF, SMALL_TREE, HOUSE)
        for seats in rule_set.seat_counts
    ),
)


def named(table: Table) -> str:
    """A table as the name of a test's case."""
    return f"{table.rule_set.id}-{table.seats}"


def random_plays(table: Table, seed: int) -> Iterator[ChanceRound]:
    """Every step of a round of outcomes and actions at random, the first and the last too."""
    random = Random(seed)
    play = new_round(table)
    yield play
    while not play.is_over:
        if play.is_chance:
            play = after_chance(play, random.choice(play.outcomes()))
        else:
            play = after_action(play, random.choice(list(play.actions())))
        yield play
