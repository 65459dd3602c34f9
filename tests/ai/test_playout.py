"""Playouts, compiled and plain, play what opponents play through the object layer."""

from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace

import pytest

from muggins_ai import opponent_of, playout
from muggins_ai.arena.playouts import POLICIES, Playouts, playout_functions
from muggins_ai.policies import ROOM_FOR_REPLIES
from muggins_ai.position import position_of
from muggins_rules.deciding import decide
from muggins_rules.evolving import evolve_all
from muggins_rules.kernel import lay
from muggins_rules.lot import lot_draws
from muggins_rules.opening import highest_double
from muggins_rules.ruleset import OpenerRule
from muggins_rules.state import MatchState, new_match
from muggins_rules.tiles import codes_of_mask
from muggins_rules.viewing import seat_view
from muggins_rules.views import Phase
from tests.ai.tables import TABLES, Table, chance_of, next_round, states_with_choice

pytest.importorskip("numba", reason="the extra `ai` is not installed")

SEED = "playout"
MOST_ROUNDS = 12
LEVELS = ("greedy", "greedy_plus")


@pytest.fixture(scope="module")
def compiled() -> SimpleNamespace:
    return playout_functions(compiled=True)


def levels_of(table: Table) -> tuple[str, ...]:
    """Both levels at every table, one after the other around it."""
    return tuple(LEVELS[seat % 2] for seat in range(table.seats))


def match_by_opponents(table: Table) -> Iterator[MatchState]:
    """The states at the end of each round of a match that opponents play from their views."""
    opponents = [opponent_of(level) for level in levels_of(table)]
    state = new_match(table.rule_set, table.seats)
    while state.phase is not Phase.OVER and state.round < MOST_ROUNDS:
        state = next_round(state, table, SEED)
        while state.table is not None and (seat := state.table.turn) is not None:
            choice = opponents[seat].choose(seat_view(state, seat), b"")
            state = evolve_all(state, decide(state, seat, choice.action))
        yield state


def opening_of(table: Table, round_number: int, last_out: int | None) -> tuple[int, int]:
    rule_set, seats = table
    if last_out is not None:
        return last_out, -1
    turns = rule_set.turns
    rule = turns.first_opener if round_number == 1 else turns.opener_after_block
    chance = chance_of(table, SEED, round_number)
    if rule is OpenerRule.LOT:
        return lot_draws(chance.lot, seats).winner, -1
    size = rule_set.hand_size(seats)
    hands = [chance.deck[seat * size : (seat + 1) * size] for seat in range(seats)]
    opener, lead = highest_double(hands)
    return opener, lead if turns.must_lead_highest_double else -1


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("form", ["compiled", "plain"])
def test_a_match_goes_as_opponents_play_it(
    table: Table, form: str, compiled: SimpleNamespace
) -> None:
    """Scores, hands left and who went out are the same after each round of a match."""
    functions = compiled if form == "compiled" else playout_functions(compiled=False)
    playouts = Playouts(functions, *table, compiled=form == "compiled")
    seat_policies = playouts.array([POLICIES[level] for level in levels_of(table)])
    last_out: int | None = None
    for state in match_by_opponents(table):
        deck = playouts.array(chance_of(table, SEED, state.round).deck)
        opener, lead = opening_of(table, state.round, last_out)
        ended = playouts.play_round(seat_policies, deck, opener, lead)
        assert state.table is not None
        assert list(state.scores) == list(playouts.scores)
        assert list(state.table.hands) == list(playouts.hands)
        target_reached = max(state.scores) >= table.rule_set.target(table.seats)
        assert target_reached == bool(ended & playout.WON)
        if not target_reached:
            last_out = state.last_out
            assert (playout.BLOCKED if last_out is None else last_out) == ended


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_compiled_policies_pick_what_the_players_choose(
    table: Table, compiled: SimpleNamespace
) -> None:
    for state in states_with_choice(table, "picks", rounds=3):
        assert state.table is not None
        assert state.table.turn is not None
        view = seat_view(state, state.table.turn)
        position = position_of(view)
        playouts = Playouts(compiled, *table, compiled=True)
        for level in LEVELS:
            picked = compiled.pick(
                POLICIES[level],
                position.word,
                position.hand,
                position.unseen,
                position.held,
                position.flags,
                playouts.array(position.moves),
                len(position.moves),
                playouts.array([0] * ROOM_FOR_REPLIES),
                0,
            )
            placements = [legal.action for legal in view.legal_actions]
            assert placements[picked] == opponent_of(level).choose(view, b"").action


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_random_playouts_are_the_same_compiled_and_plain(
    table: Table, compiled: SimpleNamespace
) -> None:
    forms = [
        Playouts(compiled, *table, compiled=True, random_state=77),
        Playouts(playout_functions(compiled=False), *table, compiled=False, random_state=77),
    ]
    for round_number in range(1, 11):
        deck = chance_of(table, "random", round_number).deck
        ends = [
            playouts.play_round(
                playouts.array([POLICIES["random"]] * table.seats),
                playouts.array(deck),
                round_number % table.seats,
                recorded=True,
            )
            for playouts in forms
        ]
        first, second = forms
        assert ends[0] == ends[1]
        assert list(first.record) == list(second.record)
        assert list(first.scores) == list(second.scores)
        assert list(first.hands) == list(second.hands)
        assert first.plies == second.plies


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_recorded_positions_lead_to_each_other(table: Table) -> None:
    """Each word follows from the one before it by a move of a tile that was then in the hand."""
    playouts = Playouts(playout_functions(compiled=False), *table, compiled=False)
    flags = playouts.rules[playout.FLAGS]
    seat_policies = playouts.array([POLICIES["random"]] * table.seats)
    for round_number in range(1, 11):
        deck = chance_of(table, "record", round_number).deck
        before = playouts.plies
        playouts.play_round(seat_policies, list(deck), 0, recorded=True)
        size = playout.RECORDED
        record = [
            playouts.record[size * ply : size * (ply + 1)] for ply in range(playouts.plies - before)
        ]
        for (_, word, _, _, _, tiles, *_), (_, after, *_) in pairwise(record):
            found = playouts.choices([0, word, 0, 0, 0, tiles])
            moves = [move for move in playouts.moves[:found] if lay(word, move, flags) == after]
            assert moves
            assert {move & 31 for move in moves} <= set(codes_of_mask(tiles))


def test_what_compiled_decisions_see_is_what_their_seat_may_know() -> None:
    """Two decks that differ only in tiles unseen by the opener lead to its same first move."""
    table = TABLES[0]
    functions = playout_functions(compiled=False)
    first = list(chance_of(table, "peek", 1).deck)
    second = first[:7] + first[7:][::-1]
    for level in LEVELS:
        words = []
        for deck in (first, second):
            playouts = Playouts(functions, *table, compiled=False)
            seat_policies = [POLICIES[level]] * table.seats
            playouts.play_round(seat_policies, deck, 0, recorded=True)
            words.append(playouts.record[playout.RECORDED + 1])
        assert words[0] == words[1]
