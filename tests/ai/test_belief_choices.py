"""What choices tell: the likelihood against its definition, compiled against plain, and honesty."""

import random
from collections.abc import Iterator, Sequence
from math import exp, log2

import pytest

from muggins_ai import policies
from muggins_ai.belief import (
    DEALS_ONLY,
    POINTS_ONLY,
    Believer,
    NoNetworkError,
    PolicyNet,
    build_pool,
    history_of,
)
from muggins_ai.belief.history import FIRST_TURN, FORCED, TURN, TURN_COUNT
from muggins_ai.belief.tables import COST_OF, HALVED, HALVED_ONE, LIKING, LIKING_ONE
from muggins_ai.evaluate.weights import net_of, policy_scratch, policy_shape
from muggins_rules import kernel
from muggins_rules.layout import kernel_flags
from muggins_rules.tiles import SET_CODES, pips_of
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from tests.ai.belief_tables import views_on_turn
from tests.ai.naive_belief import own_mask
from tests.ai.tables import TABLES, Table
from tests.ai.test_opponents import redealt

MIXTURE = (0, 500, 200, 200, 100) * 4
TWO_SEATS = tuple(table for table in TABLES if table.seats == 2)


@pytest.fixture(scope="module")
def _numba() -> None:
    pytest.importorskip("numba", reason="the extra `ai` is not installed")


def turns_of(view: SeatView) -> Iterator[tuple[int, int, int, int]]:
    """Seat, word, move and tiles drawn of each turn."""
    history = history_of(view)
    for turn in range(history[TURN_COUNT]):
        seat, word, move, taken = history[FIRST_TURN + TURN * turn : FIRST_TURN + TURN * (turn + 1)]
        yield seat, word, move, taken


def naive_chance(view: SeatView, word: int, move: int, hand: int, laid: int, held: int) -> float:
    """The chance of a move under MIXTURE, as its definition reads."""
    flags = kernel_flags(view.table.rule_set)
    moves = [0] * kernel.MOST_MOVES
    found = kernel.list_moves(word, hand, flags, moves)
    del moves[found:]
    if found == 1:
        return 1.0
    codes = SET_CODES[view.table.rule_set.deal.highest_pip]
    unseen = sum(1 << code for code in codes) & ~laid & ~hand
    room = [0] * policies.ROOM_FOR_REPLIES
    liking, greedy, plus = {}, {}, {}
    for other in moves:
        points = kernel.points_of(kernel.count_of(kernel.lay(word, other, flags)), 1)
        pips = pips_of(other & 31)
        liking[other] = exp((points + 0.15 * pips) / 3)
        greedy[other] = points, pips
        value = policies.placement_value(word, other, hand, unseen, held, flags, room)
        plus[other] = value, pips
    chance = 0.5 * liking[move] / sum(liking.values()) + 0.1 / found
    for ranks in (greedy, plus):
        best = [other for other in moves if ranks[other] == max(ranks.values())]
        chance += 0.2 * (move in best) / len(best)
    return chance


def naive_weight(view: SeatView, other_hand: int) -> float:
    """The chance of all choices of the other seat, which has kept no drawn tile, to the power."""
    other = 1 - view.seat
    turns = list(turns_of(view))
    forced = history_of(view)[FORCED]
    laid = 0
    sizes = [view.table.rule_set.hand_size(2)] * 2
    chance = 1.0
    for number, (seat, word, move, taken) in enumerate(turns):
        sizes[seat] += taken
        if seat == other and not taken and move >= 0 and not (forced and number == 0):
            later = [m for s, _, m, t in turns[number:] if s == other and m >= 0 and not t]
            hand = other_hand | sum(1 << (m & 31) for m in later)
            step = naive_chance(view, word, move, hand, laid, sizes[view.seat])
            chance *= max(step, 20 / 4096)
        if move >= 0:
            sizes[seat] -= 1
            laid |= 1 << (move & 31)
    return float(chance**0.7)


def never_drew(view: SeatView) -> bool:
    """True where the other seat has kept no drawn tile."""
    return all(
        seat == view.seat or (taken <= 1 and move >= 0) for seat, _, move, taken in turns_of(view)
    )


@pytest.mark.parametrize("table", TWO_SEATS, ids=str)
def test_choices_weigh_hands_by_the_mixture(table: Table) -> None:
    believer = Believer(table.rule_set, table.seats, compiled=False)
    for _, view in views_on_turn(table, "mixture", rounds=2):
        turns = history_of(view)
        size = believer.pool(turns, view.seat, own_mask(view), DEALS_ONLY, 1, 1).hand_count
        if not never_drew(view) or not 1 < size <= 60:
            continue
        pool = believer.pool(turns, view.seat, own_mask(view), MIXTURE, 60, 1)
        expected = [naive_weight(view, hand) for hand in pool.hands[1 - view.seat :: 4]]
        for share, weight in zip(expected, pool.weights, strict=True):
            assert share / sum(expected) == pytest.approx(weight / sum(pool.weights), rel=0.06)


@pytest.mark.usefixtures("_numba")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_compiled_pools_are_the_plain_ones(table: Table) -> None:
    plain = Believer(table.rule_set, table.seats, compiled=False)
    compiled = Believer(table.rule_set, table.seats, compiled=True)
    for number, (_, view) in enumerate(views_on_turn(table, "plain", rounds=1)):
        arguments = history_of(view), view.seat, own_mask(view), MIXTURE, 24, 1000 * number
        expected, found = plain.pool(*arguments), compiled.pool(*arguments)
        assert numbers(expected.hands) == numbers(found.hands)
        assert numbers(expected.weights) == numbers(found.weights)
        assert expected[2:] == found[2:]


def numbers(values: Sequence[int]) -> list[int]:
    """Integers of any kind of array."""
    return [int(value) for value in values]


@pytest.mark.usefixtures("_numba")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_unseen_tiles_change_no_pool(table: Table) -> None:
    choices = random.Random("unseen")
    for state, view in views_on_turn(table, "unseen", rounds=1):
        expected = build_pool(view, 40, 9)
        for _ in range(2):
            other = redealt(state, view.seat, choices)
            found = build_pool(seat_view(other, view.seat), 40, 9)
            assert numbers(expected.hands) == numbers(found.hands)
            assert numbers(expected.weights) == numbers(found.weights)


@pytest.mark.usefixtures("_numba")
@pytest.mark.parametrize("table", TWO_SEATS, ids=str)
def test_the_true_hand_is_in_every_whole_posterior(table: Table) -> None:
    believer = Believer(table.rule_set, table.seats)
    for state, view in views_on_turn(table, "whole", rounds=15):
        pool = believer.pool(history_of(view), view.seat, own_mask(view), POINTS_ONLY, 5_000, 1)
        if pool.exact:
            assert state.table is not None
            hands = numbers(pool.hands[1 - view.seat :: 4])
            assert pool.hand_count == len(set(hands)) == len(hands)
            assert state.table.hands[1 - view.seat] in hands
            assert min(pool.weights) > 0


@pytest.mark.usefixtures("_numba")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_worlds_deal_what_everybody_counts(table: Table) -> None:
    """Hands are disjoint, of the public sizes, without tiles that the viewer sees elsewhere."""
    believer = Believer(table.rule_set, table.seats)
    for _, view in views_on_turn(table, "sizes", rounds=3):
        pool = believer.pool(history_of(view), view.seat, own_mask(view), MIXTURE, 16, 2)
        laid = sum(1 << (move & 31) for _, _, move, _ in turns_of(view) if move >= 0)
        for world in range(len(pool.weights)):
            hands = numbers(pool.hands[4 * world : 4 * world + 4])
            assert view.table.hand_sizes == tuple(hand.bit_count() for hand in hands[: table.seats])
            assert own_mask(view) == hands[view.seat]
            assert sum(hands) & laid == 0
            assert sum(view.table.hand_sizes) == sum(hands).bit_count()
        assert 0 < sum(numbers(pool.weights)) < 1 << 31


def test_a_network_that_is_not_there_is_refused() -> None:
    table = TABLES[0]
    believer = Believer(table.rule_set, table.seats, compiled=False)
    _, view = next(views_on_turn(table, "network", rounds=1))
    with pytest.raises(NoNetworkError):
        believer.pool(history_of(view), view.seat, own_mask(view), (1, 0, 0, 0, 0) * 4, 8, 1)


@pytest.mark.parametrize("table", [TABLES[0], TABLES[2]], ids=str)
def test_a_network_that_knows_nothing_weighs_like_uniform(table: Table) -> None:
    """Weights of zero make every move equally likely."""
    shape = policy_shape()
    net = net_of([0] * shape.small, [0] * shape.large, shape, compiled=False)
    network = PolicyNet(net, policy_scratch(compiled=False))
    asking = Believer(table.rule_set, table.seats, network, compiled=False)
    plain = Believer(table.rule_set, table.seats, compiled=False)
    for _, view in views_on_turn(table, "blank", rounds=1):
        arguments = history_of(view), view.seat, own_mask(view)
        expected = plain.pool(*arguments, (0, 0, 0, 0, 1) * 4, 12, 4)
        found = asking.pool(*arguments, (1, 0, 0, 0, 0) * 4, 12, 4)
        assert expected.hands == found.hands
        assert expected.weights == found.weights


def test_tables_hold_logarithms_and_exponentials() -> None:
    for chance in range(1, 4097):
        assert -1024 * log2(chance / 4096) == pytest.approx(COST_OF[chance], abs=1)
    for number, halved in enumerate(HALVED):
        assert 2 ** (-number / 1024) == pytest.approx(halved / HALVED_ONE, abs=1e-6)
    for number, liking in enumerate(LIKING[:-1]):
        assert exp(-number / 60) == pytest.approx(liking / LIKING_ONE, abs=1e-6)
