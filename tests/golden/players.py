"""Deterministic play over the fair deal: what writes the golden games."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from muggins_rules import (
    Call,
    Claim,
    Orientation,
    Phase,
    Place,
    RoundChance,
    close_window,
    deal_round,
    decide,
    evolve_all,
    legal_actions,
    new_match,
)
from muggins_rules.events import (
    TilePlayed,
)
from muggins_rules.fair_deal import shuffled_deck, shuffled_lot
from muggins_rules.layout import lay_tile
from muggins_rules.notation import MatchRecord
from muggins_rules.turn import outcome_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from muggins_rules import Action, MatchState, RuleSet
    from muggins_rules.events import Event

    Choose = Callable[[MatchState], Action]
    Chance = Callable[[MatchState], RoundChance]

__all__ = ["Game", "endwise_first", "fair_chance", "greedy", "heaviest", "play"]


MANNERS = 11
"""Ways in which a placement is claimed and called, or not, taken in turn."""

_AT_ONCE = {0, 3, 6}
"""Those in which the claim travels with the placement."""


def fair_chance(name: str, state: MatchState) -> RoundChance:
    """The chance of the next round of a match, derived from its name as the service derives it."""
    number = state.round + 1
    secret = sha256(f"golden game {name}, round {number}".encode()).digest()
    nonces = (b"",) * state.seats
    highest = state.rule_set.deal.highest_pip
    return RoundChance(
        shuffled_deck(secret, name, number, nonces, highest),
        shuffled_lot(secret, name, number, nonces, highest),
    )


def greedy(state: MatchState) -> Action:
    """The legal action that scores most at once; the first among equals."""
    return max(legal_actions(state), key=lambda action: _points(state, action))


def heaviest(state: MatchState) -> Action:
    """The placement of most pips, so that hands empty of high tiles; the first among equals."""
    return max(
        legal_actions(state),
        key=lambda action: action.placement.tile.pips if isinstance(action, Place) else 0,
    )


def endwise_first(state: MatchState) -> Action:
    """As `greedy`, but the first double is laid as soon as possible, and endwise."""
    for action in legal_actions(state):
        if isinstance(action, Place) and action.placement.orientation is Orientation.ENDWISE:
            return action
    return greedy(state)


def _points(state: MatchState, action: Action) -> int:
    table = state.table
    if table is None or table.turn is None or not isinstance(action, Place):
        return 0
    layout = lay_tile(table.layout, action.placement, state.rule_set.layout.spinner)
    return outcome_of(state, table.turn, layout).points


class Game:
    """A match being played, and all its events so far."""

    def __init__(self, rule_set: RuleSet, seats: int) -> None:
        self.state = new_match(rule_set, seats)
        self.events: list[Event] = []

    @property
    def record(self) -> MatchRecord:
        return MatchRecord(self.state.rule_set, self.state.seats, tuple(self.events))

    def tell(self, events: Sequence[Event]) -> None:
        self.events += events
        self.state = evolve_all(self.state, events)

    def act(self, seat: int, action: Action) -> None:
        self.tell(decide(self.state, seat, action))

    @property
    def turn(self) -> int | None:
        return None if self.state.table is None else self.state.table.turn


def play(
    rule_set: RuleSet, seats: int, choose: Choose, chance: Chance, *, rounds: int = 4096
) -> MatchRecord:
    """A match to its end, or so many rounds of it."""
    game = Game(rule_set, seats)
    while game.state.phase is not Phase.OVER and game.state.round < rounds:
        game.tell(deal_round(game.state, chance(game.state)))
        while game.state.phase is Phase.PLAYING:
            _play_turn(game, choose)
    return game.record


def _play_turn(game: Game, choose: Choose) -> None:
    turn = game.turn
    if turn is None:
        game.tell(close_window(game.state))
        return
    action = choose(game.state)
    if not game.state.rule_set.calling or not isinstance(action, Place):
        game.act(turn, action)
        return
    earned = _points(game.state, action)
    manner = sum(isinstance(event, TilePlayed) for event in game.events) % MANNERS
    game.act(turn, replace(action, claim=earned) if manner in _AT_ONCE else action)
    _talk(game, turn, earned, manner)


def _talk(game: Game, mover: int, earned: int, manner: int) -> None:
    """What is said about a placement: each way in which a claim can go comes up in turn."""
    seats = game.state.seats
    opponents = [(mover + 1) % seats, (mover - 1) % seats]
    said: dict[int, list[tuple[int, Action]]] = {
        1: [(opponents[0], Call(0))],
        2: [(mover, Claim(earned // 2)), (opponents[1], Call(0))],
        4: [(mover, Claim(earned + 5))],
        5: [(opponents[1], Call(0)), (opponents[0], Call(0)), (mover, Claim(earned))],
        7: [(mover, Claim(earned))],
        8: [(mover, Claim(earned + 1)), (opponents[0], Call(0))],
    }
    for seat, action in said.get(manner, []):
        window = game.state.table.window if game.state.table is not None else None
        if window is None:
            return
        game.act(seat, Call(window.placement) if isinstance(action, Call) else action)
