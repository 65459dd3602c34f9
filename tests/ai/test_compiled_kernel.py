"""The compiled kernel gives what plain Python gives, at positions of every rule set."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from muggins_ai.compiled import compiled_kernel, integer_array
from muggins_rules import bits, kernel
from muggins_rules.kernel_loader import functions_of
from muggins_rules.layout import kernel_flags
from muggins_rules.tiles import SET_CODES
from tests.ai.tables import TABLES, Table

pytest.importorskip("numba", reason="the extra `ai` is not installed")


class Position(NamedTuple):
    """A word reached by legal play, a hand of tiles not yet laid, and the moves it has."""

    word: int
    hand: int
    moves: list[int]


@pytest.fixture(scope="module", params=["instructions", "portable"])
def compiled(request: pytest.FixtureRequest) -> SimpleNamespace:
    """The kernel compiled, with the processor's own primitives and with the portable ones."""
    return compiled_kernel((bits, kernel), instructions=request.param == "instructions")


def positions(table: Table, rounds: int) -> Iterator[Position]:
    """Positions of random lines of play, until no tile that is left fits."""
    flags = kernel_flags(table.rule_set)
    codes = SET_CODES[table.rule_set.deal.highest_pip]
    choices = random.Random(str(table))
    for _ in range(rounds):
        word, left = kernel.EMPTY_TABLE, sum(1 << code for code in codes)
        while True:
            moves = [0] * kernel.MOST_MOVES
            found = kernel.list_moves(word, left, flags, moves)
            yield Position(word, left & choices.getrandbits(28), moves[:found])
            if not found:
                break
            move = choices.choice(moves[:found])
            left ^= 1 << (move & 31)
            word = kernel.lay(word, move, flags)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_words_are_read_alike(table: Table, compiled: SimpleNamespace) -> None:
    for word, hand, _ in positions(table, rounds=20):
        count = kernel.count_of(word)
        assert kernel.is_empty(word) == compiled.is_empty(word)
        assert count == compiled.count_of(word)
        assert kernel.open_values(word) == compiled.open_values(word)
        assert kernel.legal_tiles(word, hand) == compiled.legal_tiles(word, hand)
        divisor = table.rule_set.scoring.points_divisor
        assert kernel.points_of(count, divisor) == compiled.points_of(count, divisor)
        pips = kernel.sum_of_pips(hand)
        assert pips == compiled.sum_of_pips(hand)
        assert kernel.nearest_five(pips) == compiled.nearest_five(pips)
        assert hand.bit_count() == bits.popcount(hand) == compiled.popcount(hand)
        if hand:
            lowest = (hand & -hand).bit_length() - 1
            assert lowest == bits.trailing_zeros(hand) == compiled.trailing_zeros(hand)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_moves_are_listed_and_laid_alike(table: Table, compiled: SimpleNamespace) -> None:
    flags = kernel_flags(table.rule_set)
    room = integer_array([0] * kernel.MOST_MOVES)
    plain_room = [0] * kernel.MOST_MOVES
    for word, hand, moves in positions(table, rounds=20):
        found = kernel.list_moves(word, hand, flags, plain_room)
        assert found == compiled.list_moves(word, hand, flags, room)
        assert plain_room[:found] == room[:found].tolist()
        for move in moves:
            assert kernel.lay(word, move, flags) == compiled.lay(word, move, flags)
            parts = (move & 31, move >> 5 & 7, move >> 8 & 1, move >> 9 & 1)
            assert move == kernel.move_of(*parts) == compiled.move_of(*parts)


def test_positions_come_from_all_kinds_of_layout() -> None:
    """The flags of all five spinner rules, words with endwise doubles, and words of trees."""
    seen = {kernel_flags(table.rule_set) for table in TABLES}
    words = [p.word for table in TABLES for p in positions(table, rounds=20)]
    states = {word >> (6 * v + 3) & 7 for word in words for v in range(7)}
    assert {0, 1, 2, 5, 9} == seen
    assert {0, 1, 2, 3, 4, 6, 7} == states


def test_every_function_is_compared() -> None:
    """A function added to the kernel needs its comparison here."""
    compared = {
        *("count_of", "is_empty", "lay", "legal_tiles", "list_moves", "move_of"),
        *("nearest_five", "open_values", "points_of", "sum_of_pips"),
    }
    assert compared == functions_of(kernel).keys()


CACHE_SCRIPT = """
import json
from muggins_ai.arena.playouts import MODULES
from muggins_ai.compiled import compiled_kernel, integer_array
from muggins_rules import kernel
functions = compiled_kernel(MODULES)
room = integer_array([0] * kernel.MOST_MOVES)
functions.list_moves(kernel.EMPTY_TABLE, 127, 0, room)
hits = sum(functions.list_moves.stats.cache_hits.values())
misses = sum(functions.list_moves.stats.cache_misses.values())
print(json.dumps([hits, misses]))
"""


def cache_use(folder: Path) -> list[int]:
    """Hits and misses of a new process that calls a compiled function."""
    done = subprocess.run(
        [sys.executable, "-c", CACHE_SCRIPT],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder)},
    )
    hits_and_misses: list[int] = json.loads(done.stdout)
    return hits_and_misses


def test_machine_code_is_found_again_by_the_next_process(tmp_path: Path) -> None:
    assert [0, 1] == cache_use(tmp_path)
    assert [1, 0] == cache_use(tmp_path)
