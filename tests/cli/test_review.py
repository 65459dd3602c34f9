"""`muggins review` on exports of matches that were played on a server."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from muggins.v1 import analysis_pb2
from muggins_client import Exhausted, connect, write_export
from muggins_rules import PRESETS
from tests.cli.commands import muggins, muggins_here, served
from tests.cli.real_matches import played_export
from tests.clients.played import play_match

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from muggins.v1 import opponent_service_pb2, records_pb2

FLAGS = ("--language", "en", "--no-color")
FEW = ("--samples", 4)


class Played(NamedTuple):
    """A match and the file of its export."""

    path: Path
    record: records_pb2.MatchRecord
    address: str

    def reviewed(self, *arguments: object) -> dict[str, Any]:
        run = muggins_here("review", self.path, "--json", *FEW, *arguments, *FLAGS)
        assert (0, "") == (run.returncode, run.stderr)
        review: dict[str, Any] = json.loads(run.stdout)
        return review


MATCHES = {
    "all_fives-2": ("all_fives", 2, False),
    "muggins-3": ("muggins", 3, False),
    "latin_american-4-pairs": ("latin_american", 4, False),
    "sniff_us-2-calling": ("sniff_us", 2, True),
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture(scope="module", params=MATCHES)
def match(
    request: pytest.FixtureRequest, address: str, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    rules, seats, calling = MATCHES[request.param]
    path = tmp_path_factory.mktemp("exports") / f"{request.param}.json"
    return Played(path, played_export(address, path, rules, seats, calling=calling), address)


@pytest.fixture(scope="module")
def plain(address: str, tmp_path_factory: pytest.TempPathFactory) -> Played:
    path = tmp_path_factory.mktemp("plain") / "match.bin"
    return Played(path, played_export(address, path, "all_fives", 2), address)


def test_luck_and_skill_add_up_to_the_result_of_every_seat_and_round(match: Played) -> None:
    review = match.reviewed()
    totals = review["totals"]
    ended = next(
        event.match_ended
        for part in match.record.records
        for event in part.events
        if event.WhichOneof("fact") == "match_ended"
    )
    seats = len(totals["seats"])
    sides = len(ended.scores)
    for number, sums in enumerate(totals["seats"]):
        assert sums["result"] == pytest.approx(sums["luck"] + sums["skill"])
        mine = ended.scores[number % sides]
        others = (sum(ended.scores) - mine) / (sides - 1)
        assert sums["result"] == pytest.approx(mine - others)
        rounds = [of_round["seats"][number] for of_round in totals["rounds"]]
        for name in ("decisions", "loss", "luck", "skill", "result"):
            assert sums[name] == pytest.approx(sum(line[name] for line in rounds), abs=1e-6)
        decisions = [line for line in review["decisions"] if line["seat"] == number]
        assert sums["loss"] == pytest.approx(sum(line["loss"] for line in decisions), abs=1e-6)
    assert seats == match.record.seats


def test_the_review_reads_in_80_columns_with_the_worst_first(match: Played) -> None:
    run = muggins_here("review", match.path, *FEW, "--worst", 5, *FLAGS)
    assert (0, "") == (run.returncode, run.stderr)
    lines = run.stdout.splitlines()
    assert not [line for line in lines if len(line) > 80]
    decisions = lines[lines.index("Decisions, the worst first:") + 2 :][:5]
    found = [
        re.match(r" +\d+ +\d+  [A-D] +(\d+\.\d\d)( ±\d+\.\d\d)?  \S", line) for line in decisions
    ]
    losses = [float(line[1]) for line in found if line]
    assert 5 == len(losses)
    assert losses == sorted(losses, reverse=True)
    for sums in lines[lines.index("Sums, in points:") + 2 :][: match.record.seats]:
        luck, skill, result = map(float, sums.split()[-3:])
        assert result == pytest.approx(luck + skill, abs=1e-9)


def test_the_numbers_are_those_of_the_server(plain: Played) -> None:
    async def asked() -> list[opponent_service_pb2.AnalyzeMatchResponse]:
        budget = analysis_pb2.Budget(samples=4)
        async with connect(plain.address) as client:
            while True:
                call = client.opponents.analyze_match(plain.record, budget=budget, timeout_s=59)
                try:
                    return [part async for part in call]
                except Exhausted:
                    # A worker that still loads its machine code may be late on a busy machine.
                    await asyncio.sleep(1)

    parts = asyncio.run(asked())
    totals = parts[-1].totals
    assert not totals.truncated
    review = plain.reviewed()
    decisions = [part.decision for part in parts if part.WhichOneof("part") == "decision"]
    assert [(str(d.sequence), d.loss, d.loss_standard_error) for d in decisions] == [
        (d["sequence"], d["loss"], d["lossStandardError"]) for d in review["decisions"]
    ]
    luck = [part.luck for part in parts if part.WhichOneof("part") == "luck"]
    assert [(str(found.sequence), found.luck) for found in luck] == [
        (found["sequence"], found["luck"]) for found in review["luck"]
    ]
    assert [sums.skill for sums in totals.seats] == [
        sums["skill"] for sums in review["totals"]["seats"]
    ]


def test_decisions_can_be_narrowed_and_totals_stay(plain: Played) -> None:
    whole = plain.reviewed()
    some = plain.reviewed("--seat", "b", "--min-loss", 1, "--worst", 3)
    wanted = [d for d in whole["decisions"] if d["seat"] == 1 and d["loss"] >= 1]
    assert wanted[:3] == some["decisions"]
    assert whole["totals"] == some["totals"]


def test_a_match_that_was_broken_off_is_reviewed_too(tmp_path: Path) -> None:
    played = play_match(PRESETS["five_up"], 2, cancel_in_round=2)
    path = tmp_path / "match.json"
    write_export(played.record, path)
    run = muggins("review", path, *FEW, *FLAGS)
    assert (0, "") == (run.returncode, run.stderr)
    assert "Sums, in points:" in run.stdout


def test_it_is_told_in_the_language_asked_for(plain: Played) -> None:
    run = muggins_here("review", plain.path, *FEW, "--worst", 1, "--language", "fr")
    assert "Décisions, les pires d'abord" in run.stdout


def test_a_terminal_is_shown_how_far_it_is(plain: Played) -> None:
    leader, follower = pty.openpty()
    command = (sys.executable, "-m", "muggins_cli.main", "review", str(plain.path))
    with subprocess.Popen(
        (*command, *map(str, FEW), "--worst", "1", *FLAGS), stdout=subprocess.PIPE, stderr=follower
    ) as process:
        os.close(follower)
        shown = b""
        while True:
            try:
                shown += os.read(leader, 1024)
            except OSError:
                break
        assert process.stdout is not None
        process.stdout.read()
    os.close(leader)
    assert re.search(rb"Reviewed (\d+) of \1 positions", shown)


def test_events_that_do_not_follow_are_refused(plain: Played, tmp_path: Path) -> None:
    record = type(plain.record).FromString(plain.record.SerializeToString())
    played = next(
        event.tile_played
        for part in record.records
        for event in part.events
        if event.WhichOneof("fact") == "tile_played"
    )
    played.seat = 1 - played.seat
    path = tmp_path / "wrong.json"
    write_export(record, path)
    run = muggins_here("review", path, *FLAGS)
    expected = f"muggins: {path}: These events do not follow from one another under the rules.\n"
    assert (2, expected) == (run.returncode, run.stderr)


def test_a_match_that_is_not_over_is_refused(plain: Played, tmp_path: Path) -> None:
    record = type(plain.record).FromString(plain.record.SerializeToString())
    del record.records[40:]
    path = tmp_path / "half.json"
    write_export(record, path)
    run = muggins_here("review", path, *FLAGS)
    assert 2 == run.returncode
    assert "only after the match has ended" in run.stderr


@pytest.mark.parametrize(
    "arguments",
    [("--samples", "0"), ("--samples", "9999999"), ("--seat", "E"), ("--min-loss", "-1")],
)
def test_what_cannot_be_asked_for_is_refused(plain: Played, arguments: tuple[str, str]) -> None:
    run = muggins_here("review", plain.path, *arguments, *FLAGS)
    assert (2, "") == (run.returncode, run.stdout)
    assert "Traceback" not in run.stderr


def test_a_file_without_a_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(b"not an export")
    run = muggins_here("review", path, *FLAGS)
    assert (2, f"muggins: {path} holds no record of a match.\n") == (run.returncode, run.stderr)
