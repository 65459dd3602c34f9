"""What earlier rounds teach about the other seats' policies."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from muggins_ai import opponent_of
from muggins_ai.belief import Believer, history_of
from muggins_ai.belief.adaptation import FLOOR, UNKNOWN, WEIGHT_ONE, add_evidence, hand_before
from muggins_ai.belief.constraints import add_seat_slots, clear_slots
from muggins_ai.belief.history import FIRST_TURN, MOVE, SEAT, TAKEN, TURN, TURN_COUNT
from muggins_ai.belief.likelihood import (
    ASK_PLUS,
    GREEDY,
    GREEDY_PLUS,
    MIXED,
    POINTS,
    UNIFORM,
)
from muggins_ai.belief.seen import finished_rounds
from muggins_rules.deciding import decide
from muggins_rules.events import Event
from muggins_rules.evolving import evolve_all
from muggins_rules.presets import preset
from muggins_rules.state import MatchState, new_match
from muggins_rules.viewing import seat_view, seen_events
from muggins_rules.views import Phase, SeatView
from tests.ai.belief_tables import SMALL_TABLES
from tests.ai.tables import TABLES, Table, next_round

MUGGINS = Table(preset("muggins"), 2)


class Turn(NamedTuple):
    """A placement made, the hand it was made from, and the round's number from 0."""

    round: int
    seat: int
    hand: int
    code: int


class Told(NamedTuple):
    """A match in play: what seat 0 sees, and the truth of its earlier rounds."""

    view: SeatView
    turns: list[Turn]


def match_of(table: Table, levels: tuple[str, ...], seed: str, rounds: int) -> Told:
    """So many rounds played by the levels in turn of seats, and the deal of one more."""
    state = new_match(table.rule_set, table.seats)
    past: list[tuple[Event, ...]] = []
    turns: list[Turn] = []
    while len(past) < rounds:
        if state.phase is Phase.OVER:
            state = new_match(table.rule_set, table.seats)
        state = next_round(state, table, f"{seed}/{len(past)}")
        for seat, before, after in played(state, levels, seed):
            state = after
            assert before.table is not None
            assert after.table is not None
            laid = before.table.hands[seat] & ~after.table.hands[seat]
            if laid:
                code = laid.bit_length() - 1
                turns.append(Turn(len(past), seat, before.table.hands[seat], code))
        if state.phase is Phase.ROUND_OVER:
            past.append(seen_events(state, 0))
        else:
            turns = [turn for turn in turns if turn.round < len(past)]
    if state.phase is Phase.OVER:
        state = new_match(table.rule_set, table.seats)
    state = next_round(state, table, f"{seed}/next")
    return Told(seat_view(state, 0, tuple(past)), turns)


def played(
    state: MatchState, levels: tuple[str, ...], seed: str
) -> Iterator[tuple[int, MatchState, MatchState]]:
    """The states before and after each action of a round."""
    step = 0
    while state.table is not None and (seat := state.table.turn) is not None:
        before = state
        step += 1
        chosen = opponent_of(levels[seat]).choose(
            seat_view(state, seat), f"{seed}/{step}".encode().ljust(32)
        )
        state = evolve_all(state, decide(state, seat, chosen.action))
        yield seat, before, state


def learned(told: Told) -> list[int]:
    """The weights of seat 1's policies."""
    table = told.view.table
    weights = Believer(table.rule_set, table.seats, compiled=False).learned(told.view)
    return list(weights[MIXED : 2 * MIXED])


def test_nothing_is_known_before_the_first_round_ends() -> None:
    """The prior and the floor, mixed seven to three; liking points stands in for the network."""
    told = match_of(MUGGINS, ("greedy", "greedy"), "first", rounds=0)
    assert [0, 455, 245, 170, 130] == learned(told)


@pytest.mark.parametrize(
    ("level", "policy"), [("random", UNIFORM), ("greedy", GREEDY), ("greedy_plus", GREEDY_PLUS)]
)
def test_a_policy_is_recognised(level: str, policy: int) -> None:
    told = match_of(MUGGINS, ("greedy", level), "known", rounds=10)
    weights = learned(told)
    floor = FLOOR[policy] * 3 // 10
    assert 650 + floor < weights[policy] == max(weights)


@pytest.mark.parametrize("table", [t for t in TABLES if t.seats > 2][:6], ids=str)
def test_weights_of_each_other_seat_have_the_same_sum(table: Table) -> None:
    levels = ("greedy",) * table.seats
    told = match_of(table, levels, "sum", rounds=2)
    weights = Believer(table.rule_set, table.seats, compiled=False).learned(told.view)
    sums = [sum(weights[MIXED * seat : MIXED * (seat + 1)]) for seat in range(4)]
    assert [0, *[WEIGHT_ONE] * (table.seats - 1), *[0] * (4 - table.seats)] == sums
    floors = [FLOOR[policy] * 3 // 10 for policy in (GREEDY, GREEDY_PLUS, UNIFORM)]
    for seat in range(1, table.seats):
        found = weights[MIXED * seat + GREEDY : MIXED * (seat + 1)]
        assert all(weight >= floor for weight, floor in zip(found, floors, strict=True))
        assert weights[MIXED * seat + POINTS] >= FLOOR[0] * 3 // 10


@pytest.mark.parametrize("table", [*TABLES, *SMALL_TABLES], ids=str)
def test_hands_taken_for_certain_are_true(table: Table) -> None:
    """Of each seat, at every placement of a tile that it had not just drawn."""
    levels = ("greedy", "random", "greedy", "random")[: table.seats]
    told = match_of(table, levels, "certain", rounds=4)
    believer = Believer(table.rule_set, table.seats, compiled=False)
    for number, finished in enumerate(finished_rounds(told.view)):
        true = {turn.code: turn.hand for turn in told.turns if turn.round == number}
        history = finished.history
        for seat in range(1, table.seats):
            clear_slots(believer.work)
            add_seat_slots(believer.rules, history, seat, finished.shown[seat], believer.work)
            for turn in range(history[TURN_COUNT]):
                entry = history[FIRST_TURN + TURN * turn : FIRST_TURN + TURN * (turn + 1)]
                if entry[SEAT] != seat or entry[TAKEN] or entry[MOVE] < 0:
                    continue
                hand = hand_before(turn, believer.work)
                assert hand in {UNKNOWN, true[entry[MOVE] & 31]}


def test_hands_are_certain_where_nobody_drew() -> None:
    """Latin-American pairs have no boneyard, so every hand is known at the end."""
    table = next(table for table in TABLES if str(table) == "latin_american-4")
    told = match_of(table, ("greedy",) * 4, "open", rounds=2)
    believer = Believer(table.rule_set, table.seats, compiled=False)
    for finished in finished_rounds(told.view):
        clear_slots(believer.work)
        add_seat_slots(believer.rules, finished.history, 1, finished.shown[1], believer.work)
        for turn in range(finished.history[TURN_COUNT]):
            assert hand_before(turn, believer.work) != UNKNOWN


def test_learning_from_a_view_is_learning_round_by_round() -> None:
    """A loop that adds each round as it ends comes to the same weights."""
    told = match_of(MUGGINS, ("greedy", "greedy_plus"), "loop", rounds=4)
    believer = Believer(MUGGINS.rule_set, 2, compiled=False)
    costs = [0] * (4 * MIXED)
    for finished in finished_rounds(told.view):
        add_evidence(
            believer.rules,
            finished.history,
            0,
            list(finished.shown),
            costs,
            ASK_PLUS,
            believer.net,
            believer.scratch,
            believer.work,
        )
    assert costs[MIXED + GREEDY_PLUS] < costs[MIXED + GREEDY]
    assert believer.mixed(0, costs) == believer.learned(told.view)


def test_a_forced_opening_is_seen_in_every_view() -> None:
    """The highest double is led in the first round, and after a block where the view holds it."""
    table = next(table for table in TABLES if str(table) == "latin_american-2")
    told = match_of(table, ("greedy",) * 2, "lead", rounds=3)
    first = finished_rounds(told.view)[0].history
    assert (first[FIRST_TURN + MOVE] & 31, 1) == (first[1], first[2])
    assert history_of(told.view)[TURN_COUNT] == 0
