"""A ladder stops when it knows, goes on where it ended, and is told in a table and a plot."""

import json
import random
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from muggins_ai.arena.ladder import (
    FAMILIES,
    Ladder,
    LadderPlan,
    OtherLadderError,
    Step,
    Table,
    climb,
    engine_digest,
    study_of,
)
from muggins_ai.arena.ladder_report import BEGIN, END, ladder_plot, write_report
from muggins_ai.arena.running import run_agents
from muggins_ai.arena.sequential import SequentialTest, Verdict
from muggins_ai.arena.study import SetResult
from muggins_ai.levels import LADDER
from muggins_rules.presets import PRESETS

PLAN = LadderPlan(("random", "greedy", "greedy_plus"), most_sets=16)
TABLES = (Table("five_up", 2), Table("muggins", 3))
SET = SetResult(1.0, 30.0, 4, 0, 10, 5000, 10, 5000)


def ladder_at(path: Path, engine: str = "engine", plan: LadderPlan = PLAN) -> Ladder:
    return Ladder(path, plan, engine, "seed")


def results(ladder: Ladder) -> list[list[tuple[float, ...]]]:
    """By step what its sets say but for the time they took."""
    return [[found[:4] for found in step.sets] for step in ladder.steps(TABLES)]


def share_of_verdicts(mean: float, verdict: Verdict) -> float:
    """Of 300 tests of pairs of matches that are won with a chance."""
    test = SequentialTest(0.5, 0.05, 0.05, 0.05)
    chance = random.Random(1)
    found = 0
    for _ in range(300):
        shares: list[float] = []
        while test.verdict(shares) is Verdict.OPEN:
            shares += [((chance.random() < mean) + (chance.random() < mean)) / 2 for _ in range(8)]
        found += test.verdict(shares) is verdict
    return found / 300


def test_a_test_keeps_its_stated_errors() -> None:
    assert share_of_verdicts(0.5, Verdict.STRONGER) < 0.08
    assert share_of_verdicts(0.55, Verdict.NOT_STRONGER) < 0.08


def test_a_test_says_nothing_of_few_sets() -> None:
    test = SequentialTest(0.5, 0.05, 0.05, 0.05)
    assert Verdict.OPEN is test.verdict([1.0] * 7)
    assert Verdict.STRONGER is test.verdict([1.0] * 20)
    assert Verdict.NOT_STRONGER is test.verdict([0.0] * 20)


def test_the_ladder_has_the_tables_of_the_page_and_the_levels_of_people() -> None:
    assert 8 == len(FAMILIES)
    assert len(LADDER) >= 6
    assert "strongest" == LADDER[-1]


def test_a_ladder_goes_on_where_its_file_ends(tmp_path: Path) -> None:
    """Cut in the middle of a line, the file grows to what one run writes."""
    whole = ladder_at(tmp_path / "whole.jsonl")
    climb(whole, TABLES, 1, 600)
    assert all(step.is_done(PLAN) for step in whole.steps(TABLES))
    text = whole.path.read_text(encoding="utf-8")
    cut = tmp_path / "cut.jsonl"
    cut.write_text(text[: 2 * len(text) // 3], encoding="utf-8")
    resumed = ladder_at(cut)
    assert 0 < sum(map(len, results(resumed))) < sum(map(len, results(whole)))
    climb(resumed, TABLES, 2, 600)
    assert results(whole) == results(resumed) == results(ladder_at(cut))


def test_a_ladder_without_time_plays_nothing(tmp_path: Path) -> None:
    ladder = ladder_at(tmp_path / "l.jsonl")
    climb(ladder, TABLES, 1, 0)
    assert [[], [], [], []] == results(ladder)


def test_a_line_is_played_again_from_its_seed(tmp_path: Path) -> None:
    ladder = ladder_at(tmp_path / "l.jsonl")
    climb(ladder, TABLES[1:], 1, 600)
    step = ladder.steps(TABLES[1:])[0]
    again = run_agents(study_of(step.rung, len(step.sets), "seed"))
    assert step.result().win_rate == again.win_rate
    assert step.result().points_per_round == again.points_per_round


def test_the_seed_of_the_file_counts(tmp_path: Path) -> None:
    ladder_at(tmp_path / "l.jsonl")
    assert "seed" == Ladder(tmp_path / "l.jsonl", PLAN, "engine", "another").seed


def test_results_of_another_engine_are_not_mixed_in(tmp_path: Path) -> None:
    ladder_at(tmp_path / "l.jsonl")
    with pytest.raises(OtherLadderError, match="another engine"):
        ladder_at(tmp_path / "l.jsonl", engine="newer")
    with pytest.raises(OtherLadderError, match="another plan"):
        ladder_at(tmp_path / "l.jsonl", plan=LadderPlan(("random", "greedy")))


def test_raw_results_hold_every_set(tmp_path: Path) -> None:
    ladder = filled(tmp_path)
    begun, *lines = map(json.loads, ladder.path.read_text(encoding="utf-8").splitlines())
    assert ("engine", "seed") == (begun["engine"], begun["seed"])
    assert [list(SET)] * 8 == lines[0]["sets"]


def filled(folder: Path) -> Ladder:
    """A ladder with eight sets at one of its rungs."""
    ladder = ladder_at(folder / "l.jsonl")
    ladder.add(ladder.steps(TABLES)[0], [SET] * 8)
    return ladder


def test_the_page_keeps_what_stands_around_the_ladder(tmp_path: Path) -> None:
    ladder, page = filled(tmp_path), tmp_path / "strength.md"
    page.write_text("# Strength\n\nBefore.\n", encoding="utf-8")
    write_report(ladder, TABLES, page)
    page.write_text(page.read_text(encoding="utf-8") + "\nAfter.\n", encoding="utf-8")
    write_report(ladder, TABLES, page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# Strength\n\nBefore.\n\n{BEGIN}\n")
    assert text.endswith(f"{END}\n\nAfter.\n")
    assert 1 == text.count("| five_up | 2 | greedy | random | 100.0 (")
    assert 1 == text.count("| muggins | 3 | greedy_plus | greedy | | | 0 | not played | |")


def test_the_plot_is_an_image_with_a_dot_for_each_rung_played(tmp_path: Path) -> None:
    root = ET.fromstring(ladder_plot(filled(tmp_path), TABLES))  # noqa: S314 - our own text
    assert 1 == len(root.findall("{http://www.w3.org/2000/svg}circle"))


def test_an_even_share_is_that_of_a_side(tmp_path: Path) -> None:
    shares = {
        t: Step(ladder_at(tmp_path / "f", plan=PLAN).steps([t])[0].rung).fair for t in FAMILIES
    }
    assert 1 / 3 == shares[Table("muggins", 3)]
    assert 1 / 2 == shares[Table("all_fives", 4)]
    assert all(
        PRESETS[table.rules].sides(table.seats) * share == 1 for table, share in shares.items()
    )


def test_the_engine_has_one_name_while_nothing_changes() -> None:
    assert engine_digest() == engine_digest()
    assert 16 == len(engine_digest())
