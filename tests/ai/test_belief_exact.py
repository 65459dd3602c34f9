"""The belief over one other hand, and the support of all beliefs, against every deal there is."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from muggins_ai.belief import DEALS_ONLY, Believer, history_of
from muggins_rules.events import LotDrawn
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from tests.ai.belief_tables import SMALL_TABLES, views_on_turn
from tests.ai.naive_belief import naive_deals, own_mask
from tests.ai.tables import Table

TWO_SEATS = tuple(table for table in SMALL_TABLES if table.seats == 2)


def views(table: Table, rounds: int) -> Iterator[tuple[tuple[int, ...], SeatView]]:
    """True hands and views: those of the seat on turn, and of the others at the same time."""
    for state, _ in views_on_turn(table, "exact", rounds):
        assert state.table is not None
        for seat in range(table.seats):
            yield state.table.hands, seat_view(state, seat)


def deals_of(view: SeatView) -> Counter[tuple[int, ...]]:
    """All deals that agree with a view of a first round."""
    leading = not any(isinstance(fact, LotDrawn) for fact in view.round_events)
    return naive_deals(view, forced_highest=leading)


@pytest.mark.parametrize("table", TWO_SEATS, ids=str)
def test_two_seats_weigh_each_hand_by_its_deals(table: Table) -> None:
    """Draws, passes, placements of unknown origin and forced openings are counted exactly."""
    believer = Believer(table.rule_set, table.seats, compiled=False)
    for _, view in views(table, rounds=25):
        if not_yet_led(table, view):
            continue
        expected = deals_of(view)
        pool = believer.pool(history_of(view), view.seat, own_mask(view), DEALS_ONLY, 400, 1)
        found = {
            tuple(pool.hands[4 * world : 4 * world + 2]): pool.weights[world]
            for world in range(len(pool.weights))
        }
        assert pool.exact
        assert len(expected) == pool.hand_count == len(found)
        assert shares(expected) == shares(found)


@pytest.mark.parametrize("table", TWO_SEATS, ids=str)
def test_two_seats_know_the_chance_of_each_tile(table: Table) -> None:
    believer = Believer(table.rule_set, table.seats, compiled=False)
    for _, view in views(table, rounds=10):
        if not_yet_led(table, view):
            continue
        deals = deals_of(view)
        chances = believer.tile_chances(history_of(view), view.seat, own_mask(view))
        for code, chance in chances.items():
            holding = sum(n for hands, n in deals.items() if hands[1 - view.seat] >> code & 1)
            assert Fraction(holding, deals.total()) == chance


@pytest.mark.parametrize("table", SMALL_TABLES, ids=str)
def test_no_world_disagrees_with_what_was_seen(table: Table) -> None:
    believer = Believer(table.rule_set, table.seats, compiled=False)
    for true_hands, view in views(table, rounds=6):
        if not_yet_led(table, view):
            continue
        expected = deals_of(view)
        assert true_hands in expected
        pool = believer.pool(history_of(view), view.seat, own_mask(view), DEALS_ONLY, 60, 1)
        worlds = {
            tuple(pool.hands[4 * world : 4 * world + table.seats])
            for world in range(len(pool.weights))
        }
        assert worlds <= expected.keys()


def not_yet_led(table: Table, view: SeatView) -> bool:
    """True where a tile must be led that another seat than the viewer has not led yet.

    Nobody decides anything then, and a belief does not take the wait for knowledge.
    """
    leads = table.rule_set.turns.must_lead_highest_double
    return leads and history_of(view)[0] == 0 and view.table.seat_to_act != view.seat


def shares(weights: Counter[tuple[int, ...]] | dict[tuple[int, ...], int]) -> dict[object, object]:
    """Weights as parts of their sum."""
    total = sum(weights.values())
    return {hands: Fraction(weight, total) for hands, weight in weights.items()}
