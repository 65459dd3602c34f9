"""Exact endings: the solver's values equal those of plain minimax through the rules."""

import random
from collections.abc import Iterator

import pytest

from muggins_ai import playout
from muggins_ai.compiled import integer_array
from muggins_ai.evaluate import stakes, weights
from muggins_ai.evaluate.families import family_of
from muggins_ai.round_rules import rules_of
from muggins_ai.search import solve, steps
from muggins_ai.search.steps import World
from muggins_rules.kernel import MOST_MOVES, list_moves
from muggins_rules.turn import drawable
from tests.ai.search_kit import copied, functions, world_of
from tests.ai.tables import TABLES, Table, random_states

OPENER = 5 * stakes.POINT
WORTH = 300 * stakes.POINT
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


def _stakes(table: Table, worth: int, *, compiled: bool) -> stakes.Stakes:
    """The stakes of a match that stands at no score, or near its end where a win has a worth."""
    make = integer_array if compiled else list
    about = make([0] * stakes.ABOUT_SIZE)
    about[stakes.OPENER] = OPENER
    about[stakes.WORTH] = worth
    family = family_of(table.rule_set, table.seats).id
    equity = weights.equity_table(family, compiled=compiled)
    return about, equity, make([0] * 4), make([0] * 4)


def _minimax(rules: list[int], world: World, at_stake: stakes.Stakes) -> int:
    """The value by plain search, without bounds and without a stack of its own."""
    meta = world[steps.META]
    if meta[steps.ENDED] != steps.IN_PLAY:
        return _final(rules, world, at_stake)
    moves = [0] * MOST_MOVES
    found = list_moves(meta[steps.TABLE], steps.playable(world), rules[0], moves)
    values = []
    for move in moves[:found]:
        after = copied(world)
        steps.place(rules, after, move)
        steps.settle_turn(rules, after, [], 0)
        values.append(_minimax(rules, after, at_stake))
    first = steps.side_of(rules, meta[steps.TURN]) == 0
    return max(values) if first else min(values)


def _final(rules: list[int], world: World, at_stake: stakes.Stakes) -> int:
    """Side 0's points less side 1's and the opener's bonus, or by the chance to win."""
    meta, _, scores, _ = world
    if at_stake[0][stakes.WORTH]:
        values = [0] * 4
        stakes.utilities(rules, world, at_stake, values)
        return values[0]
    difference = (scores[0] - scores[1]) * rules[playout.DIVISOR] * stakes.POINT
    if meta[steps.ENDED] == steps.MATCH_OVER or meta[steps.OUT] == playout.BLOCKED:
        return difference
    return difference + (OPENER if steps.side_of(rules, meta[steps.OUT]) == 0 else -OPENER)


def _solve(
    table: Table, world: World, budget: int, worth: int, *, compiled: bool
) -> tuple[int, list[int]]:
    rules = rules_of(table.rule_set, table.seats)
    make = integer_array if compiled else list
    frames = make([0] * solve.FRAMES)
    value = functions(compiled=compiled).solve(
        make(rules),
        tuple(make(part) for part in world),
        _stakes(table, worth, compiled=compiled),
        budget,
        make([0]),
        make([0] * 4),
        make([0] * solve.SAVED),
        make([0] * solve.MOVES),
        frames,
    )
    return int(value), [int(number) for number in frames]


@pytest.mark.parametrize("worth", [0, WORTH])
@pytest.mark.parametrize("table", TWO_SIDED, ids=str)
def test_an_ending_has_the_value_of_plain_minimax_compiled_or_not(table: Table, worth: int) -> None:
    rules = rules_of(table.rule_set, table.seats)
    for world in _endings(table, 12):
        expected = _minimax(rules, copied(world), _stakes(table, worth, compiled=False))
        for compiled in (False, True):
            value, frames = _solve(table, copied(world), 10**6, worth, compiled=compiled)
            assert expected == value
            assert 0 == frames[solve.BUDGET_SPENT]


def test_a_spent_budget_is_told_and_the_world_is_as_before() -> None:
    table = TWO_SIDED[0]
    rules = rules_of(table.rule_set, table.seats)
    world = random.Random(1).choice(list(_endings(table, 30)))
    before = copied(world)
    frames = [0] * solve.FRAMES
    saved, moves = [0] * solve.SAVED, [0] * solve.MOVES
    at_stake = _stakes(table, 0, compiled=False)
    solve.solve(rules, world, at_stake, 0, [], [0] * 4, saved, moves, frames)
    assert 1 == frames[solve.BUDGET_SPENT]
    assert before == world
