"""The search's rounds follow the rules: worlds moved by `steps` equal states moved by `decide`."""

import random

import pytest

from muggins_ai.playout import BLOCKED
from muggins_ai.round_rules import rules_of
from muggins_ai.search import steps
from muggins_rules.actions import Draw, Pass, Place
from muggins_rules.deciding import decide
from muggins_rules.events import RoundEnded
from muggins_rules.evolving import evolve_all
from muggins_rules.layout import move_word
from muggins_rules.legal import legal_actions
from muggins_rules.state import MatchState, new_match
from muggins_rules.views import Phase
from tests.ai.search_kit import world_of
from tests.ai.tables import TABLES, Table, next_round


def _settled(state: MatchState) -> MatchState:
    """The state after all draws and passes that are not decided."""
    while state.table is not None and state.table.turn is not None:
        action = legal_actions(state)[0]
        if isinstance(action, Place):
            return state
        if isinstance(action, Draw):
            action = Draw(until_playable=True)
        assert isinstance(action, Draw | Pass)
        state = evolve_all(state, decide(state, state.table.turn, action))
    return state


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_worlds_follow_the_rules_to_the_end_of_the_round(table: Table) -> None:
    rules = rules_of(table.rule_set, table.seats)
    chosen = random.Random(str(table))
    state = new_match(table.rule_set, table.seats)
    for number in range(12):
        if state.phase is Phase.OVER:
            state = new_match(table.rule_set, table.seats)
        state = next_round(state, table, f"steps/{table}/{number}")
        world, deck = world_of(state, table.rule_set.deal.boneyard_reserve)
        while True:
            steps.settle_turn(rules, world, deck, 0)
            state = _settled(state)
            if state.table is None or state.table.turn is None:
                break
            assert state.table.hands == tuple(world[steps.HANDS][: table.seats])
            assert state.table.turn == world[steps.META][steps.TURN]
            actions = legal_actions(state)
            place = chosen.choice(actions)
            assert isinstance(place, Place)
            state = evolve_all(state, decide(state, state.table.turn, place))
            steps.place(rules, world, move_word(place.placement))
            if world[steps.META][steps.ENDED] != steps.IN_PLAY:
                break
        assert state.phase is not Phase.PLAYING
        assert state.scores == tuple(world[steps.SCORES][: len(state.scores)])
        over = steps.MATCH_OVER if _reached(state) else steps.ROUND_OVER
        assert over == world[steps.META][steps.ENDED]
        ended = [fact for fact in state.events if isinstance(fact, RoundEnded)]
        if ended:
            out = ended[0].went_out
            assert (BLOCKED if out is None else out) == world[steps.META][steps.OUT]


def _reached(state: MatchState) -> bool:
    return max(state.scores) >= state.rule_set.target(state.seats)
