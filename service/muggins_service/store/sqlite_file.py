"""The file of the SQLite store: whose it is, whether it is whole, and which version it has."""

import fcntl
import os
import sqlite3
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

from muggins_service.store.sqlite_notices import NOTICES_SCHEMA

__all__ = [
    "APPLICATION_ID",
    "MIGRATIONS",
    "FileLock",
    "StoreFault",
    "StoreRefused",
    "check_whole",
    "connect",
    "prepare",
]

APPLICATION_ID: Final = 0x4D55_4747
"""What SQLite's header says of whose the file is: "MUGG"."""

BUSY_S: Final = 2.0
"""How long a statement waits for another program that holds the file."""

_FIRST: Final = """
CREATE TABLE matches (
  match_id TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  status INTEGER NOT NULL,
  changed_us INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE records (
  match_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (match_id, version)
) WITHOUT ROWID;
CREATE TABLE requests (
  request_id TEXT NOT NULL PRIMARY KEY,
  match_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  body_hash BLOB NOT NULL,
  time_us INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX requests_by_time ON requests (time_us);
"""

MIGRATIONS: Final = (_FIRST, NOTICES_SCHEMA)
"""What makes each version of the schema from the one before it; the first from nothing."""


class StoreFault(StrEnum):
    """Why a file cannot be used as the store."""

    LOCKED = "locked"
    NOT_OURS = "not_ours"
    NEWER = "newer"
    DAMAGED = "damaged"
    UNUSABLE = "unusable"


_SENTENCES: Final = {
    StoreFault.LOCKED: "another server uses it",
    StoreFault.NOT_OURS: "it is no store of muggins; nothing was changed in it",
    StoreFault.NEWER: "it was written by a newer version of muggins; nothing was changed in it",
    StoreFault.DAMAGED: "it is damaged; restore a backup, see docs/operations.md",
    StoreFault.UNUSABLE: "it cannot be read and written",
}


class StoreRefused(Exception):  # noqa: N818 - says what it is, as IllegalAction does
    """A file that cannot be used as the store; nothing in it was changed."""

    def __init__(self, path: Path, fault: StoreFault, detail: str = "") -> None:
        """Tell which file and why."""
        ending = f" ({detail})" if detail else ""
        super().__init__(f"the store {path} is refused: {_SENTENCES[fault]}{ending}")
        self.fault = fault


class FileLock:
    """Keeps every other server from a file; the system lets go of it when the process ends."""

    def __init__(self, descriptor: int) -> None:
        """Hold the lock of an open file."""
        self._descriptor = descriptor

    @classmethod
    def of(cls, path: Path) -> Self:
        """The lock of the store at a path, a file beside it.

        Raises:
            StoreRefused: LOCKED or UNUSABLE.
        """
        beside = path.with_name(path.name + ".lock")
        try:
            descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreRefused(path, StoreFault.UNUSABLE, error.strerror or "") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise StoreRefused(path, StoreFault.LOCKED) from None
        return cls(descriptor)

    def release(self) -> None:
        """Let go of it."""
        os.close(self._descriptor)


def connect(path: Path, *, readonly: bool = False) -> sqlite3.Connection:
    """A connection in which each statement stands alone unless a transaction is begun."""
    mode = "ro" if readonly else "rwc"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,
    )
    if readonly:
        connection.execute("PRAGMA query_only = ON")
    return connection


def prepare(path: Path, migrations: Sequence[str] = MIGRATIONS) -> sqlite3.Connection:
    """The connection that writes, to a file that is ours, whole and of this version.

    A file that is not there, or is empty, is made; one of an older version is migrated.

    Raises:
        StoreRefused: the file cannot be used; nothing in it was changed.
    """
    try:
        connection = connect(path)
    except sqlite3.OperationalError as error:
        raise StoreRefused(path, StoreFault.UNUSABLE, str(error)) from None
    try:
        version = _checked_version(connection, path, len(migrations))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA journal_size_limit = 67108864")
        _migrate(connection, migrations, version)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise StoreRefused(path, _fault_of(error), str(error)) from None
    except StoreRefused:
        connection.close()
        raise
    path.chmod(0o600)
    return connection


def _checked_version(connection: sqlite3.Connection, path: Path, newest: int) -> int:
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if owner != APPLICATION_ID and (tables or owner or version):
        raise StoreRefused(path, StoreFault.NOT_OURS)
    if version > newest:
        raise StoreRefused(path, StoreFault.NEWER, f"version {version}, known {newest}")
    check_whole(connection, path)
    return int(version)


def check_whole(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StoreRefused, DAMAGED, unless SQLite finds the whole file sound."""
    try:
        (first, *_) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        raise StoreRefused(path, StoreFault.DAMAGED, str(error)) from None
    if first != "ok":
        raise StoreRefused(path, StoreFault.DAMAGED, str(first).splitlines()[0])


def _migrate(connection: sqlite3.Connection, migrations: Sequence[str], version: int) -> None:
    """Bring the file to the newest version, in one transaction."""
    if version == len(migrations):
        return
    steps = "".join(migrations[version:])
    connection.executescript(
        f"BEGIN IMMEDIATE;{steps}"
        f"PRAGMA application_id = {APPLICATION_ID};"
        f"PRAGMA user_version = {len(migrations)};COMMIT;"
    )


def _fault_of(error: sqlite3.DatabaseError) -> StoreFault:
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_NOTADB":
        return StoreFault.NOT_OURS
    if name.startswith("SQLITE_CORRUPT"):
        return StoreFault.DAMAGED
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreFault.LOCKED
    return StoreFault.UNUSABLE
