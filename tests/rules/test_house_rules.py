"""The switches that no preset sets."""

from dataclasses import replace

import pytest

from muggins_rules import (
    PRESETS,
    Claim,
    MatchState,
    Pass,
    Phase,
    RoundChance,
    RuleSet,
    close_window,
    deal_round,
    evolve_all,
    legal_outcomes,
    new_match,
)
from muggins_rules.ending import end_match, round_end
from muggins_rules.events import ClaimWindowClosed, EndReason, MatchEnded, RoundEnded, TilePlayed
from muggins_rules.ruleset import HouseRules
from muggins_rules.tiles import SET_CODES
from tests.rules.table import place, played, table

DECK = SET_CODES[6]


def rules(game: str, house: HouseRules, *, calling: bool = False) -> RuleSet:
    return replace(PRESETS[game], id="custom", house_rules=house, calling=calling)


EXACT = HouseRules(exact_target=True)
MINIMUM = HouseRules(first_score_minimum=10)
SHARES = HouseRules(blocked_tie_shares=True)


def ended(state: MatchState) -> RoundEnded:
    return next(event for event in state.events if isinstance(event, RoundEnded))


def test_with_exact_target_a_gain_beyond_it_does_not_count() -> None:
    state = table(rules("all_fives", EXACT), "55 01", "25", boneyard="00", scores=(245, 0))
    told = [legal.outcome for legal in legal_outcomes(state)]
    facts, state = played(state, 0, place("55"))
    assert (245, 0) == state.scores
    assert isinstance(facts[0], TilePlayed)
    assert facts[0].count is not None
    assert (10, 0) == (facts[0].count.sum, facts[0].count.points)
    assert facts[0].count in told


def test_with_exact_target_a_gain_onto_it_wins() -> None:
    state = table(rules("all_fives", EXACT), "55 01", "25", boneyard="00", scores=(240, 0))
    _, state = played(state, 0, place("55"))
    assert Phase.OVER is state.phase


def test_with_exact_target_a_settlement_beyond_it_does_not_count() -> None:
    state = table(rules("all_fives", EXACT), "12", "55", boneyard="00", scores=(245, 0))
    _, state = played(state, 0, place("12"))
    assert (245, 0) == state.scores
    assert Phase.ROUND_OVER is state.phase
    line = ended(state).settlement[0]
    assert (10, 10, 0) == (line.pips, line.rounded, line.change)
    assert 0 == ended(state).winning_side


def test_with_exact_target_a_credit_beyond_it_does_not_count() -> None:
    house = rules("all_fives", EXACT, calling=True)
    state = table(house, "55 01", "25", boneyard="00", scores=(245, 0))
    _, state = played(state, 0, place("55"), Claim(10))
    closed = close_window(state)[0]
    assert isinstance(closed, ClaimWindowClosed)
    assert () == closed.credits


def test_a_first_score_below_the_minimum_does_not_count() -> None:
    state = table(rules("all_fives", MINIMUM), "05 01", "25", boneyard="00")
    _, state = played(state, 0, place("05"))
    assert (0, 0) == state.scores
    assert (False, False) == state.have_scored


def test_a_first_score_of_the_minimum_counts_and_then_any() -> None:
    state = table(rules("all_fives", MINIMUM), "55 05 01", "25 12", boneyard="00")
    _, state = played(state, 0, place("55"))
    assert (10, 0) == state.scores
    assert (True, False) == state.have_scored
    _, state = played(state, 1, place("25@55:lineA"))
    assert (10, 0) == state.scores


def test_the_minimum_is_each_sides_own() -> None:
    state = table(rules("muggins", MINIMUM), "05 46", "13 36", laid="12", boneyard="00", turn=1)
    only_the_other_has = state._replace(have_scored=(True, False))
    assert (0, 0) == played(only_the_other_has, 1, place("13@12:low"))[1].scores
    the_mover_has = state._replace(have_scored=(False, True))
    assert (0, 5) == played(the_mover_has, 1, place("13@12:low"))[1].scores


def test_the_minimum_holds_for_a_settlement_as_well() -> None:
    state = table(rules("all_fives", MINIMUM), "12", "06", boneyard="00")
    _, state = played(state, 0, place("12"))
    assert (0, 0) == state.scores
    state = table(rules("all_fives", MINIMUM), "12", "36", boneyard="00")
    _, state = played(state, 0, place("12"))
    assert (10, 0) == state.scores
    assert (True, False) == state.have_scored


def test_a_debit_is_no_first_score() -> None:
    state = table(rules("muggins", MINIMUM), "12", "36", boneyard="00")
    _, state = played(state, 0, place("12"))
    assert (0, -10) == state.scores
    assert (False, False) == state.have_scored


@pytest.mark.parametrize(
    ("game", "third", "change"),
    [
        ("all_fives_us", "56 46", 10),  # 21 -> 20 -> 10 each
        ("all_fives_us", "56 45", 10),  # 20 -> 10 each
        ("all_fives_us", "56 13", 5),  # 15 -> 7.5, down to 5
        ("all_fives_us", "46 56 45", 15),  # 30 -> 15 each
        ("five_up", "56 13", 1),  # 15 -> 5 -> 1 point
    ],
)
def test_two_of_three_that_tie_share_the_thirds_pips(game: str, third: str, change: int) -> None:
    state = table(rules(game, SHARES), "03", "12", third, laid="00")
    settled = round_end(state, None)[0]
    assert isinstance(settled, RoundEnded)
    assert settled.winning_side is None
    assert [change, change, 0] == [line.change for line in settled.settlement]


@pytest.mark.parametrize("hands", [("03", "12", "56"), ("12", "56", "03")])
def test_without_the_switch_nobody_scores_in_a_tie(hands: tuple[str, str, str]) -> None:
    state = table("all_fives_us", *hands)
    settled = round_end(state, None)[0]
    assert isinstance(settled, RoundEnded)
    assert [0, 0, 0] == [line.change for line in settled.settlement]


@pytest.mark.parametrize("hands", [("03", "12", "11 01"), ("03", "12"), ("03", "12", "66", "56")])
def test_nothing_is_shared_unless_two_of_three_tie(hands: tuple[str, ...]) -> None:
    house = rules("all_fives_us", SHARES)
    house = replace(house, scoring=replace(house.scoring, pairs=False))
    settled = round_end(table(house, *hands), None)[0]
    assert isinstance(settled, RoundEnded)
    assert {0} == {line.change for line in settled.settlement}


def test_a_tie_of_the_two_heavier_hands_is_no_tie() -> None:
    settled = round_end(table(rules("all_fives_us", SHARES), "01", "03", "12"), None)[0]
    assert isinstance(settled, RoundEnded)
    assert 0 == settled.winning_side
    assert [5, 0, 0] == [line.change for line in settled.settlement]


@pytest.mark.parametrize(("scores", "winner"), [((10, 40), 1), ((40, 10), 0), ((20, 20), None)])
def test_after_the_last_round_the_highest_score_wins_or_nobody(
    scores: tuple[int, int], winner: int | None
) -> None:
    house = rules("all_fives", HouseRules(round_limit=1))
    facts = round_end(table(house, "03", "12", scores=scores), None)
    assert isinstance(facts[-1], MatchEnded)
    assert EndReason.ROUND_LIMIT is facts[-1].reason
    assert winner == facts[-1].winning_side
    assert scores == facts[-1].scores


def test_before_the_last_round_the_match_goes_on() -> None:
    house = rules("all_fives", HouseRules(round_limit=2))
    assert 1 == len(round_end(table(house, "03", "12"), None))


def test_the_target_comes_before_the_round_limit() -> None:
    house = rules("all_fives", HouseRules(round_limit=1))
    facts = round_end(table(house, "03", "66", scores=(245, 0)), None)
    assert isinstance(facts[-1], MatchEnded)
    assert EndReason.TARGET_REACHED is facts[-1].reason


def test_two_that_share_onto_the_target_alike_win_nothing() -> None:
    state = table(rules("all_fives_us", SHARES), "03", "12", "56 45", scores=(195, 195, 0))
    facts = round_end(state, None)
    assert isinstance(facts[-1], MatchEnded)
    assert EndReason.TARGET_REACHED is facts[-1].reason
    assert facts[-1].winning_side is None
    assert (205, 205, 0) == facts[-1].scores


def test_a_match_ended_from_outside_has_no_winner_and_shows_the_hands() -> None:
    state = new_match(PRESETS["muggins"], 2)
    state = evolve_all(state, deal_round(state, RoundChance(DECK, DECK)))
    ending = end_match(state, EndReason.EXPIRED)
    assert ending.winning_side is None
    assert [7, 7] == [len(hand.tiles) for hand in ending.hands]


def test_a_pass_that_blocks_settles_at_once() -> None:
    state = table("all_fives", "12", "13 24", laid="66")
    facts, state = played(state, 0, Pass())
    assert Phase.ROUND_OVER is state.phase
    assert isinstance(facts[-1], RoundEnded)
    assert (10, 0) == state.scores
