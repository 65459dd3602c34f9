"""A store that lives as long as its process."""

from collections.abc import Callable, Iterator, Sequence

from muggins_service.store.memory_notices import MemoryNotices
from muggins_service.store.port import Append, AppendResult, KnownRequest, Stored, Summary
from muggins_service.store.watches import LocalWatch, Watches

__all__ = ["MemoryStore"]


class MemoryStore:
    """Logs in memory, for tests and for tables that need not survive a restart."""

    survives = False

    def __init__(self) -> None:
        """Begin without a match."""
        self.outbox = MemoryNotices()
        self._logs: dict[str, list[Stored]] = {}
        self._summaries: dict[str, Summary] = {}
        self._requests: dict[str, list[KnownRequest]] = {}
        self._watches = Watches()

    def append_batch(
        self,
        batch: Sequence[Append],
        done: Callable[[Sequence[AppendResult]], None],
    ) -> None:
        """Append at once."""
        results = [self._append(append) for append in batch]
        if any(append.notices for append in batch):
            self.outbox.tell()
        done(results)

    def _append(self, append: Append) -> AppendResult:
        match_id, record = append.match_id, append.record
        log = self._logs.get(match_id, [])
        if append.expected_version != (log[-1].version if log else 0):
            return AppendResult.CONFLICT
        if not log:
            self._logs[match_id] = log
        stored = Stored(record.version, append.data, record)
        log.append(stored)
        self._summaries[match_id] = Summary(match_id, record.version, append.status, record.time_us)
        if append.names_no_match and record.request_id:
            known = KnownRequest(
                record.request_id, match_id, record.version, record.body_hash, record.time_us
            )
            self._requests.setdefault(match_id, []).append(known)
        self.outbox.add(match_id, record.time_us, append.notices)
        self._watches.tell(match_id, stored)
        return AppendResult.STORED

    def read(self, match_id: str, after: int = 0) -> Iterator[Stored]:
        """A match's records with a version above `after`, oldest first."""
        return iter([stored for stored in self._logs.get(match_id, ()) if stored.version > after])

    def watch(self, match_id: str, after: int, sink: Callable[[Stored], None]) -> LocalWatch:
        """Call `sink` with each record above `after`."""
        for stored in self.read(match_id, after):
            sink(stored)
        return self._watches.add(match_id, sink)

    def forget(self, match_id: str) -> None:
        """Drop a match's log and its watches."""
        self._logs.pop(match_id, None)
        self._summaries.pop(match_id, None)
        self._requests.pop(match_id, None)
        self._watches.forget(match_id)

    def summaries(self) -> Iterator[Summary]:
        """All matches with a log: those not begun first, then those in play, then the others."""
        return iter(sorted(self._summaries.values(), key=lambda summary: summary.status))

    def requests(self, since_us: int) -> Iterator[KnownRequest]:
        """The requests since a time that named no match."""
        return iter(
            [
                known
                for kept in self._requests.values()
                for known in kept
                if known.time_us >= since_us
            ]
        )

    def close(self) -> None:
        """Drop everything."""
        self._logs.clear()
        self._summaries.clear()
        self._requests.clear()
        self.outbox.clear()
        self._watches.clear()
