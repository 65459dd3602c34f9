"""Exports as files, in both forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from google.protobuf import json_format

from muggins.v1 import moves_pb2, records_pb2
from muggins_client import ExportUnreadable, parse_export, read_export, write_export
from muggins_rules import PRESETS
from tests.clients.played import play_match

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def record() -> records_pb2.MatchRecord:
    return play_match(PRESETS["muggins"], most_rounds=1).record


@pytest.mark.parametrize("name", ["match.pb", "match.json"])
def test_a_written_export_reads_back(
    record: records_pb2.MatchRecord, tmp_path: Path, name: str
) -> None:
    write_export(record, tmp_path / name)
    assert record == read_export(tmp_path / name)


def test_the_answer_of_the_rpc_as_json_is_read_too(record: records_pb2.MatchRecord) -> None:
    answer = json_format.MessageToJson(moves_pb2.ExportMatchResponse(record=record))
    assert record == parse_export(answer.encode())


@pytest.mark.parametrize("length", [1, 10, 13, 32, 91, 123])
def test_a_binary_export_is_never_taken_for_json(
    record: records_pb2.MatchRecord, length: int
) -> None:
    renamed = records_pb2.MatchRecord()
    renamed.CopyFrom(record)
    renamed.match_id = "m" * length
    assert renamed == parse_export(renamed.SerializeToString())


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"7", b"null", b'{"no": 1}', b'{"record": 7}', b"\xff\xfe\x00"]
)
def test_anything_else_is_refused(content: bytes) -> None:
    with pytest.raises(ExportUnreadable):
        parse_export(content)
