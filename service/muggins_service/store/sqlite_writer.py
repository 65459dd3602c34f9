"""The one thread that writes: what waits goes into one transaction, and one flush to the disk."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final

import structlog

from muggins_service.store.notices import Upkeep
from muggins_service.store.port import KEEP_REQUESTS_US, Append, AppendResult
from muggins_service.store.sqlite_notices import add_notices, write_upkeep

__all__ = ["Forget", "KeepUp", "Write", "Writer"]

_log = structlog.get_logger("muggins.store")

MOST_IN_GROUP: Final = 256
"""Operations that go into one transaction at most."""

_FOUND: Final = (
    "INSERT INTO matches (match_id, version, status, changed_us) VALUES (?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
_MOVE_ON: Final = (
    "UPDATE matches SET version = ?, status = ?, changed_us = ? WHERE match_id = ? AND version = ?"
)
_RECORD: Final = "INSERT INTO records (match_id, version, data) VALUES (?, ?, ?)"
_REQUEST: Final = (
    "INSERT OR REPLACE INTO requests (request_id, match_id, version, body_hash, time_us)"
    " VALUES (?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """A batch to append; `told` is called on the writer's thread with what became of each."""

    batch: Sequence[Append]
    told: Callable[[Sequence[AppendResult]], None]


@dataclass(frozen=True, slots=True, eq=False)
class Forget:
    """A match to drop."""

    match_id: str


@dataclass(frozen=True, slots=True, eq=False)
class KeepUp:
    """Changes of what is kept about notices."""

    changes: tuple[Upkeep, ...]


class Writer:
    """Writes operations in the order in which they come."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Begin to write; the connection is used by the writer's thread alone from now on."""
        self._connection = connection
        self._queue: SimpleQueue[Write | Forget | KeepUp | None] = SimpleQueue()
        self._untidied: list[Forget | KeepUp] = []
        self._newest_us = 0
        self._failing = False
        self._thread = Thread(target=self._run, name="muggins-store", daemon=True)
        self._thread.start()

    def put(self, operation: Write | Forget | KeepUp) -> None:
        """Have an operation written."""
        self._queue.put(operation)

    def close(self) -> None:
        """Write what waits, and end."""
        self._queue.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            self._write([first, *self._waiting()])
        self._write([])

    def _waiting(self) -> Iterator[Write | Forget | KeepUp]:
        """What waits beside the first, up to the end of the group or of everything."""
        for _ in range(MOST_IN_GROUP - 1):
            try:
                operation = self._queue.get_nowait()
            except Empty:
                return
            if operation is None:
                self._queue.put(None)
                return
            yield operation

    def _write(self, group: Sequence[Write | Forget | KeepUp]) -> None:
        tidying = self._untidied + [one for one in group if isinstance(one, Forget | KeepUp)]
        writes = [one for one in group if isinstance(one, Write)]
        if not tidying and not writes:
            return
        try:
            results = self._transaction(writes, tidying)
        except (sqlite3.Error, OSError) as error:
            self._untidied = tidying
            self._tell_failure(error)
            results = [[AppendResult.FAILED] * len(write.batch) for write in writes]
        else:
            self._untidied = []
            if self._failing:
                self._failing = False
                _log.info("store_recovered")
        for write, result in zip(writes, results, strict=True):
            write.told(result)

    def _tell_failure(self, error: Exception) -> None:
        """One line when writing begins to fail, not one for each try."""
        if not self._failing:
            self._failing = True
            _log.error("store_failed", error=str(error))

    def _transaction(
        self, writes: Sequence[Write], tidying: Sequence[Forget | KeepUp]
    ) -> list[list[AppendResult]]:
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            results = [[self._append(append) for append in write.batch] for write in writes]
            for operation in tidying:
                self._tidy(operation)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return results

    def _append(self, append: Append) -> AppendResult:
        execute, record, match_id = self._connection.execute, append.record, append.match_id
        version, changed_us = record.version, record.time_us
        if append.expected_version:
            moved = execute(
                _MOVE_ON, (version, append.status, changed_us, match_id, append.expected_version)
            )
        else:
            moved = execute(_FOUND, (match_id, version, append.status, changed_us))
        if moved.rowcount != 1:
            return AppendResult.CONFLICT
        execute(_RECORD, (match_id, version, append.data))
        add_notices(self._connection, match_id, changed_us, append.notices)
        if append.names_no_match and record.request_id:
            execute(_REQUEST, (record.request_id, match_id, version, record.body_hash, changed_us))
        self._newest_us = changed_us
        return AppendResult.STORED

    def _tidy(self, operation: Forget | KeepUp) -> None:
        if isinstance(operation, Forget):
            self._forget(operation.match_id)
            return
        for change in operation.changes:
            write_upkeep(self._connection, change)

    def _forget(self, match_id: str) -> None:
        execute = self._connection.execute
        execute("DELETE FROM records WHERE match_id = ?", (match_id,))
        execute("DELETE FROM matches WHERE match_id = ?", (match_id,))
        oldest_us = self._newest_us - KEEP_REQUESTS_US
        execute("DELETE FROM requests WHERE time_us < ?", (oldest_us,))
