"""The methods that change a match: a job for the engine, and its outcome as an answer."""

import asyncio
from collections.abc import Callable
from typing import Final

from muggins_rules.actions import Call, Claim, Draw, Pass, Place
from muggins_service.doors.guest import GUEST
from muggins_service.matches.engine import Engine
from muggins_service.matches.outcome import Job, Outcome
from muggins_service.rpc.caller import CallerInfo, Context, caller_of
from muggins_service.rpc.calling import UnaryHandler
from muggins_service.table.commands import Act, Command
from muggins_service.wire.answers import (
    control_match_answer,
    create_match_answer,
    find_match_answer,
    join_match_answer,
    mutation_answer,
)
from muggins_service.wire.requests import MUTATIONS, Envelope, Mutation

__all__ = ["job_of", "mutation_handlers"]

_ACTIONS: Final = (Place, Draw, Pass, Claim, Call)
ANY_SEAT: Final = -1
"""The seat of an action before its caller is known: the engine puts in that of the secret."""


def mutation_handlers(engine: Engine) -> dict[str, UnaryHandler]:
    """The methods that change a match, by name; a hint has to be worked out before."""
    return {
        name: _handler(engine, name, decode)
        for name, decode in MUTATIONS.items()
        if name != "GetHint"
    }


def job_of(envelope: Envelope, command: Command, caller: CallerInfo) -> Job:
    """The job of a caller."""
    guest = GUEST.get()
    return Job(
        command,
        asyncio.get_running_loop().create_future(),
        envelope.match_id,
        envelope.request_id,
        envelope.expected_version,
        caller.seat_secret,
        caller.host_secret,
        principal=guest.principal,
        account=guest.account,
    )


def _handler(engine: Engine, name: str, decode: Callable[[bytes], Mutation]) -> UnaryHandler:
    answer = _ANSWERS.get(name, _plain_answer)

    async def handle(request: bytes, context: Context) -> bytes:
        envelope, what = decode(request)
        command = Act(ANY_SEAT, what) if isinstance(what, _ACTIONS) else what
        job = job_of(envelope, command, caller_of(context))
        outcome = await engine.submit(job)
        return answer(outcome, engine)

    return handle


def _plain_answer(outcome: Outcome, _: Engine) -> bytes:
    return mutation_answer(outcome.version, outcome.events)


def _create_answer(outcome: Outcome, engine: Engine) -> bytes:
    created = engine.registry.get(outcome.match_id).table.created
    return create_match_answer(
        outcome.version,
        outcome.events,
        match_id=outcome.match_id,
        invite_code=outcome.invite_code,
        rule_set=created.rule_set,
        fairness_anchor=created.fairness_anchor,
    )


def _join_answer(outcome: Outcome, _: Engine) -> bytes:
    assert outcome.seat is not None, "who joined has a seat"
    return join_match_answer(outcome.version, outcome.events, seat=outcome.seat, view=outcome.view)


def _find_answer(outcome: Outcome, _: Engine) -> bytes:
    assert outcome.seat is not None, "who found a match has a seat"
    return find_match_answer(
        outcome.version,
        outcome.events,
        match_id=outcome.match_id,
        seat=outcome.seat,
        view=outcome.view,
        created=outcome.created,
    )


def _control_answer(outcome: Outcome, _: Engine) -> bytes:
    return control_match_answer(outcome.version, outcome.events, rematch_id=outcome.rematch_id)


_ANSWERS: Final[dict[str, Callable[[Outcome, Engine], bytes]]] = {
    "CreateMatch": _create_answer,
    "JoinMatch": _join_answer,
    "FindMatch": _find_answer,
    "ControlMatch": _control_answer,
}
