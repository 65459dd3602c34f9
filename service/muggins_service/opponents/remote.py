"""Opponents of another server, by its address, with those of this one to fall back on.

A decision is the same wherever it is made by the same engine, so nothing is lost when the other
server dies in the middle of one: it is asked once more within the decision's deadline, and then
the decision is made here.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import grpc
import structlog

from muggins_ai.opponent import Choice
from muggins_ai.search.settings import SearchBudget
from muggins_rules.actions import Action, Claim, Draw, Place
from muggins_rules.views import SeatView
from muggins_service.doors.passes import NO_PASS, Pass
from muggins_service.errors import ServiceError
from muggins_service.opponents.port import Opponents, Question
from muggins_service.wire.methods import METHODS, OPPONENT_SERVICE
from muggins_service.wire.opponents import choose_action_request, decode_choose_action_answer

__all__ = ["REST_S", "RemoteOpponents"]

_log = structlog.get_logger("muggins.opponents")

REST_S: Final = 5.0
"""How long a server that gave no answer is not asked again."""

_TRIES: Final = 2
_LONGEST_ENGINE: Final = 200
_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    # Without this the time-out above does nothing below a minute.
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 5_000),
)
_SILENT: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
"""Statuses of a server that is not there."""
_SETTLED: Final = frozenset(
    {
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)
"""Statuses after which the same question is not asked again. A level that the other server does
not have is NOT_FOUND."""
_CHOOSE_ACTION: Final = next(
    method.full_name for method in METHODS[OPPONENT_SERVICE] if method.name == "ChooseAction"
)


class _NoAnswer(Exception):  # noqa: N818 - a state of the other server, not a mistake
    """The other server gave no decision that can be used; the text says why."""


class RemoteOpponents:
    """Asks the OpponentService at an address first, and then the opponents of this server."""

    def __init__(
        self,
        address: str,
        deadline_s: float,
        own: Opponents,
        rest_s: float = REST_S,
        pass_: Pass = NO_PASS,
    ) -> None:
        """`deadline_s` bounds what one decision takes there, the second try included."""
        self._address = address
        self._pass = pass_
        self._deadline_s = deadline_s
        self._own = own
        self._rest_s = rest_s
        self._rests_until = 0.0
        self._channel: grpc.aio.Channel | None = None
        self._choose_action: Callable[[bytes, float], Awaitable[bytes]] | None = None

    def open(self) -> None:
        """Begin to connect, in the running loop; a server that is not there yet is no error."""
        shown = self._pass
        channel = (
            grpc.aio.insecure_channel(self._address, options=_OPTIONS)
            if shown.tls is None
            else grpc.aio.secure_channel(self._address, shown.tls, options=_OPTIONS)
        )
        method: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_CHOOSE_ACTION)
        self._channel = channel
        self._choose_action = lambda request, limit_s: method(
            request, timeout=limit_s, metadata=shown.metadata()
        )

    async def close(self) -> None:
        """Let the connection go."""
        channel, self._channel, self._choose_action = self._channel, None, None
        if channel is not None:
            await channel.close()

    async def choose(self, question: Question, /) -> Choice:
        """The choice of the other server, or else that of this one.

        Raises:
            OpponentsUnavailable: neither gives one.
        """
        if asyncio.get_running_loop().time() >= self._rests_until:
            try:
                return await self._choice(question)
            except _NoAnswer as why:
                _log.warning(
                    "opponents_elsewhere_failed",
                    match_id=question.caller,
                    level=question.level,
                    address=self._address,
                    reason=str(why),
                )
        return await self._own.choose(question)

    async def calls(self, caller: str, level: str, view: SeatView, /) -> bool:
        """Whether an opponent calls; told here, since it takes no thought."""
        return await self._own.calls(caller, level, view)

    async def _choice(self, question: Question) -> Choice:
        raw = await self._answer(
            choose_action_request(question.message(), question.level, question.seed)
        )
        try:
            chosen = decode_choose_action_answer(raw)
        except ServiceError as malformed:
            raise _NoAnswer(f"malformed {malformed.metadata.get('field', '')}") from None
        if chosen.fallback:
            raise _NoAnswer("fallback")
        if not 1 <= len(chosen.engine) <= _LONGEST_ENGINE:
            raise _NoAnswer("engine")
        if not _is_lawful(chosen.action, question.view):
            raise _NoAnswer("unlawful action")
        used = chosen.used
        budget = None if used is None else SearchBudget(used.iterations, used.samples, used.nodes)
        return Choice(chosen.action, chosen.engine, used=budget)

    async def _answer(self, request: bytes) -> bytes:
        """The bytes of an answer, asked for twice at most."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + self._deadline_s
        for tried in range(1, _TRIES + 1):
            if self._choose_action is None:
                raise _NoAnswer("closed")
            try:
                return await self._choose_action(request, max(0.0, ends - loop.time()))
            except grpc.aio.AioRpcError as error:
                code = error.code()
                if tried == _TRIES or code in _SETTLED:
                    if code in _SILENT:
                        self._rests_until = loop.time() + self._rest_s
                    raise _NoAnswer(code.name.lower()) from None
        raise AssertionError("the last try answers or raises")


def _is_lawful(action: Action, view: SeatView) -> bool:
    """True where the seat of a view may do that."""
    match action:
        case Claim():
            return view.may_claim
        case Place(placement):
            legal = {found.action for found in view.legal_actions}
            return Place(placement) in legal
        case Draw():
            return any(isinstance(found.action, Draw) for found in view.legal_actions)
        case _:
            return any(found.action == action for found in view.legal_actions)
