"""`muggins verify` on exports that are right, wrong and unreadable."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from muggins.v1 import events_pb2, records_pb2
from muggins_client import write_export
from muggins_rules import PRESETS
from tests.cli.commands import muggins
from tests.clients.played import PlayedMatch, play_match

FLAGS = ("--language", "en")


@pytest.fixture(scope="module")
def played() -> PlayedMatch:
    return play_match(PRESETS["all_fives"], most_rounds=4)


@pytest.fixture
def export(played: PlayedMatch, tmp_path: Path) -> Path:
    path = tmp_path / "match.json"
    write_export(played.record, path)
    return path


def first(record: records_pb2.MatchRecord, fact: str) -> events_pb2.Event:
    events = (event for entry in record.records for event in entry.events)
    return next(event for event in events if event.WhichOneof("fact") == fact)


def test_a_good_export_is_in_order(export: Path) -> None:
    run = muggins("verify", export, *FLAGS)
    assert (0, "") == (run.returncode, run.stderr)
    assert "All in order. Rounds checked: 4." in run.stdout
    assert "No kept anchor was given" in run.stdout
    assert "Had a say in the shuffles: A." in run.stdout


def test_the_anchor_that_was_kept_shows_that_the_deals_were_fixed(
    played: PlayedMatch, export: Path
) -> None:
    run = muggins("verify", export, "--anchor", played.record.fairness_anchor.hex(), *FLAGS)
    assert 0 == run.returncode
    assert "The secrets hash to the anchor that was kept" in run.stdout


def test_a_seat_that_was_saved_is_checked_with_its_nonce(
    played: PlayedMatch, export: Path, tmp_path: Path
) -> None:
    seat = tmp_path / "seat.json"
    seat.write_text(played.kept_by(0).to_json(), encoding="utf-8")
    assert 0 == muggins("verify", export, "--seat", seat, *FLAGS).returncode


def test_another_anchor_is_a_finding(export: Path) -> None:
    run = muggins("verify", export, "--anchor", "00" * 32, *FLAGS)
    assert 1 == run.returncode
    assert "anchor_mismatch" in run.stdout
    assert "Not in order. Findings: " in run.stdout
    assert "The secrets hash to the anchor" not in run.stdout


def _add_points(record: records_pb2.MatchRecord) -> None:
    first(record, "tile_played").tile_played.count.sum += 5


def _add_score(record: records_pb2.MatchRecord) -> None:
    first(record, "tile_played").tile_played.scores[0] += 5


def _swap_deck(record: records_pb2.MatchRecord) -> None:
    deck = first(record, "round_dealt").round_dealt.deck
    low, high = deck[0].low, deck[0].high
    deck[0].CopyFrom(deck[-1])
    deck[-1].low, deck[-1].high = low, high


def _change_secret(record: records_pb2.MatchRecord) -> None:
    first(record, "round_ended").round_ended.secret = b"\x01" * 32


def _change_settlement(record: records_pb2.MatchRecord) -> None:
    first(record, "round_ended").round_ended.settlement[0].change += 5


def _change_lot(record: records_pb2.MatchRecord) -> None:
    lot = first(record, "lot_drawn").lot_drawn.tile
    lot.low, lot.high = (0, 0) if lot.high else (6, 6)


def _change_mover(record: records_pb2.MatchRecord) -> None:
    played = first(record, "tile_played").tile_played
    played.seat = 1 - played.seat


@pytest.mark.parametrize(
    ("corrupt", "finding"),
    [
        (_add_points, "count_mismatch at "),
        (_add_score, "score_mismatch at "),
        (_swap_deck, "deck_mismatch at "),
        (_change_secret, "secret_invalid at "),
        (_change_settlement, "settlement_mismatch at "),
        (_change_lot, "lot_mismatch at "),
        (_change_mover, "illegal_action at 10: not_your_turn"),
    ],
)
def test_a_corrupted_export_is_found_out(
    played: PlayedMatch,
    tmp_path: Path,
    corrupt: Callable[[records_pb2.MatchRecord], None],
    finding: str,
) -> None:
    record = records_pb2.MatchRecord()
    record.CopyFrom(played.record)
    corrupt(record)
    path = tmp_path / "corrupt.bin"
    write_export(record, path)
    run = muggins("verify", path, "--anchor", played.record.fairness_anchor.hex(), *FLAGS)
    assert (1, "") == (run.returncode, run.stderr)
    assert f"  ! {finding}" in run.stdout


def test_findings_are_summed_up_in_the_language_asked_for(export: Path) -> None:
    run = muggins("verify", export, "--anchor", "00" * 32, "--language", "fr")
    assert "Pas en ordre. Anomalies" in run.stdout


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"\xff\xfe", b"not an export", json.dumps([1]).encode()]
)
def test_a_file_without_a_record_is_refused_in_a_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    run = muggins("verify", path, *FLAGS)
    assert 2 == run.returncode
    assert f"muggins: {path} holds no record of a match.\n" == run.stderr


def test_a_file_that_is_not_there_is_refused_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    run = muggins("verify", path, *FLAGS)
    assert (2, f"muggins: {path}: No such file or directory\n") == (run.returncode, run.stderr)


@pytest.mark.parametrize("content", ["", "{}", '{"match_id": 3}'])
def test_a_file_without_a_seat_is_refused_in_a_line(
    export: Path, tmp_path: Path, content: str
) -> None:
    seat = tmp_path / "seat.json"
    seat.write_text(content, encoding="utf-8")
    run = muggins("verify", export, "--seat", seat, *FLAGS)
    assert 2 == run.returncode
    assert f"muggins: {seat} is no saved seat or host of a match.\n" == run.stderr


@pytest.mark.parametrize("anchor", ["", "00", "zz" * 32, "00" * 33])
def test_an_anchor_is_64_hexadecimal_digits(export: Path, anchor: str) -> None:
    run = muggins("verify", export, "--anchor", anchor)
    assert 2 == run.returncode
    assert "an anchor is 64 hexadecimal digits" in run.stderr
