"""`muggins report`: a move written to a file, read again and run again."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from muggins.v1 import views_pb2
from muggins_ai.levels import LEVELS, opponent_of
from muggins_cli.report_file import read_report, write_report
from muggins_cli.report_making import report_of, situation_of
from muggins_client import read_export, write_export
from muggins_rules import PRESETS
from muggins_rules.actions import Call, Claim, Draw, Place
from muggins_rules.seen_view import completed_view
from muggins_service.recorded import RecordedDecision, decisions_of
from muggins_service.wire.match_records import ExportedMatch, decode_match_record
from muggins_service.wire.view_decoding import decode_seat_view
from muggins_service.wire.views import asked_view_bytes
from tests.cli.commands import muggins, muggins_here, served
from tests.cli.real_matches import played_export
from tests.clients.played import play_match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FLAGS = ("--language", "en", "--no-color")

MATCHES = {
    "all_fives-2": ("all_fives", 2, False, ("greedy_plus", "greedy")),
    "muggins-3": ("muggins", 3, False, ("greedy", "random")),
    "all_fives-4-pairs": ("all_fives", 4, False, ("casual",)),
    "sniff-2-calling": ("sniff", 2, True, ("greedy_plus", "beginner")),
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture(scope="module", params=MATCHES)
def match(
    request: pytest.FixtureRequest, address: str, tmp_path_factory: pytest.TempPathFactory
) -> ExportedMatch:
    rules, seats, calling, levels = MATCHES[request.param]
    path = tmp_path_factory.mktemp("exports") / "match.json"
    record = played_export(address, path, rules, seats, levels=levels, calling=calling)
    return decode_match_record(record.SerializeToString())


@pytest.fixture(scope="module")
def export(address: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "match.json"
    played_export(address, path, "five_up", 2, levels=("random", "greedy_plus"))
    return path


def decided(path: Path) -> list[RecordedDecision]:
    return list(decisions_of(decode_match_record(read_export(path).SerializeToString())))


@pytest.fixture(scope="module")
def choice(export: Path) -> RecordedDecision:
    """A decision of a level that goes by its seed, with more than one way to go."""
    return next(
        made
        for made in decided(export)
        if made.level == "random" and made.past and len(made.view().legal_actions) > 2
    )


@pytest.fixture(scope="module")
def report(
    export: Path, choice: RecordedDecision, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    path = tmp_path_factory.mktemp("report") / "move.json"
    sequence = choice.entry.sequence
    run = muggins("report", export, "--sequence", sequence, "--out", path, *FLAGS)
    assert (0, "") == (run.returncode, run.stderr)
    assert f"Wrote {path}, move {sequence} of match " in run.stdout
    return path


def test_views_and_seeds_of_an_export_are_those_that_opponents_were_asked_with(
    match: ExportedMatch,
) -> None:
    seen = set()
    decisions = list(decisions_of(match))
    for made in decisions[:: 1 + len(decisions) // 60]:
        view = made.view()
        raw = asked_view_bytes(made.table, made.seat, made.past)
        decoded = decode_seat_view(views_pb2.SeatView.FromString(raw))
        assert view == completed_view(decoded.view)
        opponent = opponent_of(made.level)
        if isinstance(made.action, Call):
            assert opponent.calls(view)
            continue
        assert made.seed is not None
        asked = view if LEVELS[made.level].reads_past else replace(view, past=())
        chosen = opponent.choose(asked, made.seed)
        assert made.entry.engine == chosen.engine
        if isinstance(made.action, Draw):
            assert isinstance(chosen.action, Draw)
        else:
            assert made.action == chosen.action
        seen.add(type(made.action))
    assert {Place, Draw} <= seen


def test_a_report_says_what_it_was_and_comes_out_the_same(
    report: Path, choice: RecordedDecision
) -> None:
    run = muggins_here("report", "--read", report, *FLAGS)
    assert (0, "") == (run.returncode, run.stderr)
    lines = run.stdout.splitlines()
    assert not [line for line in lines if len(line) > 80]
    assert lines[0].startswith(f"Move {choice.entry.sequence} of match ")
    assert any(line.startswith("  *  ") for line in lines)
    assert "chooses the same: agrees." in " ".join(lines)
    assert "Analysed again: the same figures." in lines


def test_a_report_holds_the_view_the_action_and_where_it_came_from(
    report: Path, choice: RecordedDecision
) -> None:
    fields = json.loads(report.read_text(encoding="utf-8"))
    assert ("random", choice.entry.engine) == (fields["level"], fields["engine"])
    assert choice.seed is not None
    assert choice.seed.hex() == fields["seed"]
    assert {"table", "hand", "legalActions", "roundEvents", "past"} <= set(fields["view"])
    assert "place" in fields["action"]
    assert len(choice.view().legal_actions) == len(fields["analysis"]["result"]["actions"])


def test_a_report_is_read_back_as_it_was_written(report: Path) -> None:
    found = read_report(report.read_bytes())
    assert found == read_report(write_report(found).encode())


def test_the_analysis_is_that_of_the_review(export: Path, choice: RecordedDecision) -> None:
    made = report_of("m", choice, samples=8)
    run = muggins_here("review", export, "--samples", 8, "--json", *FLAGS)
    sequence = str(choice.entry.sequence)
    reviewed = next(d for d in json.loads(run.stdout)["decisions"] if d["sequence"] == sequence)
    assert made.analysis is not None
    assert [line["points"] for line in reviewed["analysis"]["actions"]] == [
        line.points for line in made.analysis.actions
    ]


def test_claims_and_calls_of_players_are_reported(tmp_path: Path) -> None:
    played = play_match(replace(PRESETS["all_fives"], calling=True), cancel_in_round=3)
    match = decode_match_record(played.record.SerializeToString())
    kinds = set()
    for made in decisions_of(match):
        if isinstance(made.action, Claim | Call) and type(made.action) not in kinds:
            kinds.add(type(made.action))
            found = read_report(write_report(report_of(match.match_id, made)).encode())
            assert made.action == situation_of(found).action
            path = tmp_path / "said.json"
            path.write_text(write_report(found), encoding="utf-8")
            run = muggins_here("report", "--read", path, *FLAGS)
            assert (0, "") == (run.returncode, run.stderr)
            assert "A player chose it." in run.stdout
            assert "There is nothing to analyse in it." in run.stdout
    assert {Claim, Call} == kinds


def _other_action(fields: dict[str, Any]) -> None:
    others = [legal["action"] for legal in fields["view"]["legalActions"]]
    fields["action"] = next(action for action in others if action != fields["action"])


def _other_figures(fields: dict[str, Any]) -> None:
    fields["analysis"]["result"]["actions"][0]["points"] += 1


@pytest.mark.parametrize(
    ("tamper", "told"),
    [(_other_action, ": differs."), (_other_figures, "Analysed again: other figures")],
)
def test_what_comes_out_otherwise_is_told_with_status_1(
    report: Path, tmp_path: Path, tamper: Callable[[dict[str, Any]], None], told: str
) -> None:
    run = _read_tampered(report, tmp_path, tamper)
    assert (1, "") == (run.returncode, run.stderr)
    assert told in " ".join(run.stdout.split())


def _other_engine(fields: dict[str, Any]) -> None:
    fields["engine"] = "search-1-000000000000"


def _other_level(fields: dict[str, Any]) -> None:
    fields["level"] = "grandmaster"


@pytest.mark.parametrize("tamper", [_other_engine, _other_level])
def test_another_engine_is_told_and_is_no_difference(
    report: Path, tmp_path: Path, tamper: Callable[[dict[str, Any]], None]
) -> None:
    run = _read_tampered(report, tmp_path, tamper)
    assert (0, "") == (run.returncode, run.stderr)
    assert "Engine differs:" in run.stdout


def _no_view(fields: dict[str, Any]) -> None:
    del fields["view"]


def _other_hand(fields: dict[str, Any]) -> None:
    fields["view"]["hand"] = fields["view"]["hand"][1:]


def _no_events(fields: dict[str, Any]) -> None:
    del fields["view"]["roundEvents"]


def _impossible_action(fields: dict[str, Any]) -> None:
    fields["action"] = {"passTurn": {}}


def _bad_seed(fields: dict[str, Any]) -> None:
    fields["seed"] = "xyz"


def _many_samples(fields: dict[str, Any]) -> None:
    fields["analysis"]["samples"] = 10**9


def _other_seat(fields: dict[str, Any]) -> None:
    fields["seat"] = 1 - fields["seat"]


@pytest.mark.parametrize(
    "tamper",
    [_no_view, _other_hand, _no_events, _impossible_action, _bad_seed, _many_samples, _other_seat],
)
def test_a_damaged_report_is_refused_in_a_line(
    report: Path, tmp_path: Path, tamper: Callable[[dict[str, Any]], None]
) -> None:
    run = _read_tampered(report, tmp_path, tamper)
    assert 2 == run.returncode
    assert "holds no sound report of a move: " in run.stderr
    assert 1 == len(run.stderr.splitlines())


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"\xff", b'{"format": 1}'])
def test_a_file_that_is_no_report_is_refused_in_a_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(content)
    run = muggins_here("report", "--read", path, *FLAGS)
    assert 2 == run.returncode
    assert "holds no sound report of a move: " in run.stderr


def test_a_report_of_another_format_is_refused_in_a_line(report: Path, tmp_path: Path) -> None:
    run = _read_tampered(report, tmp_path, lambda fields: fields.update(format=2))
    path = tmp_path / "tampered.json"
    expected = f"muggins: {path} is a report of format 2, which this version does not read.\n"
    assert (2, expected) == (run.returncode, run.stderr)


def _read_tampered(
    report: Path, folder: Path, tamper: Callable[[dict[str, Any]], None]
) -> subprocess.CompletedProcess[str]:
    fields = json.loads(report.read_text(encoding="utf-8"))
    tamper(fields)
    path = folder / "tampered.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    return muggins_here("report", "--read", path, *FLAGS)


@pytest.mark.parametrize("sequence", [0, 1, -3, 10**9])
def test_a_sequence_that_is_no_decision_is_refused_in_a_line(export: Path, sequence: int) -> None:
    run = muggins_here("report", export, f"--sequence={sequence}", *FLAGS)
    assert 2 == run.returncode
    assert f"muggins: Event {sequence} of match " in run.stderr
    assert "is no decision of a seat." in run.stderr


def test_a_report_needs_a_move(export: Path) -> None:
    run = muggins_here("report", export, *FLAGS)
    assert 2 == run.returncode
    assert "--sequence" in run.stderr


def test_an_export_that_does_not_follow_is_refused(tmp_path: Path) -> None:
    played = play_match(PRESETS["muggins"], most_rounds=1)
    record = played.record
    record.records[-2].events[0].tile_played.seat = 7
    path = tmp_path / "wrong.bin"
    write_export(record, path)
    run = muggins_here("report", path, "--sequence", 12, *FLAGS)
    assert (2, "") == (run.returncode, run.stdout)
    assert "Traceback" not in run.stderr
