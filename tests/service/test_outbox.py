"""The outbox of both stores: notices in order, deliveries, and what is dropped in time."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from muggins_service.store.memory import MemoryStore
from muggins_service.store.memory_notices import MOST_KEPT, MemoryNotices
from muggins_service.store.notices import Delivery, Expired, Settled, Taken, Undelivered
from muggins_service.store.port import Append, AppendResult
from muggins_service.store.sqlite import SqliteStore
from muggins_service.table.record import Actor, ActorKind, Record

Store = MemoryStore | SqliteStore


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """A new store of each kind."""
    made = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "store.db")
    yield made
    made.close()


async def append(
    store: Store, match_id: str, version: int, *notices: bytes, after: int = 0
) -> AppendResult:
    """Append a record with notices, at a time that is its version in seconds."""
    record = Record(version, (), "", b"", Actor(ActorKind.SERVER), version * 1_000_000)
    done = asyncio.get_running_loop().create_future()
    wanted = Append(match_id, after, record, b"data", notices=notices)
    store.append_batch([wanted], lambda results: done.set_result(results[0]))
    result = await done
    assert isinstance(result, AppendResult)
    return result


async def written(store: Store) -> None:
    """Wait until everything before this has been written."""
    await append(store, f"mark-{id(object())}", 1)


async def test_a_record_that_is_refused_leaves_no_notice(store: Store) -> None:
    woken: list[int] = []
    drop = store.outbox.on_notices(lambda: woken.append(store.outbox.last_cursor()))
    assert AppendResult.STORED is await append(store, "m", 3, b"one", b"two")
    assert AppendResult.CONFLICT is await append(store, "m", 5, b"three", after=4)
    drop()
    assert AppendResult.STORED is await append(store, "m", 5, b"four", after=3)
    found = store.outbox.notices(0, 10)
    assert [(1, b"one"), (2, b"two"), (3, b"four")] == [(n.cursor, n.data) for n in found]
    assert [found[1]] == list(store.outbox.notices(1, 1))
    assert (found[2], None) == (store.outbox.notice(3), store.outbox.notice(4))
    assert 2 == woken[0]


async def test_a_delivery_is_there_until_it_is_settled_and_dead_ones_are_apart(
    store: Store,
) -> None:
    outbox = store.outbox
    await append(store, "m", 1, b"1", b"2", b"3")
    assert outbox.taken_cursor("d") is None
    outbox.keep_up([Taken("d", 3, tuple(Delivery("d", cursor, "m") for cursor in (1, 2, 3)))])
    failed = Delivery("d", 2, "m", attempts=1, due_us=7, failure="timeout")
    dead = Delivery("d", 3, "m", attempts=9, due_us=8, dead=True, failure="status 500")
    outbox.keep_up([Settled("d", 1), Undelivered(failed), Undelivered(dead)])
    await written(store)
    assert 3 == outbox.taken_cursor("d")
    assert ([failed], [dead]) == (
        list(outbox.deliveries("d")),
        list(outbox.dead_letters((0, ""), 9)),
    )
    assert [] == list(outbox.dead_letters((3, "d"), 9))
    assert [dead] == list(outbox.dead_letters_of("d", "m"))
    assert [] == [*outbox.dead_letters_of("d", "other"), *outbox.deliveries("other")]


async def test_what_is_old_is_dropped_unless_somebody_has_still_to_be_told(store: Store) -> None:
    outbox = store.outbox
    await append(store, "m", 1, b"1", b"2", b"3", b"4")
    await append(store, "n", 50, b"5")
    outbox.keep_up([Taken("d", 3, tuple(Delivery("d", cursor, "m") for cursor in (1, 2, 3)))])
    dead = Delivery("d", 2, "m", dead=True)
    outbox.keep_up([Settled("d", 1), Undelivered(dead), Expired(10_000_000, ("d",))])
    await written(store)
    # The third is to be told, the fourth not even taken over; a dead letter ends with its notice.
    assert [3, 4, 5] == [notice.cursor for notice in outbox.notices(0, 9)]
    assert (2, []) == (outbox.lost_cursor(), list(outbox.dead_letters((0, ""), 9)))
    outbox.keep_up([Settled("d", 3), Taken("d", 5), Expired(10_000_000, ("d",))])
    await written(store)
    assert [5] == [notice.cursor for notice in outbox.notices(0, 9)]
    outbox.keep_up([Expired(99_000_000, ())])
    await written(store)
    assert ([], 5, 5) == (list(outbox.notices(0, 9)), outbox.lost_cursor(), outbox.last_cursor())


def test_notices_in_memory_are_bounded() -> None:
    outbox = MemoryNotices()
    outbox.add("m", 1, [b"x"] * (MOST_KEPT + 3))
    assert (3, MOST_KEPT + 3) == (outbox.lost_cursor(), outbox.last_cursor())
    assert MOST_KEPT == len(outbox.notices(0, MOST_KEPT * 2))
