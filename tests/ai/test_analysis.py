"""Analysis of positions: legal figures, exact endings, honest errors, and nothing hidden."""

import random
from collections.abc import Iterator
from itertools import islice
from statistics import fmean

import pytest

from muggins_ai.analysis.analyst import Analyst, PositionPart, analyst_of
from muggins_ai.analysis.positions import is_forced, positions_of
from muggins_ai.analysis.review import review_of
from muggins_ai.analysis.tally import MoveTally, figures_of, merged
from muggins_ai.stopping import DecisionStopped
from muggins_rules.actions import Place
from muggins_rules.deciding import decide
from muggins_rules.events import Event, RoundEnded
from muggins_rules.evolving import evolve_all
from muggins_rules.layout import move_word
from muggins_rules.presets import PRESETS
from muggins_rules.state import MatchState, new_match
from muggins_rules.tiles import mask_of
from muggins_rules.viewing import seat_view
from muggins_rules.views import Phase, SeatView
from tests.ai.tables import TABLES, Table, next_round, random_states, states_with_choice
from tests.ai.test_opponents import redealt

SAMPLES = 200


def view_of(state: MatchState) -> SeatView:
    assert state.table is not None
    assert state.table.turn is not None
    return seat_view(state, state.table.turn)


def analysed(view: SeatView, samples: int = SAMPLES, seed: int = 1) -> PositionPart:
    analyst = analyst_of(view.table.rule_set, view.table.seats)
    return analyst.analyse(view, samples, 100, 0, seed)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_legal_placement_has_figures_that_can_be(table: Table) -> None:
    for state in islice(random_states(table, "figures", rounds=3), 0, 40, 4):
        view = view_of(state)
        part = analysed(view, 40)
        placements = {
            move_word(legal.action.placement)
            for legal in view.legal_actions
            if isinstance(legal.action, Place)
        }
        assert (placements or {-1}) == {tally.move for tally in part.tallies}
        figures = figures_of(part.tallies, part.side)
        assert [*range(1, len(figures) + 1)] == [found.rank for found in figures]
        assert 0 == figures[0].loss
        for found in figures:
            assert found.loss >= 0
            assert found.error >= 0
            assert abs(sum(found.by_side)) < 1e-6
            chances = (found.win, found.scores_next, found.scored_on, found.goes_out)
            assert all(0 <= chance <= 1 for chance in (*chances, found.blocked))


@pytest.mark.parametrize("table", TABLES[:6], ids=str)
def test_plain_functions_give_the_same_tallies_as_compiled_ones(table: Table) -> None:
    plain = Analyst(table.rule_set, table.seats, compiled=False)
    for state in islice(states_with_choice(table, "plain", rounds=2), 2):
        view = view_of(state)
        assert analysed(view, 3) == plain.analyse(view, 3, 100, 0, 1)


def test_parts_merge_to_what_all_samples_say() -> None:
    state = next(states_with_choice(TABLES[0], "merge", rounds=1))
    one, other = analysed(view_of(state), seed=1), analysed(view_of(state), seed=2)
    both = merged(one.tallies, other.tallies)
    assert {2 * SAMPLES} == {tally.samples for tally in both}
    mean = figures_of(both, one.side)[0]
    singles = [figures_of(part.tallies, part.side) for part in (one, other)]
    points = [next(f.points for f in figures if f.move == mean.move) for figures in singles]
    assert fmean(points) == pytest.approx(mean.points)
    with pytest.raises(ValueError, match="other moves"):
        merged(one.tallies, other.tallies[1:])


def test_the_standard_error_is_that_of_repeated_estimates() -> None:
    """Of 60 independent estimates about two thirds lie within one error of their mean."""
    view = view_of(next(states_with_choice(Table(PRESETS["muggins"], 2), "error", rounds=1)))
    move = analysed(view).tallies[0].move
    found = []
    for seed in range(1, 61):
        part = analysed(view, 100, seed)
        found.append(next(f for f in figures_of(part.tallies, part.side) if f.move == move))
    mean = fmean(f.points for f in found)
    spread = (sum((f.points - mean) ** 2 for f in found) / (len(found) - 1)) ** 0.5
    assert 0.7 < spread / fmean(f.error for f in found) < 1.4


def endings(table: Table) -> Iterator[SeatView]:
    """Late positions with a choice, nothing to draw and both hands known."""
    for state in states_with_choice(table, "exact", rounds=300):
        assert state.table is not None
        drawable = len(state.table.boneyard) - table.rule_set.deal.boneyard_reserve
        if drawable <= 0 and max(map(int.bit_count, state.table.hands)) <= 4:
            yield view_of(state)


def test_endings_with_known_hands_are_exact() -> None:
    table = Table(PRESETS["muggins"], 2)
    analyst = analyst_of(*table)
    visited = 0
    for view in islice(endings(table), 5):
        part = analyst.analyse(view, 20, 100, 200_000, 1)
        visited += part.used.nodes
        assert part.used.nodes < 200_000
        assert 0 == analyst.analyse(view, 20, 100, 0, 1).used.nodes
        figures = figures_of(part.tallies, part.side)
        assert all(found.error == 0 for found in figures)
        assert all(found.points % 1 == 0 for found in figures)
    assert visited


def test_a_move_that_goes_out_at_once_brings_what_the_rules_say() -> None:
    table = Table(PRESETS["all_fives"], 2)
    for state in random_states(table, "out", rounds=60):
        view = view_of(state)
        only = [legal.action for legal in view.legal_actions if isinstance(legal.action, Place)]
        if len(view.hand) != 1 or not only or state.scores[view.seat] > 150:
            continue
        after = evolve_all(state, decide(state, view.seat, only[0]))
        if after.phase is not Phase.ROUND_OVER:
            continue
        part = analysed(view, 50)
        assert 50 == part.tallies[0].outs
        ended = after.events[-1]
        assert isinstance(ended, RoundEnded)
        gain = after.scores[view.seat] - state.scores[view.seat]
        assert figures_of(part.tallies, part.side)[0].points == pytest.approx(gain, abs=12)
        return
    raise AssertionError("some seat goes out")


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_unseen_tiles_change_no_analysis(table: Table) -> None:
    choices = random.Random("unseen")
    for state in islice(states_with_choice(table, "unseen analysis", rounds=2), 0, 9, 3):
        view = view_of(state)
        analyst = analyst_of(table.rule_set, table.seats)
        told = analysed(view, 20), analyst.tile_beliefs(view, 50, 1), analyst.voids(view, 50, 1)
        other = seat_view(redealt(state, view.seat, choices), view.seat)
        assert told[0] == analysed(other, 20)
        assert told[1] == analyst.tile_beliefs(other, 50, 1)
        assert told[2] == analyst.voids(other, 50, 1)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_beliefs_are_chances_of_each_unseen_tile(table: Table) -> None:
    for state in islice(random_states(table, "beliefs", rounds=2), 0, 30, 6):
        assert state.table is not None
        view = view_of(state)
        beliefs = analyst_of(table.rule_set, table.seats).tile_beliefs(view, 200, 3)
        hidden = sum(hand.bit_count() for s, hand in enumerate(state.table.hands) if s != view.seat)
        assert len(beliefs) == hidden + len(state.table.boneyard)
        for belief in beliefs:
            assert 1 == pytest.approx(sum(belief.by_seat) + belief.boneyard)
            assert 0 == belief.by_seat[view.seat]
        for seat, hand in enumerate(state.table.hands):
            if seat != view.seat:
                assert sum(b.by_seat[seat] for b in beliefs) == pytest.approx(hand.bit_count())


def test_voids_are_proved_by_draws_and_passes_of_others() -> None:
    table = Table(PRESETS["muggins"], 3)
    found = 0
    for state in random_states(table, "voids", rounds=4):
        view = view_of(state)
        for void in analyst_of(*table).voids(view, 100, 1):
            assert view.round_events[void.event].seat == void.seat != view.seat  # type: ignore[union-attr]
            assert void.bits >= 0
            assert void.missing
            found += 1
    assert found


def test_an_analysis_that_is_told_to_stop_gives_nothing() -> None:
    view = view_of(next(states_with_choice(TABLES[0], "stop", rounds=1)))
    with pytest.raises(DecisionStopped):
        analyst_of(*TABLES[0]).analyse(view, 10, 10, 0, 1, lambda: True)


def finished(table: Table, seed: str) -> list[Event]:
    """A whole match of random actions, in record form."""
    choices = random.Random(seed)
    state = new_match(table.rule_set, table.seats)
    events: list[Event] = []
    number = 0
    while state.phase is not Phase.OVER and number < 12:
        number += 1
        state = next_round(state, table, f"{seed}/{number}")
        while state.table is not None and (seat := state.table.turn) is not None:
            from muggins_rules.legal import legal_actions

            state = evolve_all(state, decide(state, seat, choices.choice(legal_actions(state))))
        events += state.events
    return events


@pytest.mark.parametrize(
    "table",
    [t for t in TABLES if str(t) in {"muggins-2", "muggins-3", "all_fives-4", "five_up-2"}],
    ids=str,
)
def test_luck_and_skill_add_up_to_the_result_of_every_round(table: Table) -> None:
    events = finished(table, "review")
    positions = positions_of(table.rule_set, table.seats, events)
    judged = {}
    for position in positions:
        part = analysed(position.view, 8, position.at + 1)
        judged[position.at] = position, figures_of(part.tallies, part.side)
    review = review_of(table.rule_set, table.seats, events, judged)
    assert len(review.decisions) == sum(not is_forced(position) for position in positions)
    scores = [0] * table.rule_set.sides(table.seats)
    ends = [event for event in events if isinstance(event, RoundEnded)]
    for (_, sums), ended in zip(review.rounds, ends, strict=False):
        gains = [line.score - before for line, before in zip(ended.settlement, scores, strict=True)]
        scores = [line.score for line in ended.settlement]
        for line in sums:
            side = table.rule_set.side_of(line.seat, table.seats)
            others = (sum(gains) - gains[side]) / (len(gains) - 1)
            assert line.result == pytest.approx(gains[side] - others)
            assert line.luck + line.skill == pytest.approx(line.result)
            assert line.loss >= 0
    for total in review.totals():
        assert total.luck + total.skill == pytest.approx(total.result)
        of_seat = [d.loss for d in review.decisions if d.seat == total.seat]
        assert total.loss == pytest.approx(sum(of_seat))
        assert total.decisions == len(of_seat)


def test_the_best_move_loses_nothing_and_others_lose_what_their_points_lack() -> None:
    tallies = [
        MoveTally(1, 10, (50.0, -50.0), 400.0, (6.0, 4.0), 1, 2, 3, 4),
        MoveTally(2, 10, (80.0, -80.0), 900.0, (7.0, 3.0), 1, 2, 3, 4),
    ]
    best, other = figures_of(tallies, 0)
    assert (2, 8.0, 0.0, 1) == (best.move, best.points, best.loss, best.rank)
    assert (1, 5.0, 3.0, 2) == (other.move, other.points, other.loss, other.rank)
    assert best.error == pytest.approx(((900 - 640) / 9 / 10) ** 0.5)


def test_the_hand_of_a_view_stays_what_it_was() -> None:
    view = view_of(next(states_with_choice(TABLES[0], "hand", rounds=1)))
    before = mask_of(view.hand)
    analysed(view, 10)
    assert before == mask_of(view.hand)
