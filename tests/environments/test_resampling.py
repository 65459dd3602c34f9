"""Resampled rounds are those the player cannot tell apart, each as often as it should come."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from random import Random

import pyspiel
import pytest

from muggins_ai.environments import spiel_game
from muggins_ai.environments.chance_round import (
    ChanceRound,
    after_action,
    after_chance,
    new_round,
)
from muggins_ai.environments.information import information_text
from muggins_ai.environments.resampling import Resampler
from muggins_ai.environments.tables import Table, table_of
from muggins_rules.ruleset import Deal, Layout, OpenerRule, RuleSet, SpinnerRule, Turns
from tests.environments.kit import PRESET_TABLES, TABLES, named, random_plays

TINY = RuleSet("tiny", deal=Deal(highest_pip=2, hand_size_by_seats=(2, 1, 1)))
RESERVED = RuleSet(
    "reserved",
    deal=Deal(highest_pip=2, hand_size_by_seats=(2, 1, 1), boneyard_reserve=1),
    layout=Layout(SpinnerRule.SNIFF),
)
HIGHEST = RuleSet(
    "highest",
    deal=Deal(highest_pip=2, hand_size_by_seats=(2, 1, 1)),
    turns=Turns(
        first_opener=OpenerRule.HIGHEST_DOUBLE,
        opener_after_block=OpenerRule.HIGHEST_DOUBLE,
    ),
)
LEADING = RuleSet(
    "leading",
    deal=Deal(highest_pip=2, hand_size_by_seats=(2, 2, 1)),
    turns=Turns(
        first_opener=OpenerRule.HIGHEST_DOUBLE,
        opener_after_block=OpenerRule.HIGHEST_DOUBLE,
        must_lead_highest_double=True,
    ),
)
TINY_TABLES = tuple(
    table_of(rule_set, seats)
    for rule_set in (TINY, RESERVED, HIGHEST, LEADING)
    for seats in rule_set.seat_counts
)

SAMPLES = 400

Origin = tuple[tuple[int, ...], ...]


def origin_of(play: ChanceRound) -> Origin:
    """The tiles each seat was dealt, ascending, and after them all that were drawn, in order."""
    size = play.table.rule_set.hand_size(play.table.seats)
    dealt = [
        tuple(sorted(play.dealt[seat * size : (seat + 1) * size]))
        for seat in range(play.table.seats)
    ]
    again = new_round(play.table)
    drawn = []
    for number in play.history:
        if again.drawing:
            drawn.append(number)
        again = (after_chance if again.is_chance else after_action)(again, number)
    return (*dealt, tuple(drawn))


def consistent(play: ChanceRound, viewer: int) -> dict[Origin, Fraction]:
    """The chance of each origin, by going through all that chance could have brought.

    Each seat is made to take the actions that it took; what the viewer saw must come out.
    """
    known = information_text(play, viewer)
    found: Counter[Origin] = Counter()
    _follow(new_round(play.table), play.history, known, viewer, Fraction(1), found)
    total = sum(found.values())
    return {origin: Fraction(chance) / total for origin, chance in found.items()}


def _follow(
    play: ChanceRound,
    rest: tuple[int, ...],
    known: str,
    viewer: int,
    chance: Fraction,
    found: Counter[Origin],
) -> None:
    if not rest:
        if information_text(play, viewer) == known:
            found[origin_of(play)] += chance  # type: ignore[assignment]  # chances are no integers
        return
    if play.is_over:
        return
    if not play.is_chance:
        if rest[0] in play.actions():
            _follow(after_action(play, rest[0]), rest[1:], known, viewer, chance, found)
        return
    outcomes = play.outcomes()
    for outcome in outcomes:
        after = after_chance(play, outcome)
        _follow(after, rest[1:], known, viewer, chance / len(outcomes), found)


def late_plays(table: Table) -> Iterator[ChanceRound]:
    """A state of each of some rounds, early and late, and one while a seat draws."""
    for seed in (0, 2, 4):
        plays = [play for play in random_plays(table, seed) if play.state is not None]
        yield plays[min(seed, len(plays) - 1)]
    for seed in range(40):
        drawing = [play for play in random_plays(table, 100 + seed) if play.drawing]
        if drawing:
            yield drawing[-1]
            return


@pytest.mark.parametrize("table", TINY_TABLES, ids=named)
def test_every_hidden_hand_turns_up_as_often_as_it_should(table: Table) -> None:
    """Deals and draws against all of them, with their chances; also for who is not on turn."""
    resampler = Resampler(table, compiled=True)
    random = Random(1)
    for play in late_plays(table):
        for viewer in range(table.seats):
            expected = consistent(play, viewer)
            found = Counter(
                origin_of(resampler.resampled(play, viewer, random)) for _ in range(SAMPLES)
            )
            assert found.keys() <= expected.keys()
            assert surprise(expected, found) < 6
            for seat in range(table.seats):
                hands = {origin[seat] for origin in expected}
                assert hands == {origin[seat] for origin in found}


def surprise(expected: dict[Origin, Fraction], found: Counter[Origin]) -> float:
    """How far chi-squared lies beyond its mean, in standard deviations."""
    if len(expected) == 1:
        return 0.0
    statistic = 0.0
    for origin, chance in expected.items():
        mean = found.total() * float(chance)
        statistic += (found[origin] - mean) ** 2 / mean
    freedom = len(expected) - 1
    return (statistic - freedom) / sqrt(2 * freedom)


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_a_resampled_state_is_the_same_to_its_player(table: Table) -> None:
    """As OpenSpiel's ResampleInfostateTest has it, at every node of a round and at its end."""
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    game = spiel_game.load(*table)
    state = game.new_initial_state()
    random = Random(3)
    different = 0
    while True:
        for player in range(table.seats):
            other = state.resample_from_infostate(player, sampler)
            assert state.information_state_string(player) == other.information_state_string(player)
            assert state.information_state_tensor(player) == other.information_state_tensor(player)
            assert state.observation_string(player) == other.observation_string(player)
            assert state.observation_tensor(player) == other.observation_tensor(player)
            assert state.current_player() == other.current_player()
            assert state.returns() == other.returns()
            assert len(state.history()) == len(other.history())
            if player == state.current_player():
                assert state.legal_actions() == other.legal_actions()
            different += state.history() != other.history()
        if state.is_terminal():
            break
        outcomes = (
            [outcome for outcome, _ in state.chance_outcomes()] if state.is_chance_node() else []
        )
        state.apply_action(random.choice(outcomes or state.legal_actions()))
    assert different


@pytest.mark.parametrize("table", PRESET_TABLES[:3], ids=named)
def test_the_same_numbers_give_the_same_state_compiled_or_not(table: Table) -> None:
    forms = [Resampler(table, compiled=compiled) for compiled in (True, False)]
    for number, play in enumerate(random_plays(table, 5)):
        if number % 5 == 0:
            found = [form.resampled(play, 1, Random(6)).history for form in forms]
            assert found[0] == found[1]


def test_a_player_that_there_is_not_is_refused() -> None:
    state = spiel_game.load("muggins", 2).new_initial_state()
    with pytest.raises(ValueError, match="no seat 2"):
        state.resample_from_infostate(2, lambda: 0.5)
