"""`muggins demo` plays, shows, exports and verifies one match without any input."""

import re

import pytest

from tests.cli.commands import muggins, started


def test_the_demo_shows_a_whole_match_and_finds_all_in_order() -> None:
    run = muggins("demo", "--seed", "one")
    assert (0, "") == (run.returncode, run.stderr)
    text = run.stdout
    assert "All Fives, 2 seats, first to 250\n  A  greedy_plus\n  B  greedy\n" in text
    assert re.search(r"(?m)^Lot: A \d-\d  B \d-\d$", text)
    assert re.search(r"(?m)^ 1\. [AB] plays \d-\d$", text)
    assert re.search(r"(?m)^    \d+ \+ \d+ = \d+   [AB] \+\d+   \[A \d+  B \d+\]$", text)
    assert re.search(r"(?m)^    [AB] no fit: drew \d+, (passed|\d+ left)$", text)
    assert re.search(r"(?m)^    [\d += ]+, rounded to \d+: [AB] \+\d+$", text)
    assert "On paper, a stroke is 5:\n" in text
    assert "x X x" in text
    winner, score = re.findall(r"(?m)^([AB]) wins the match\nFinal score: (.*)$", text)[0]
    assert int(dict(re.findall(r"([AB]) (\d+)", score))[winner]) >= 250
    assert "All in order. Rounds checked: " in text
    assert "The secrets hash to the anchor that was kept" in text
    assert "The deals come from a test seed" in text


def test_every_sum_in_the_demo_adds_up() -> None:
    text = muggins("demo").stdout
    sums = re.findall(r"(?<![\d+] )\b(\d+(?: \+ \d+)+) = (\d+)", text)
    assert len(sums) > 20
    for parts, total in sums:
        assert int(total) == sum(map(int, parts.split(" + ")))


def test_every_round_of_the_demo_is_settled_or_cut_short_and_checked() -> None:
    text = muggins("demo").stdout
    rounds = len(re.findall(r"(?m)^Round \d+$", text))
    assert rounds == len(re.findall(r"(?m)^Deal of round \d+ checked", text))
    assert f"Rounds checked: {rounds}." in text
    settled = len(re.findall(r"(?m)^Score: ", text))
    assert settled in {rounds - 1, rounds}


def test_the_same_seed_gives_the_same_demo() -> None:
    first, second = muggins("demo", "--seed", "two"), muggins("demo", "--seed", "two")
    assert first.stdout == second.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--rules", "five_up", "--seats", "4"), "Five Up, 4 seats, first to 61"),
        (("--rules", "muggins", "--language", "pt-BR"), "Muggins, 2 lugares, vence quem chegar a"),
        (("--rules", "sniff", "--seats", "3", "--language", "fr"), "Sniff, 3 places, en 200"),
        (("--calling", "--levels", "greedy", "--language", "es"), "Solo valen los puntos cantados"),
    ],
)
def test_the_demo_plays_what_is_asked_for(arguments: tuple[str, ...], expected: str) -> None:
    run = muggins("demo", "--seed", "four", *arguments)
    assert (0, "") == (run.returncode, run.stderr)
    assert expected in run.stdout


def test_a_terminal_without_line_drawing_gets_ascii() -> None:
    run = muggins("demo", "--seed", "one", PYTHONIOENCODING="ascii")
    assert 0 == run.returncode
    assert run.stdout.isascii()
    assert re.search(r"\{\d\|\d\}", run.stdout)


def test_the_demo_keeps_to_the_width_of_the_terminal() -> None:
    run = muggins("demo", "--rules", "muggins", "--seed", "five", COLUMNS="80")
    assert 80 >= max(map(len, run.stdout.splitlines()))
    assert " >\n" in run.stdout


def test_the_demo_ends_quietly_when_its_reader_has_seen_enough() -> None:
    with started("demo") as demo:
        assert demo.stdout is not None
        assert demo.stderr is not None
        demo.stdout.readline()
        demo.stdout.close()
        assert (0, "") == (demo.wait(30), demo.stderr.read())


@pytest.mark.parametrize(
    "arguments",
    [("--rules", "whist"), ("--levels", "genius"), ("--seats", "3"), ("--seats", "0")],
)
def test_what_cannot_be_played_is_refused_in_a_line(arguments: tuple[str, ...]) -> None:
    run = muggins("demo", *arguments)
    assert (2, "") == (run.returncode, run.stdout)
    assert "Traceback" not in run.stderr
