"""GetHint: advice is worked out first, and shown only at the position it is for."""

from muggins.i18n import hint
from muggins_rules.actions import Place
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.engine import Engine
from muggins_service.matches.outcome import Outcome
from muggins_service.opponents.hints import Advice, HintGiver
from muggins_service.opponents.port import OpponentsUnavailable
from muggins_service.rpc.caller import Context, caller_of
from muggins_service.rpc.calling import UnaryHandler
from muggins_service.rpc.moving import job_of
from muggins_service.table.facts import HintStep
from muggins_service.table.state import Table
from muggins_service.wire.answers import hint_answer, hint_bytes
from muggins_service.wire.requests import decode_show_hint

__all__ = ["hint_handlers"]

RETRY_AFTER_S = 1


def hint_handlers(engine: Engine, hints: HintGiver) -> dict[str, UnaryHandler]:
    """GetHint by its name."""

    async def handle(request: bytes, context: Context) -> bytes:
        envelope, command = decode_show_hint(request)
        caller = caller_of(context)
        while True:
            job = job_of(envelope, command, caller)
            found = engine.look(job)
            if isinstance(found, Outcome):
                return _answer(found)
            table, seat = found
            assert seat is not None, "a hint is a seat's"
            advice = await _advice(hints, table, seat)
            job.expected_version = table.version
            job.hint = _told(advice, command.step, caller.language)
            try:
                return _answer(await engine.submit(job))
            except ServiceError as refused:
                moved_on = refused.reason is ServiceReason.VERSION_STALE
                if not moved_on or envelope.expected_version is not None:
                    raise

    return {"GetHint": handle}


async def _advice(hints: HintGiver, table: Table, seat: int) -> Advice:
    try:
        return await hints.advice(table, seat)
    except OpponentsUnavailable:
        seconds = {"seconds": str(RETRY_AFTER_S)}
        raise ServiceError(
            ServiceReason.RATE_LIMITED, metadata=seconds, retry_after_s=RETRY_AFTER_S
        ) from None


def _told(advice: Advice, step: HintStep, language: str) -> bytes:
    """As much of the advice as the step gives away; the claim of a placement is never part of it.

    That is the player's own to announce.
    """
    action, (key, value) = advice
    idea = hint(key, language, value=value)
    tile = action.placement.tile if isinstance(action, Place) else None
    return hint_bytes(
        step,
        idea,
        tile=None if step is HintStep.IDEA else tile,
        action=action if step is HintStep.PLACE else None,
    )


def _answer(outcome: Outcome) -> bytes:
    return hint_answer(outcome.version, outcome.events, outcome.hint)
