"""Expectimax over information sets against brute force, and what must not matter to it."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from muggins_ai.belief import DEALS_ONLY, Pool, history_of
from muggins_ai.compiled import integer_array
from muggins_ai.evaluate import weights
from muggins_ai.playout import SIDES
from muggins_ai.round_rules import rules_of, set_mask
from muggins_ai.search.expectimax_searcher import (
    ExpectimaxReport,
    ExpectimaxSearcher,
    ExpectimaxSetting,
)
from muggins_ai.search.puct import MODEL_UNIT
from muggins_ai.search.searcher import Known, SearchNets
from muggins_ai.search.settings import SearchBudget
from muggins_ai.search_player import known_of
from muggins_rules.events import LotDrawn
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import Deal, Layout, RuleSet, Scoring, SettlementRule, SpinnerRule
from muggins_rules.state import MatchState
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from tests.ai.belief_tables import SMALL_TABLES, views_on_turn
from tests.ai.naive_belief import naive_deals
from tests.ai.naive_expectimax import (
    Replies,
    greedy_replies,
    mixed_replies,
    naive_values,
    scenes_of,
    uniform_replies,
)
from tests.ai.search_kit import world_of
from tests.ai.tables import Table, states_with_choice

OPENER = 4
WHOLE_ROUND = 28
MOST_SCENES = 2600
SEED = 7

GREEDY = (0, MODEL_UNIT, 0, 0) * 4
UNIFORM = (0, 0, 0, MODEL_UNIT) * 4
MIXED = (0, MODEL_UNIT * 3 // 4, 0, MODEL_UNIT // 4) * 4
LEARNED = (MODEL_UNIT, 0, 0, 0) * 4
ALL_MODELS = (MODEL_UNIT // 4,) * 16

PAIRS = RuleSet(
    "small_pairs",
    deal=Deal(highest_pip=3, hand_size_by_seats=(3, 2, 2)),
    layout=Layout(SpinnerRule.EVERY_DOUBLE),
    scoring=Scoring(going_out=SettlementRule.DEBIT, pairs=True, target_by_seats=(40, 40, 40)),
)
PIPS_3 = tuple(table for table in SMALL_TABLES if table.rule_set.deal.highest_pip == 3)
TWO_SEATS = (*(table for table in PIPS_3 if table.seats == 2), Table(PAIRS, 2))
MORE_SEATS = (*(table for table in PIPS_3 if table.seats == 3), Table(PAIRS, 4))
ENOUGH = ExpectimaxSetting(WHOLE_ROUND, worlds=600, placements=100_000)


@cache
def searcher_of(table: Table, *, compiled: bool) -> ExpectimaxSearcher:
    """A searcher whose networks are drawn at random."""
    chosen = random.Random(str(table))

    def net(shape: weights.NetShape) -> tuple[object, ...]:
        small = [chosen.randint(-60, 60) for _ in range(shape.small)]
        large = [chosen.randint(-300, 300) for _ in range(shape.large)]
        return weights.net_of(small, large, shape, compiled=compiled)

    sides = table.rule_set.sides(table.seats)
    nets = SearchNets(
        net(weights.value_shape(table.seats, sides)),
        weights.value_scratch(compiled=compiled),
        net(weights.policy_shape()),
        weights.policy_scratch(compiled=compiled),
        OPENER * weights.UNIT,
    )
    return ExpectimaxSearcher(table.rule_set, table.seats, nets, compiled=compiled)


def choices(table: Table, seed: str, wanted: int) -> Iterator[tuple[MatchState, SeatView, Known]]:
    """Views of first rounds with more than one placement, early and late ones."""
    found = 0
    for state, view in views_on_turn(table, seed, rounds=40):
        if len(view.legal_actions) > 1 and naive_size(view) <= MOST_SCENES:
            found += 1
            yield state, view, known_of(view)
        if found == wanted:
            return


def deals_of(view: SeatView) -> Counter[tuple[int, ...]]:
    """All deals that agree with a view of a first round."""
    leading = not any(isinstance(fact, LotDrawn) for fact in view.round_events)
    return naive_deals(view, forced_highest=leading)


def naive_size(view: SeatView) -> int:
    """The number of scenes that the reference goes through."""
    orders = 1
    for number in range(2, view.table.boneyard + 1):
        orders *= number
    return len(deals_of(view)) * orders


def check(table: Table, state: MatchState, view: SeatView, replies: Replies, found: dict[int, float]) -> None:
    """The values found are those of the reference."""
    rules = rules_of(table.rule_set, table.seats)
    world, boneyard = world_of(state, table.rule_set.deal.boneyard_reserve)
    off_table = sum(world[1]) | sum(1 << code for code in boneyard)
    scenes = scenes_of(world, deals_of(view), off_table)
    expected = naive_values(rules, view.seat, OPENER, replies, scenes)
    assert {move: pytest.approx(float(value), abs=1e-9) for move, value in expected.items()} == found


@pytest.mark.parametrize(
    ("models", "replies"),
    [(GREEDY, greedy_replies), (UNIFORM, uniform_replies), (MIXED, mixed_replies)],
    ids=["greedy", "uniform", "mixed"],
)
@pytest.mark.parametrize("table", TWO_SEATS, ids=str)
def test_two_seats_value_whole_rounds_as_brute_force_does(
    table: Table, models: tuple[int, ...], replies: Replies
) -> None:
    searcher = searcher_of(table, compiled=True)
    for state, view, known in choices(table, "expectimax", 4):
        report = searcher.expect(known, ENOUGH, DEALS_ONLY, models, SEED)
        assert report.exact
        assert WHOLE_ROUND == report.depth
        check(table, state, view, replies, {move: value for move, value, _ in report.moves})


@pytest.mark.parametrize("table", MORE_SEATS, ids=str)
def test_more_seats_value_whole_rounds_as_brute_force_does(table: Table) -> None:
    searcher = searcher_of(table, compiled=True)
    for state, view, known in choices(table, "expectimax", 3):
        deals = deals_of(view)
        masks = [mask for hands in deals for mask in [*hands, 0, 0, 0][:4]]
        pool = Pool(integer_array(masks), integer_array(list(deals.values())), True, 0)
        report = searcher.expect_in(pool, known, ENOUGH, MIXED, SEED)
        assert WHOLE_ROUND == report.depth
        check(table, state, view, mixed_replies, {move: value for move, value, _ in report.moves})
