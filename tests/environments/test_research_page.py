"""The page for researchers: its examples run, and its tables are those of the code."""

import re

import pytest

from muggins_ai.environments import observing
from muggins_ai.environments.numbering import ACTIONS, DRAW, PASS
from tests.packaging.markdown import code_blocks, page, tables

PAGE = page("docs/research.md")
EXAMPLES = code_blocks(PAGE, "python")


@pytest.mark.parametrize("example", EXAMPLES, ids=["aec", "vector", "open_spiel"])
def test_an_example_runs(example: str) -> None:
    exec(compile(example, "docs/research.md", "exec"), {})  # noqa: S102 - our own page


def test_the_numbers_of_actions_are_told() -> None:
    (table,) = tables(PAGE, "number", "action")
    assert [str(DRAW), str(PASS)] == list(table.column("number")[1:])
    assert f"{ACTIONS} numbers" in PAGE


def test_the_places_of_an_observation_are_told() -> None:
    (table,) = tables(PAGE, "first", "numbers", "meaning")
    expected = [
        observing.HAND,
        observing.ON_TABLE,
        observing.MAY_HOLD,
        observing.HAND_SIZES,
        observing.DRAWABLE,
        observing.HALVES,
        observing.DOUBLES,
        observing.FIRST_DOUBLE,
        observing.COUNT,
        observing.SCORES,
        observing.TARGET_SCORE,
        observing.ON_TURN,
        observing.PARTNER,
    ]
    firsts = [int(first) for first in table.column("first")]
    assert expected == firsts
    sizes = [_size(numbers) for numbers in table.column("numbers")]
    ends = [*firsts[1:], observing.OBSERVATION_SIZE]
    assert [end - first for first, end in zip(firsts, ends, strict=True)] == sizes


def _size(numbers: str) -> int:
    size = 1
    for factor in re.findall(r"\d+", numbers):
        size *= int(factor)
    return size
