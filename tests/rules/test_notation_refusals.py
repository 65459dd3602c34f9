"""A text that is no notation is refused by name, with its place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muggins_rules import (
    PRESETS,
    preset,
)
from muggins_rules.notation import (
    NotationError,
    NotationReason,
    format_rule_set,
    parse_layout,
    parse_rule_set,
)
from muggins_rules.ruleset import (
    Layout,
    SpinnerRule,
)
from tests.rules.notation_kit import (
    READERS,
    corrupt_texts,
    many,
    parse_line_layout,
    read,
)


@many
@given(corrupt_texts())
def test_a_corrupt_text_is_refused_at_a_place_in_it_or_means_what_it_is_rewritten_to(
    corrupt: tuple[str, str],
) -> None:
    name, text = corrupt
    parse, write = READERS[name]
    value, error = read(name, text)
    if error is None:
        assert value == parse(write(value))
        return
    lines = text.split("\n")
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1


@many
@given(st.text(), st.sampled_from(sorted(READERS)))
def test_any_text_at_all_raises_nothing_but_notation_errors(text: str, name: str) -> None:
    value, error = read(name, text)
    assert (value is None) != (error is None)


CLUB = format_rule_set(replace(PRESETS["muggins"], id="club"))
DEAL = "round 1: A opens, hands 1 1, boneyard 1\n  A 0-0\n  B 0-1\n  boneyard 1-1"
PLAYED = "1. A 1-4: 1 + 4 = 5, points 5, score 5:0\n  from 1-4 1-4, open 1-4.low 1-4.high"
R = NotationReason
REFUSED = [
    ("tile", "3-6!", R.UNEXPECTED_CHARACTER, 1, 4),
    ("tile", "3\u20136", R.UNEXPECTED_CHARACTER, 1, 2),
    ("tile", "", R.UNEXPECTED_END, 1, 1),
    ("tile", "3-7", R.NO_SUCH_TILE, 1, 1),
    ("tile", "03-6", R.NO_SUCH_TILE, 1, 1),
    ("tile", "3-6 3-6", R.TRAILING_TEXT, 1, 5),
    ("tile", "3", R.UNEXPECTED_TEXT, 1, 1),
    ("end", "6-6", R.UNEXPECTED_END, 1, 4),
    ("end", "6-6.long", R.UNKNOWN_PORT, 1, 5),
    ("placement", "3-6@6-6.lineB/upright", R.UNEXPECTED_TEXT, 1, 15),
    ("placement", "3-6@", R.UNEXPECTED_END, 1, 5),
    ("layout", "", R.UNEXPECTED_END, 1, 1),
    ("layout", "1-4 1-1", R.ILLEGAL_PLACEMENT, 1, 5),
    ("layout", "1-1 1-4@1-1.lineA\n  4-5@1-4.low", R.ILLEGAL_PLACEMENT, 2, 3),
    ("layout", "1-1 1-1@1-1.lineA", R.REPEATED_TILE, 1, 5),
    ("action", "play", R.UNEXPECTED_END, 1, 5),
    ("action", "resign", R.UNEXPECTED_TEXT, 1, 1),
    ("action", "claim 1000000000000000000", R.NUMBER_OUT_OF_RANGE, 1, 7),
    ("action", "call muggins", R.UNEXPECTED_TEXT, 1, 6),
    ("rule_set", "all_sixes", R.UNKNOWN_RULE_SET, 1, 1),
    ("rule_set", "muggins shouting", R.TRAILING_TEXT, 1, 9),
    ("rule_set", CLUB + "\n  colour = 3", R.UNKNOWN_PARAMETER, 21, 3),
    ("rule_set", CLUB + "\n  calling = true", R.REPEATED_PARAMETER, 21, 3),
    ("rule_set", "club\n  calling = true", R.MISSING_PARAMETER, 2, 17),
    ("rule_set", CLUB.replace("pip = 6", "pip = 7"), R.INVALID_RULE_SET, 1, 1),
    ("rule_set", CLUB.replace("spinner = none", "spinner = some"), R.UNEXPECTED_TEXT, 9, 20),
    ("rule_set", CLUB.replace("club", "muggins_").replace("7 5 5", "7 5"), R.UNEXPECTED_TEXT, 4, 3),
    ("event", "E passes", R.NO_SUCH_SEAT, 1, 1),
    ("event", "turn 1", R.UNEXPECTED_TEXT, 1, 6),
    ("event", "A sleeps", R.UNEXPECTED_TEXT, 1, 3),
    ("event", PLAYED.replace("= 5", "= 6"), R.DOES_NOT_ADD_UP, 1, 19),
    ("event", PLAYED.replace("from 1-4", "from"), R.DOES_NOT_ADD_UP, 2, 3),
    ("event", DEAL.replace("B 0-1", "B 0-0"), R.REPEATED_TILE, 3, 5),
    (
        "event",
        DEAL.replace("boneyard 1,", "boneyard 2,").replace(" 1-1", ""),
        R.DOES_NOT_ADD_UP,
        4,
        11,
    ),
    ("event", DEAL.replace("B 0-1", "A 0-1"), R.SEAT_OUT_OF_ORDER, 3, 3),
    ("event", DEAL.replace("  B 0-1\n", ""), R.DOES_NOT_ADD_UP, 3, 12),
    (
        "event",
        "match ended: cancelled, no winner, score 0:0\n  A holds 5-6, pips 10",
        R.DOES_NOT_ADD_UP,
        2,
        21,
    ),
    ("round", "turn A\nturn A B\nturn A", R.TRAILING_TEXT, 2, 8),
    ("round", "turn A\n\n# whose?\nturn\nturn A", R.UNEXPECTED_END, 4, 5),
    ("match", "rules all_fives\nseats 3", R.SEATS_NOT_OFFERED, 2, 7),
    ("match", "rules all_fives\nseats 2\nturn C", R.NO_SUCH_SEAT, 3, 6),
    ("match", "rules all_fives", R.UNEXPECTED_END, 1, 16),
]


@pytest.mark.parametrize(("name", "text", "reason", "line", "column"), REFUSED)
def test_a_text_is_refused_with_its_place_and_reason(
    name: str, text: str, reason: NotationReason, line: int, column: int
) -> None:
    parse, _ = READERS[name]
    with pytest.raises(NotationError) as caught:
        parse(text)
    error = caught.value
    assert (reason, line, column) == (error.reason, error.line, error.column)
    assert str(error).startswith(f"line {line}, column {column}: {reason.value}")


def test_every_reason_is_given_somewhere() -> None:
    assert set(NotationReason) == {reason for _, _, reason, _, _ in REFUSED}


def test_an_illegal_placement_tells_the_refusal_of_the_rules() -> None:
    with pytest.raises(NotationError) as caught:
        parse_line_layout("1-1 1-4@1-1.branchA")
    assert "branch_closed" == caught.value.detail


def test_a_rule_set_with_problems_tells_each() -> None:
    with pytest.raises(NotationError) as caught:
        parse_rule_set(CLUB.replace("pip = 6", "pip = 7").replace("version = 1", "version = 2"))
    problems = "rules_version: rules_version_unknown; deal.highest_pip: highest_pip_out_of_range"
    assert problems == caught.value.detail


def test_a_preset_that_was_changed_may_not_keep_its_name() -> None:
    changed = replace(preset("muggins"), layout=Layout(SpinnerRule.SNIFF))
    with pytest.raises(NotationError) as caught:
        parse_rule_set(format_rule_set(changed))
    assert "id: id_is_taken" == caught.value.detail


def test_the_spinner_rule_decides_what_a_layout_may_be() -> None:
    text = "1-1 1-4@1-1.lineA 1-5@1-1.lineB 1-6@1-1.branchA"
    assert 4 == len(parse_layout(text, SpinnerRule.FIRST_DOUBLE).placements)
    with pytest.raises(NotationError) as caught:
        parse_layout(text, SpinnerRule.NONE)
    assert ("not_a_spinner", 33) == (caught.value.detail, caught.value.column)
