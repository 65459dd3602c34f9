"""`muggins arena` and `muggins ladder` from the command line."""

import json
from pathlib import Path

import pytest

from muggins_service.wire.opponents import Strength
from tests.cli.commands import muggins


def test_arena_ends_with_one_line_of_json() -> None:
    done = muggins(
        *("arena", "greedy", "random", "--rules", "five_up", "--seats", "2", "--rounds"),
        *("--pairs", "6", "--seed", "s", "--processes", "2", "--json"),
    )
    assert (0, "") == (done.returncode, done.stderr)
    fields = json.loads(done.stdout)
    assert (6, 12) == (fields["pairs"], fields["rounds"])
    assert 0 <= fields["win_rate_low"] <= fields["win_rate"] <= fields["win_rate_high"] <= 1


def test_arena_says_what_it_measured() -> None:
    done = muggins("arena", "casual", "beginner", "--pairs", "2", "--seed", "s")
    assert done.stdout.startswith("casual against beginner, muggins with 2 seats: wins ")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("arena greedy grand --seed s", "no agent is called 'grand'"),
        ("arena greedy random --seed s --seats 5", "is played with 2, 3, 4 seats, not 5"),
        ("ladder --levels greedy grand", "no agent is called 'grand'"),
        ("ladder --tables whist-2", "'whist-2' is no rule set and number of seats"),
        ("ladder --tables all_fives-3", "all_fives is not played with 3 seats"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(
    arguments: str, reason: str, tmp_path: Path
) -> None:
    extra = ["--results", tmp_path / "r", "--page", tmp_path / "p.md"]
    done = muggins(*arguments.split(), *(extra if arguments.startswith("ladder") else []))
    assert 2 == done.returncode
    assert done.stderr.startswith("muggins: ")
    assert reason in done.stderr
    assert 1 == len(done.stderr.splitlines())
    assert not list(tmp_path.iterdir())


def test_ladder_writes_results_page_and_plot(tmp_path: Path) -> None:
    arguments = (
        *("ladder", "--tables", "sniff-2", "--levels", "random", "greedy", "--most-sets", "16"),
        *("--results", tmp_path / "l.jsonl", "--page", tmp_path / "s.md", "--processes", "1"),
        *("--strengths", tmp_path / "strengths.json"),
    )
    done = muggins(*arguments)
    assert (0, "1 of 1 tests are done") == (done.returncode, done.stdout.partition(";")[0])
    assert "| sniff | 2 | greedy | random |" in (tmp_path / "s.md").read_text(encoding="utf-8")
    assert (tmp_path / "s.svg").exists()
    strengths = json.loads((tmp_path / "strengths.json").read_text(encoding="utf-8"))
    assert ["greedy"] == list(strengths)
    found = Strength(**strengths["greedy"][0])
    assert ("sniff", 2, "random") == (found.rule_set_id, found.seats, found.against)
    assert found.win_rate_low < found.win_rate <= found.win_rate_high <= 1
    before = (tmp_path / "l.jsonl").read_bytes()
    again = muggins(*arguments)
    assert (0, "") == (again.returncode, again.stderr)
    assert before == (tmp_path / "l.jsonl").read_bytes()
