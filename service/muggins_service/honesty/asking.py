"""An opponent asked once more what it was asked in a match."""

from dataclasses import dataclass, replace
from functools import cache

from muggins_ai.levels import LEVELS, available_levels, opponent_of
from muggins_ai.opponent import Choice
from muggins_rules.actions import Action, Call
from muggins_rules.deciding import decide
from muggins_rules.events import Event
from muggins_rules.fair_deal import FairDealError
from muggins_rules.refusal import IllegalAction
from muggins_rules.state import MatchState
from muggins_rules.views import SeatView
from muggins_service.honesty.decisions import Decision
from muggins_service.opponents.questions import calling_view, choosing_view, decision_seed
from muggins_service.table.facts import ACTED

__all__ = ["Answer", "acts_of", "ask", "has_seed", "installed_engine", "is_known", "needs_compiler"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an opponent did with what it saw.

    `choice` is absent where it does nothing: it would not call, or its seat could not act at all.
    `engine` is the one that answered.
    """

    view: SeatView
    choice: Choice | None
    engine: str

    @property
    def action(self) -> Action | None:
        """The action chosen."""
        return None if self.choice is None else self.choice.action


def ask(decision: Decision, game: MatchState) -> Answer:
    """What the installed opponent answers when the game of a decision's table is `game`.

    The view and the seed are made as the server makes them. The decision can be asked for, its
    level is installed, and it has a seed.
    """
    table, seat = replace(decision.table, game=game), decision.seat
    opponent = opponent_of(decision.level)
    if decision.is_call:
        view = calling_view(table, seat)
        window = view.table.window
        if window is None or not view.may_call or not opponent.calls(view):
            return Answer(view, None, opponent.engine)
        return Answer(view, Choice(Call(window.placement), opponent.engine), opponent.engine)
    view = choosing_view(table, seat, decision.level, decision.past)
    if not view.legal_actions and not view.may_claim:
        return Answer(view, None, opponent.engine)
    choice = opponent.choose(view, decision_seed(decision.secret, table, seat))
    return Answer(view, choice, choice.engine)


def acts_of(decision: Decision, answer: Answer) -> tuple[Event, ...]:
    """The facts that the answer brings about by itself on the table as it was."""
    if answer.action is None:
        return ()
    try:
        facts = decide(decision.table.game, decision.seat, answer.action)
    except IllegalAction:
        return ()
    return tuple(fact for fact in facts if isinstance(fact, ACTED))


def has_seed(decision: Decision) -> bool:
    """True when the record tells what the seed is made of; a call needs none."""
    if decision.is_call:
        return True
    try:
        decision_seed(decision.secret, decision.table, decision.seat)
    except FairDealError:
        return False
    return True


def is_known(level: str) -> bool:
    """True when an opponent has that level."""
    return level in LEVELS


def needs_compiler(level: str) -> bool:
    """True when the level cannot play here, since numba is not installed."""
    return level not in available_levels()


def installed_engine(decision: Decision) -> str | None:
    """The engine of the decision's level here, where the one named is of no level; none else.

    A level that plays at the levels of others names their engines, so which one of those that are
    here would answer is only known once it has.
    """
    if decision.engine in _engines():
        return None
    return opponent_of(decision.level).engine


@cache
def _engines() -> frozenset[str]:
    return frozenset(opponent_of(level).engine for level in LEVELS)
