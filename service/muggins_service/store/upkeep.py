"""What an operator does to a store's file: copy it while it is used, check it, forget a name."""

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from muggins_service.store.sqlite_file import (
    APPLICATION_ID,
    FileLock,
    StoreFault,
    StoreRefused,
    check_whole,
    connect,
    prepare,
)
from muggins_service.table.facts import Entry, SeatTaken
from muggins_service.wire.records import decode_record, encode_record

__all__ = ["FORGOTTEN", "Checked", "backup", "check", "forget_name"]

FORGOTTEN = "-"
"""What stands in the place of a name that was forgotten."""


class Checked(NamedTuple):
    """What a sound file holds."""

    version: int
    matches: int
    records: int


def check(path: Path) -> Checked:
    """Look through a whole file, and read every record in it; a server may use it meanwhile.

    Raises:
        StoreRefused: the file is damaged, or no store of ours.
        UnreadableRecord: a record is none of this or an earlier version.
    """
    connection = _readable(path)
    try:
        check_whole(connection, path)
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
        records = 0
        for (data,) in connection.execute("SELECT data FROM records"):
            decode_record(data)
            records += 1
    except sqlite3.DatabaseError as error:
        raise StoreRefused(path, StoreFault.DAMAGED, str(error)) from None
    finally:
        connection.close()
    return Checked(version, matches, records)


def backup(path: Path, to: Path) -> Checked:
    """Copy a store while it may be in use; the copy is checked.

    Raises:
        FileExistsError: there is something at the place of the copy.
        StoreRefused: as for `check`, of the file or of the copy.
    """
    if to.exists():
        raise FileExistsError(f"{to} exists already")
    source = _readable(path)
    copy = connect(to)
    try:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
        source.close()
    to.chmod(0o600)
    return check(to)


def forget_name(path: Path, name: str) -> int:
    """Put `FORGOTTEN` in the place of a player's name in all records; how many held it.

    Raises:
        StoreRefused: a server uses the file, or it is none of ours.
    """
    lock = FileLock.of(path)
    try:
        connection = prepare(path)
        try:
            return _forget_name(connection, name)
        finally:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()
    finally:
        lock.release()


def _forget_name(connection: sqlite3.Connection, name: str) -> int:
    changed = 0
    connection.execute("BEGIN IMMEDIATE")
    rows = connection.execute("SELECT match_id, version, data FROM records").fetchall()
    for match_id, version, data in rows:
        if name.encode() not in data:
            continue
        record = decode_record(data)
        entries = tuple(_without(entry, name) for entry in record.entries)
        if entries != record.entries:
            changed += 1
            connection.execute(
                "UPDATE records SET data = ? WHERE match_id = ? AND version = ?",
                (encode_record(replace(record, entries=entries)), match_id, version),
            )
    connection.execute("COMMIT")
    return changed


def _without(entry: Entry, name: str) -> Entry:
    fact = entry.fact
    if isinstance(fact, SeatTaken) and fact.name == name:
        return replace(entry, fact=replace(fact, name=FORGOTTEN))
    return entry


def _readable(path: Path) -> sqlite3.Connection:
    """A connection that reads a file of ours."""
    if not path.is_file():
        raise StoreRefused(path, StoreFault.UNUSABLE, "there is no such file")
    connection = connect(path, readonly=True)
    try:
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        detail = ""
    except sqlite3.DatabaseError as error:
        owner, detail = 0, str(error)
    if owner != APPLICATION_ID:
        connection.close()
        raise StoreRefused(path, StoreFault.NOT_OURS, detail)
    return connection
