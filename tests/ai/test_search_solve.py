"""Exact endings: the solver's values equal those of plain minimax through the rules."""

import random
from collections.abc import Iterator

import pytest

from muggins_ai.compiled import integer_array
from muggins_ai.round_rules import rules_of
from muggins_ai.search import solve, steps
from muggins_ai.search.steps import World
from muggins_rules.kernel import MOST_MOVES, list_moves
from muggins_rules.turn import drawable
from tests.ai.search_kit import copied, functions, world_of
from tests.ai.tables import TABLES, Table, random_states

OPENER = 5 * solve.UNIT
MOST_TILES = 8
TWO_SIDED = [table for table in TABLES if table.rule_set.sides(table.seats) == 2]


def _endings(table: Table, wanted: int) -> Iterator[World]:
    """Worlds with nothing to draw and few tiles, from rounds played at random."""
    rules = rules_of(table.rule_set, table.seats)
    found = 0
    for state in random_states(table, f"endings/{table}", 400):
        assert state.table is not None
        held = sum(hand.bit_count() for hand in state.table.hands)
        if drawable(table.rule_set, state.table) or held > MOST_TILES:
            continue
        world, _ = world_of(state, table.rule_set.deal.boneyard_reserve)
        steps.settle_turn(rules, world, [], 0)
        if world[steps.META][steps.ENDED] == steps.IN_PLAY:
            found += 1
            yield world
        if found == wanted:
            return


def _minimax(rules: list[int], world: World) -> int:
    """The value by plain search, without bounds and without a stack of its own."""
    if world[steps.META][steps.ENDED] != steps.IN_PLAY:
        return solve.final_difference(rules, world, OPENER)
    moves = [0] * MOST_MOVES
    meta = world[steps.META]
    found = list_moves(meta[steps.TABLE], steps.playable(world), rules[0], moves)
    values = []
    for move in moves[:found]:
        after = copied(world)
        steps.place(rules, after, move)
        steps.settle_turn(rules, after, [], 0)
        values.append(_minimax(rules, after))
    first = steps.side_of(rules, meta[steps.TURN]) == 0
    return max(values) if first else min(values)


def _solve(rules: list[int], world: World, budget: int, *, compiled: bool) -> tuple[int, list[int]]:
    make = integer_array if compiled else list
    frames = make([0] * solve.FRAMES)
    value = functions(compiled=compiled).solve(
        make(rules),
        tuple(make(part) for part in world),
        OPENER,
        budget,
        make([0]),
        make([0] * solve.SAVED),
        make([0] * solve.MOVES),
        frames,
    )
    return int(value), [int(number) for number in frames]


@pytest.mark.parametrize("table", TWO_SIDED, ids=str)
def test_an_ending_has_the_value_of_plain_minimax_compiled_or_not(table: Table) -> None:
    rules = rules_of(table.rule_set, table.seats)
    for world in _endings(table, 12):
        expected = _minimax(rules, copied(world))
        for compiled in (False, True):
            value, frames = _solve(rules, copied(world), 10**6, compiled=compiled)
            assert expected == value
            assert 0 == frames[solve.BUDGET_SPENT]


def test_a_spent_budget_is_told_and_the_world_is_as_before() -> None:
    table = TWO_SIDED[0]
    rules = rules_of(table.rule_set, table.seats)
    pick = random.Random(1)
    world = pick.choice(list(_endings(table, 30)))
    before = copied(world)
    frames = [0] * solve.FRAMES
    saved, moves = [0] * solve.SAVED, [0] * solve.MOVES
    solve.solve(rules, world, OPENER, 0, [], saved, moves, frames)
    assert 1 == frames[solve.BUDGET_SPENT]
    assert before == world
