"""OpenSpiel's game: its own random simulations, what players are told, and parameters."""

import pickle
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest

from muggins_ai.environments import spiel_game
from muggins_ai.environments.numbering import DRAW
from muggins_ai.environments.spiel_observer import most_steps
from muggins_ai.environments.tables import Table, TableError
from muggins_rules import PRESETS, preset
from muggins_rules.notation.seats import SEAT_NAMES
from tests.environments.kit import TABLES, named


def states(game: Any, seed: int) -> Any:  # noqa: ANN401 - pyspiel ships no types
    """Every state of a round at random, terminal included."""
    random = Random(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        if state.is_chance_node():
            actions = [action for action, _ in state.chance_outcomes()]
        else:
            actions = state.legal_actions()
        state = state.child(random.choice(actions))
        yield state


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_openspiel_simulates_it_at_random(table: Table) -> None:
    game = spiel_game.load(*table)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_openspiel_loads_it_by_its_name_and_parameters() -> None:
    game = pyspiel.load_game("python_muggins(rules=five_up,players=3)")
    assert (PRESETS["five_up"], 3) == game.table
    assert 3 == game.num_players()
    assert (PRESETS["muggins"], 2) == pyspiel.load_game("python_muggins").table


def test_a_rule_set_that_is_no_preset_travels_in_the_name() -> None:
    deal = replace(PRESETS["sniff"].deal, boneyard_reserve=1)
    rule_set = replace(PRESETS["sniff"], id="own", deal=deal)
    game = spiel_game.load(rule_set, 3)
    assert rule_set == pyspiel.load_game(str(game)).table.rule_set
    assert rule_set == pickle.loads(pickle.dumps(game)).table.rule_set  # noqa: S301 - our own


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("python_muggins(rules=chess)", "no preset is called 'chess'"),
        ("python_muggins(players=5)", "not with 5"),
        ("python_muggins(rules=notation-00)", "holds no rule set"),
        ("python_muggins(rules=notation-xy)", "holds no rule set"),
    ],
)
def test_parameters_that_name_no_table_are_refused(name: str, told: str) -> None:
    with pytest.raises(TableError, match=told):
        pyspiel.load_game(name)


def test_calling_is_refused() -> None:
    with pytest.raises(TableError, match="without calling"):
        spiel_game.load(preset("muggins", calling=True), 2)


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_information_states_remember_everything_that_was_seen(table: Table) -> None:
    """A player's texts only ever grow, and its tensors are as different as its texts."""
    game = spiel_game.load(*table)
    for seed in range(3):
        before = [""] * table.seats
        tensors: dict[str, tuple[float, ...]] = {}
        for state in states(game, seed):
            for player in range(table.seats if state.play.state else 0):
                text = state.information_state_string(player)
                drawing = f"{SEAT_NAMES[state.play.turn]} draws" if state.play.drawing else ""
                assert text.startswith(before[player])
                before[player] = text.removesuffix(f"\n{drawing}") if drawing else text
                if not state.is_chance_node() and not state.is_terminal():
                    tensors[text] = tuple(state.information_state_tensor(player))
        assert len(tensors) == len(set(tensors.values()))


def test_steps_of_the_information_tensor_tell_what_was_seen() -> None:
    game = spiel_game.load("muggins", 2)
    found = False
    for seed in range(20):
        for state in states(game, seed):
            if not state.play.drawing or found:
                continue
            found = True
            drawer = state.play.turn
            (code, _), *_ = state.chance_outcomes()
            after = state.child(code)
            shape = most_steps(game.table), 41
            own, other = (
                np.array(after.information_state_tensor(player))[36:].reshape(shape)
                for player in (drawer, 1 - drawer)
            )
            step = int(own.any(axis=1).sum()) - 1
            assert 1 == own[step, 5] == other[step, 5] == own[step, drawer]
            assert [code] == np.flatnonzero(own[step, 7:35]).tolist()
            assert not other[step, 7:35].any()
    assert found


def test_an_observer_of_the_public_sees_no_hand() -> None:
    game = spiel_game.load("muggins", 2)
    kind = pyspiel.IIGObservationType(
        perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    observer = game.make_py_observer(kind)
    for state in states(game, 4):
        if state.is_player_node():
            told = []
            for player in range(2):
                observer.set_from(state, player)
                told.append(observer.tensor.copy())
            assert ["table"] == list(observer.dict)
            assert "holds" not in observer.string_from(state, 0)
            assert observer.string_from(state, 0) == observer.string_from(state, 1)


def test_an_observer_of_private_information_alone_sees_the_hand() -> None:
    game = spiel_game.load("muggins", 2)
    kind = pyspiel.IIGObservationType(
        perfect_recall=False, public_info=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
    )
    observer = game.make_py_observer(kind)
    for state in states(game, 4):
        observer.set_from(state, 1)
        hand = sum(1 << int(code) for code in np.flatnonzero(observer.dict["hand"]))
        assert state.play.hand(1) == hand
        assert ["hand"] == list(observer.dict)


def test_observers_that_see_all_hands_are_refused() -> None:
    game = spiel_game.load("muggins", 2)
    kind = pyspiel.IIGObservationType(
        perfect_recall=True, public_info=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="private information of all"):
        game.make_py_observer(kind)
    with pytest.raises(ValueError, match="take no parameters"):
        game.make_py_observer(None, {"depth": 1})


def test_actions_have_texts() -> None:
    game = spiel_game.load("muggins", 2)
    state = game.new_initial_state()
    assert "tile 6-6" == state.action_to_string(pyspiel.PlayerId.CHANCE, 27)
    assert "B opens" == state.action_to_string(pyspiel.PlayerId.CHANCE, 29)
    assert "draw" == state.action_to_string(0, DRAW)
