"""The pages say what the code does: rules, examples, settings, logs, and where things are."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import pytest

from muggins_rules import PRESETS, Refusal, RuleSet
from muggins_rules.kernel import points_of
from muggins_rules.notation import format_rule_set, parse_layout, parse_rule_set
from muggins_rules.notation.places import format_end
from muggins_rules.notation.tiles import parse_tile
from muggins_rules.rule_set_check import RuleSetProblem
from muggins_rules.scoring import settle
from muggins_rules.tiles import TILE_COUNT, mask_of
from muggins_service.config import Config
from tests.packaging.markdown import PAGES, code_blocks, links, name_of, page, spans, tables
from tests.packaging.wheel import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SEATS = "ABCD"
PATHS = re.compile(r"(?:ai|clients|docs|protos|service|tests)/[\w./*-]+")


def _parameters(value: object, prefix: str = "") -> dict[str, object]:
    """Every parameter of a rule set by its dotted name, in order."""
    found: dict[str, object] = {}
    assert is_dataclass(value)
    for parameter in fields(value):
        given, name = getattr(value, parameter.name), f"{prefix}{parameter.name}"
        found |= _parameters(given, f"{name}.") if is_dataclass(given) else {name: given}
    return found


def _written(value: object) -> str:
    """A parameter as the notation writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _seats(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(", "))


# --- links and paths ---


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_link_leads_somewhere(path: Path) -> None:
    targets = (link.partition("#")[0] for link in links(path.read_text(encoding="utf-8")))
    assert not [target for target in targets if target and not (path.parent / target).exists()]


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_path_that_is_named_exists(path: Path) -> None:
    named = filter(PATHS.fullmatch, spans(path.read_text(encoding="utf-8")))
    assert not [name for name in named if not any(ROOT.glob(name.rstrip("/")))]


def test_the_decisions_are_listed_with_their_titles_and_states() -> None:
    (index,) = tables(page("docs/adr/README.md"), "number", "decision", "state")
    expected = []
    for path in sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))[1:]:
        number, title = path.read_text(encoding="utf-8").split("\n", 1)[0][2:].split(": ", 1)
        state = re.findall(r"^State: (.+?)\. Date:", path.read_text(encoding="utf-8"), re.MULTILINE)
        expected.append((f"[{number}]({path.name})", title, *state))
    assert expected == list(index.rows)


# --- rules ---


def test_the_table_of_parameters_is_that_of_the_presets() -> None:
    columns = ("parameter", *(f"`{name}`" for name in PRESETS))
    (table,) = tables(page("docs/rules/parameters.md"), *columns)
    presets = [_parameters(preset) for preset in PRESETS.values()]
    expected = [
        (f"`{name}`", *(_written(preset[name]) for preset in presets))
        for name in presets[0]
        if name != "id"
    ]
    assert expected == list(table.rows)


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_is_told_at_a_glance(name: str) -> None:
    rule_set, text = PRESETS[name], page(f"docs/rules/{name}.md")
    (table,) = tables(text, "seats", "hand", "boneyard", "sides", "target")
    expected = [
        (seats, hand, TILE_COUNT - seats * hand, rule_set.sides(seats), rule_set.target(seats))
        for seats in rule_set.seat_counts
        for hand in [rule_set.hand_size(seats)]
    ]
    assert expected == [tuple(map(int, row)) for row in table.rows]
    assert f"(`{name}`)" in text.split("\n", 1)[0]


def test_the_readme_lists_every_game_with_its_seats_and_targets() -> None:
    (table,) = tables(page("README.md"), "game", "seats", "target", "what differs")
    told = {spans(game)[0]: (_seats(s), _seats(t)) for game, s, t, _ in table.rows}
    expected = {
        name: (rules.seat_counts, tuple(map(rules.target, rules.seat_counts)))
        for name, rules in PRESETS.items()
    }
    assert expected == told


def _examples(*columns: str) -> list[tuple[str, ...]]:
    """The rows of such tables on the pages of the games, each after the game's name."""
    return [
        (name, *row)
        for name in PRESETS
        for table in tables(page(f"docs/rules/{name}.md"), *columns)
        for row in table.rows
    ]


COUNTING = _examples("on the table", "a tile may go to", "counted", "points")
SETTLING = _examples("seats", "end", "left in the hands", "winner", "change")


def test_every_game_has_examples() -> None:
    assert set(PRESETS) == {name for name, *_ in COUNTING + SETTLING}


@pytest.mark.parametrize(("name", "laid", "opened", "counted", "points"), COUNTING)
def test_an_example_counts_as_it_says(
    name: str, laid: str, opened: str, counted: str, points: str
) -> None:
    rule_set = PRESETS[name]
    (text,) = spans(laid)
    layout = parse_layout(text, rule_set.layout.spinner)
    assert {format_end(point.end) for point in layout.attach_points} == set(spans(opened))
    working, _, total = counted.partition(" = ")
    parts = sorted(contribution.value for contribution in layout.contributions)
    assert parts == sorted(map(int, working.split(" + ")))
    assert layout.count == int(total)
    assert points_of(layout.count, rule_set.scoring.points_divisor) == int(points)


@pytest.mark.parametrize(("name", "seats", "end", "left", "winner", "change"), SETTLING)
def test_an_example_settles_as_it_says(
    name: str, seats: str, end: str, left: str, winner: str, change: str
) -> None:
    rule_set, count = PRESETS[name], int(seats)
    hands = [0] * count
    for hand in left.split("; "):
        seat, *tiles = hand.split()
        hands[SEATS.index(seat)] = mask_of(map(parse_tile, tiles))
    went_out = None if end == "blocked" else SEATS.index(end.removesuffix(" goes out"))
    assert went_out is None or not hands[went_out]
    sides = rule_set.sides(count)
    told, lines = settle(rule_set, count, tuple(hands), went_out, (0,) * sides, (False,) * sides)
    assert (None if winner == "nobody" else SEATS.index(winner)) == told
    assert change == ", ".join(f"{SEATS[line.side]} {line.change}" for line in lines)


def test_the_page_on_custom_rule_sets_lists_every_parameter_with_its_default() -> None:
    (table,) = tables(page("docs/rules/custom.md"), "parameter", "values", "default", "meaning")
    expected = [
        (f"`{name}`", "none" if name == "id" else f"`{_written(value)}`")
        for name, value in _parameters(RuleSet("-")).items()
    ]
    told = zip(table.column("parameter"), table.column("default"), strict=True)
    assert expected == list(told)


def test_the_page_on_custom_rule_sets_lists_every_value_of_a_named_choice() -> None:
    (table,) = tables(page("docs/rules/custom.md"), "parameter", "values", "default", "meaning")
    values = dict(zip(table.column("parameter"), table.column("values"), strict=True))
    choices = {n: v for n, v in _parameters(RuleSet("-")).items() if isinstance(v, StrEnum)}
    assert choices
    for name, value in choices.items():
        assert tuple(type(value)) == spans(values[f"`{name}`"])


def test_the_page_on_custom_rule_sets_lists_every_problem_once() -> None:
    (table,) = tables(page("docs/rules/custom.md"), "problem", "field", "when")
    told = [span for cell in table.column("problem") for span in spans(cell)]
    assert sorted(RuleSetProblem) == sorted(told)
    assert {span for cell in table.column("field") for span in spans(cell)} <= set(
        _parameters(RuleSet("-"))
    )


def test_the_custom_rule_set_that_is_shown_can_be_played() -> None:
    (text,) = code_blocks(page("docs/rules/custom.md"), "text rule_set")
    assert text.strip() == format_rule_set(parse_rule_set(text))


def test_the_reasons_on_the_page_on_calling_are_refusals() -> None:
    (table,) = tables(page("docs/rules/calling.md"), "reason", "when")
    assert {span for cell in table.column("reason") for span in spans(cell)} <= set(Refusal)


# --- operations ---


def test_the_settings_are_those_of_the_server() -> None:
    columns = ("setting", "flag", "variable", "default", "meaning")
    (table,) = tables(page("docs/operations.md"), *columns)
    expected = [
        (
            f"`{setting.name}`",
            f"`--{setting.name.replace('_', '-')}`",
            f"`MUGGINS_{setting.name.upper()}`",
            f"`{setting.default}`",
        )
        for setting in fields(Config)
    ]
    assert expected == [row[:4] for row in table.rows]


def test_the_log_events_are_those_of_the_server() -> None:
    (table,) = tables(page("docs/operations.md"), "event", "level", "with", "meaning")
    told = {spans(event)[0]: level for event, level, *_ in table.rows}
    written = {
        event: "error" if level == "exception" else level
        for path in (ROOT / "service" / "muggins_service").rglob("*.py")
        for level, event in re.findall(
            r'\b_log\.(\w+)\(\s*"(\w+)"', path.read_text(encoding="utf-8")
        )
    }
    assert written == told
