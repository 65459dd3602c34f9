"""Worlds drawn for three seats and four, and samples for two, follow the law of the deals."""

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import Any

import pytest

from muggins_ai.belief import DEALS_ONLY, Believer, belief_functions, history_of
from muggins_ai.belief.constraints import ALLOWED, HELD_SLOTS, META, SLOT_SEAT, SLOTS
from muggins_ai.belief.history import FIRST_TURN, MOVE, PASSED, TAKEN, TURN, TURN_COUNT
from muggins_ai.belief.worlds import STATE
from muggins_rules.events import LotDrawn
from muggins_rules.views import SeatView
from tests.ai.belief_tables import SMALL_TABLES, views_on_turn
from tests.ai.naive_belief import naive_deals, own_mask
from tests.ai.tables import TABLES, Table

WORLDS = 12_000
ROOM = 200


@pytest.fixture(scope="module", autouse=True)
def _numba() -> None:
    pytest.importorskip("numba", reason="the extra `ai` is not installed")


def late_views(table: Table, rounds: int) -> Iterator[SeatView]:
    """Views after something was proved: the last of each round whose deals are few, not one."""
    for number in range(rounds):
        kept = None
        for _, view in views_on_turn(table, f"law/{number}", rounds=1):
            if proves_something(view) and 1 < len(deals_of(view)) <= ROOM:
                kept = view
        if kept is not None:
            yield kept


def proves_something(view: SeatView) -> bool:
    """True where another seat has drawn or passed."""
    history = history_of(view)
    entries = [
        history[FIRST_TURN + TURN * turn : FIRST_TURN + TURN * (turn + 1)]
        for turn in range(history[TURN_COUNT])
    ]
    return any(
        entry[0] != view.seat and (entry[TAKEN] > 1 or entry[MOVE] == PASSED) for entry in entries
    )


def deals_of(view: SeatView) -> Counter[tuple[int, ...]]:
    """All deals that agree with a view of a first round."""
    leading = not any(isinstance(fact, LotDrawn) for fact in view.round_events)
    return naive_deals(view, forced_highest=leading)


def surprise(expected: Counter[tuple[int, ...]], found: Counter[tuple[int, ...]]) -> float:
    """How far chi-squared lies beyond its mean, in standard deviations."""
    total, deals = found.total(), expected.total()
    statistic = 0.0
    for hands, number in expected.items():
        mean = total * number / deals
        statistic += (found[hands] - mean) ** 2 / mean
    freedom = len(expected) - 1
    return (statistic - freedom) / sqrt(2 * freedom)


SHUFFLED = tuple(t for t in SMALL_TABLES if t.seats > 2 and t.rule_set.id != "tiny")
LISTED = tuple(t for t in SMALL_TABLES if t.seats == 2)


@pytest.mark.parametrize("table", SHUFFLED, ids=str)
def test_shuffled_worlds_follow_the_law(table: Table) -> None:
    believer = Believer(table.rule_set, table.seats)
    tested = 0
    for view in late_views(table, rounds=12):
        expected = deals_of(view)
        pool = believer.pool(history_of(view), view.seat, own_mask(view), DEALS_ONLY, WORLDS, 5)
        found: Counter[tuple[int, ...]] = Counter()
        for world in range(WORLDS):
            found[tuple(int(hand) for hand in pool.hands[4 * world : 4 * world + table.seats])] += 1
        assert found.keys() <= expected.keys()
        # Worlds in a row are not quite independent, which widens chi-squared a little.
        assert surprise(expected, found) < 8
        tested += 1
    assert tested


@pytest.mark.parametrize("table", LISTED, ids=str)
def test_samples_of_one_hand_follow_the_law(table: Table) -> None:
    """More hands than the budget: drawn by the listed law, here with a budget of one world."""
    believer = Believer(table.rule_set, table.seats)
    for view in late_views(table, rounds=2):
        expected = deals_of(view)
        found: Counter[tuple[int, ...]] = Counter()
        for seed in range(4_000):
            pool = believer.pool(history_of(view), view.seat, own_mask(view), DEALS_ONLY, 1, seed)
            found[tuple(int(hand) for hand in pool.hands[:2])] += 1
        assert surprise(expected, found) < 5


@pytest.mark.parametrize("table", LISTED, ids=str)
def test_shuffles_follow_the_listed_law(table: Table) -> None:
    """Two seats again, by the shuffles that serve where the law is too long to list."""
    functions = belief_functions(compiled=True)
    believer = Believer(table.rule_set, table.seats)
    work = believer.work
    for view in late_views(table, rounds=6):
        expected = deals_of(view)
        found: Counter[tuple[int, ...]] = Counter()
        # Leaves the slots of this view in `work`.
        believer.pool(history_of(view), view.seat, own_mask(view), DEALS_ONLY, 1, 3)
        slots = int(work[META][SLOTS])
        assert functions.match_tiles(functions.shuffled_tiles(work), slots, work)
        for _ in range(WORLDS):
            functions.shuffle_world(slots, 2, work)
            hands = believer_array([0, 0, 0, 0])
            functions.hold_hands(0, hands, work)
            hands[view.seat] = own_mask(view)
            found[tuple(int(hand) for hand in hands[:2])] += 1
        assert surprise(expected, found) < 8


def believer_array(values: list[int]) -> Any:  # noqa: ANN401 - numpy's
    """Integers as compiled functions take them."""
    from muggins_ai.compiled import integer_array

    return integer_array(values)


@pytest.mark.parametrize("table", SHUFFLED, ids=str)
def test_shuffles_reach_every_world_from_one_start(table: Table) -> None:
    functions = belief_functions(compiled=True)
    believer = Believer(table.rule_set, table.seats)
    work = believer.work
    for view in late_views(table, rounds=4):
        expected = deals_of(view)
        believer.pool(history_of(view), view.seat, own_mask(view), DEALS_ONLY, 1, 3)
        slots = int(work[META][SLOTS])
        assert functions.match_tiles(functions.shuffled_tiles(work), slots, work)
        found = set()
        for _ in range(200 * len(expected)):
            functions.shuffle_world(slots, 1, work)
            hands = believer_array([0, 0, 0, 0])
            functions.hold_hands(0, hands, work)
            hands[view.seat] = own_mask(view)
            found.add(tuple(int(hand) for hand in hands[: table.seats]))
        assert expected.keys() == found


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_true_world_is_possible(table: Table) -> None:
    """Every true tile may lie in a slot of the seat that holds it, at each turn of real rounds."""
    functions = belief_functions(compiled=True)
    believer = Believer(table.rule_set, table.seats)
    work = believer.work
    for state, view in views_on_turn(table, "true", rounds=12):
        assert state.table is not None
        history = believer_array(history_of(view))
        hand = own_mask(view)
        functions.find_slots(believer.rules, history, view.seat, hand, work)
        slots, held = int(work[META][SLOTS]), int(work[META][HELD_SLOTS])
        assert len(state.table.boneyard) == slots - held
        # Each hidden tile is kept to the slots of where it truly is; all must still fit.
        for seat, true_hand in enumerate(state.table.hands):
            if seat == view.seat:
                continue
            own_slots = sum(1 << slot for slot in range(held) if int(work[SLOT_SEAT][slot]) == seat)
            for code in range(28):
                if true_hand >> code & 1:
                    work[ALLOWED][code] &= own_slots
        for code in state.table.boneyard:
            work[ALLOWED][code] &= (1 << slots) - (1 << held)
        work[STATE][0] = 1
        assert functions.match_tiles(functions.shuffled_tiles(work), slots, work)
