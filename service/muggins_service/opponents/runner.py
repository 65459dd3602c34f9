"""Opponents in worker processes of this server: the port's implementation at home."""

from collections.abc import Callable
from typing import Final, TypeVar

from muggins_ai.opponent import Choice
from muggins_rules.views import SeatView
from muggins_service.opponents import worker
from muggins_service.opponents.pool import WorkerDied, WorkerPool, WorkersBusy, WorkFailed
from muggins_service.opponents.port import OpponentsUnavailable, Question

__all__ = ["DECISION_LIMIT_S", "OpponentRunner"]

T = TypeVar("T")

DECISION_LIMIT_S: Final = 10.0
"""The longest that a match waits for an opponent."""


class OpponentRunner:
    """Asks opponents in the pool's workers; every method belongs to the loop's thread."""

    def __init__(self, pool: WorkerPool) -> None:
        """Ask in a pool that others may use too."""
        self._pool = pool

    async def choose(self, question: Question, /) -> Choice:
        """The choice of an opponent; OpponentsUnavailable when no worker gives one."""
        asked = (question.level, question.view, question.seed)
        return await self._ask(question.caller, DECISION_LIMIT_S, worker.choose, *asked)

    async def calls(self, caller: str, level: str, view: SeatView, /) -> bool:
        """Whether an opponent calls the placement whose window is open."""
        return await self._ask(caller, DECISION_LIMIT_S, worker.calls, level, view)

    async def _ask(
        self, caller: str, limit_s: float, function: Callable[..., T], *arguments: object
    ) -> T:
        try:
            return await self._pool.run(caller, limit_s, function, *arguments)
        except WorkerDied:
            pass
        except (WorkFailed, WorkersBusy):
            raise OpponentsUnavailable from None
        # Once more: the answer is the same wherever it is made, and the next worker is likely well.
        try:
            return await self._pool.run(caller, limit_s, function, *arguments)
        except (WorkerDied, WorkFailed, WorkersBusy):
            raise OpponentsUnavailable from None
