"""What holds for every opponent: legal, honest, repeatable."""

import random
import subprocess
import sys
from dataclasses import replace

import pytest

from muggins_ai import LEVELS, UnknownLevelError, opponent_of
from muggins_ai.levels import LADDER
from muggins_rules.actions import Draw, Place
from muggins_rules.deciding import decide
from muggins_rules.events import TileDrawn
from muggins_rules.legal import legal_actions
from muggins_rules.state import MatchState
from muggins_rules.tiles import codes_of_mask
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from tests.ai.tables import TABLES, Table, random_states, states_with_choice

SEED = bytes(range(32))


def seat_of(state: MatchState) -> int:
    """The seat on turn."""
    assert state.table is not None
    assert state.table.turn is not None
    return state.table.turn


def view_of(state: MatchState) -> SeatView:
    """What the seat on turn sees."""
    return seat_view(state, seat_of(state))


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("level", LEVELS)
def test_every_choice_is_accepted(table: Table, level: str) -> None:
    """A placement is one of the legal actions; without one, it draws until a tile fits."""
    opponent = opponent_of(level)
    for state in random_states(table, "legal", rounds=3):
        action = opponent.choose(view_of(state), SEED).action
        assert decide(state, seat_of(state), action)
        legal = legal_actions(state)
        assert action in legal or (action, legal) == (Draw(until_playable=True), (Draw(),))


def redealt(state: MatchState, seat: int, choices: random.Random) -> MatchState:
    """The state with the tiles that a seat does not see dealt anew: other hands and boneyard."""
    assert state.table is not None
    hands = state.table.hands
    hidden = [
        code for other, hand in enumerate(hands) if other != seat for code in codes_of_mask(hand)
    ]
    hidden += state.table.boneyard
    choices.shuffle(hidden)
    dealt = []
    for other, hand in enumerate(hands):
        size = 0 if other == seat else hand.bit_count()
        dealt.append(sum(1 << hidden.pop() for _ in range(size)) if size else hand)
    table = state.table._replace(hands=tuple(dealt), boneyard=tuple(hidden))
    events = tuple(
        replace(fact, tile=None) if isinstance(fact, TileDrawn) and fact.seat != seat else fact
        for fact in state.events
    )
    return state._replace(table=table, events=events)


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("level", LEVELS)
def test_unseen_tiles_change_nothing(table: Table, level: str) -> None:
    opponent = opponent_of(level)
    choices = random.Random("unseen")
    for state in states_with_choice(table, "unseen", rounds=1):
        seat = seat_of(state)
        choice = opponent.choose(seat_view(state, seat), SEED)
        for _ in range(3):
            assert choice == opponent.choose(seat_view(redealt(state, seat, choices), seat), SEED)


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_gives_the_same_choice(level: str) -> None:
    for state in states_with_choice(TABLES[0], "same", rounds=3):
        view = view_of(state)
        assert opponent_of(level).choose(view, SEED) == opponent_of(level).choose(view, SEED)


@pytest.mark.parametrize("level", ["greedy", "greedy_plus"])
def test_seeds_change_nothing_where_nothing_is_random(level: str) -> None:
    for state in states_with_choice(TABLES[0], "seeds", rounds=3):
        view = view_of(state)
        assert opponent_of(level).choose(view, SEED) == opponent_of(level).choose(view, b"other")


def test_random_reaches_every_placement_over_its_seeds() -> None:
    for state in states_with_choice(TABLES[0], "reach", rounds=1):
        view = view_of(state)
        seeds = [number.to_bytes(32, "big") for number in range(200)]
        reached = {opponent_of("random").choose(view, seed).action for seed in seeds}
        assert {legal.action for legal in view.legal_actions} == reached


@pytest.mark.parametrize("level", [level for level in LEVELS if level != "about_even"])
def test_a_choice_names_its_engine(level: str) -> None:
    state = next(states_with_choice(TABLES[0], "engine", rounds=1))
    choice = opponent_of(level).choose(view_of(state), SEED)
    assert choice.engine == opponent_of(level).engine
    assert not choice.fallback


def test_levels_that_play_alike_alone_share_an_engine() -> None:
    engines = {level: opponent_of(level).engine for level in LEVELS}
    assert "greedy_plus-1" == engines["greedy_plus"] == engines["casual"]
    assert "greedy-1" == engines["greedy"] == engines["beginner"]
    assert len(LEVELS) - 2 == len(set(engines.values()))


def test_placements_carry_no_claim_without_calling() -> None:
    state = next(states_with_choice(TABLES[0], "claim", rounds=1))
    action = opponent_of("greedy").choose(view_of(state), SEED).action
    assert isinstance(action, Place)
    assert action.claim is None


def test_an_unknown_level_is_refused_by_name() -> None:
    with pytest.raises(UnknownLevelError, match="no level is called 'grand'"):
        opponent_of("grand")


def test_the_ladder_begins_with_beginners_and_its_top_is_the_strongest() -> None:
    assert ("beginner", "casual", "regular", "skilled", "expert", "strongest") == LADDER


def test_opponents_import_no_numpy() -> None:
    """The serving process imports every opponent and never numpy or numba."""
    script = (
        "import sys, muggins_ai, muggins_ai.arena.__main__\n"
        "sys.exit(bool({'numba', 'numpy', 'llvmlite'} & sys.modules.keys()))"
    )
    assert 0 == subprocess.run([sys.executable, "-c", script], check=False).returncode
