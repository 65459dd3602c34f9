"""One call: its deadline, its metadata, its repeats, and its failure as a typed error."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Final, TypeVar

import grpc

from muggins_client.backoff import Backoff
from muggins_client.connection import Connection, Stubs
from muggins_client.credentials import Bearer
from muggins_client.errors import TimedOut, Unavailable
from muggins_client.keys import encode_key
from muggins_client.link import Link
from muggins_client.service_config import timeouts_s
from muggins_client.statuses import being_cancelled, closed_error, error_of_call

__all__ = ["Caller", "Metadata"]

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")

Metadata = tuple[tuple[str, str], ...]
"""Metadata of a call."""

_ATTEMPTS: Final = 3
_QUICK_S: Final = 10.0
"""Calls with at most this deadline are never long in thought: a missing answer is a lost one."""

_ATTEMPT_SHARE: Final = 0.4


class Caller:
    """Makes the calls of a client."""

    def __init__(
        self, connection: Connection, language: str, bearer: Bearer = "", acting_for: str = ""
    ) -> None:
        self.connection = connection
        self._language = language
        self._bearer = bearer
        self._acting_for = acting_for
        self._backoff = Backoff()

    def metadata(
        self,
        match_id: str = "",
        *,
        seat_secret: bytes = b"",
        host_secret: bytes = b"",
    ) -> Metadata:
        """What goes with a call beside its request."""
        entries = [("accept-language", self._language)]
        bearer = self._bearer if isinstance(self._bearer, str) else self._bearer()
        if bearer:
            entries.append(("authorization", f"Bearer {bearer}"))
        if self._acting_for:
            entries.append(("muggins-principal", self._acting_for))
        if match_id.isascii() and match_id.isprintable() and match_id:
            entries.append(("muggins-match-id", match_id))
        if seat_secret:
            entries.append(("muggins-seat-secret", encode_key(seat_secret)))
        if host_secret:
            entries.append(("muggins-host-secret", encode_key(host_secret)))
        return tuple(entries)

    async def unary(
        self,
        method: str,
        pick: Callable[[Stubs], grpc.aio.UnaryUnaryMultiCallable[_Request, _Response]],
        request: _Request,
        metadata: Metadata,
        timeout_s: float | None = None,
    ) -> _Response:
        """The answer to a call that is safe to repeat: a read, or a mutation with a request id.

        The very same request is sent again where the answer may have been lost: after
        UNAVAILABLE, and where a quick call stays without any answer for a good part of its time.

        Raises:
            MugginsError: within the deadline, whatever happens.
        """
        configured = timeouts_s()[method]
        timeout = configured if timeout_s is None else min(timeout_s, configured)
        quick = configured <= _QUICK_S
        clock = asyncio.get_running_loop().time
        ends = clock() + timeout
        attempt = 1
        while True:
            left = max(ends - clock(), 0.0)
            last = attempt >= _ATTEMPTS
            allowed = min(left, timeout * _ATTEMPT_SHARE) if quick and not last else left
            stubs = self.connection.stubs
            try:
                return await self._once(method, pick(stubs), request, metadata, allowed)
            except TimedOut:
                if last or clock() >= ends or not quick:
                    raise
                self.connection.renew(stubs)
            except Unavailable as error:
                wait = self._backoff.wait_s(attempt, error.retry_after_s)
                if last or self.connection.is_closed or clock() + wait >= ends:
                    raise
                await asyncio.sleep(wait)
            attempt += 1

    async def _once(
        self,
        method: str,
        rpc: grpc.aio.UnaryUnaryMultiCallable[_Request, _Response],
        request: _Request,
        metadata: Metadata,
        timeout_s: float,
    ) -> _Response:
        request_id = str(getattr(request, "request_id", ""))
        try:
            return await rpc(request, timeout=timeout_s, metadata=metadata)
        except grpc.aio.AioRpcError as failure:
            raise error_of_call(failure, method, request_id) from failure
        except grpc.aio.UsageError:
            raise closed_error(method, request_id) from None
        except asyncio.CancelledError:
            if being_cancelled():
                raise
            raise closed_error(method, request_id) from None

    async def stream(
        self,
        method: str,
        pick: Callable[[Stubs], grpc.aio.UnaryStreamMultiCallable[_Request, _Response]],
        request: _Request,
        metadata: Metadata,
        timeout_s: float | None = None,
    ) -> AsyncIterator[_Response]:
        """The answers of a call that ends by itself; leaving the iteration cancels it."""
        configured = timeouts_s()[method]
        timeout = configured if timeout_s is None else min(timeout_s, configured)
        stubs = self.connection.stubs
        link: Link[_Response] = Link(
            method, lambda: pick(stubs)(request, timeout=timeout, metadata=metadata)
        )
        async with aclosing(link):
            while (response := await link.read(timeout)) is not None:
                yield response
