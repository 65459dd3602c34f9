"""The worked cases hold, and the checker of them sees whatever is wrong with a file."""

import argparse
import copy
import functools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from muggins_cli.vectors import add_arguments, run
from muggins_cli.vectors.case import Case
from muggins_cli.vectors.checking import check_case
from muggins_cli.vectors.faults import Fault
from muggins_cli.vectors.reading import read_cases

RULES = Path(__file__).parents[1] / "vectors" / "rules.json"
CASES = read_cases(RULES)
BY_ID = {case.id: case for case in CASES}
JUNK: tuple[object, ...] = (
    None,
    True,
    -1,
    7,
    99,
    2.5,
    "",
    "x",
    [],
    [None],
    [[0]],
    {},
    {"tile": [9, 9]},
)

Edit = Callable[[dict[str, Any]], object]


def check(*files: Path) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args([str(file) for file in files]))


def written(folder: Path, content: object) -> Path:
    file = folder / "cases.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


def leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of everything below a value that holds nothing further."""
    inner: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    if not inner:
        yield path
    for key, item in inner:
        yield from leaves(item, (*path, key))


def lists(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of the lists at and below a value."""
    if isinstance(value, list):
        yield path
        for index, item in enumerate(value):
            yield from lists(item, (*path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from lists(item, (*path, key))


def replaced(
    fields: dict[str, Any], path: tuple[str | int, ...], change: Callable[[Any], Any]
) -> dict[str, Any]:
    changed = copy.deepcopy(fields)
    holder: Any = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = change(holder[path[-1]])
    return changed


def corrupted(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{value}x"
    return ["x"]


def instead(given: object, _: object) -> object:
    return given


def one_less(items: list[object]) -> list[object]:
    return items[1:] if items else [0]


def doubled(items: list[object]) -> list[object]:
    return [*items, *items]


def faults(case_id: str, edit: Edit) -> list[str]:
    """What the checker says of a case of the file after an edit of its fields."""
    fields = copy.deepcopy(BY_ID[case_id].fields)
    edit(fields)
    return [mismatch.field for mismatch in check_case(Case(BY_ID[case_id].group, fields))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_engine_answers_as_expected(case: Case) -> None:
    assert [] == check_case(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_each_corrupted_leaf_under_expect_is_caught(case: Case) -> None:
    for path in leaves(case.expect):
        fields = replaced(case.fields, ("expect", *path), corrupted)
        caught = [mismatch.field for mismatch in check_case(Case(case.group, fields))]
        assert [path[0]] == caught, path


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_each_expected_list_with_one_more_or_one_less_is_caught(case: Case) -> None:
    for path in lists(case.expect):
        for change in (one_less, doubled):
            fields = replaced(case.fields, ("expect", *path), change)
            if fields != case.fields:
                caught = [mismatch.field for mismatch in check_case(Case(case.group, fields))]
                assert [path[0]] == caught, path


def test_numbers_and_flags_are_not_taken_for_each_other() -> None:
    assert ["legal"] == faults("lg-15", lambda case: case["expect"].update(legal=1))
    assert ["count"] == faults("mug-01", lambda case: case["expect"].update(count=5.0))


@pytest.mark.parametrize("group", sorted({case.group for case in CASES}))
def test_any_junk_in_a_given_field_is_answered_with_a_named_fault(group: str) -> None:
    for case in [case for case in CASES if case.group == group][:4]:
        for path in leaves(case.fields):
            for junk in JUNK:
                fields = replaced(case.fields, path, functools.partial(instead, junk))
                for mismatch in check_case(Case(group, fields)):
                    assert mismatch.expected or mismatch.field in set(Fault)


@pytest.mark.parametrize(
    ("fault", "case_id", "edit"),
    [
        (Fault.UNKNOWN_FIELD, "mug-01", lambda case: case.update(extra=1)),
        (Fault.UNKNOWN_FIELD, "mug-01", lambda case: case["expect"].update(extra=1)),
        (Fault.UNKNOWN_FIELD, "mug-01", lambda case: case["moves"][0].update(extra=1)),
        (Fault.MISSING_FIELD, "mug-01", lambda case: case.pop("moves")),
        (Fault.MISSING_FIELD, "mug-01", lambda case: case.pop("id")),
        (Fault.MISSING_FIELD, "mug-01", lambda case: case["expect"].clear()),
        (Fault.MALFORMED_FIELD, "mug-01", lambda case: case.update(calling="yes")),
        (Fault.MALFORMED_FIELD, "tn-01", lambda case: case.update(stock_reserve=3)),
        (Fault.MALFORMED_FIELD, "tn-01", lambda case: case.update(open_values=[7])),
        (Fault.UNKNOWN_RULE_SET, "mug-01", lambda case: case.update(ruleset="whist")),
        (Fault.SEATS_NOT_OFFERED, "hs-05", lambda case: case.update(seats=3)),
        (Fault.TILE_USED_TWICE, "tn-01", lambda case: case["hand"].append([1, 3])),
        (Fault.MOVE_REFUSED, "mug-02", lambda case: case["moves"][1].update(tile=[2, 3])),
        (Fault.IMPOSSIBLE_POSITION, "mt-01", lambda case: case.update(earned=7)),
        (
            Fault.IMPOSSIBLE_POSITION,
            "mt-06",
            lambda case: case.update(settlement_if_reached=[0, 5]),
        ),
        (Fault.IMPOSSIBLE_POSITION, "st-01", lambda case: case["hands"]["A"].append([0, 0])),
        (Fault.IMPOSSIBLE_POSITION, "tn-02", lambda case: case.update(open_values=[1, 2, 5])),
    ],
)
def test_a_case_that_cannot_be_checked_names_its_fault(
    fault: Fault, case_id: str, edit: Edit
) -> None:
    assert [fault] == faults(case_id, edit)


def test_a_group_that_is_unknown_is_named() -> None:
    mismatch = check_case(Case("bidding", BY_ID["mug-01"].fields))
    assert [Fault.UNKNOWN_GROUP] == [found.field for found in mismatch]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_calling_is_accepted_on_every_group(seats: int) -> None:
    for case in CASES:
        fields = {**case.fields, "calling": True}
        if case.group in {"placement", "legality"} and case.fields["ruleset"] == "muggins":
            fields["seats"] = seats
        assert [] == check_case(Case(case.group, fields))


def test_a_stock_reserve_is_never_drawn() -> None:
    fields: dict[str, Any] = copy.deepcopy(BY_ID["tn-03"].fields)
    fields["stock_reserve"] = 1
    fields["expect"] = {
        "drawn": [[1, 3]],
        "action": "pass",
        "tile": None,
        "stock_left": 1,
        "hand_after": [[1, 1], [1, 3], [3, 4]],
    }
    assert [] == check_case(Case("turn", fields))


@pytest.mark.parametrize(
    ("rule_set", "seats", "earned", "changes"),
    [
        ("muggins", 4, 20, [0, -5, -10, 0]),
        ("all_fives_us", 3, 35, [25, 0, 0]),
        ("all_fives", 4, 10, [50, 0]),
        ("five_up", 3, 7, [4, 0, 0]),
        ("five_up_debit", 4, 5, [-2, -9]),
        ("sniff_us", 2, 15, [40, 0]),
        ("latin_american", 4, 0, [0, 0]),
    ],
)
def test_a_last_tile_is_staged_for_any_points_and_settlement(
    rule_set: str, seats: int, earned: int, changes: list[int]
) -> None:
    before = [0] * len(changes)
    expected = [earned + changes[0], *changes[1:]]
    fields = {
        "id": "staged",
        "ruleset": rule_set,
        "seats": seats,
        "scores_before": before,
        "mover_index": 0,
        "event": "place",
        "earned": earned,
        "was_last_tile": True,
        "settlement_if_reached": changes,
        "expect": {"scores_after": expected, "match_over": False},
    }
    assert [] == check_case(Case("match", fields))


@pytest.mark.parametrize(
    ("rule_set", "changes"),
    [
        ("muggins", [-15, -10, 0]),
        ("all_fives_us", [0, 0, 25]),
        ("all_fives_us", [0, 0, 0]),
        ("five_up", [0, 3, 0]),
        ("five_up_debit", [-1, -3, -2]),
    ],
)
def test_a_block_is_staged_for_any_settlement_with_three_seats(
    rule_set: str, changes: list[int]
) -> None:
    fields = {
        "id": "staged",
        "ruleset": rule_set,
        "seats": 3,
        "scores_before": [10, 20, 30],
        "event": "blocked",
        "settlement_if_reached": changes,
        "expect": {
            "scores_after": [10 + changes[0], 20 + changes[1], 30 + changes[2]],
            "match_over": False,
        },
    }
    assert [] == check_case(Case("match", fields))


def test_the_command_passes_the_file_and_says_how_many_cases_are_right(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert 0 == check(RULES)
    assert f"{len(CASES)} of {len(CASES)} cases right" in capsys.readouterr().out


def test_the_command_tells_case_field_expected_and_got(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = replaced(BY_ID["mug-01"].fields, ("expect", "points"), lambda _: 10)
    assert 1 == check(written(tmp_path, {"placement": [fields]}))
    output = capsys.readouterr().out
    assert "mug-01: points: expected 10, got 5" in output
    assert "0 of 1 cases right" in output


def test_the_command_counts_an_id_used_twice_as_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mug, legal = BY_ID["mug-01"].fields, {**BY_ID["lg-15"].fields, "id": "mug-01"}
    assert 1 == check(written(tmp_path, {"placement": [mug], "legality": [legal]}))
    assert "mug-01: duplicate_id" in capsys.readouterr().out


def test_the_command_goes_on_after_a_wrong_file(tmp_path: Path) -> None:
    assert 2 == check(tmp_path / "absent.json", RULES)


@pytest.mark.parametrize(
    "content",
    [
        "no json",
        "[]",
        "{}",
        '{"about": {}}',
        '{"placement": {}}',
        '{"placement": [1]}',
        '{"placement": [{"id": "a", "id": "b"}]}',
    ],
)
def test_the_command_calls_what_is_no_file_of_cases_unreadable(
    tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == check(written(tmp_path, content))
    assert "unreadable" in capsys.readouterr().err
