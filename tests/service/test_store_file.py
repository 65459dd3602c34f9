"""Files that cannot be the store: each is refused by name, and nothing in it is changed."""

import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from muggins_service.store.sqlite import SqliteStore
from muggins_service.store.sqlite_file import (
    APPLICATION_ID,
    MIGRATIONS,
    StoreFault,
    StoreRefused,
    prepare,
)
from tests.service.process import serve
from tests.service.test_stores import RECORDS, fill

BROKEN = "INSERT INTO nowhere VALUES (1);"
SECOND = "ALTER TABLE matches ADD COLUMN told INTEGER NOT NULL DEFAULT 7;"


def refused(path: Path) -> StoreFault:
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(StoreRefused) as caught:
        SqliteStore(path)
    assert str(path) in str(caught.value)
    assert before == (path.read_bytes() if path.is_file() else b"")
    return caught.value.fault


async def filled(folder: Path, match_ids: Sequence[str]) -> Path:
    """A store with some matches, which nobody uses."""
    path = folder / "store.db"
    store = SqliteStore(path)
    for match_id in match_ids:
        await fill(store, match_id)
    store.close()
    return path


async def test_a_file_that_another_server_has_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    first = SqliteStore(path)
    with pytest.raises(StoreRefused) as caught:
        SqliteStore(path)
    assert StoreFault.LOCKED is caught.value.fault
    await fill(first, "a")
    first.close()
    SqliteStore(path).close()


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database, but long enough to look like something of somebody\n" * 40)
    assert StoreFault.NOT_OURS is refused(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    connection.close()
    assert StoreFault.NOT_OURS is refused(other)


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    connection = prepare(path, (*MIGRATIONS, SECOND))
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    assert StoreFault.NEWER is refused(path)


async def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = await filled(tmp_path, [f"m{number}" for number in range(40)])
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // 4096 - 1):
        data[page * 4096 : page * 4096 + 600] = b"\xa5" * 600
    path.write_bytes(data)
    assert StoreFault.DAMAGED is refused(path)


async def test_half_a_file_is_refused(tmp_path: Path) -> None:
    path = await filled(tmp_path, [f"m{number}" for number in range(40)])
    path.write_bytes(path.read_bytes()[: 4096 * 5])
    assert StoreFault.DAMAGED is refused(path)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert StoreFault.UNUSABLE is refused(tmp_path / "nowhere" / "store.db")
    folder = tmp_path / "folder.db"
    folder.mkdir()
    assert StoreFault.UNUSABLE is refused(folder)


async def test_an_older_file_is_migrated_with_all_that_is_in_it(tmp_path: Path) -> None:
    path = await filled(tmp_path, ["a"])
    connection = prepare(path, (*MIGRATIONS, SECOND))
    assert [(7,)] == connection.execute("SELECT told FROM matches").fetchall()
    (records,) = connection.execute("SELECT count(*) FROM records").fetchone()
    assert len(RECORDS) == records
    assert (len(MIGRATIONS) + 1,) == connection.execute("PRAGMA user_version").fetchone()
    assert (APPLICATION_ID,) == connection.execute("PRAGMA application_id").fetchone()
    connection.close()


async def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = await filled(tmp_path, ["a"])
    with pytest.raises(StoreRefused):
        prepare(path, (*MIGRATIONS, SECOND, BROKEN))
    again = SqliteStore(path)
    assert list(RECORDS) == [one.record for one in again.read("a")]
    again.close()


async def test_a_copy_of_the_files_of_a_server_that_died_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path)
    await fill(store, "a")
    for ending in ("", "-wal"):
        shutil.copy(tmp_path / f"store.db{ending}", tmp_path / f"copy.db{ending}")
    copy = SqliteStore(tmp_path / "copy.db")
    assert list(RECORDS) == [one.record for one in copy.read("a")]
    copy.close()
    store.close()


async def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = SqliteStore(path)
    assert 0o600 == path.stat().st_mode & 0o777
    store.close()


async def test_the_command_tells_in_one_sentence_why_it_does_not_start(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    path.write_text("x" * 5000)
    process = await serve("--port", "0", "--store", str(path))
    _, errors = await process.communicate()
    assert 1 == process.returncode
    assert (
        f"muggins serve: the store {path} is refused: it is no store of muggins" in errors.decode()
    )
    assert 1 == errors.decode().count("\n")
