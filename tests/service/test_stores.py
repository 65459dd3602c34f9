"""What every store has to do: one suite, run against each adapter."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from muggins_rules.presets import PRESETS
from muggins_service.store.memory import MemoryStore
from muggins_service.store.port import Append, AppendResult, KnownRequest, Store, Stored, Summary
from muggins_service.store.sqlite import SqliteStore
from muggins_service.table.record import Record
from muggins_service.table.state import Status
from muggins_service.wire.records import encode_record
from tests.service.wire_play import played_records

RECORDS = played_records(PRESETS["muggins"], 2, seed=1)[:6]


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "store.db")
    yield made
    made.close()


def appends(match_id: str, records: Sequence[Record] = RECORDS) -> list[Append]:
    versions = [0, *(record.version for record in records)]
    return [
        Append(match_id, before, record, encode_record(record), Status.PLAYING)
        for before, record in zip(versions, records, strict=False)
    ]


async def append(store: Store, *batch: Append) -> list[AppendResult]:
    told: asyncio.Future[list[AppendResult]] = asyncio.get_running_loop().create_future()
    store.append_batch(batch, lambda results: told.set_result(list(results)))
    return await asyncio.wait_for(told, 10)


async def fill(store: Store, match_id: str, records: Sequence[Record] = RECORDS) -> None:
    for one in appends(match_id, records):
        assert [AppendResult.STORED] == await append(store, one)


async def test_what_is_appended_is_read_again_in_order(store: Store) -> None:
    await fill(store, "a")
    await fill(store, "b", RECORDS[:2])
    assert [encode_record(record) for record in RECORDS] == [one.data for one in store.read("a")]
    assert list(RECORDS) == [one.record for one in store.read("a")]
    assert [record.version for record in RECORDS[:2]] == [one.version for one in store.read("b")]
    after = RECORDS[2].version
    assert list(RECORDS[3:]) == [one.record for one in store.read("a", after)]
    assert not list(store.read("nowhere"))


async def test_a_batch_tells_of_each_match_by_itself(store: Store) -> None:
    await fill(store, "a", RECORDS[:1])
    first_a, second_a = appends("a")[:2]
    first_b = appends("b")[0]
    results = await append(store, second_a, first_b)
    assert [AppendResult.STORED, AppendResult.STORED] == results
    results = await append(store, second_a, replace(first_b, match_id="c"), first_a)
    assert [AppendResult.CONFLICT, AppendResult.STORED, AppendResult.CONFLICT] == results
    assert 2 == len(list(store.read("a")))


async def test_of_many_who_expect_one_version_one_is_first(store: Store) -> None:
    await fill(store, "a", RECORDS[:1])
    second = appends("a")[1]
    results = await asyncio.gather(*(append(store, second) for _ in range(20)))
    assert 1 == sum(result == [AppendResult.STORED] for result in results)
    assert 2 == len(list(store.read("a")))


async def test_a_watch_misses_nothing_and_repeats_nothing(store: Store) -> None:
    await fill(store, "a", RECORDS[:2])
    seen: list[Stored] = []
    watch = store.watch("a", RECORDS[0].version, seen.append)
    assert [RECORDS[1].version] == [one.version for one in seen]
    other: list[Stored] = []
    store.watch("b", 0, other.append)
    for one in appends("a")[2:4]:
        await append(store, one)
    assert list(RECORDS[1:4]) == [one.record for one in seen]
    watch.cancel()
    watch.cancel()
    await append(store, appends("a")[4])
    assert 3 == len(seen)
    assert not other


async def test_watchers_hear_of_a_record_before_whoever_appended_it(store: Store) -> None:
    told: list[str] = []
    store.watch("a", 0, lambda _: told.append("watch"))
    done = asyncio.Event()

    def answered(_: Sequence[AppendResult]) -> None:
        told.append("answer")
        done.set()

    store.append_batch(appends("a")[:1], answered)
    await asyncio.wait_for(done.wait(), 10)
    assert ["watch", "answer"] == told


async def test_summaries_tell_open_tables_first_and_how_far_each_match_is(store: Store) -> None:
    for match_id, status in (("x", Status.FINISHED), ("y", Status.PLAYING), ("z", Status.OPEN)):
        for one in appends(match_id)[:2]:
            await append(store, replace(one, status=status))
    last = RECORDS[1]
    assert [
        Summary("z", last.version, Status.OPEN, last.time_us),
        Summary("y", last.version, Status.PLAYING, last.time_us),
        Summary("x", last.version, Status.FINISHED, last.time_us),
    ] == list(store.summaries())


async def test_a_request_that_named_no_match_is_known_by_its_id(store: Store) -> None:
    record = replace(RECORDS[0], request_id="create-1", body_hash=b"h" * 32)
    named = replace(RECORDS[0], request_id="join-1", body_hash=b"g" * 32)
    (first,) = appends("a", [record])
    (second,) = appends("b", [named])
    await append(store, replace(first, names_no_match=True), second)
    known = KnownRequest("create-1", "a", record.version, b"h" * 32, record.time_us)
    assert [known] == list(store.requests(record.time_us))
    assert not list(store.requests(record.time_us + 1))


async def test_a_forgotten_match_is_gone_and_may_be_made_again(store: Store) -> None:
    await fill(store, "a")
    await fill(store, "b", RECORDS[:1])
    seen: list[Stored] = []
    store.watch("a", RECORDS[-1].version, seen.append)
    store.forget("a")
    await fill(store, "c", RECORDS[:1])  # what was put before it has been written by then
    assert not list(store.read("a"))
    assert {"b", "c"} == {summary.match_id for summary in store.summaries()}
    await fill(store, "a", RECORDS[:1])
    assert not seen


async def test_many_batches_at_once_are_all_told(store: Store) -> None:
    results = await asyncio.gather(
        *(append(store, appends(f"m{number}")[0]) for number in range(600))
    )
    assert [[AppendResult.STORED]] * 600 == results
    assert 600 == len(list(store.summaries()))


async def test_what_is_in_the_file_is_there_for_the_next_process(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    first = SqliteStore(path)
    await fill(first, "a")
    told: list[Sequence[AppendResult]] = []
    first.append_batch(appends("b")[:1], told.append)
    first.close()  # writes what waits
    second = SqliteStore(path)
    assert list(RECORDS) == [one.record for one in second.read("a")]
    assert list(RECORDS[:1]) == [one.record for one in second.read("b")]
    second.close()
    await asyncio.sleep(0)
    assert [[AppendResult.STORED]] == told
