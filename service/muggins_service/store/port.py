"""What the service asks of a store: an ordered log of records per match."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from muggins_service.table.record import Record

__all__ = ["Append", "AppendResult", "Store", "Stored", "Watch"]


class AppendResult(Enum):
    """What became of an append."""

    STORED = "stored"
    CONFLICT = "conflict"
    """Another record stands at that version; nothing was stored."""
    FAILED = "failed"
    """The store could not be written; nothing was stored."""


@dataclass(frozen=True, slots=True)
class Append:
    """A record to append to a match's log.

    `expected_version` is that of the record before it, 0 for the first. `data` is the record's
    stored bytes; `record` is the same value, so that watchers in this process need not decode.
    """

    match_id: str
    expected_version: int
    record: Record
    data: bytes


@dataclass(frozen=True, slots=True)
class Stored:
    """A record of a match's log as stored."""

    version: int
    data: bytes
    record: Record


class Watch(Protocol):
    """A watch on a match's log."""

    def cancel(self) -> None:
        """End it; its sink is not called again."""
        ...


class Store(Protocol):
    """An ordered log of records per match.

    All methods are called on the event loop's thread, and `done` and sinks are called there too.
    """

    def append_batch(
        self,
        batch: Sequence[Append],
        done: Callable[[Sequence[AppendResult]], None],
    ) -> None:
        """Append records of different matches, durably, and then tell what became of each.

        Watchers of a match have been told of a record before `done` is called with it.
        """
        ...

    def read(self, match_id: str, after: int = 0) -> Iterator[Stored]:
        """A match's records with a version above `after`, oldest first; empty when unknown."""
        ...

    def watch(self, match_id: str, after: int, sink: Callable[[Stored], None]) -> Watch:
        """Call `sink` with each record above `after`: the stored ones at once, then the next."""
        ...

    def forget(self, match_id: str) -> None:
        """Drop a match's log."""
        ...

    def match_ids(self) -> Iterator[str]:
        """The ids of all matches with a log."""
        ...

    def close(self) -> None:
        """Write what is pending and let go of every resource."""
        ...
