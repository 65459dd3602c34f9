"""`muggins verify` on what the opponents of a match decided."""

from pathlib import Path

import pytest

from muggins.v1 import events_pb2, records_pb2
from muggins_cli.main import main
from muggins_client import write_export
from muggins_rules import Place, legal_actions
from muggins_rules.events import TilePlayed
from muggins_service.honesty.decisions import Decision
from tests.cli.commands import muggins
from tests.cli.recorded import TEST_SEED, copy_of, events_in, name_engine, recorded
from tests.service.finished import altered, decisions_of

FLAGS = ("--language", "en")
AGREE = "Opponents' decisions made again from their own views, and the same: "


@pytest.fixture(scope="module")
def greedy() -> records_pb2.MatchRecord:
    return recorded("greedy", "greedy")


def written(record: records_pb2.MatchRecord, folder: Path) -> Path:
    path = folder / "match.json"
    write_export(record, path)
    return path


def changed(record: records_pb2.MatchRecord) -> tuple[records_pb2.MatchRecord, Decision]:
    """The match with one placement made otherwise, and the decision for it."""
    for decision in decisions_of(record).made[20:]:
        made = decision.acts[0]
        for action in legal_actions(decision.table.game):
            if (
                isinstance(made, TilePlayed)
                and isinstance(action, Place)
                and action.placement != made.placement
            ):
                return altered(record, decision, action, TEST_SEED), decision
    raise AssertionError("some decision had an alternative")


def test_every_decision_of_a_calling_match_between_pairs_is_made_again(tmp_path: Path) -> None:
    record = recorded("random", "beginner", "casual", "greedy_plus", calling=True)
    run = muggins("verify", written(record, tmp_path), *FLAGS)
    assert (0, "") == (run.returncode, run.stderr)
    assert "All in order." in run.stdout
    assert f"{AGREE}{len(decisions_of(record).made)}.\n" in run.stdout
    assert "Not made again" not in run.stdout
    assert "Only counted" not in run.stdout


def test_a_move_that_its_engine_does_not_choose_is_told_by_its_sequence(
    greedy: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    record, decision = changed(greedy)
    run = muggins("verify", written(record, tmp_path), *FLAGS)
    assert (1, "") == (run.returncode, run.stderr)
    assert "All in order." in run.stdout
    at = decision.sequence
    assert f"  ! opponent_differs at {at}: play " in run.stdout
    assert f"not what their engines choose: 1, at {at}." in run.stdout
    assert f"{AGREE}{len(decisions_of(record).made) - 1}.\n" in run.stdout


def test_an_engine_that_is_not_installed_is_told_apart(
    greedy: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    record = copy_of(greedy)
    name_engine(record, "greedy-0")
    run = muggins("verify", written(record, tmp_path), *FLAGS)
    assert 0 == run.returncode
    number = len(decisions_of(record).made)
    told = " ".join(run.stdout.split())
    assert f"{AGREE}0." in told
    assert f"the engine differs: {number}. Named: greedy-0. Installed here: greedy-1." in told


def test_levels_that_need_numba_are_told_apart_where_it_is_not_installed(
    greedy: records_pb2.MatchRecord,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = copy_of(greedy)
    for event in events_in(record):
        if event.HasField("seat_taken") and event.seat_taken.seat == 1:
            event.seat_taken.level = "expert"
    monkeypatch.setattr("muggins_ai.levels.find_spec", lambda _: None)
    assert 0 == main(["verify", str(written(record, tmp_path)), *FLAGS])
    assert "need numba, which is not installed here" in " ".join(capsys.readouterr().out.split())


def test_fallbacks_and_moves_of_a_timer_are_counted(
    greedy: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    record = copy_of(greedy)
    played = [event for event in events_in(record) if event.HasField("tile_played")]
    played[0].cause, played[0].engine = events_pb2.CAUSE_FALLBACK, "fallback"
    played[1].cause = events_pb2.CAUSE_TIMEOUT
    played[2].cause = events_pb2.CAUSE_TIMEOUT
    played[3].engine = ""
    run = muggins("verify", written(record, tmp_path), *FLAGS)
    assert 0 == run.returncode
    told = " ".join(run.stdout.split())
    assert "Only counted: fallbacks 1, a timer's moves 2," in told
    assert "name no engine 1." in told


def test_a_round_without_its_secret_is_not_made_again(
    greedy: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    record = copy_of(greedy)
    next(
        event for event in events_in(record) if event.HasField("round_ended")
    ).round_ended.secret = b""
    run = muggins("verify", written(record, tmp_path), *FLAGS)
    assert 1 == run.returncode
    assert "since the secret of the round is missing or wrong: " in " ".join(run.stdout.split())


def test_a_record_is_made_again_as_far_as_it_follows_the_rules(
    greedy: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    record = copy_of(greedy)
    played = [event for event in events_in(record) if event.HasField("tile_played")]
    played[5].tile_played.count.sum += 5
    run = muggins("verify", written(record, tmp_path), *FLAGS)
    assert 1 == run.returncode
    told = " ".join(run.stdout.split())
    assert f"From event {played[5].sequence} on the record does not follow the rules" in told


def test_a_record_of_shapes_that_no_match_has_is_told_in_a_line(
    greedy: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    record = copy_of(greedy)
    lot = next(event for event in events_in(record) if event.HasField("lot_drawn"))
    lot.lot_drawn.tile.high = 9
    run = muggins("verify", written(record, tmp_path), *FLAGS)
    assert (1, "") == (run.returncode, run.stderr)
    assert "  ! record_unreadable: malformed record.events[" in run.stdout


def test_outcomes_are_told_in_the_language_asked_for(
    greedy: records_pb2.MatchRecord, tmp_path: Path
) -> None:
    run = muggins("verify", written(greedy, tmp_path), "--language", "es")
    assert "Decisiones de los rivales repetidas con lo que cada uno veía" in run.stdout
