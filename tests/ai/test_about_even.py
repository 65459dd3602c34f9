"""The opponent that stays close: its level follows the last rounds, and nothing else."""

import random

import pytest

from muggins_ai.about_even import balance_of, step_for
from muggins_ai.levels import LADDER, opponent_of
from muggins_rules.events import Event, RoundEnded, Settlement
from muggins_rules.views import SeatView
from tests.ai.tables import TABLES, states_with_choice
from tests.ai.test_opponents import SEED, view_of

STEPS = len(LADDER)


def _with_past(view: SeatView, scores: list[tuple[int, ...]]) -> SeatView:
    """The view with earlier rounds that ended with these scores by side."""
    past: list[tuple[Event, ...]] = []
    for after in scores:
        lines = tuple(Settlement(side, 0, 0, 0, score) for side, score in enumerate(after))
        past.append(
            (
                RoundEnded(
                    blocked=True, went_out=None, winning_side=None, hands=(), settlement=lines
                ),
            )
        )
    return SeatView(
        view.table,
        view.seat,
        view.hand,
        view.legal_actions,
        view.may_claim,
        view.may_call,
        view.round_events,
        tuple(past),
    )


def _view() -> SeatView:
    return view_of(next(states_with_choice(TABLES[0], "even", rounds=1)))


@pytest.mark.parametrize(
    ("balance", "step"),
    [(0, 2), (2, 2), (-2, 2), (6, 1), (-6, 3), (12, 0), (-12, 4), (100, 0), (-100, STEPS - 1)],
)
def test_who_is_ahead_steps_down_and_who_is_behind_steps_up(balance: int, step: int) -> None:
    assert step == step_for(balance, STEPS)


def test_a_match_without_a_finished_round_is_balanced() -> None:
    assert 0 == balance_of(_view())


def test_the_balance_is_the_mean_of_the_last_six_rounds() -> None:
    view = _view()
    own, other = view.seat, 1 - view.seat
    totals = [0, 0]
    scores = []
    for gain in (90, 6, 6, 6, 6, 6, 6):
        totals[own] += gain
        scores.append(tuple(totals))
    assert 6 == balance_of(_with_past(view, scores))
    totals = [0, 0]
    totals[other] = 30
    assert -30 == balance_of(_with_past(view, [tuple(totals)]))


def test_it_chooses_as_the_level_that_the_rounds_call_for() -> None:
    choices = random.Random("even")
    for state in states_with_choice(TABLES[0], "even", rounds=2):
        view = view_of(state)
        lead = choices.choice([-40, -14, 0, 8, 30])
        scores = [0, 0]
        scores[view.seat] = lead
        view = _with_past(view, [tuple(scores)])
        level = LADDER[step_for(lead, STEPS)]
        assert opponent_of(level).choose(view, SEED) == opponent_of("about_even").choose(view, SEED)
