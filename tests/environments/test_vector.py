"""Many rounds on the compiled kernel are those that the rules play one at a time."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from muggins_ai.environments import stepping
from muggins_ai.environments.aec import MugginsEnv
from muggins_ai.environments.numbering import ACTIONS, DRAW
from muggins_ai.environments.observing import OBSERVATION_SIZE
from muggins_ai.environments.tables import Table, TableError
from muggins_ai.environments.vector import Batch, VectorRounds
from muggins_rules import preset
from muggins_rules.lot import lot_draws
from muggins_rules.opening import highest_double
from muggins_rules.tiles import SET_CODES
from tests.environments.kit import TABLES, named

ROWS = 3
STEPS = 160


def choose(batch: Batch, random: Random) -> list[int]:
    """A legal action at random for each row."""
    return [random.choice(np.flatnonzero(mask).tolist()) for mask in batch.masks]


def assert_shows(batch: Batch, row: int, env: MugginsEnv) -> None:
    """A row shows what the agent on turn is shown."""
    shown = env.observe(env.agent_selection)
    assert env.agent_selection == f"seat_{batch.turns[row]}"
    assert shown["action_mask"].tolist() == batch.masks[row].tolist()
    assert shown["observation"].tolist() == batch.observations[row].tolist()


@pytest.mark.parametrize("automatic", [True, False])
@pytest.mark.parametrize("table", TABLES, ids=named)
def test_rows_go_as_single_tables_with_their_seeds(table: Table, *, automatic: bool) -> None:
    """Row r of seed s is the AEC environment of seed s + r, round after round."""
    rounds = VectorRounds(*table, ROWS, automatic=automatic)
    envs = [MugginsEnv(*table, automatic=automatic) for _ in range(ROWS)]
    random = Random(1)
    batch = rounds.reset(seed=10)
    for row, env in enumerate(envs):
        env.reset(seed=10 + row)
    ended = 0
    for _ in range(STEPS):
        for row, env in enumerate(envs):
            assert_shows(batch, row, env)
        actions = choose(batch, random)
        batch = rounds.step(actions)
        for row, env in enumerate(envs):
            env.step(actions[row])
            assert list(env.rewards.values()) == batch.rewards[row].tolist()
            assert all(env.terminations.values()) == batch.ended[row]
            if batch.ended[row]:
                ended += 1
                env.reset()
    assert ended > ROWS


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_rows_are_dealt_the_decks_and_lots_they_are_given(table: Table) -> None:
    codes = list(SET_CODES[table.rule_set.deal.highest_pip])
    random = Random(2)
    orders = [[random.sample(codes, len(codes)) for _ in range(ROWS)] for _ in range(2)]
    rounds = VectorRounds(*table, ROWS)
    batch = rounds.reset(seed=0, decks=orders[0], lots=orders[1])
    envs = [MugginsEnv(*table) for _ in range(ROWS)]
    for env, deck, lot in zip(envs, *orders, strict=True):
        env.reset(options={"deck": deck, "lot": lot})
    running = set(range(ROWS))
    while running:
        for row in running:
            assert_shows(batch, row, envs[row])
        actions = choose(batch, random)
        batch = rounds.step(actions)
        for row in sorted(running):
            envs[row].step(actions[row])
            if batch.ended[row]:
                assert all(envs[row].terminations.values())
                running.remove(row)


def test_a_seed_is_obeyed_and_none_goes_on() -> None:
    first, again = VectorRounds(rows=4), VectorRounds(rows=4)
    shown = [first.reset(seed=5), first.reset(), first.reset(seed=[5, 6, 7, 8])]
    assert shown[0].observations.tolist() == shown[2].observations.tolist()
    assert shown[0].observations.tolist() != shown[1].observations.tolist()
    assert shown[0].observations.tolist() == again.reset(seed=5).observations.tolist()
    assert shown[1].observations.tolist() == again.reset().observations.tolist()
    assert len({row.tobytes() for row in VectorRounds(rows=50).reset().observations}) == 50


def test_arrays_have_their_shapes_and_types() -> None:
    batch = VectorRounds("sniff", 3, 5).reset(seed=1)
    assert [
        ((5, OBSERVATION_SIZE), np.int32),
        ((5, ACTIONS), np.int8),
        ((5,), np.int64),
        ((5, 3), np.float64),
        ((5,), np.bool_),
    ] == [(array.shape, array.dtype.type) for array in batch]


def test_batches_are_kept_unless_they_are_windows() -> None:
    for copy in (True, False):
        rounds = VectorRounds(rows=2, copy=copy)
        batch = rounds.reset(seed=3)
        before = batch.observations.copy()
        rounds.step(choose(batch, Random(3)))
        assert copy == (before.tolist() == batch.observations.tolist())


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        ([0], "2 whole numbers, not int64 of shape"),
        ([0.5, 1.0], "2 whole numbers, not float64"),
        ([-1, -1], "row 0: action -1 is not legal for seat"),
        ([ACTIONS, 0], "row 0: action 282 is not legal"),
        ([DRAW, DRAW], r"row 0: action 280 \(draw\) is not legal"),
    ],
)
def test_wrong_actions_are_refused_and_change_nothing(actions: list[float], told: str) -> None:
    rounds = VectorRounds(rows=2)
    batch = rounds.reset(seed=1)
    with pytest.raises(ValueError, match=told):
        rounds.step(actions)
    twin = VectorRounds(rows=2)
    legal = choose(twin.reset(seed=1), Random(1))
    assert choose(batch, Random(1)) == legal
    assert rounds.step(legal).observations.tolist() == twin.step(legal).observations.tolist()


def test_the_row_whose_action_is_not_legal_is_named() -> None:
    rounds = VectorRounds(rows=3)
    actions = choose(rounds.reset(seed=1), Random(1))
    actions[2] = DRAW
    with pytest.raises(ValueError, match="row 2"):
        rounds.step(actions)


def test_other_bad_input_is_refused() -> None:
    with pytest.raises(TableError, match="without calling"):
        VectorRounds(preset("muggins", calling=True))
    with pytest.raises(ValueError, match="rows from 1 on, not 0"):
        VectorRounds(rows=0)
    rounds = VectorRounds(rows=2)
    with pytest.raises(RuntimeError, match="reset comes before"):
        rounds.step([0, 0])
    with pytest.raises(ValueError, match="2 rows take as many seeds, not 3"):
        rounds.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="given together"):
        rounds.reset(decks=[list(range(28))] * 2)
    with pytest.raises(ValueError, match="decks are 2 x 28 tile codes"):
        rounds.reset(decks=[[0]], lots=[[0]])
    with pytest.raises(ValueError, match="row 1 of decks is not the codes"):
        rounds.reset(decks=[list(range(28)), [0] * 28], lots=[list(range(28))] * 2)


def test_the_lot_and_the_highest_double_open_as_the_rules_say() -> None:
    for few in permutations((*SET_CODES[1], 3)):
        assert lot_draws(few, 2).winner == stepping.lot_winner(list(few), 0, 2)
    random = Random(4)
    for _ in range(500):
        order = random.sample(range(28), 28)
        for seats in (2, 3, 4):
            assert lot_draws(order, seats).winner == stepping.lot_winner(order, 0, seats)
            hands = [tuple(order[3 * seat : 3 * seat + 3]) for seat in range(seats)]
            masks = [sum(1 << code for code in hand) for hand in hands]
            found = stepping.highest_opener(masks, seats)
            assert highest_double(hands) == (found >> 5, found & 31)
