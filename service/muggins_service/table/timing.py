"""When a table next needs attention by itself."""

from typing import Final

from muggins_service.table.facts import WindowTiming
from muggins_service.table.policy import TablePolicy
from muggins_service.table.state import Status, Table

__all__ = [
    "NEVER_US",
    "idle_at_us",
    "next_tick_us",
    "starts_by_itself_at",
    "window_closes_at",
]

NEVER_US: Final = 1 << 62
"""A time later than any other."""


def starts_by_itself_at(table: Table, policy: TablePolicy) -> int:
    """When a full table stops waiting for nonces; never where the host starts it."""
    if not table.created.options.starts_when_full:
        return NEVER_US
    return policy.due_us(table.filled_us + policy.nonce_wait_us, table.filled_us)


def window_closes_at(window: WindowTiming, table: Table, policy: TablePolicy) -> int:
    """When the open claim window of a table closes by itself."""
    return policy.due_us(window.closes_at_us, table.changed_us)


def idle_at_us(table: Table, policy: TablePolicy) -> int:
    """When a match in which nothing happens any more is ended; never before a deadline."""
    if table.status is Status.OPEN:
        return policy.idle_from_us(table.changed_us) + policy.open_lifetime_us
    deadline_us = 0 if table.turn is None else table.turn.deadline_us
    return max(policy.idle_from_us(table.changed_us), deadline_us) + policy.idle_lifetime_us


def next_tick_us(table: Table, policy: TablePolicy, after_us: int) -> int:
    """The earliest time after `after_us` at which something is due without a command.

    For a match that is over this is when it is forgotten.
    """
    return min((due for due in _due_times(table, policy) if due > after_us), default=NEVER_US)


def _due_times(table: Table, policy: TablePolicy) -> tuple[int, ...]:
    if table.is_over:
        return (policy.due_us(table.ended_us + policy.finished_lifetime_us, table.ended_us),)
    idle = idle_at_us(table, policy)
    if table.status is Status.OPEN:
        return (idle, starts_by_itself_at(table, policy)) if table.is_full else (idle,)
    if table.window is None:
        return (idle,)
    closes_at_us = window_closes_at(table.window, table, policy)
    return (idle, closes_at_us, table.window.not_before_us)
