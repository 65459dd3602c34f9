"""`muggins challenge` on decisions of opponents, on other events, and on what is no record."""

import json
from pathlib import Path

import pytest

from muggins.v1 import events_pb2, records_pb2
from muggins_cli.main import main
from muggins_client import write_export
from muggins_rules.events import TilePlayed
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from muggins_service.honesty import asking
from muggins_service.table.state import Table
from tests.cli.commands import muggins
from tests.cli.recorded import copy_of, events_in, name_engine, recorded
from tests.service.finished import decisions_of

FLAGS = ("--language", "en")


@pytest.fixture(scope="module")
def record() -> records_pb2.MatchRecord:
    return recorded("random", "greedy_plus", calling=True)


@pytest.fixture
def export(record: records_pb2.MatchRecord, tmp_path: Path) -> Path:
    return written(record, tmp_path)


def written(record: records_pb2.MatchRecord, folder: Path) -> Path:
    path = folder / "match.bin"
    write_export(record, path)
    return path


def placed_at(record: records_pb2.MatchRecord) -> int:
    """The sequence of a placement in the middle of a round."""
    placements = [
        made.sequence
        for made in decisions_of(record).made
        if isinstance(made.acts[0], TilePlayed) and made.acts[0].number == 4
    ]
    return placements[0]


def test_an_opponent_that_did_not_peek_passes(
    record: records_pb2.MatchRecord, export: Path
) -> None:
    at = placed_at(record)
    run = muggins("challenge", export, "--sequence", at, *FLAGS)
    assert (0, "") == (run.returncode, run.stderr)
    assert f"Match {record.match_id}\nDecision {at}: " in run.stdout
    assert "Dealt anew: 100 times, 100 different deals." in run.stdout
    assert "What it saw and what it chose stayed the same each time." in run.stdout


def test_many_decisions_pass(
    record: records_pb2.MatchRecord, export: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for decision in decisions_of(record).made[::15]:
        given = ["challenge", str(export), "--sequence", str(decision.sequence), "--times", "9"]
        assert 0 == main([*given, *FLAGS])
    assert "not the same" not in capsys.readouterr().out


def test_the_outcome_as_json(record: records_pb2.MatchRecord, export: Path) -> None:
    at = placed_at(record)
    run = muggins("challenge", export, "--sequence", at, "--times", 7, "--seed", "x", "--json")
    assert (0, "") == (run.returncode, run.stderr)
    told = json.loads(run.stdout)
    event = next(event for event in events_in(record) if event.sequence == at)
    assert {
        "match_id": record.match_id,
        "sequence": at,
        "seat": event.tile_played.seat,
        "level": ("random", "greedy_plus")[event.tile_played.seat],
        "engine": event.engine,
        "as_recorded": True,
        "seed": "x",
        "times": 7,
        "deals": 7,
        "differences": [],
        "passed": True,
    }.items() <= told.items()
    assert told["action"].startswith("play ")


def test_a_later_event_of_a_decision_names_it_too(
    record: records_pb2.MatchRecord, export: Path
) -> None:
    claimed = next(event for event in events_in(record) if event.HasField("points_claimed"))
    flags = ("--times", 2, "--json")
    run = muggins("challenge", export, "--sequence", claimed.sequence, *flags)
    assert 0 == run.returncode
    told = json.loads(run.stdout)
    assert claimed.sequence - 1 == told["sequence"]
    assert told["action"].endswith(f"claim {claimed.points_claimed.points}")


def test_a_move_that_the_engine_does_not_choose_is_refused(
    record: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    changed = copy_of(record)
    claimed = next(event for event in events_in(changed) if event.HasField("points_claimed"))
    del changed.records[next(
        index for index, part in enumerate(changed.records) if claimed in part.events
    ) + 1 :]  # fmt: skip
    claimed.points_claimed.points += 5
    # The round's secret has to be known, though the record ends in the middle of the round.
    ended = changed.records[-1].events.add(sequence=claimed.sequence + 9, round=1)
    ended.match_ended.secret = next(
        event.round_ended.secret for event in events_in(record) if event.round_ended.secret
    )
    path = written(changed, tmp_path)
    run = muggins("challenge", path, "--sequence", claimed.sequence, "--times", 2, *FLAGS)
    assert (1, "") == (run.returncode, run.stderr)
    assert "the engine chooses otherwise than the record says" in " ".join(run.stdout.split())


def test_what_differs_is_told(
    record: records_pb2.MatchRecord,
    export: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def leaking(table: Table, seat: int, *_: object) -> SeatView:
        return seat_view(table.game, seat, (table.game.events,))

    monkeypatch.setattr(asking, "choosing_view", leaking)
    at = placed_at(record)
    assert 1 == main(["challenge", str(export), "--sequence", str(at), "--times", "3", *FLAGS])
    told = capsys.readouterr().out
    assert "  ! deal 1: view.past\n" in told
    assert "was not the same: 3 times." in told


@pytest.mark.parametrize(
    ("sequence", "complaint"),
    [
        (1, "Event 1 is no decision of an opponent's engine."),
        (999_999, "has no event 999999."),
    ],
)
def test_an_event_that_is_no_decision_is_refused(
    export: Path, sequence: int, complaint: str
) -> None:
    run = muggins("challenge", export, "--sequence", sequence, *FLAGS)
    assert (2, "") == (run.returncode, run.stdout)
    assert complaint in run.stderr


def test_a_fallback_is_no_decision_of_an_engine(
    record: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    changed = copy_of(record)
    at = placed_at(record)
    for event in events_in(changed):
        if event.sequence in {at, at + 1}:
            event.cause = events_pb2.CAUSE_FALLBACK
    run = muggins("challenge", written(changed, tmp_path), "--sequence", at, *FLAGS)
    assert (2, "") == (run.returncode, run.stdout)
    assert f"muggins: Event {at} is no decision of an opponent's engine.\n" == run.stderr


def test_an_engine_that_is_not_installed_is_refused(
    record: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    changed = copy_of(record)
    name_engine(changed, "greedy_plus-0")
    at = placed_at(record)
    run = muggins("challenge", written(changed, tmp_path), "--sequence", at, *FLAGS)
    assert (2, "") == (run.returncode, run.stdout)
    assert "Named: greedy_plus-0. Installed here: " in run.stderr


def test_a_level_that_needs_numba_is_refused_where_it_is_not_installed(
    record: records_pb2.MatchRecord,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    changed = copy_of(record)
    for event in events_in(changed):
        if event.HasField("seat_taken"):
            event.seat_taken.level = "skilled"
    monkeypatch.setattr("muggins_ai.levels.find_spec", lambda _: None)
    path = written(changed, tmp_path)
    given = ["challenge", str(path), "--sequence", str(placed_at(record)), *FLAGS]
    assert 2 == main(given)
    assert "numba, which is not installed here" in capsys.readouterr().err


def test_a_round_whose_secret_is_not_told_is_refused(
    record: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    changed = copy_of(record)
    for event in events_in(changed):
        if event.HasField("round_ended"):
            event.round_ended.secret = b""
    run = muggins("challenge", written(changed, tmp_path), "--sequence", placed_at(record), *FLAGS)
    assert (2, "") == (run.returncode, run.stdout)
    assert "the secret of the round is missing or wrong" in run.stderr


def test_what_comes_after_a_broken_rule_is_refused(
    record: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    changed = copy_of(record)
    dealt = next(event for event in events_in(changed) if event.HasField("round_dealt"))
    dealt.round_dealt.opener = 1 - dealt.round_dealt.opener
    run = muggins("challenge", written(changed, tmp_path), "--sequence", placed_at(record), *FLAGS)
    assert (2, "") == (run.returncode, run.stdout)
    assert "does not follow the rules" in run.stderr


@pytest.mark.parametrize(
    "flags", [(), ("--sequence", "0"), ("--sequence", "a"), ("--sequence", "9", "--times", "0")]
)
def test_numbers_count_from_one(export: Path, flags: tuple[str, ...]) -> None:
    assert 2 == muggins("challenge", export, *flags).returncode


@pytest.mark.parametrize("content", [b"", b"{}", b"not an export"])
def test_a_file_without_a_record_is_refused_in_a_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    run = muggins("challenge", path, "--sequence", 9, *FLAGS)
    assert (2, f"muggins: {path} holds no record of a match.\n") == (run.returncode, run.stderr)


def test_a_file_that_is_not_there_is_refused_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    run = muggins("challenge", path, "--sequence", 9, *FLAGS)
    assert (2, f"muggins: {path}: No such file or directory\n") == (run.returncode, run.stderr)
