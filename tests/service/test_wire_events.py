"""Entries and records go to bytes and back unchanged, and the bytes are protobuf's own."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muggins.v1 import events_pb2, moves_pb2, storage_pb2
from muggins_rules import PRESETS, preset
from muggins_rules.events import RoundDealt, TileDrawn, TilePlayed
from muggins_rules.tiles import Tile
from muggins_service.table.facts import Cause, Entry
from muggins_service.table.record import Record
from muggins_service.table.seeing import project_entry
from muggins_service.wire.events import decode_event, encode_event, events_chunk
from muggins_service.wire.records import UnreadableRecord, decode_record, encode_record, export
from tests.service.wire_play import matches, played_records

HEADER = ("sequence", "time", "round", "cause", "engine")
FEW = settings(max_examples=25, deadline=None)


@FEW
@given(matches())
def test_every_record_comes_back_from_its_bytes(records: tuple[Record, ...]) -> None:
    for record in records:
        assert record == decode_record(encode_record(record))


@FEW
@given(matches(), st.sampled_from([None, 0, 1]))
def test_events_are_the_bytes_that_protobuf_writes(
    records: tuple[Record, ...], viewer: int | None
) -> None:
    calling = records[0].entries[0].fact.rule_set.calling  # type: ignore[union-attr]
    for record in records:
        for entry in record.entries:
            data = encode_event(project_entry(entry, viewer, calling=calling))
            assert events_pb2.Event.FromString(data).SerializeToString(deterministic=True) == data


@FEW
@given(matches(), st.sampled_from([None, 0, 1]))
def test_what_a_viewer_is_shown_comes_back_without_what_is_hidden(
    records: tuple[Record, ...], viewer: int | None
) -> None:
    calling = records[0].entries[0].fact.rule_set.calling  # type: ignore[union-attr]
    for entry in (entry for record in records for entry in record.entries):
        seen = project_entry(entry, viewer, calling=calling)
        back = decode_event(events_pb2.Event.FromString(encode_event(seen)))
        assert seen == back
        assert not isinstance(seen.fact, RoundDealt) or seen.fact.deck is None
        assert not (calling and isinstance(seen.fact, TilePlayed) and seen.fact.count)
        if isinstance(seen.fact, TileDrawn) and seen.fact.seat != viewer:
            assert seen.fact.tile is None


def test_an_entry_without_anything_hidden_is_shown_as_the_same_object() -> None:
    records = played_records(PRESETS["muggins"], 2, seed=3)
    hiding = (RoundDealt, TileDrawn)
    for entry in (entry for record in records for entry in record.entries):
        if not isinstance(entry.fact, hiding):
            assert entry is project_entry(entry, None, calling=False)


def test_played_matches_have_every_kind_of_fact() -> None:
    """So that the tests above leave no fact out."""
    calling = preset("muggins", calling=True)
    played = [played_records(calling, 2, seed, most_moves=200) for seed in range(8)]
    told = {
        type(entry.fact).__name__
        for records in played
        for record in records
        for entry in record.entries
    }
    kinds = set(events_pb2.Event.DESCRIPTOR.fields_by_name) - set(HEADER)
    assert {kind.title().replace("_", "") for kind in kinds} == told


def test_a_fact_of_a_later_version_is_left_out_and_the_version_kept() -> None:
    stored = storage_pb2.StoredRecord()
    stored.record.version = 8
    stored.record.events.add(sequence=7).seat_left.seat = 1
    later = b"\x08\x08\xfa\x03\x02\x08\x01"  # sequence 8, and a message in field 63
    stored.record.events.add().MergeFromString(later)
    record = decode_record(stored.SerializeToString())
    assert [7] == [entry.sequence for entry in record.entries]
    assert record.version == 8


def test_a_cause_of_a_later_version_is_read_as_nobody() -> None:
    event = events_pb2.Event(sequence=1)
    event.cause = events_pb2.Cause.ValueType(99)
    event.seat_left.seat = 0
    entry = decode_event(event)
    assert entry is not None
    assert Cause.UNSPECIFIED is entry.cause


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x05\x12\x03\xaa\x01\x00"])
def test_bytes_that_are_no_record_are_named_so(data: bytes) -> None:
    with pytest.raises(UnreadableRecord):
        decode_record(data)


def test_a_chunk_is_the_repeated_events_of_an_answer() -> None:
    records = played_records(PRESETS["sniff"], 3, seed=1)
    entries = [entry for record in records for entry in record.entries]
    answer = moves_pb2.PlayTileResponse.FromString(events_chunk(map(encode_event, entries)))
    assert entries == [decode_event(event) for event in answer.events]


def test_an_export_holds_the_records_and_none_of_the_secrets_beside_them() -> None:
    records = played_records(PRESETS["five_up"], 4, seed=2)
    data = export("match-1", map(encode_record, records), "1.2.0")
    message = moves_pb2.ExportMatchResponse.FromString(data).record
    assert message.match_id == "match-1"
    assert message.seats == 4
    assert message.format == 1
    assert [record.version for record in records] == [record.version for record in message.records]
    assert data == moves_pb2.ExportMatchResponse(record=message).SerializeToString()
    secrets = records[0].match_secrets
    assert secrets is not None
    assert secrets.chain_seed not in data
    assert secrets.host_secret_hash not in data
    keys = [key for record in records for key in record.seat_keys]
    assert keys
    assert not any(key.secret_hash in data for key in keys)


def test_a_blank_tile_is_told_and_not_taken_for_an_absent_one() -> None:
    entry = Entry(3, 0, 1, Cause.UNSPECIFIED, TileDrawn(0, Tile(0, 0), 0))
    event = events_pb2.Event.FromString(encode_event(entry))
    assert event.tile_drawn.HasField("tile")
    assert entry == decode_event(event)
