"""Notices and their deliveries in the SQLite file, read on the loop's thread."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, assert_never

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

__all__ = ["NOTICES_SCHEMA", "SqliteNotices", "add_notices", "write_upkeep"]

NOTICES_SCHEMA: Final = """
CREATE TABLE notices (
  cursor INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  match_id TEXT NOT NULL,
  time_us INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE TABLE destinations (
  destination TEXT NOT NULL PRIMARY KEY,
  cursor INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE deliveries (
  cursor INTEGER NOT NULL,
  destination TEXT NOT NULL,
  match_id TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_us INTEGER NOT NULL,
  dead INTEGER NOT NULL,
  failure TEXT NOT NULL,
  PRIMARY KEY (cursor, destination)
) WITHOUT ROWID;
CREATE TABLE lost_notices (
  one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
  cursor INTEGER NOT NULL
);
INSERT INTO lost_notices (one, cursor) VALUES (1, 0);
"""

_ADD: Final = "INSERT INTO notices (match_id, time_us, data) VALUES (?, ?, ?)"
_TAKE: Final = "INSERT OR REPLACE INTO destinations (destination, cursor) VALUES (?, ?)"
_DELIVER: Final = (
    "INSERT OR REPLACE INTO deliveries"
    " (cursor, destination, match_id, attempts, due_us, dead, failure)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_DELIVERIES: Final = (
    "SELECT destination, cursor, match_id, attempts, due_us, dead, failure FROM deliveries"
)
_GONE: Final = """
WHERE time_us < ?
  AND notices.cursor <= (
    SELECT coalesce(min(cursor), 9223372036854775807) FROM destinations
    WHERE destination IN (SELECT value FROM json_each(?)))
  AND NOT EXISTS (
    SELECT 1 FROM deliveries waits
    WHERE waits.cursor = notices.cursor AND NOT waits.dead
      AND waits.destination IN (SELECT value FROM json_each(?)))
"""
"""Notices that are old enough and that no destination has still to be told."""

_LOSE: Final = (
    "UPDATE lost_notices SET cursor ="  # noqa: S608 - of constants
    " max(cursor, coalesce((SELECT max(cursor) FROM notices " + _GONE + "), 0))"
)
_EXPIRE: Final = "DELETE FROM notices " + _GONE  # noqa: S608 - of constants


def add_notices(
    connection: sqlite3.Connection, match_id: str, time_us: int, notices: Iterable[bytes]
) -> None:
    """Write the notices of a record, within its transaction."""
    for data in notices:
        connection.execute(_ADD, (match_id, time_us, data))


def write_upkeep(connection: sqlite3.Connection, change: Upkeep) -> None:
    """Write one change, within a transaction."""
    match change:
        case Taken(destination, cursor, deliveries):
            connection.execute(_TAKE, (destination, cursor))
            connection.executemany(_DELIVER, map(_row, deliveries))
        case Undelivered(delivery):
            connection.execute(_DELIVER, _row(delivery))
        case Settled(destination, cursor):
            connection.execute(
                "DELETE FROM deliveries WHERE cursor = ? AND destination = ?", (cursor, destination)
            )
        case Expired():
            _expire(connection, change)
        case _:
            assert_never(change)


def _expire(connection: sqlite3.Connection, expired: Expired) -> None:
    names = json.dumps(expired.destinations)
    asked = (expired.before_us, names, names)
    connection.execute(_LOSE, asked)
    connection.execute(_EXPIRE, asked)
    connection.execute("DELETE FROM deliveries WHERE cursor NOT IN (SELECT cursor FROM notices)")


def _row(delivery: Delivery) -> tuple[object, ...]:
    return (
        delivery.cursor,
        delivery.destination,
        delivery.match_id,
        delivery.attempts,
        delivery.due_us,
        delivery.dead,
        delivery.failure,
    )


def _delivery(row: tuple[Any, ...]) -> Delivery:
    destination, cursor, match_id, attempts, due_us, dead, failure = row
    return Delivery(destination, cursor, match_id, attempts, due_us, bool(dead), failure)


class SqliteNotices:
    """The outbox of the store in a file."""

    def __init__(
        self, reader: sqlite3.Connection, write: Callable[[tuple[Upkeep, ...]], None]
    ) -> None:
        """Read by a connection; `write` has changes written by the other thread."""
        self._reader = reader
        self._write = write
        self._sinks = Sinks()

    def notices(self, after: int, limit: int) -> Sequence[KeptNotice]:
        """The next notices above a cursor."""
        rows = self._reader.execute(
            "SELECT cursor, match_id, time_us, data FROM notices WHERE cursor > ?"
            " ORDER BY cursor LIMIT ?",
            (after, limit),
        )
        return [KeptNotice(*row) for row in rows]

    def notice(self, cursor: int) -> KeptNotice | None:
        """The notice at a cursor."""
        row = self._reader.execute(
            "SELECT cursor, match_id, time_us, data FROM notices WHERE cursor = ?", (cursor,)
        ).fetchone()
        return None if row is None else KeptNotice(*row)

    def last_cursor(self) -> int:
        """The cursor of the newest notice that there ever was."""
        return self._number("SELECT seq FROM sqlite_sequence WHERE name = 'notices'") or 0

    def lost_cursor(self) -> int:
        """The cursor of the newest notice that is no longer kept."""
        return self._number("SELECT cursor FROM lost_notices") or 0

    def taken_cursor(self, destination: str) -> int | None:
        """Up to where a destination has taken notices over."""
        return self._number("SELECT cursor FROM destinations WHERE destination = ?", destination)

    def _number(self, query: str, *asked: str) -> int | None:
        row = self._reader.execute(query, asked).fetchone()
        return None if row is None else int(row[0])

    def deliveries(self, destination: str) -> Sequence[Delivery]:
        """The deliveries of a destination that are to be tried."""
        return self._found(" WHERE destination = ? AND NOT dead ORDER BY cursor", destination)

    def dead_letters(self, after: tuple[int, str], limit: int) -> Sequence[Delivery]:
        """Deliveries that were given up."""
        return self._found(
            " WHERE dead AND (cursor, destination) > (?, ?) ORDER BY cursor, destination LIMIT ?",
            *after,
            limit,
        )

    def dead_letters_of(self, destination: str, match_id: str) -> Sequence[Delivery]:
        """The dead letters of a destination about a match."""
        return self._found(
            " WHERE dead AND destination = ? AND match_id = ? ORDER BY cursor",
            destination,
            match_id,
        )

    def _found(self, condition: str, *asked: str | int) -> Sequence[Delivery]:
        return [_delivery(row) for row in self._reader.execute(_DELIVERIES + condition, asked)]

    def keep_up(self, upkeep: Iterable[Upkeep]) -> None:
        """Have changes written soon."""
        self._write(tuple(upkeep))

    def on_notices(self, sink: Callable[[], None]) -> Callable[[], None]:
        """Call `sink` whenever notices were stored."""
        return self._sinks.add(sink)

    def tell(self) -> None:
        """Tell who waits for notices."""
        self._sinks.tell()
