"""The positions of a match that a review values: each turn as the seat to act saw it."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from muggins_rules.actions import Action, Draw, Pass
from muggins_rules.events import Event, RoundDealt, SeatPassed, TileDrawn, TilePlayed
from muggins_rules.evolving import evolve
from muggins_rules.projecting import project
from muggins_rules.replaying import action_behind
from muggins_rules.ruleset import RuleSet
from muggins_rules.state import MatchState, new_match
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView

__all__ = ["PAST_ROUNDS", "ReviewPosition", "positions_of"]

PAST_ROUNDS: Final = 10
"""Earlier rounds that a view holds, for beliefs that learn."""


class ReviewPosition(NamedTuple):
    """A seat to act, before it places, passes or begins to draw.

    `at` is the place of the event that followed, from 0. `action` is what the seat did.
    """

    at: int
    round: int
    seat: int
    view: SeatView
    action: Action


def positions_of(
    rule_set: RuleSet, seats: int, events: Sequence[Event]
) -> tuple[ReviewPosition, ...]:
    """The positions of a match whose events are in record form, in order.

    Draws that follow a draw are no position: between them there is nothing to decide.
    """
    return tuple(_positions(rule_set, seats, events))


def _positions(rule_set: RuleSet, seats: int, events: Sequence[Event]) -> Iterator[ReviewPosition]:
    state = new_match(rule_set, seats)
    rounds: list[tuple[Event, ...]] = []
    drawing = False
    for index, event in enumerate(events):
        if isinstance(event, RoundDealt) and state.round:
            rounds.append(state.events)
        acts = isinstance(event, TilePlayed | SeatPassed) or (
            isinstance(event, TileDrawn) and not drawing
        )
        if acts:
            following = events[index + 1] if index + 1 < len(events) else None
            behind = action_behind(event, following)
            assert behind is not None, "these events follow from actions"
            seat, action = behind
            yield ReviewPosition(
                index, state.round, seat, _view(state, seat, rounds[-PAST_ROUNDS:]), action
            )
        drawing = isinstance(event, TileDrawn)
        state = evolve(state, event)


def _view(state: MatchState, seat: int, rounds: Sequence[tuple[Event, ...]]) -> SeatView:
    calling = state.rule_set.calling
    past = tuple(
        tuple(project(event, seat, calling=calling) for event in events) for events in rounds
    )
    return seat_view(state, seat, past)


def is_forced(position: ReviewPosition) -> bool:
    """True where there was nothing to decide."""
    return isinstance(position.action, Draw | Pass) or len(position.view.legal_actions) == 1
