"""What earlier versions wrote is read by this one: records, stores and what only others know."""

import gzip
import json
import shutil
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from muggins.v1 import moves_pb2, records_pb2, storage_pb2
from muggins_service.store.upkeep import check
from muggins_service.table.state import Table, open_table, with_record
from muggins_service.wire.match_records import decode_match_record
from muggins_service.wire.records import decode_record, export
from tests.service.server import SETTINGS, running

HERE: Final = Path(__file__).parent
VERSIONS: Final = sorted(
    path.name for path in HERE.iterdir() if (path / "matches.json.gz").exists()
)
UNKNOWN_FIELD: Final = b"\xda\x3e\x03new"
"""A field of a number that no message has, with three bytes."""


def matches_of(version: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        gzip.decompress((HERE / version / "matches.json.gz").read_bytes())
    )
    return found


def folded(match: dict[str, Any], records: list[bytes]) -> Table:
    first, *rest = map(decode_record, records)
    table = open_table(match["match_id"], first)
    for record in rest:
        table = with_record(table, record)
    return table


def test_something_is_kept() -> None:
    assert VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
def test_records_come_to_the_same_match(version: str) -> None:
    for match in matches_of(version):
        records = [b64decode(data) for data in match["records"]]
        table = folded(match, records)
        assert (match["version"], match["over"]) == (table.version, table.is_over)
        assert match["scores"] == list(table.game.scores)
        answer = moves_pb2.ExportMatchResponse.FromString(
            export(match["match_id"], records, "test")
        )
        read = decode_match_record(answer.record.SerializeToString())
        assert match["version"] == read.entries[-1].sequence


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_store_is_opened_and_its_matches_go_on(version: str, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    shutil.copy(HERE / version / "store.db", path)
    assert len(matches_of(version)) == check(path).matches
    # Long lives, since these matches were played long ago.
    config = replace(SETTINGS, store=str(path), idle_lifetime_s=3e7, finished_lifetime_s=3e7)
    async with running(replace(config, restart_grace_s=600.0)) as service:
        for match in matches_of(version):
            view = await service.public_view(match["match_id"])
            assert match["version"] == view.version
            assert match["scores"] == list(view.scores)


@pytest.mark.parametrize("version", VERSIONS)
def test_fields_and_facts_of_later_versions_are_passed_over(version: str) -> None:
    match = matches_of(version)[0]
    records = []
    for data in (b64decode(data) for data in match["records"]):
        stored = storage_pb2.StoredRecord.FromString(data + UNKNOWN_FIELD)
        for event in stored.record.events:
            event.MergeFromString(UNKNOWN_FIELD)
        records.append(stored.SerializeToString())
    table = folded(match, records)
    assert match["scores"] == list(table.game.scores)
    # A fact that this version does not know is left out; the sequences go on where they did.
    stored = storage_pb2.StoredRecord.FromString(records[0])
    later = records_pb2.Record(version=stored.record.version + 1)
    later.events.add(sequence=later.version).MergeFromString(UNKNOWN_FIELD)
    later.actor.kind = records_pb2.ACTOR_KIND_HOST
    later.time.CopyFrom(stored.record.time)
    record = decode_record(storage_pb2.StoredRecord(record=later).SerializeToString())
    assert (later.version, ()) == (record.version, record.entries)
    assert later.version == with_record(folded(match, records[:1]), record).version
