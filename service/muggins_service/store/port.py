"""What the service asks of a store: an ordered log of records per match."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, Protocol

from muggins_service.store.notices import NoticeStore
from muggins_service.table.record import Record
from muggins_service.table.state import Status
from muggins_service.wire.records import decode_record

__all__ = [
    "KEEP_REQUESTS_US",
    "Append",
    "AppendResult",
    "KnownRequest",
    "Store",
    "Stored",
    "Summary",
    "Watch",
]

KEEP_REQUESTS_US: Final = 3_600 * 1_000_000
"""How long a store knows the requests that made a match, at least."""


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
    `status` is that of the match after it. `names_no_match`: the request behind it did not name the
    match, so that a retry has to be found without it. `notices` are stored with the record.
    """

    match_id: str
    expected_version: int
    record: Record
    data: bytes
    status: Status = Status.PLAYING
    names_no_match: bool = False
    notices: tuple[bytes, ...] = ()


class Stored:
    """A record of a match's log as stored; it is decoded when it is first asked for."""

    __slots__ = ("_record", "data", "version")

    def __init__(self, version: int, data: bytes, record: Record | None = None) -> None:
        """Keep the bytes, and the value where it is at hand."""
        self.version = version
        self.data = data
        self._record = record

    @property
    def record(self) -> Record:
        """The record; UnreadableRecord when the bytes are none."""
        if self._record is None:
            self._record = decode_record(self.data)
        return self._record


class Summary(NamedTuple):
    """What a store tells of a match without its log."""

    match_id: str
    version: int
    status: Status
    changed_us: int


class KnownRequest(NamedTuple):
    """A request that named no match, and the record it brought about."""

    request_id: str
    match_id: str
    version: int
    body_hash: bytes
    time_us: int


class Watch(Protocol):
    """A watch on a match's log."""

    def cancel(self) -> None:
        """End it; its sink is not called again."""
        ...


class Store(Protocol):
    """An ordered log of records per match.

    All methods are called on the event loop's thread, and `done` and sinks are called there too.
    """

    survives: bool
    """Whether what is stored is there again after a restart."""

    @property
    def outbox(self) -> NoticeStore:
        """The notices of all matches."""
        ...

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

    def summaries(self) -> Iterator[Summary]:
        """All matches with a log: those not begun first, then those in play, then the others."""
        ...

    def requests(self, since_us: int) -> Iterator[KnownRequest]:
        """The requests since a time that named no match."""
        ...

    def close(self) -> None:
        """Write what is pending and let go of every resource."""
        ...
