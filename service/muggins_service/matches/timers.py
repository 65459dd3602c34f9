"""The one timer of each match: when something is due there without a command."""

import asyncio
from collections.abc import Callable

from muggins_service.matches.slot import Slot
from muggins_service.table.policy import TablePolicy
from muggins_service.table.timing import NEVER_US, next_tick_us

__all__ = ["Timers"]


class Timers:
    """Sets the timers of slots; every method belongs to the loop's thread."""

    def __init__(
        self, policy: TablePolicy, now_us: Callable[[], int], on_due: Callable[[Slot], None]
    ) -> None:
        """Begin without a timer; `on_due` is called with each slot whose time has come."""
        self._policy = policy
        self._now_us = now_us
        self._on_due = on_due

    def set(self, slot: Slot, after_us: int) -> None:
        """Set a slot's timer to the first time after `after_us` at which something is due."""
        if slot.timer is not None:
            slot.timer.cancel()
            slot.timer = None
        due_us = next_tick_us(slot.table, self._policy, after_us)
        if due_us < NEVER_US:
            delay_s = max(0, due_us - self._now_us()) / 1_000_000
            slot.timer = asyncio.get_running_loop().call_later(delay_s, self._due, slot)

    def _due(self, slot: Slot) -> None:
        slot.timer = None
        self._on_due(slot)
