"""Hints: what the strongest opponent would do in a player's seat, and an idea of it in words."""

from collections import OrderedDict
from typing import Final, NamedTuple

from muggins_ai.levels import LADDER, LEVELS, available_levels
from muggins_ai.position import action_of
from muggins_rules.actions import Action
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from muggins_service.opponents.ideas import Idea, idea_of
from muggins_service.opponents.past import PastRounds
from muggins_service.opponents.runner import OpponentRunner, OpponentsUnavailable
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

    def __init__(self, runner: OpponentRunner, past: PastRounds, level: str) -> None:
        """Advise as a level would play."""
        self.level = level
        self._runner = runner
        self._past = past
        self._kept: OrderedDict[str, tuple[SeatView, Advice]] = OrderedDict()

    async def advice(self, table: Table, seat: int) -> Advice:
        """Advice for the seat on turn; OpponentsUnavailable when no worker gives any in time."""
        past = self._past.seen_by(table, seat) if LEVELS[self.level].reads_past else ()
        view = seat_view(table.game, seat, past)
        kept = self._kept.get(table.match_id)
        if kept is not None and kept[0] == view:
            return kept[1]
        action = await self._action(table.match_id, view)
        advice = Advice(action, idea_of(view, action))
        self._keep(table.match_id, view, advice)
        return advice

    async def _action(self, match_id: str, view: SeatView) -> Action:
        if len(view.legal_actions) == 1:
            return action_of(view, _nothing_to_pick)
        # Hints wait apart from the match's opponents, so that neither holds up the other.
        choice = await self._runner.choose(f"{match_id}/hints", self.level, view, SEED)
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
