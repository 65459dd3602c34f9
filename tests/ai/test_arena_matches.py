"""The loop of the arena plays by the rules, and tells agents what players know."""

from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec

import pytest

from muggins_ai.arena.agents import AllSeeing, ShownRound, Sight, Workshop
from muggins_ai.arena.chance import PairChance
from muggins_ai.arena.match_loop import MatchLoop, play_set
from muggins_ai.arena.mirror import _mirrored
from muggins_ai.arena.playouts import Playouts, playout_functions
from muggins_ai.arena.registry import AGENTS, KINDS, agent_maker
from muggins_ai.arena.study import MirrorStudy
from muggins_ai.belief.history import FIRST_TURN, TURN, TURN_COUNT
from muggins_ai.search.searcher import Known
from muggins_ai.search_player import known_of
from muggins_rules.events import Event
from muggins_rules.presets import preset
from muggins_rules.state import MatchState, new_match
from muggins_rules.viewing import seat_view, seen_events
from tests.ai.arena_kit import (
    Turn,
    chance_of_pair,
    deal_again,
    play_watched,
    told_again,
    turns_of,
)
from tests.ai.tables import TABLES, Table

needs_numba = pytest.mark.skipif(
    find_spec("numba") is None, reason="the extra `ai` is not installed"
)

MUGGINS = Table(preset("muggins"), 2)
ALL_FIVES = Table(preset("all_fives"), 2)
SMALL_SEARCH = "search,iterations=40,worlds=12,inference=adaptive"


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("b", ["random", "greedy"])
def test_simple_agents_play_the_matches_of_the_fast_path(table: Table, b: str) -> None:
    study = MirrorStudy("greedy_plus", b, *table, 1, "same")
    fast = Playouts(playout_functions(compiled=False), *table, compiled=False)
    loop = MatchLoop(Workshop(*table, compiled=False))
    chance = chance_of_pair(table, "same")
    found = play_set(loop, (agent_maker("greedy_plus"), agent_maker(b)), chance)
    assert _mirrored(study, fast, 0)[:4] == found[:4]


@needs_numba
@pytest.mark.parametrize("table", [MUGGINS, ALL_FIVES], ids=str)
def test_the_network_plays_the_matches_of_the_fast_path(table: Table) -> None:
    study = MirrorStudy("network", "greedy_plus", *table, 1, "same")
    fast = Playouts(playout_functions(compiled=True), *table, compiled=True)
    loop = MatchLoop(Workshop(*table))
    makers = agent_maker("network"), agent_maker("greedy_plus")
    found = play_set(loop, makers, chance_of_pair(table, "same"))
    assert _mirrored(study, fast, 0)[:4] == found[:4]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_rounds_replay_by_the_rules(table: Table) -> None:
    """Every turn of a match is legal, and scores, hands and ends come out the same."""
    played = play_watched(table, ("random", "greedy"), "replay", 6).rounds
    chance, state = chance_of_pair(table, "replay"), new_match(table.rule_set, table.seats)
    for found in played:
        state = deal_again(state, chance)
        assert state.table is not None
        assert found.opening.opener == state.table.turn
        state = told_again(state, turns_of(found.history), _nothing)
        assert state.scores == found.scores
        assert state.last_out == found.out or found.match_over


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_agents_are_told_what_the_views_of_players_tell(table: Table) -> None:
    """At each choice: history, hand, tile just drawn, scores; and the legal moves in order."""
    match = play_watched(table, ("random", "greedy_plus"), "views", 4)
    chance, state = chance_of_pair(table, "views"), new_match(table.rule_set, table.seats)
    past: list[list[tuple[Event, ...]]] = [[] for _ in range(table.seats)]
    compared = 0
    for number, found in enumerate(match.rounds):
        state = deal_again(state, chance)
        asked = {len_of(a.sight): a.sight for a in match.asked if a.round == number}

        def compare(
            now: MatchState,
            asked: dict[tuple[int, int], Sight] = asked,
            lead: int = found.opening.lead,
        ) -> None:
            nonlocal compared
            assert now.table is not None
            assert now.table.turn is not None
            seat = now.table.turn
            known = known_of(seat_view(now, seat, tuple(past[seat])))
            sight = asked.get((len_of_history(known.history), seat))
            if sight is not None and not (lead >= 0 and known.history[TURN_COUNT] == 0):
                assert without_flags(known) == without_flags(sight.known)
                assert now.table.hands[seat] == sight.known.hand
                assert now.table.layout.word == sight.word
                compared += 1

        state = told_again(state, turns_of(found.history), compare)
        for seat in range(table.seats):
            past[seat].append(seen_events(state, seat))
    assert compared > 3


def len_of_history(history: Sequence[int]) -> int:
    return history[TURN_COUNT]


def len_of(sight: Sight) -> tuple[int, int]:
    return len_of_history(sight.known.history), sight.known.seat


def without_flags(known: Known) -> tuple[object, ...]:
    """All but the flags of first gains, which views leave to the scores."""
    used = FIRST_TURN + TURN * known.history[TURN_COUNT]
    return (*known[1:5], tuple(known.history[:used]))


class Repeating:
    """Makes the moves of a round that was played."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = turns
        self.sights: list[Sight] = []

    def choose(self, sight: Sight, _seed: int, /) -> int:
        self.sights.append(sight)
        return self._turns[sight.known.history[TURN_COUNT]].move

    def round_ended(self, _shown: ShownRound, /) -> None:
        """Nothing is learned."""


class Redealt(PairChance):
    """The chance of a pair with another first deck."""

    def __init__(self, table: Table, seed: str, deck: tuple[int, ...]) -> None:
        super().__init__(seed, 0, table.seats, table.rule_set.deal.highest_pip)
        self._decks[1] = deck


def swapped(table: Table, deck: tuple[int, ...], viewer: int, keep: int) -> tuple[int, ...]:
    """The deck with the tiles that stay hidden put into the other hidden places, turned by one."""
    size = table.rule_set.hand_size(table.seats)
    own = range(viewer * size, (viewer + 1) * size)
    places = [p for p, code in enumerate(deck) if p not in own and not keep >> code & 1]
    other = list(deck)
    for place, source in zip(places, [*places[1:], *places[:1]], strict=True):
        other[place] = deck[source]
    return tuple(other)


def first_part(table: Table, name: str, seed: str) -> tuple[list[Turn], tuple[int, ...], int]:
    """The turns of a first round before anybody draws or passes, its deck, and the tiles laid."""
    match = play_watched(table, (name,), seed, 1)
    turns: list[Turn] = []
    for turn in turns_of(match.rounds[0].history):
        if turn.taken or turn.move < 0:
            break
        turns.append(turn)
    laid = sum(1 << (turn.move & 31) for turn in turns)
    return turns, chance_of_pair(table, seed).deck(1), laid


LOTS = [table for table in TABLES if table.rule_set.turns.first_opener.value == "lot"]


@pytest.mark.parametrize("table", LOTS, ids=str)
def test_swapping_unseen_tiles_changes_nothing_that_is_told(table: Table) -> None:
    """Same public turns, same own hand, other hidden tiles: the same sight at each choice."""
    swaps = 0
    for seed in ("swap", "swap again", "and again"):
        turns, deck, laid = first_part(table, "greedy", seed)
        for viewer in range(table.seats):
            other = swapped(table, deck, viewer, laid)
            told = [sights_of(table, d, seed, viewer, turns) for d in (deck, other)]
            assert told[0] == told[1]
            swaps += len(told[0])
    assert swaps > 0


@needs_numba
@pytest.mark.parametrize("table", [MUGGINS, ALL_FIVES], ids=str)
@pytest.mark.parametrize("name", ["network", SMALL_SEARCH, "search,iterations=40,worlds=8"])
def test_swapping_unseen_tiles_changes_no_choice(table: Table, name: str) -> None:
    for seed in ("swap", "swap again"):
        turns, deck, laid = first_part(table, "greedy", seed)
        workshop = Workshop(*table)
        chosen = []
        for d in (deck, swapped(table, deck, 0, laid)):
            agent = agent_maker(name)(workshop, 0)
            sights = sights_of(table, d, seed, 0, turns)
            chosen.append([agent.choose(sight, 77) for sight in sights])
        assert chosen[0] == chosen[1]
        assert chosen[0]


def sights_of(
    table: Table, deck: tuple[int, ...], seed: str, viewer: int, turns: Sequence[Turn]
) -> list[Sight]:
    """What a viewer is told while the turns are played again from a deck."""
    agents = [Repeating(turns) for _ in range(table.seats)]
    loop = MatchLoop(Workshop(*table, compiled=False))
    with suppress(IndexError):  # All turns have been repeated.
        loop.play_match(agents, Redealt(table, seed, deck), 1)
    return [
        sight for sight in agents[viewer].sights if sight.known.history[TURN_COUNT] < len(turns)
    ]


def test_only_the_oracle_sees_all_hands() -> None:
    workshop = Workshop(*MUGGINS, compiled=False)
    seers = {
        name for name in (*AGENTS, *KINDS) if isinstance(agent_maker(name)(workshop, 0), AllSeeing)
    }
    assert {"oracle"} == seers


def test_the_oracle_searches_the_true_world() -> None:
    workshop = Workshop(*MUGGINS, compiled=False)
    oracle = agent_maker("oracle,iterations=4")(workshop, 0)
    assert isinstance(oracle, AllSeeing)
    oracle.see_hands((3, 12))
    pool = oracle._truth.pool((), 0, 3, (), 80, 1)  # type: ignore[attr-defined]
    assert [3, 12, 0, 0] == list(pool.hands)


@needs_numba
def test_a_searching_agent_learns_what_the_view_of_a_player_teaches() -> None:
    """After each round the weights of the belief are those of the view."""
    match = play_watched(MUGGINS, (SMALL_SEARCH, "greedy_plus"), "learn", 5, compiled=True)
    workshop = Workshop(*MUGGINS)
    agent = agent_maker(SMALL_SEARCH)(workshop, 0)
    chance, state = chance_of_pair(MUGGINS, "learn"), new_match(*MUGGINS)
    past: list[tuple[Event, ...]] = []
    for found in match.rounds:
        state = deal_again(state, chance)
        view = seat_view(state, 0, tuple(past))
        assert workshop.searcher.believer.learned(view) == agent._weights  # type: ignore[attr-defined]
        state = told_again(state, turns_of(found.history), _nothing)
        past.append(seen_events(state, 0))
        history = (*found.history[:1], 28, *found.history[2:])
        agent.round_ended(ShownRound(history, 0, found.hands))
    assert len(past) == 5


@needs_numba
@pytest.mark.parametrize("name", ["network,temperature=2048", SMALL_SEARCH, "oracle,iterations=40"])
def test_agents_are_even_with_themselves(name: str) -> None:
    """Mirrored matches between equals are one match, whatever the equals have learned."""
    loop = MatchLoop(Workshop(*ALL_FIVES))
    maker = agent_maker(name)
    found = play_set(loop, (maker, maker), chance_of_pair(ALL_FIVES, "even"))
    assert (0.5, 0.0) == (found.won, found.points)


def test_single_rounds_begin_at_scores_of_zero() -> None:
    loop = MatchLoop(Workshop(*MUGGINS, compiled=False))
    makers = agent_maker("greedy"), agent_maker("random")
    found = play_set(loop, makers, chance_of_pair(MUGGINS, "rounds"), single_rounds=True)
    assert (2, 0) == (found.rounds, found.cut)


def test_a_move_that_is_none_is_refused() -> None:
    class Wrong(Repeating):
        def choose(self, _sight: Sight, _seed: int, /) -> int:
            return -5

    loop = MatchLoop(Workshop(*MUGGINS, compiled=False))
    with pytest.raises(ValueError, match="which is none of its moves"):
        loop.play_match([Wrong(())] * 2, chance_of_pair(MUGGINS, "wrong"), 1)


def test_forced_placements_are_nobodys_decisions() -> None:
    asked = play_watched(MUGGINS, ("greedy",), "forced", 3).asked
    assert asked
    assert all(len(found.sight.moves) > 1 for found in asked)
    assert not any(found.sight.known.hand & found.sight.unseen for found in asked)


def _nothing(_state: MatchState) -> None:
    """Nobody listens."""
