"""The PettingZoo environment: its own tests, seeds, rewards, and nothing hidden."""

import warnings
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from muggins_ai.environments import aec
from muggins_ai.environments.aec import MugginsEnv
from muggins_ai.environments.numbering import ACTIONS, DRAW, PASS
from muggins_ai.environments.observing import (
    HAND,
    HAND_SIZES,
    MAY_HOLD,
    OBSERVATION_SIZE,
    ON_TABLE,
    ON_TURN,
    PARTNER,
    SCORES,
    TARGET_SCORE,
)
from muggins_ai.environments.seeing import observation_of
from muggins_ai.environments.tables import Table, TableError, utilities
from muggins_rules import preset
from muggins_rules.viewing import seat_view
from tests.environments.kit import PRESET_TABLES, TABLES, named

# What PettingZoo says to each game with a mask in its observation, unless it is one of its own.
ABOUT_MASKS = (
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros",
)


def play_on(env: MugginsEnv, random: Random) -> int:
    """A legal action at random for the agent on turn, taken; its number."""
    mask = env.observe(env.agent_selection)["action_mask"]
    number = random.choice([number for number in range(ACTIONS) if mask[number]])
    env.step(number)
    return number


@pytest.mark.parametrize("automatic", [True, False])
@pytest.mark.parametrize("table", TABLES, ids=named)
def test_pettingzoo_accepts_it(table: Table, *, automatic: bool) -> None:
    with warnings.catch_warnings():
        for told in ABOUT_MASKS:
            warnings.filterwarnings("ignore", told)
        api_test(MugginsEnv(*table, automatic=automatic), num_cycles=120)
        api_test(aec.env(*table, automatic=automatic), num_cycles=30)


@pytest.mark.parametrize("automatic", [True, False])
@pytest.mark.parametrize("table", PRESET_TABLES, ids=named)
def test_pettingzoo_finds_that_a_seed_is_obeyed(table: Table, *, automatic: bool) -> None:
    seed_test(lambda: aec.env(*table, automatic=automatic), num_cycles=60)


def test_a_whole_match_is_accepted_and_ends_at_the_target() -> None:
    with warnings.catch_warnings():
        for told in ABOUT_MASKS:
            warnings.filterwarnings("ignore", told)
        api_test(MugginsEnv("five_up", 3, whole_match=True), num_cycles=300)
    env = MugginsEnv("five_up", 3, whole_match=True)
    env.reset(seed=4)
    random = Random(4)
    total = np.zeros(3)
    while not any(env.terminations.values()):
        play_on(env, random)
        total += list(env.rewards.values())
    scores = env._state.scores
    assert max(scores) >= env.table.rule_set.target(3)
    assert env._state.round > 1
    assert utilities(env.table, scores) == pytest.approx(tuple(total))


def test_seeds_deal_different_rounds_and_no_seed_goes_on() -> None:
    env, again = MugginsEnv(), MugginsEnv()
    hands = []
    for seed in (1, 2, None, None):
        env.reset(seed=seed)
        hands.append(env.observe("seat_0")["observation"][HAND:ON_TABLE].tobytes())
    assert len(set(hands)) == 4
    again.reset(seed=2)
    again.reset()
    assert hands[2] == again.observe("seat_0")["observation"][HAND:ON_TABLE].tobytes()


def test_rewards_of_a_step_sum_to_nothing_and_to_the_round() -> None:
    for table in PRESET_TABLES:
        env = MugginsEnv(*table)
        env.reset(seed=5)
        random = Random(5)
        total = np.zeros(table.seats)
        while not any(env.terminations.values()):
            play_on(env, random)
            assert 0 == pytest.approx(sum(env.rewards.values()))
            total += list(env.rewards.values())
        assert utilities(table, env._state.scores) == pytest.approx(tuple(total))


def test_automatic_draws_and_passes_are_those_that_would_be_asked_for() -> None:
    """The same placements lead to the same scores, whoever makes the draws."""
    for table in TABLES:
        by_hand, by_itself = (MugginsEnv(*table, automatic=flag) for flag in (False, True))
        random = Random(6)
        forced = 0
        for seed in range(8):
            by_hand.reset(seed=seed)
            by_itself.reset(seed=seed)
            while not any(by_hand.terminations.values()):
                number = play_on(by_hand, random)
                if number in {DRAW, PASS}:
                    forced += 1
                else:
                    by_itself.step(number)
            assert all(by_itself.terminations.values())
            assert by_hand._state.scores == by_itself._state.scores
        assert forced


def test_a_seat_sees_the_same_whatever_it_cannot_know() -> None:
    """Hands of others and the boneyard mixed anew change nothing that a seat is shown."""
    random = Random(7)
    for table in PRESET_TABLES:
        env = MugginsEnv(*table, automatic=False)
        env.reset(seed=7)
        while not any(env.terminations.values()):
            for seat in range(table.seats):
                state = env._state
                assert state.table is not None
                held = [list_codes(hand) for hand in state.table.hands]
                hidden = [
                    code for other, codes in enumerate(held) if other != seat for code in codes
                ]
                hidden += state.table.boneyard
                random.shuffle(hidden)
                hands = [
                    hand
                    if other == seat
                    else sum(1 << hidden.pop() for _ in range(hand.bit_count()))
                    for other, hand in enumerate(state.table.hands)
                ]
                mixed = state.table._replace(hands=tuple(hands), boneyard=tuple(hidden))
                shown = observation_of(seat_view(state._replace(table=mixed), seat))
                assert shown == env.observe(f"seat_{seat}")["observation"].tolist()
            play_on(env, random)


def list_codes(hand: int) -> list[int]:
    """The codes in a mask."""
    return [code for code in range(28) if hand >> code & 1]


def test_a_seat_that_draws_gives_nothing_away_before_its_turn_ends() -> None:
    """Whether the last tile drawn fits is not in what others are shown of what it may hold."""
    env = MugginsEnv(automatic=False)
    random = Random(8)
    seen = 0
    for seed in range(20):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            mover = env.agent_selection
            if play_on(env, random) == DRAW:
                other = "seat_1" if mover == "seat_0" else "seat_0"
                shown = env.observe(other)["observation"]
                free = 1 - shown[HAND : HAND + 28] - shown[ON_TABLE : ON_TABLE + 28]
                assert free.tolist() == shown[MAY_HOLD : MAY_HOLD + 28].tolist()
                seen += 1
    assert seen > 20


def test_an_observation_tells_the_table_from_the_seat_that_looks() -> None:
    env = MugginsEnv("all_fives", 4)
    env.reset(options={"deck": range(28), "lot": [27, *range(27)]})
    assert "seat_0" == env.agent_selection
    env.step(2 * 10)
    shown = env.observe("seat_3")["observation"]
    assert (OBSERVATION_SIZE,) == shown.shape
    assert [15, 16, 17, 18, 19] == np.flatnonzero(shown[HAND:ON_TABLE]).tolist()
    assert [2] == np.flatnonzero(shown[ON_TABLE:MAY_HOLD]).tolist()
    assert [5, 4, 5, 5] == shown[HAND_SIZES : HAND_SIZES + 4].tolist()
    assert [0, 0, 1, 0] == shown[ON_TURN : ON_TURN + 4].tolist()
    assert [0, 0, 0, 0, 200, 1] == [*shown[SCORES:ON_TURN], shown[PARTNER]]
    assert 200 == shown[TARGET_SCORE]
    assert not env.observe("seat_3")["action_mask"].any()


@pytest.mark.parametrize(
    ("number", "told"), [(999, "999"), (DRAW, r"280 \(draw\)"), (None, "None")]
)
def test_an_illegal_action_is_refused_and_changes_nothing(number: int | None, told: str) -> None:
    env = MugginsEnv()
    env.reset(seed=1)
    before = env._state
    with pytest.raises(ValueError, match=f"action {told} is not legal for seat_"):
        env.step(number)
    assert before is env._state


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"deck": range(28)}, "given together"),
        ({"deck": range(28), "lot": [0] * 28}, "option lot is not the codes of all tiles"),
    ],
)
def test_an_order_that_is_none_is_refused(options: dict[str, list[int]], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        MugginsEnv().reset(options=options)


def test_calling_and_unknown_render_modes_are_refused() -> None:
    with pytest.raises(TableError, match="without calling"):
        MugginsEnv(preset("muggins", calling=True))
    with pytest.raises(ValueError, match="render mode"):
        MugginsEnv(render_mode="human")


def test_what_is_rendered_is_what_everybody_sees() -> None:
    env = MugginsEnv(render_mode="ansi")
    env.reset(options={"deck": range(28), "lot": [27, *range(27)]})
    env.step(20)
    told = env.render()
    assert told is not None
    assert "1. A 0-2: 0 + 2 = 2" in told
    assert told.endswith("scores 0 0; tiles held 6 7; boneyard 14")
    assert MugginsEnv().render() is None
