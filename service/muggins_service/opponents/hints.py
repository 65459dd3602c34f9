"""Hints: what the strongest opponent would do in a player's seat, and an idea of it in words."""

from collections import OrderedDict
from typing import Final, NamedTuple

from muggins_ai.levels import LADDER, available_levels
from muggins_ai.position import action_of
from muggins_rules.actions import Action
from muggins_rules.views import SeatView
from muggins_service.opponents.ideas import Idea, idea_of
from muggins_service.opponents.past import PastRounds
from muggins_service.opponents.port import Opponents, OpponentsUnavailable, Question
from muggins_service.opponents.questions import question_of
from muggins_service.table.state import Table

__all__ = ["Advice", "HintGiver", "strongest_level"]

SEED: Final = b"muggins/1/hint"
"""The seed of every hint, so that the same position gives the same; no secret of a match."""

KEPT: Final = 512
"""Matches whose last advice is kept, since its steps are asked for one after the other."""


class Advice(NamedTuple):
    """What to do on one's turn, and the idea of it."""

    action: Action
    idea: Idea


class HintGiver:
    """Asks the workers for advice, from what the seat knows alone."""

    def __init__(self, opponents: Opponents, past: PastRounds, level: str) -> None:
        """Advise as a level would play."""
        self.level = level
        self._opponents = opponents
        self._past = past
        self._kept: OrderedDict[str, tuple[SeatView, Advice]] = OrderedDict()

    async def advice(self, table: Table, seat: int) -> Advice:
        """Advice for the seat on turn; OpponentsUnavailable when no worker gives any in time."""
        # Hints wait apart from the match's opponents, so that neither holds up the other.
        caller = f"{table.match_id}/hints"
        question = question_of(caller, table, seat, self.level, SEED, self._past)
        view = question.view
        kept = self._kept.get(table.match_id)
        if kept is not None and kept[0] == view:
            return kept[1]
        action = await self._action(question)
        advice = Advice(action, idea_of(view, action))
        self._keep(table.match_id, view, advice)
        return advice

    async def _action(self, question: Question) -> Action:
        if len(question.view.legal_actions) == 1:
            return action_of(question.view, _nothing_to_pick)
        choice = await self._opponents.choose(question)
        if choice.fallback:
            raise OpponentsUnavailable
        return choice.action

    def _keep(self, match_id: str, view: SeatView, advice: Advice) -> None:
        self._kept[match_id] = view, advice
        self._kept.move_to_end(match_id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def strongest_level() -> str:
    """The highest level of the ladder that can play in this installation."""
    available = available_levels()
    return next(level for level in reversed(LADDER) if level in available)


def _nothing_to_pick(_: object) -> int:
    raise AssertionError("there is one thing to do")
