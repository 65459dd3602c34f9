"""What is asked of a store for notices: those of all matches in one order, and their deliveries."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

__all__ = [
    "Delivery",
    "Expired",
    "KeptNotice",
    "NoticeStore",
    "Settled",
    "Taken",
    "Undelivered",
    "Upkeep",
]


class KeptNotice(NamedTuple):
    """A notice as stored. `cursor` goes up by the order of storing, from 1, not without gaps."""

    cursor: int
    match_id: str
    time_us: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Delivery:
    """A notice that a destination has not taken yet, or never took.

    `attempts` is how often it was tried, `due_us` when it is to be tried next or, of a dead one,
    when it was tried last. `failure` is how the last try ended.
    """

    destination: str
    cursor: int
    match_id: str
    attempts: int = 0
    due_us: int = 0
    dead: bool = False
    failure: str = ""


class Taken(NamedTuple):
    """A destination takes over all notices up to a cursor; `deliveries` are the new ones."""

    destination: str
    cursor: int
    deliveries: tuple[Delivery, ...] = ()


class Undelivered(NamedTuple):
    """A delivery as it stands after a try that failed."""

    delivery: Delivery


class Settled(NamedTuple):
    """A delivery that there is no more."""

    destination: str
    cursor: int


class Expired(NamedTuple):
    """What is older than a time is dropped, except where a destination has still to be told."""

    before_us: int
    destinations: tuple[str, ...]


Upkeep = Taken | Undelivered | Settled | Expired
"""A change of what is kept about notices; kept in the order in which it is given."""


class NoticeStore(Protocol):
    """Notices are appended with their record, all or nothing; the rest of the outbox is here.

    All methods are called on the event loop's thread.
    """

    def notices(self, after: int, limit: int) -> Sequence[KeptNotice]:
        """The next notices above a cursor, at most `limit`."""
        ...

    def notice(self, cursor: int) -> KeptNotice | None:
        """The notice at a cursor, while it is kept."""
        ...

    def last_cursor(self) -> int:
        """The cursor of the newest notice that there ever was; 0: none."""
        ...

    def lost_cursor(self) -> int:
        """The cursor of the newest notice that is no longer kept; 0: none."""
        ...

    def taken_cursor(self, destination: str) -> int | None:
        """Up to where a destination has taken notices over; absent: it is new."""
        ...

    def deliveries(self, destination: str) -> Sequence[Delivery]:
        """The deliveries of a destination that are to be tried, oldest notice first."""
        ...

    def dead_letters(self, after: tuple[int, str], limit: int) -> Sequence[Delivery]:
        """Deliveries that were given up, by cursor and destination, beyond those of `after`."""
        ...

    def dead_letters_of(self, destination: str, match_id: str) -> Sequence[Delivery]:
        """The dead letters of a destination about a match."""
        ...

    def keep_up(self, upkeep: Iterable[Upkeep]) -> None:
        """Write changes soon, and again later where the store fails."""
        ...

    def on_notices(self, sink: Callable[[], None]) -> Callable[[], None]:
        """Call `sink` whenever notices were stored; the result ends it."""
        ...
