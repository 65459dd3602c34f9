"""Calling: points are claimed by the mover, or called by an opponent, or lost."""

import pytest

from muggins_rules import (
    Call,
    Claim,
    Draw,
    MatchState,
    Pass,
    Phase,
    Place,
    PublicView,
    Refusal,
    close_window,
    decide,
    evolve_all,
    legal_outcomes,
    view,
)
from muggins_rules.events import (
    ClaimWindowClosed,
    Credit,
    EndReason,
    Event,
    MatchEnded,
    MugginsCalled,
    PointsClaimed,
    RoundEnded,
    TilePlayed,
    TurnStarted,
)
from tests.rules.table import at, place, played, refusal, table


def silent(*, scores: tuple[int, ...] = (0, 0)) -> MatchState:
    """Seat 0 has laid 5-5, worth 10, and said nothing; the round goes on."""
    state = table("muggins", "55 01", "25 03", boneyard="00 11", scores=scores, calling=True)
    return played(state, 0, place("55"))[1]


def last_tile(*, scores: tuple[int, ...] = (0, 0), other: str = "25 03") -> MatchState:
    """Seat 0 has laid 5-5, worth 10, as its last tile, and said nothing."""
    state = table("all_fives", "55", other, boneyard="00", scores=scores, calling=True)
    return played(state, 0, place("55"))[1]


def closing(state: MatchState) -> ClaimWindowClosed:
    closed = close_window(state)[0]
    assert isinstance(closed, ClaimWindowClosed)
    return closed


def kinds(facts: tuple[Event, ...]) -> list[type]:
    return [type(fact) for fact in facts]


def test_what_is_claimed_is_credited_when_the_window_closes() -> None:
    facts, state = played(silent(), 0, Claim(10))
    assert (PointsClaimed(0, 10),) == facts
    assert (0, 0) == state.scores
    assert (Credit(0, 0, 10, called=False),) == closing(state).credits
    assert (10, 0) == closing(state).scores


def test_a_negative_claim_is_a_programming_error_however_it_is_made() -> None:
    with pytest.raises(AssertionError, match="whole number from 0"):
        decide(silent(), 0, Claim(-5))
    before = table("muggins", "55 01", "25 03", boneyard="00 11", calling=True)
    with pytest.raises(AssertionError, match="whole number from 0"):
        decide(before, 0, place("55", claim=-5))


def test_a_claim_may_travel_with_the_placement() -> None:
    state = table("muggins", "55 01", "25 03", boneyard="00 11", calling=True)
    facts, state = played(state, 0, place("55", claim=10))
    assert [TilePlayed, PointsClaimed, TurnStarted] == kinds(facts)
    assert (10, 0) == closing(state).scores


def test_what_nobody_says_is_lost_and_the_count_is_told() -> None:
    closed = closing(silent())
    assert () == closed.credits
    assert (0, 0) == closed.scores
    assert 10 == closed.count.points


def test_the_first_call_takes_what_was_forgotten() -> None:
    facts, state = played(silent(), 1, Call(1))
    assert (MugginsCalled(1, 1),) == facts
    assert (Credit(1, 1, 10, called=True),) == closing(state).credits


def test_a_second_call_is_accepted_and_earns_nothing() -> None:
    state = table("muggins", "55 01", "25 03", "26 36", boneyard="00 11", calling=True)
    state = played(state, 0, place("55"))[1]
    state = played(state, 2, Call(1))[1]
    state = played(state, 1, Call(1))[1]
    assert (Credit(2, 2, 10, called=True),) == closing(state).credits


def test_an_under_claim_leaves_the_rest_to_the_call() -> None:
    state = played(silent(), 0, Claim(5))[1]
    state = played(state, 1, Call(1))[1]
    assert (5, 5) == closing(state).scores


def test_an_over_claim_is_void_and_all_is_open() -> None:
    state = played(silent(), 0, Claim(15))[1]
    assert (0, 0) == closing(state).scores
    assert (0, 10) == closing(played(state, 1, Call(1))[1]).scores


def test_a_claim_on_nothing_is_void_and_there_is_nothing_to_call() -> None:
    state = table("muggins", "45 01", "25 03", boneyard="00 11", calling=True)
    state = played(state, 0, place("45", claim=5))[1]
    state = played(state, 1, Call(1))[1]
    assert () == closing(state).credits


def test_a_call_on_a_full_claim_earns_nothing() -> None:
    state = played(silent(), 0, Claim(10))[1]
    assert (10, 0) == closing(played(state, 1, Call(1))[1]).scores


def test_after_a_call_a_claim_is_void() -> None:
    state = played(silent(), 1, Call(1))[1]
    state = played(state, 0, Claim(10))[1]
    assert (Credit(1, 1, 10, called=True),) == closing(state).credits


def test_the_next_seats_action_closes_the_window_first() -> None:
    facts, state = played(silent(), 1, place("25@55:lineA"))
    assert [ClaimWindowClosed, TilePlayed, TurnStarted] == kinds(facts)
    assert state.table is not None
    assert state.table.window is not None
    assert 2 == state.table.window.placement


def test_a_draw_closes_the_window_too() -> None:
    state = table("muggins", "55 01", "26 03", boneyard="00 11", calling=True)
    state = played(state, 0, place("55"))[1]
    facts, _ = played(state, 1, Draw())
    assert ClaimWindowClosed is kinds(facts)[0]


def test_a_credit_that_reaches_the_target_ends_the_match_and_the_action_does_nothing_more() -> None:
    state = played(silent(scores=(240, 0)), 0, Claim(10))[1]
    assert Phase.PLAYING is state.phase
    facts, state = played(state, 1, place("25@55:lineA"))
    assert [ClaimWindowClosed, MatchEnded] == kinds(facts)
    assert state.result is not None
    assert 0 == state.result.winning_side
    assert EndReason.TARGET_REACHED is state.result.reason
    assert (250, 0) == state.scores


def test_an_action_that_only_ends_the_match_has_to_be_lawful_all_the_same() -> None:
    state = played(silent(scores=(240, 0)), 0, Claim(10))[1]
    assert Refusal.MUST_PLAY is refusal(state, 1, Draw())
    assert Refusal.MUST_PLAY is refusal(state, 1, Pass())
    assert refusal(state, 1, place("03@55:lineA")) is not None
    state = table("muggins", "55 01", "26 03", boneyard="00 11", scores=(240, 0), calling=True)
    state = played(state, 0, Place(at("55"), 10))[1]
    assert Refusal.MUST_DRAW is refusal(state, 1, Pass())
    assert [ClaimWindowClosed, MatchEnded] == kinds(played(state, 1, Draw())[0])


def test_the_target_may_be_reached_by_a_call() -> None:
    state = played(silent(scores=(0, 245)), 1, Call(1))[1]
    state = evolve_all(state, close_window(state))
    assert state.result is not None
    assert 1 == state.result.winning_side


def test_credits_are_given_in_the_order_of_saying_and_end_with_the_target() -> None:
    state = table("muggins", "55 01", "25", boneyard="00 11", scores=(245, 245), calling=True)
    state = played(state, 0, place("55", claim=5))[1]
    state = played(state, 1, Call(1))[1]
    facts = close_window(state)
    closed, ended = facts
    assert isinstance(closed, ClaimWindowClosed)
    assert isinstance(ended, MatchEnded)
    assert (Credit(0, 0, 5, called=False),) == closed.credits
    assert 0 == ended.winning_side


def test_a_last_tile_waits_for_its_window() -> None:
    state = last_tile()
    assert Phase.PLAYING is state.phase
    assert state.table is not None
    assert state.table.turn is None
    facts = close_window(state)
    assert [ClaimWindowClosed, RoundEnded] == kinds(facts)


def test_a_full_claim_on_the_last_tile_ends_the_round_at_once() -> None:
    facts, state = played(last_tile(), 0, Claim(10))
    assert [PointsClaimed, ClaimWindowClosed, RoundEnded] == kinds(facts)
    assert (20, 0) == state.scores


def test_a_full_claim_that_travels_with_the_last_tile_ends_the_round_at_once() -> None:
    state = table("all_fives", "55", "25 03", boneyard="00", calling=True)
    facts, state = played(state, 0, place("55", claim=10))
    assert [TilePlayed, PointsClaimed, ClaimWindowClosed, RoundEnded] == kinds(facts)
    assert (20, 0) == state.scores


def test_a_last_tile_worth_nothing_ends_the_round_at_once() -> None:
    state = table("all_fives", "45", "25 03", boneyard="00", calling=True)
    facts, _ = played(state, 0, place("45"))
    assert [TilePlayed, ClaimWindowClosed, RoundEnded] == kinds(facts)


@pytest.mark.parametrize("claimed", [0, 5, 15])
def test_a_claim_that_leaves_something_open_keeps_the_last_window_open(claimed: int) -> None:
    facts, state = played(last_tile(), 0, Claim(claimed))
    assert [PointsClaimed] == kinds(facts)
    facts, state = played(state, 1, Call(1))
    assert [MugginsCalled, ClaimWindowClosed, RoundEnded] == kinds(facts)


def test_the_settlement_follows_the_credits_and_needs_no_call() -> None:
    state = last_tile()
    state = played(state, 1, Call(1))[1]
    assert (10, 10) == state.scores


def test_a_credit_on_the_last_tile_that_reaches_the_target_skips_the_settlement() -> None:
    facts, state = played(last_tile(scores=(240, 0)), 0, Claim(10))
    assert [PointsClaimed, ClaimWindowClosed, MatchEnded] == kinds(facts)
    assert (250, 0) == state.scores
    assert isinstance(facts[-1], MatchEnded)
    assert ["", "25 03"] == [
        " ".join(f"{low}{high}" for low, high in sorted(hand.tiles, reverse=True))
        for hand in facts[-1].hands
    ]


def test_a_blocked_round_waits_for_its_window() -> None:
    state = table("all_fives", "55 01", "26 34", laid="05", calling=True)
    facts, state = played(state, 0, place("55@05:high"))
    assert [TilePlayed, TurnStarted] == kinds(facts)
    state = table("all_fives", "55 12", "26 34", laid="05", calling=True)
    facts, state = played(state, 0, place("55@05:high"))
    assert [TilePlayed] == kinds(facts)
    assert state.table is not None
    assert state.table.turn is None
    assert () == legal_outcomes(state)
    facts, state = played(state, 1, Call(2))
    assert [MugginsCalled, ClaimWindowClosed, RoundEnded] == kinds(facts)
    assert isinstance(facts[-1], RoundEnded)
    assert facts[-1].blocked


def test_count_points_and_scores_are_hidden_until_the_window_closes() -> None:
    state = played(silent(), 0, Claim(10))[1]
    for viewer in (None, 0, 1):
        seen = view(state, viewer)
        shown = seen if isinstance(seen, PublicView) else seen.table
        assert shown.count is None
        assert (0, 0) == shown.scores
        assert shown.window is not None
        assert 10 == shown.window.claimed
    after = evolve_all(state, close_window(state))
    seen = view(after, None)
    assert isinstance(seen, PublicView)
    assert seen.count is not None
    assert 10 == seen.count.points
    assert (10, 0) == seen.scores


def test_no_outcome_is_announced_under_calling() -> None:
    state = table("muggins", "55 01", "25 03", boneyard="00 11", calling=True)
    assert all(legal.outcome is None for legal in legal_outcomes(state))
