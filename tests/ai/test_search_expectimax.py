"""Expectimax over information sets against brute force, and what must not matter to it."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from muggins_ai.belief import DEALS_ONLY, Pool
from muggins_ai.compiled import integer_array
from muggins_ai.evaluate import weights
from muggins_ai.round_rules import rules_of
from muggins_ai.search.expectimax_searcher import (
    ExpectimaxReport,
    ExpectimaxSearcher,
    ExpectimaxSetting,
)
from muggins_ai.search.nets import SearchNets
from muggins_ai.search.searcher import Known
from muggins_ai.search.settings import SearchBudget
from muggins_ai.search.workspace import MODEL_UNIT
from muggins_ai.search_player import known_of
from muggins_rules.events import Event, LotDrawn, RoundDealt, TileDrawn
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import Deal, Layout, RuleSet, Scoring, SettlementRule, SpinnerRule
from muggins_rules.state import MatchState
from muggins_rules.tiles import Tile, codes_of_mask, mask_of, tile_of, tiles_of_mask
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
)
from tests.ai.search_kit import world_of
from tests.ai.tables import Table, states_with_choice

OPENER = 4
WHOLE_ROUND = 28
MOST_SCENES = 1000
SEED = 7

GREEDY = (0, MODEL_UNIT, 0, 0) * 4
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
        (integer_array if compiled else list)([0]),
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


def check(
    table: Table, state: MatchState, view: SeatView, replies: Replies, report: ExpectimaxReport
) -> None:
    """The values found are those of the reference."""
    rules = rules_of(table.rule_set, table.seats)
    world, boneyard = world_of(state, table.rule_set.deal.boneyard_reserve)
    off_table = sum(world[1]) | sum(1 << code for code in boneyard)
    scenes = scenes_of(world, deals_of(view), off_table)
    expected = naive_values(rules, view.seat, OPENER, replies, scenes)
    found = {move: value for move, value, _ in report.moves}
    assert (
        pytest.approx({move: float(value) for move, value in expected.items()}, abs=1e-9) == found
    )


@pytest.mark.parametrize(
    ("models", "replies"),
    [(GREEDY, greedy_replies), (MIXED, mixed_replies)],
    ids=["greedy", "mixed"],
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
        check(table, state, view, replies, report)


@pytest.mark.parametrize("table", MORE_SEATS, ids=str)
def test_more_seats_value_whole_rounds_as_brute_force_does(table: Table) -> None:
    searcher = searcher_of(table, compiled=True)
    for state, view, known in choices(table, "expectimax", 3):
        deals = deals_of(view)
        masks = [mask for hands in deals for mask in [*hands, 0, 0, 0][:4]]
        pool = Pool(
            integer_array(masks), integer_array(list(deals.values())), exact=True, hand_count=0
        )
        report = searcher.expect_in(pool, known, ENOUGH, MIXED, SEED)
        assert WHOLE_ROUND == report.depth
        check(table, state, view, mixed_replies, report)


def test_tree_search_finds_moves_that_lose_little_by_exact_values(
    record_testsuite_property: Callable[[str, object], None],
) -> None:
    """Both forms play to the end of small rounds against the same greedy opponent."""
    budget = SearchBudget(4000, 600, 0)
    regrets = []
    for table in TWO_SEATS:
        searcher = searcher_of(table, compiled=True)
        for _, _, known in choices(table, "regret", 12):
            exact = searcher.expect(known, ENOUGH, DEALS_ONLY, GREEDY, SEED)
            found = searcher.decide(known, budget, DEALS_ONLY, GREEDY, SEED)
            values = {move: value for move, value, _ in exact.moves}
            regrets.append(max(values.values()) - values[found.best])
    agreed = sum(regret < 1e-9 for regret in regrets) / len(regrets)
    record_testsuite_property("tree_search_agrees_with_expectimax", agreed)
    assert agreed > 0.8
    assert sum(regrets) / len(regrets) < 0.25


BOTH_FORMS = tuple(
    Table(rule_set, seats)
    for rule_set, seats in (
        (PRESETS["muggins"], 2),
        (PRESETS["muggins"], 3),
        (PRESETS["all_fives"], 4),
        (PRESETS["sniff"], 2),
        (PAIRS, 4),
    )
)


@pytest.mark.parametrize("table", BOTH_FORMS, ids=str)
def test_both_forms_answer_the_same_compiled_or_not(table: Table) -> None:
    compiled, plain = (searcher_of(table, compiled=form) for form in (True, False))
    budget = SearchBudget(40, 6, 0)
    for state in islice(states_with_choice(table, "forms", 3), 0, None, 5):
        assert state.table is not None
        assert state.table.turn is not None
        known = known_of(seat_view(state, state.table.turn))
        for depth, models, temperature in ((1, LEARNED, 0), (3, GREEDY, 0), (2, ALL_MODELS, 4096)):
            setting = ExpectimaxSetting(depth, 4, 400, 6, 2, temperature)
            report = compiled.expect(known, setting, DEALS_ONLY, models, SEED)
            assert report == plain.expect(known, setting, DEALS_ONLY, models, SEED)
        found = compiled.decide(known, budget, DEALS_ONLY, ALL_MODELS, SEED)
        assert found == plain.decide(known, budget, DEALS_ONLY, ALL_MODELS, SEED)


@pytest.mark.parametrize("table", BOTH_FORMS, ids=str)
def test_swapping_unseen_tiles_changes_no_value(table: Table) -> None:
    searcher = searcher_of(table, compiled=True)
    setting = ExpectimaxSetting(3, 20, 4000)
    for number, state in enumerate(islice(states_with_choice(table, "swap", 4), 0, None, 3)):
        assert state.table is not None
        seat = state.table.turn
        assert seat is not None
        other = swapped(state, random.Random(number))
        assert state != other
        known, other_known = (known_of(seat_view(one, seat)) for one in (state, other))
        report = searcher.expect(known, setting, DEALS_ONLY, GREEDY, SEED)
        assert report == searcher.expect(other_known, setting, DEALS_ONLY, GREEDY, SEED)


def swapped(state: MatchState, chosen: random.Random) -> MatchState:
    """The state with all tiles that the seat on turn does not see turned round by one or more."""
    table = state.table
    assert table is not None
    assert table.turn is not None
    hidden = list(table.boneyard)
    for seat, hand in enumerate(table.hands):
        hidden += codes_of_mask(hand) if seat != table.turn else ()
    turned = chosen.randrange(1, len(hidden))
    other_code = dict(zip(hidden, [*hidden[turned:], *hidden[:turned]], strict=True))

    def other(tile: Tile) -> Tile:
        return tile_of(other_code.get(tile.code, tile.code))

    def event_of(event: Event) -> Event:
        if isinstance(event, RoundDealt) and event.deck is not None:
            return replace(event, deck=tuple(map(other, event.deck)))
        if isinstance(event, TileDrawn) and event.tile is not None:
            return replace(event, tile=other(event.tile))
        return event

    hands = tuple(mask_of(map(other, tiles_of_mask(hand))) for hand in table.hands)
    boneyard = tuple(other_code[code] for code in table.boneyard)
    return state._replace(
        table=table._replace(hands=hands, boneyard=boneyard),
        events=tuple(map(event_of, state.events)),
    )


def test_a_look_ahead_that_costs_too_much_is_made_shorter() -> None:
    table = TWO_SEATS[0]
    searcher = searcher_of(table, compiled=True)
    _, _, known = next(choices(table, "shorter", 1))
    one = searcher.expect(known, replace(ENOUGH, depth=1), DEALS_ONLY, GREEDY, SEED)
    spent = searcher.expect(known, replace(ENOUGH, placements=1), DEALS_ONLY, GREEDY, SEED)
    assert 1 == spent.depth
    assert one == spent


def test_sampled_draws_come_close_to_all_of_them() -> None:
    """Both look ahead as far; an error is told for what was sampled only."""
    table = TWO_SEATS[0]
    searcher = searcher_of(table, compiled=True)
    whole = replace(ENOUGH, depth=3)
    sampled = replace(whole, outcomes=0, decks=200, placements=400_000)
    seen = 0
    for _, _, known in choices(table, "sampled", 6):
        exact = searcher.expect(known, whole, DEALS_ONLY, GREEDY, SEED)
        close = searcher.expect(known, sampled, DEALS_ONLY, GREEDY, SEED)
        assert exact.exact
        assert not any(move.error for move in exact.moves)
        assert 3 == close.depth
        for expected, found in zip(exact.moves, close.moves, strict=True):
            assert pytest.approx(expected.value, abs=0.5) == found.value
        seen += not close.exact
    assert seen > 0
