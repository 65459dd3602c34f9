"""OpponentService: decisions and analysis for any game, from what its requests hold alone."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Final, cast

from muggins.i18n import description
from muggins_ai.levels import LADDER, LEVELS
from muggins_ai.opponent import Choice
from muggins_ai.search.settings import SearchBudget
from muggins_rules.refusal import Refusal
from muggins_rules.replaying import InconsistentEvents, replayed
from muggins_rules.seen_view import InconsistentView
from muggins_rules.views import Phase, SeatView
from muggins_service.doors.accounts import account_of_peer
from muggins_service.doors.guest import GUEST
from muggins_service.errors import FieldProblem, ServiceError, ServiceReason
from muggins_service.opponents import worker
from muggins_service.opponents.analysing import (
    FIXED_SEED,
    MARGIN_S,
    Limits,
    MatchToReview,
    judged_position,
    reviewed_match,
)
from muggins_service.opponents.pool import PoolFull, WorkerDied, WorkerPool, WorkersBusy, WorkFailed
from muggins_service.opponents.turns import fallback_choice
from muggins_service.rpc.advice_budgets import (
    analysis_budget,
    decision_budget,
    review_budget,
    wire_budget,
)
from muggins_service.rpc.advice_lines import analysis_of, review_parts
from muggins_service.rpc.caller import Context, language_of
from muggins_service.rpc.server import Handlers
from muggins_service.wire.analysis import (
    AnalyzeMatch,
    analysis_answer,
    decode_analyze_match,
    decode_analyze_position,
    progress_answer,
)
from muggins_service.wire.opponents import (
    Level,
    Strength,
    choose_action_answer,
    decode_choose_action,
    decode_list_levels,
    list_levels_answer,
)

__all__ = ["advising_handlers", "check_finished"]

LONGEST_S: Final = 60.0
"""How long a call may take where its caller sets no deadline."""
RETRY_AFTER_S: Final = 1.0


def advising_handlers(
    pool: WorkerPool,
    engines: Mapping[str, str],
    strengths: Mapping[str, tuple[Strength, ...]],
) -> Handlers:
    """The methods of OpponentService. `engines` names the engine of each level that can play."""
    adviser = _Adviser(pool, engines, strengths)
    return Handlers(
        {"ListLevels": adviser.list_levels, "ChooseAction": adviser.choose_action},
        {
            "AnalyzePosition": adviser.analyze_position,
            "AnalyzeMatch": adviser.analyze_match,
        },
    )


class _Adviser:
    """What the methods share."""

    def __init__(
        self,
        pool: WorkerPool,
        engines: Mapping[str, str],
        strengths: Mapping[str, tuple[Strength, ...]],
    ) -> None:
        self._pool = pool
        self._engines = engines
        self._strengths = strengths

    async def list_levels(self, request: bytes, context: Context) -> bytes:
        """All opponents, weakest first."""
        rule_set_id = decode_list_levels(request)
        language = language_of(context)
        first = [name for name in self._engines if name not in LADDER]
        ordered = [*first, *(name for name in LADDER if name in self._engines)]
        return list_levels_answer(
            Level(
                name,
                description(name, language),
                self._engines[name],
                wire_budget(LEVELS[name].budget),
                tuple(
                    found
                    for found in self._strengths.get(name, ())
                    if rule_set_id in {"", found.rule_set_id}
                ),
            )
            for name in ordered
        )

    async def choose_action(self, request: bytes, context: Context) -> bytes:
        """A decision, or the fallback where the workers give none in time."""
        asked = decode_choose_action(request)
        strength: str | SearchBudget
        if isinstance(asked.strength, str):
            strength = asked.strength
            if strength not in self._engines:
                raise ServiceError(ServiceReason.LEVEL_UNKNOWN)
        else:
            strength = decision_budget(asked.strength)
        view = asked.seen.view
        try:
            found = await self._pool.run(
                caller_key(context),
                _limit(context),
                worker.choose_seen,
                strength,
                view,
                asked.seed or FIXED_SEED,
            )
        except PoolFull:
            raise _too_busy() from None
        except (WorkerDied, WorkersBusy, WorkFailed):
            found = await asyncio.to_thread(_fallback, view)
        if isinstance(found, InconsistentView):
            raise _inconsistent(found)
        if found is None:
            raise ServiceError(Refusal.NOT_YOUR_TURN)
        return choose_action_answer(
            found.action,
            asked.seen,
            found.engine,
            fallback=found.fallback,
            used=wire_budget(found.used),
        )

    async def analyze_position(
        self, request: bytes, context: Context
    ) -> AsyncGenerator[bytes, None]:
        """Improving answers, each instead of the one before."""
        asked = decode_analyze_position(request)
        limits = Limits(analysis_budget(asked.budget), asked.enough_error)
        remaining = _remaining(context)
        key = caller_key(context)
        try:
            view = await self._pool.run(key, remaining(), worker.completed, asked.seen.view)
            if isinstance(view, InconsistentView):
                raise _inconsistent(view)
            if not view.legal_actions:
                raise ServiceError(Refusal.NOT_YOUR_TURN)
            seed = asked.seed or FIXED_SEED
            async for judged in judged_position(self._pool, key, view, limits, seed, remaining):
                yield analysis_answer(analysis_of(view, asked.seen, judged), last=judged.last)
        except WorkersBusy:
            raise _too_busy() from None
        except (WorkerDied, WorkFailed):
            raise ServiceError(ServiceReason.INTERNAL) from None

    async def analyze_match(self, request: bytes, context: Context) -> AsyncGenerator[bytes, None]:
        """Progress, then decisions, the worst first, then luck, then the sums."""
        asked = decode_analyze_match(request)
        await asyncio.to_thread(check_finished, asked)
        budget = review_budget(asked.budget)
        key = caller_key(context)
        try:
            async for step in reviewed_match(
                self._pool,
                key,
                MatchToReview(asked.rule_set, asked.seats, asked.events),
                budget,
                asked.seed or FIXED_SEED,
                _remaining(context),
            ):
                if step.review is None:
                    yield progress_answer(step.done, step.total)
                else:
                    for part in review_parts(asked, step):
                        yield part
        except WorkersBusy:
            raise _too_busy() from None
        except (WorkerDied, WorkFailed):
            raise ServiceError(ServiceReason.INTERNAL) from None


def caller_key(context: Context) -> str:
    """Whose turn a call takes: the caller's own, or that of the address it comes from."""
    guest = GUEST.get()
    return guest.account or guest.principal or account_of_peer(context.peer())


def _remaining(context: Context) -> Callable[[], float]:
    """Seconds until the call's deadline, or until the longest that a call may take."""
    # None where the caller set no deadline, whatever the published type says.
    given = cast("float | None", context.time_remaining())
    ends = time.monotonic() + (LONGEST_S if given is None else min(given, LONGEST_S))
    return lambda: ends - time.monotonic()


def _limit(context: Context) -> float:
    return max(0.0, _remaining(context)() - MARGIN_S)


def _fallback(view: SeatView) -> Choice | InconsistentView | None:
    found = worker.completed(view)
    if isinstance(found, InconsistentView):
        return found
    return fallback_choice(found) if worker.decides(found) else None


def check_finished(asked: AnalyzeMatch) -> None:
    """Refuse a match whose events do not follow from one another, or that is not over."""
    try:
        state = replayed(asked.rule_set, asked.seats, asked.events)
    except InconsistentEvents as error:
        sequence = str(asked.sequences[min(error.index, len(asked.sequences) - 1)])
        raise ServiceError(
            ServiceReason.EVENTS_INCONSISTENT, metadata={"sequence": sequence}
        ) from None
    if state.phase is not Phase.OVER:
        raise ServiceError(ServiceReason.MATCH_NOT_FINISHED)


def _too_busy() -> ServiceError:
    return ServiceError(ServiceReason.RATE_LIMITED, retry_after_s=RETRY_AFTER_S)


def _inconsistent(error: InconsistentView) -> ServiceError:
    field = f"view.{error.field}"
    problem = FieldProblem(field, "It does not agree with the events, or they not with the rules.")
    return ServiceError(
        ServiceReason.VIEW_INCONSISTENT, metadata={"field": field}, fields=(problem,)
    )
