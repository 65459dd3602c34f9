"""When an opponent calls a placement whose points were not claimed: by its level."""

from typing import Final

from muggins_ai.levels import LADDER
from muggins_service.table.state import Table

__all__ = ["call_from_us", "call_share"]

SOONEST: Final = 60
"""Percent of the minimum time of a claim window after which the top of the ladder calls: people
have had most of it to claim and to call themselves."""
LATEST: Final = 90
"""The same of the weakest level: before the next seat may close the window."""


def call_share(level: str) -> int:
    """After how many percent of the minimum time a level calls: the weaker, the later.

    A level that is not on the ladder calls in the middle.
    """
    if level not in LADDER:
        return (SOONEST + LATEST) // 2
    weaker = LADDER.index(level)
    return LATEST - (LATEST - SOONEST) * weaker // (len(LADDER) - 1)


def call_from_us(table: Table, level: str) -> int:
    """When an opponent of a level calls the placement whose window is open."""
    assert table.window is not None, "seats may call while a window is open"
    opened_us = next(
        entry.time_us
        for entry in reversed(table.round_entries)
        if entry.sequence == table.placement_sequence
    )
    minimum_us = table.window.not_before_us - opened_us
    return opened_us + minimum_us * call_share(level) // 100
