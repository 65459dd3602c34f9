"""A store that lives as long as its process."""

from collections.abc import Callable, Iterator, Sequence

from muggins_service.store.port import Append, AppendResult, Stored

__all__ = ["MemoryStore"]


class MemoryStore:
    """Logs in memory, for tests and for tables that need not survive a restart."""

    def __init__(self) -> None:
        """Begin without a match."""
        self._logs: dict[str, list[Stored]] = {}
        self._watches: dict[str, list[_MemoryWatch]] = {}

    def append_batch(
        self,
        batch: Sequence[Append],
        done: Callable[[Sequence[AppendResult]], None],
    ) -> None:
        """Append at once."""
        done([self._append(append) for append in batch])

    def _append(self, append: Append) -> AppendResult:
        log = self._logs.get(append.match_id, [])
        if append.expected_version != (log[-1].version if log else 0):
            return AppendResult.CONFLICT
        if not log:
            self._logs[append.match_id] = log
        stored = Stored(append.record.version, append.data, append.record)
        log.append(stored)
        for watch in tuple(self._watches.get(append.match_id, ())):
            watch.sink(stored)
        return AppendResult.STORED

    def read(self, match_id: str, after: int = 0) -> Iterator[Stored]:
        """A match's records with a version above `after`, oldest first."""
        return iter([stored for stored in self._logs.get(match_id, ()) if stored.version > after])

    def watch(self, match_id: str, after: int, sink: Callable[[Stored], None]) -> "_MemoryWatch":
        """Call `sink` with each record above `after`."""
        for stored in self.read(match_id, after):
            sink(stored)
        watch = _MemoryWatch(self, match_id, sink)
        self._watches.setdefault(match_id, []).append(watch)
        return watch

    def unwatch(self, match_id: str, watch: "_MemoryWatch") -> None:
        """Drop a watch; dropping it again does nothing."""
        watches = self._watches.get(match_id, [])
        if watch in watches:
            watches.remove(watch)
        if not watches:
            self._watches.pop(match_id, None)

    def forget(self, match_id: str) -> None:
        """Drop a match's log and its watches."""
        self._logs.pop(match_id, None)
        self._watches.pop(match_id, None)

    def match_ids(self) -> Iterator[str]:
        """The ids of all matches with a log."""
        return iter(tuple(self._logs))

    def close(self) -> None:
        """Drop everything."""
        self._logs.clear()
        self._watches.clear()


class _MemoryWatch:
    """A watch on one match's log."""

    def __init__(self, store: MemoryStore, match_id: str, sink: Callable[[Stored], None]) -> None:
        self.sink = sink
        self._store = store
        self._match_id = match_id

    def cancel(self) -> None:
        """End it."""
        self._store.unwatch(self._match_id, self)
