"""Who waits to hear of a match's next records, in this process."""

from collections.abc import Callable

from muggins_service.store.port import Stored

__all__ = ["LocalWatch", "Watches"]


class Watches:
    """The watches on all matches of a store."""

    def __init__(self) -> None:
        """Begin without a watch."""
        self._watches: dict[str, list[LocalWatch]] = {}

    def add(self, match_id: str, sink: Callable[[Stored], None]) -> "LocalWatch":
        """Call `sink` with each record that comes from now on."""
        watch = LocalWatch(self, match_id, sink)
        self._watches.setdefault(match_id, []).append(watch)
        return watch

    def tell(self, match_id: str, stored: Stored) -> None:
        """Tell all who watch a match of its next record."""
        for watch in tuple(self._watches.get(match_id, ())):
            watch.sink(stored)

    def drop(self, match_id: str, watch: "LocalWatch") -> None:
        """Drop a watch; dropping it again does nothing."""
        watches = self._watches.get(match_id, [])
        if watch in watches:
            watches.remove(watch)
        if not watches:
            self._watches.pop(match_id, None)

    def forget(self, match_id: str) -> None:
        """Drop all watches of a match."""
        self._watches.pop(match_id, None)

    def clear(self) -> None:
        """Drop every watch."""
        self._watches.clear()


class LocalWatch:
    """A watch on one match's log."""

    __slots__ = ("_match_id", "_watches", "sink")

    def __init__(self, watches: Watches, match_id: str, sink: Callable[[Stored], None]) -> None:
        """Belong to the watches of a store."""
        self.sink = sink
        self._watches = watches
        self._match_id = match_id

    def cancel(self) -> None:
        """End it."""
        self._watches.drop(self._match_id, self)
