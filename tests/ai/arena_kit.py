"""Agents that watch or repeat, and rounds of the arena told again by the rules."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from muggins_ai.arena.agents import Agent, ShownRound, Sight, Workshop
from muggins_ai.arena.chance import PairChance
from muggins_ai.arena.match_loop import MatchLoop, PlayedRound
from muggins_ai.arena.registry import agent_maker
from muggins_ai.belief.history import FIRST_TURN, MOVE, PASSED, SEAT, TAKEN, TURN, TURN_COUNT
from muggins_rules.actions import Action, Draw, Pass, Place
from muggins_rules.deciding import decide
from muggins_rules.evolving import evolve_all
from muggins_rules.layout import move_word
from muggins_rules.legal import legal_actions
from muggins_rules.opening import RoundChance, deal_round, needs_lot
from muggins_rules.state import MatchState
from tests.ai.tables import Table


class Asked(NamedTuple):
    """A choice that an agent made."""

    round: int
    sight: Sight
    seed: int
    move: int


class Watched:
    """An agent whose choices are kept."""

    def __init__(self, agent: Agent, asked: list[Asked], rounds: Sequence[object]) -> None:
        self.agent = agent
        self._asked = asked
        self._rounds = rounds

    def choose(self, sight: Sight, seed: int, /) -> int:
        move = self.agent.choose(sight, seed)
        self._asked.append(Asked(len(self._rounds), sight, seed, move))
        return move

    def round_ended(self, shown: ShownRound, /) -> None:
        self.agent.round_ended(shown)


class PlayedMatch(NamedTuple):
    """A match of the loop, with all choices that were made."""

    rounds: list[PlayedRound]
    asked: list[Asked]


def chance_of_pair(table: Table, seed: str) -> PairChance:
    return PairChance(seed, 0, table.seats, table.rule_set.deal.highest_pip)


def play_watched(
    table: Table, names: Sequence[str], seed: str, rounds: int, *, compiled: bool = False
) -> PlayedMatch:
    """So many rounds of a match between agents by name, taken in turn by the seats."""
    workshop = Workshop(table.rule_set, table.seats, compiled=compiled)
    played: list[PlayedRound] = []
    asked: list[Asked] = []
    agents = [
        Watched(agent_maker(names[seat % len(names)])(workshop, seat), asked, played)
        for seat in range(table.seats)
    ]
    MatchLoop(workshop).play_match(agents, chance_of_pair(table, seed), rounds, played.append)
    return PlayedMatch(played, asked)


class Turn(NamedTuple):
    """A turn of a history."""

    seat: int
    move: int
    taken: int


def turns_of(history: Sequence[int]) -> list[Turn]:
    starts = range(FIRST_TURN, FIRST_TURN + TURN * history[TURN_COUNT], TURN)
    return [Turn(history[at + SEAT], history[at + MOVE], history[at + TAKEN]) for at in starts]


def deal_again(state: MatchState, chance: PairChance) -> MatchState:
    """The match with the next round as the arena deals it; any lot that has its winner."""
    number = state.round + 1
    deck = chance.deck(number)
    if not needs_lot(state):
        return evolve_all(state, deal_round(state, RoundChance(deck, deck)))
    for first in range(len(deck)):
        lot = (*deck[first:], *deck[:first])
        dealt = evolve_all(state, deal_round(state, RoundChance(deck, lot)))
        if dealt.table is not None and dealt.table.turn == chance.lot_winner(number):
            return dealt
    raise AssertionError("some turn of the deck lets each seat win the lot")


def told_again(
    state: MatchState, turns: Sequence[Turn], told: Callable[[MatchState], None]
) -> MatchState:
    """The end of a round whose turns are played by the rules; `told` hears of each placement."""
    for turn in turns:
        for action in _actions(turn):
            assert state.table is not None
            assert turn.seat == state.table.turn
            chosen = _placement(state, turn.move) if action is None else action
            if action is None:
                told(state)
            state = evolve_all(state, decide(state, turn.seat, chosen))
    return state


def _actions(turn: Turn) -> Iterator[Action | None]:
    """Draws, then a pass or none for the placement."""
    for _ in range(turn.taken):
        yield Draw()
    yield Pass() if turn.move == PASSED else None


def _placement(state: MatchState, move: int) -> Place:
    return next(
        action
        for action in legal_actions(state)
        if isinstance(action, Place) and move_word(action.placement) == move
    )
