"""Exports as files: the record of a match as binary protobuf or as protobuf JSON."""

import json
from pathlib import Path

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from muggins.v1 import moves_pb2, records_pb2

__all__ = ["ExportUnreadable", "parse_export", "read_export", "write_export"]


class ExportUnreadable(ValueError):  # noqa: N818 - says what it is
    """A file that holds no record of a match."""


def read_export(path: Path) -> records_pb2.MatchRecord:
    """The record in a file.

    Raises:
        ExportUnreadable: it is neither form of one.
        OSError: the file cannot be read.
    """
    return parse_export(path.read_bytes())


def write_export(record: records_pb2.MatchRecord, path: Path) -> None:
    """Write a record: as JSON to a name that ends in .json, else as binary."""
    if path.suffix == ".json":
        path.write_text(json_format.MessageToJson(record), encoding="utf-8")
    else:
        path.write_bytes(record.SerializeToString())


def parse_export(content: bytes) -> records_pb2.MatchRecord:
    """The record in a binary MatchRecord, or in JSON of that or of an ExportMatchResponse.

    Raises:
        ExportUnreadable: it is none of these.
    """
    try:
        fields = json.loads(content)
    except ValueError:
        return _from_binary(content)
    if not isinstance(fields, dict):
        raise ExportUnreadable("JSON of something else than a match record")
    try:
        if "record" in fields:
            record = json_format.ParseDict(fields, moves_pb2.ExportMatchResponse()).record
        else:
            record = json_format.ParseDict(fields, records_pb2.MatchRecord())
    except json_format.ParseError as wrong:
        raise ExportUnreadable("JSON of something else than a match record") from wrong
    return _with_events(record)


def _from_binary(content: bytes) -> records_pb2.MatchRecord:
    try:
        record = records_pb2.MatchRecord.FromString(content)
    except DecodeError as wrong:
        raise ExportUnreadable("neither JSON nor a match record") from wrong
    return _with_events(record)


def _with_events(record: records_pb2.MatchRecord) -> records_pb2.MatchRecord:
    if not record.records:
        raise ExportUnreadable("no match record: it holds no events")
    return record
