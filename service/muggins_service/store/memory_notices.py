"""Notices and their deliveries in memory."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Final, assert_never

from muggins_service.store.notices import (
    Delivery,
    Expired,
    KeptNotice,
    Settled,
    Taken,
    Undelivered,
    Upkeep,
)
from muggins_service.store.sinks import Sinks

__all__ = ["MemoryNotices"]

MOST_KEPT: Final = 10_000
"""Notices in memory; beyond them the oldest is lost, delivered or not."""


class MemoryNotices:
    """The outbox of a store that ends with its process."""

    def __init__(self) -> None:
        """Begin without a notice."""
        self._notices: dict[int, KeptNotice] = {}
        self._order: list[int] = []
        self._last = self._lost = 0
        self._taken: dict[str, int] = {}
        self._deliveries: dict[tuple[int, str], Delivery] = {}
        self._sinks = Sinks()

    def add(self, match_id: str, time_us: int, notices: Iterable[bytes]) -> None:
        """Store the notices of a record."""
        for data in notices:
            self._last += 1
            self._notices[self._last] = KeptNotice(self._last, match_id, time_us, data)
            self._order.append(self._last)
            if len(self._order) > MOST_KEPT:
                self._drop([self._order[0]])

    def tell(self) -> None:
        """Tell who waits for notices."""
        self._sinks.tell()

    def notices(self, after: int, limit: int) -> Sequence[KeptNotice]:
        """The next notices above a cursor."""
        first = bisect_right(self._order, after)
        return [self._notices[cursor] for cursor in self._order[first : first + limit]]

    def notice(self, cursor: int) -> KeptNotice | None:
        """The notice at a cursor."""
        return self._notices.get(cursor)

    def last_cursor(self) -> int:
        """The cursor of the newest notice."""
        return self._last

    def lost_cursor(self) -> int:
        """The cursor of the newest notice that is no longer kept."""
        return self._lost

    def taken_cursor(self, destination: str) -> int | None:
        """Up to where a destination has taken notices over."""
        return self._taken.get(destination)

    def deliveries(self, destination: str) -> Sequence[Delivery]:
        """The deliveries of a destination that are to be tried."""
        return [
            delivery
            for (_, whose), delivery in sorted(self._deliveries.items())
            if whose == destination and not delivery.dead
        ]

    def dead_letters(self, after: tuple[int, str], limit: int) -> Sequence[Delivery]:
        """Deliveries that were given up."""
        found = sorted(key for key, kept in self._deliveries.items() if kept.dead and key > after)
        return [self._deliveries[key] for key in found[:limit]]

    def dead_letters_of(self, destination: str, match_id: str) -> Sequence[Delivery]:
        """The dead letters of a destination about a match."""
        return [
            kept
            for (_, whose), kept in sorted(self._deliveries.items())
            if kept.dead and whose == destination and kept.match_id == match_id
        ]

    def keep_up(self, upkeep: Iterable[Upkeep]) -> None:
        """Make changes at once."""
        for change in upkeep:
            match change:
                case Taken(destination, cursor, deliveries):
                    self._taken[destination] = cursor
                    for delivery in deliveries:
                        self._deliveries[delivery.cursor, destination] = delivery
                case Undelivered(delivery):
                    self._deliveries[delivery.cursor, delivery.destination] = delivery
                case Settled(destination, cursor):
                    self._deliveries.pop((cursor, destination), None)
                case Expired():
                    self._expire(change)
                case _:
                    assert_never(change)

    def _expire(self, expired: Expired) -> None:
        taken = (self._taken.get(name, self._last) for name in expired.destinations)
        most = min(taken, default=self._last)
        needed = {
            cursor
            for (cursor, whose), delivery in self._deliveries.items()
            if not delivery.dead and whose in expired.destinations
        }
        gone = [
            cursor
            for cursor in self._order
            if cursor <= most
            and cursor not in needed
            and self._notices[cursor].time_us < expired.before_us
        ]
        self._drop(gone)

    def _drop(self, gone: Sequence[int]) -> None:
        for cursor in gone:
            del self._notices[cursor]
            self._order.remove(cursor)
            self._lost = max(self._lost, cursor)
            for destination in self._taken:
                self._deliveries.pop((cursor, destination), None)

    def on_notices(self, sink: Callable[[], None]) -> Callable[[], None]:
        """Call `sink` whenever notices were stored."""
        return self._sinks.add(sink)

    def clear(self) -> None:
        """Drop everything."""
        self._notices.clear()
        self._order.clear()
        self._deliveries.clear()
