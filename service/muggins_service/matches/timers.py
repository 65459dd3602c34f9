"""The one timer of each match: when something is due there without a command."""

import asyncio
from collections.abc import Callable

from muggins_service.matches.absence import absent_seat, look_again_us
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
        self._begun_us = now_us()

    def set(self, slot: Slot, after_us: int) -> None:
        """Set a slot's timer to the first time after `after_us` at which something is due."""
        if slot.timer is not None:
            slot.timer.cancel()
            slot.timer = None
        table = slot.table
        due_us = next_tick_us(table, self._policy, after_us)
        if table.created.options.takeover_after_us:
            due_us = min(due_us, look_again_us(slot, self._now_us(), self._begun_us))
        if due_us < NEVER_US:
            delay_s = max(0, due_us - self._now_us()) / 1_000_000
            slot.due_us = due_us
            slot.timer = asyncio.get_running_loop().call_later(delay_s, self._due, slot)

    def absent_seat(self, slot: Slot, now_us: int) -> int | None:
        """The seat on turn whose player has been away for too long."""
        return absent_seat(slot, now_us, self._begun_us)

    def _due(self, slot: Slot) -> None:
        slot.timer = None
        self._on_due(slot)
