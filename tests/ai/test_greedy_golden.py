"""Greedy and greedy_plus choose what they chose when they were frozen."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from muggins_ai.arena.playouts import POLICIES, can_compile, playout_functions
from muggins_ai.compiled import integer_array
from muggins_ai.policies import ROOM_FOR_REPLIES
from tests.ai.greedy_golden import GOLDEN, LEVELS, golden_text
from tests.ai.tables import TABLES

ENTRIES: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("form", ["plain", "compiled"])
def test_policies_pick_the_golden_moves(form: str) -> None:
    if form == "compiled" and not can_compile():
        pytest.skip("the extra `ai` is not installed")
    functions = playout_functions(compiled=form == "compiled")
    make = integer_array if form == "compiled" else list
    for entry in ENTRIES:
        assert {level: entry[level] for level in LEVELS} == picks(functions, make, entry)


def picks(functions: SimpleNamespace, make: Any, entry: dict[str, Any]) -> dict[str, int]:  # noqa: ANN401 - list, or what makes arrays
    return {
        level: functions.pick(
            POLICIES[level],
            entry["word"],
            entry["hand"],
            entry["unseen"],
            entry["held"],
            entry["flags"],
            make(entry["moves"]),
            len(entry["moves"]),
            make([0] * ROOM_FOR_REPLIES),
            0,
        )
        for level in LEVELS
    }


def test_players_choose_the_golden_moves_from_their_views() -> None:
    """Positions, the order of their legal actions and both choices come out byte by byte."""
    assert GOLDEN.read_text(encoding="utf-8") == golden_text()


def test_the_golden_positions_cover_every_table_and_kind_of_choice() -> None:
    assert {str(table) for table in TABLES} == {entry["table"] for entry in ENTRIES}
    assert any(entry["greedy"] != entry["greedy_plus"] for entry in ENTRIES)
    chosen = [entry["moves"][entry[level]] for entry in ENTRIES for level in LEVELS]
    assert any(move >> 9 & 1 for move in chosen), "a double laid endwise"
    assert any(move >> 8 & 1 for move in chosen), "a tile joined to a double"
