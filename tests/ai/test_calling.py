"""Opponents claim exactly what they earn, and call what others forget."""

from dataclasses import replace
from typing import Literal

import pytest

from muggins_ai import LEVELS, opponent_of
from muggins_rules.actions import Call, Claim, Place
from muggins_rules.deciding import decide
from muggins_rules.evolving import evolve_all
from muggins_rules.presets import PRESETS
from muggins_rules.state import MatchState, new_match
from muggins_rules.viewing import seat_view
from muggins_rules.views import Phase
from tests.ai.tables import Table, next_round

TABLES = (
    Table(PRESETS["all_fives"], 2),
    Table(PRESETS["all_fives"], 4),
    Table(PRESETS["five_up"], 3),
    Table(PRESETS["sniff"], 2),
)
CALLING = tuple(Table(replace(rule_set, calling=True), seats) for rule_set, seats in TABLES)


def round_scores(table: Table, level: str, rounds: int) -> list[tuple[int, ...]]:
    """Scores after each round that opponents of one level play; nobody has anything to call."""
    opponent = opponent_of(level)
    state = new_match(table.rule_set, table.seats)
    scores = []
    while state.phase is not Phase.OVER and state.round < rounds:
        state = next_round(state, table, "calling")
        number = 0
        while state.table is not None and (seat := state.table.turn) is not None:
            number += 1
            choice = opponent.choose(seat_view(state, seat), bytes([number]))
            state = evolve_all(state, decide(state, seat, choice.action))
            assert not any(opponent.calls(seat_view(state, s)) for s in range(table.seats))
        scores.append(state.scores)
    return scores


@pytest.mark.parametrize("level", ["greedy", "greedy_plus"])
@pytest.mark.parametrize(("plain", "calling"), list(zip(TABLES, CALLING, strict=True)))
def test_with_exact_claims_calling_changes_no_score(
    plain: Table, calling: Table, level: str
) -> None:
    assert round_scores(plain, level, rounds=3) == round_scores(calling, level, rounds=3)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("table", CALLING, ids=str)
def test_placements_claim_what_they_are_worth(table: Table, level: str) -> None:
    opponent = opponent_of(level)
    state = next_round(new_match(table.rule_set, table.seats), table, "claims")
    claims = []
    while state.table is not None and (seat := state.table.turn) is not None:
        choice = opponent.choose(seat_view(state, seat), b"")
        state = evolve_all(state, decide(state, seat, choice.action))
        if isinstance(choice.action, Place):
            assert state.table is not None
            if state.table.window is not None:
                assert state.table.window.count.points == choice.action.claim
                claims.append(choice.action.claim)
    assert any(claims)


def scoring_placement(table: Table, claimed: int | None) -> tuple[MatchState, int, int]:
    """A state right after a scoring placement with that claim, its mover and its worth."""
    greedy = opponent_of("greedy")
    state = next_round(new_match(table.rule_set, table.seats), table, "window")
    while True:
        assert state.table is not None
        seat = state.table.turn
        assert seat is not None
        action = greedy.choose(seat_view(state, seat), b"").action
        if isinstance(action, Place) and action.claim:
            placed = evolve_all(state, decide(state, seat, Place(action.placement, claimed)))
            assert placed.table is not None
            assert placed.table.window is not None
            return placed, seat, action.claim
        state = evolve_all(state, decide(state, seat, action))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("table", CALLING, ids=str)
@pytest.mark.parametrize("missed", ["all", -1, 1])
def test_other_sides_call_what_is_open(
    table: Table, level: str, missed: Literal["all", -1, 1]
) -> None:
    """Nothing claimed, one too few, or one too many, which leaves all of it open."""
    _, mover, worth = scoring_placement(table, None)
    state, _, _ = scoring_placement(table, None if missed == "all" else worth + missed)
    opponent = opponent_of(level)
    side_of = table.rule_set.side_of
    for seat in range(table.seats):
        others = side_of(seat, table.seats) != side_of(mover, table.seats)
        assert others == opponent.calls(seat_view(state, seat))


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_calls_an_exact_claim(level: str) -> None:
    _, mover, worth = scoring_placement(CALLING[0], None)
    state, _, _ = scoring_placement(CALLING[0], worth)
    assert not opponent_of(level).calls(seat_view(state, 1 - mover))


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_calls_what_has_been_called(level: str) -> None:
    state, mover, _ = scoring_placement(CALLING[0], None)
    assert state.table is not None
    assert state.table.window is not None
    call = Call(state.table.window.placement)
    called = evolve_all(state, decide(state, 1 - mover, call))
    assert not opponent_of(level).calls(seat_view(called, 1 - mover))


@pytest.mark.parametrize("level", LEVELS)
def test_a_mover_that_has_not_claimed_claims_what_is_open(level: str) -> None:
    state, mover, worth = scoring_placement(CALLING[0], None)
    opponent = opponent_of(level)
    assert Claim(worth) == opponent.choose(seat_view(state, mover), b"").action


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_calls_without_a_window(level: str) -> None:
    state = next_round(new_match(*TABLES[0]), TABLES[0], "none")
    assert not any(opponent_of(level).calls(seat_view(state, seat)) for seat in range(2))
