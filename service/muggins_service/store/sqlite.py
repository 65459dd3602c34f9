"""The store in one SQLite file: what was answered is on the disk, and there after any restart."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from muggins_service.store.notices import Upkeep
from muggins_service.store.port import Append, AppendResult, KnownRequest, Stored, Summary
from muggins_service.store.sqlite_file import FileLock, connect, prepare
from muggins_service.store.sqlite_notices import SqliteNotices
from muggins_service.store.sqlite_writer import Forget, KeepUp, Write, Writer
from muggins_service.store.watches import LocalWatch, Watches
from muggins_service.table.state import Status

__all__ = ["SqliteStore"]


class SqliteStore:
    """Logs in a file: written by one thread with a flush a group, read on the loop's thread."""

    survives = True

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            StoreRefused: the file cannot be used; nothing in it was changed.
        """
        self._lock = FileLock.of(path)
        try:
            self._writer = Writer(prepare(path))
        except BaseException:
            self._lock.release()
            raise
        self._reader = connect(path, readonly=True)
        self._watches = Watches()
        self.outbox = SqliteNotices(self._reader, self._keep_up)

    def append_batch(
        self,
        batch: Sequence[Append],
        done: Callable[[Sequence[AppendResult]], None],
    ) -> None:
        """Append in one transaction with whatever else waits."""
        loop = asyncio.get_running_loop()

        def deliver(results: Sequence[AppendResult]) -> None:
            for append, result in zip(batch, results, strict=True):
                if result is AppendResult.STORED:
                    record = append.record
                    stored = Stored(record.version, append.data, record)
                    self._watches.tell(append.match_id, stored)
            if any(append.notices for append in batch):
                self.outbox.tell()
            done(results)

        def told(results: Sequence[AppendResult]) -> None:
            # A loop that was closed meanwhile has nobody left who waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(deliver, results)

        self._writer.put(Write(batch, told))

    def _keep_up(self, upkeep: tuple[Upkeep, ...]) -> None:
        self._writer.put(KeepUp(upkeep))

    def read(self, match_id: str, after: int = 0) -> Iterator[Stored]:
        """A match's records with a version above `after`, oldest first."""
        rows = self._reader.execute(
            "SELECT version, data FROM records WHERE match_id = ? AND version > ? ORDER BY version",
            (match_id, after),
        )
        return iter([Stored(version, data) for version, data in rows])

    def watch(self, match_id: str, after: int, sink: Callable[[Stored], None]) -> LocalWatch:
        """Call `sink` with each record above `after`."""
        for stored in self.read(match_id, after):
            sink(stored)
        return self._watches.add(match_id, sink)

    def forget(self, match_id: str) -> None:
        """Drop a match's log and its watches."""
        self._watches.forget(match_id)
        self._writer.put(Forget(match_id))

    def summaries(self) -> Iterator[Summary]:
        """All matches with a log: those not begun first, then those in play, then the others."""
        rows = self._reader.execute(
            "SELECT match_id, version, status, changed_us FROM matches ORDER BY status, changed_us"
        )
        return iter(
            [
                Summary(match_id, version, Status(status), changed_us)
                for match_id, version, status, changed_us in rows
            ]
        )

    def requests(self, since_us: int) -> Iterator[KnownRequest]:
        """The requests since a time that named no match."""
        rows = self._reader.execute(
            "SELECT request_id, match_id, version, body_hash, time_us FROM requests"
            " WHERE time_us >= ? ORDER BY time_us",
            (since_us,),
        )
        return iter([KnownRequest(*row) for row in rows])

    def close(self) -> None:
        """Write what is pending and let go of the file."""
        # The last to close is the writer, which then moves the whole log into the file.
        self._reader.close()
        self._writer.close()
        self._watches.clear()
        self._lock.release()
