"""The lobby as a stream: which matches fit a filter, and how that changes."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from muggins_service.matches.registry import Registry
from muggins_service.matches.slot import Slot
from muggins_service.table.state import Status
from muggins_service.wire.queries import MatchFilter

__all__ = ["LobbyChanges", "LobbyFeed", "fits", "is_of"]

MOST_IN_FRAME = 100
"""Matches told in one frame."""

GATHER_S = 0.1
"""How long changes are gathered before they are told."""


def fits(slot: Slot, wanted: MatchFilter, principal: str = "") -> bool:
    """True when a match is listed and wanted. `principal` is whose matches `mine` asks for."""
    table = slot.public
    if wanted.mine:
        if not is_of(slot, principal):
            return False
    elif table.created.options.private:
        return False
    if wanted.status is not None and table.status is not wanted.status:
        return False
    if wanted.rule_set_id and table.created.rule_set.id != wanted.rule_set_id:
        return False
    # Asked of the live table: whoever looks for a seat is not served by how things were.
    return not wanted.open_seats_only or (
        slot.table.status is Status.OPEN and not slot.table.is_full
    )


def is_of(slot: Slot, principal: str) -> bool:
    """True when a principal made the match or holds a seat."""
    table = slot.table
    holders = (key.principal for key in table.keys if key is not None)
    return principal in (table.secrets.host_principal, *holders)


class LobbyChanges(NamedTuple):
    """Matches that came to fit or changed, and ids of those that fit no longer."""

    matches: tuple[Slot, ...]
    removed: tuple[str, ...]


class LobbyFeed:
    """One stream of the lobby."""

    def __init__(self, registry: Registry, wanted: MatchFilter) -> None:
        """Subscribe at once; `close` ends it."""
        self.ended = asyncio.Event()
        self._registry = registry
        self._wanted = wanted
        self._told: set[str] = set()
        self._dirty: dict[str, Slot | None] = {}
        self._wake = asyncio.Event()
        self._unlisten: Callable[[], None] = registry.listen(self._note)

    def _note(self, match_id: str, slot: Slot | None) -> None:
        if slot is None and match_id not in self._told:
            # Else a client that does not read would make the server remember every match there was.
            self._dirty.pop(match_id, None)
            return
        self._dirty[match_id] = slot
        self._wake.set()

    def snapshot(self) -> tuple[Slot, ...]:
        """All matches that fit now."""
        self._dirty.clear()
        fitting = tuple(slot for slot in self._registry if fits(slot, self._wanted))
        self._told = {slot.match_id for slot in fitting}
        return fitting

    async def next(self, timeout_s: float) -> LobbyChanges:
        """The changes since the last call; empty when the time has passed without any that fit."""
        changes = LobbyChanges((), ())
        try:
            async with asyncio.timeout(timeout_s):
                while not any(changes) and not self.ended.is_set():
                    while not self._dirty and not self.ended.is_set():
                        self._wake.clear()
                        await self._wake.wait()
                    await asyncio.sleep(GATHER_S)
                    changes = self._gathered()
        except TimeoutError:
            pass
        return changes

    def _gathered(self) -> LobbyChanges:
        matches, removed = [], []
        for match_id in tuple(self._dirty)[:MOST_IN_FRAME]:
            slot = self._dirty.pop(match_id)
            if slot is not None and fits(slot, self._wanted):
                self._told.add(match_id)
                matches.append(slot)
            elif match_id in self._told:
                self._told.discard(match_id)
                removed.append(match_id)
        return LobbyChanges(tuple(matches), tuple(removed))

    def end(self) -> None:
        """Let the stream come to its end."""
        self.ended.set()
        self._wake.set()

    def close(self) -> None:
        """Unsubscribe."""
        self._unlisten()
