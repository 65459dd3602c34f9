"""How every call is run: bytes in, bytes out, and each error as a status with its details.

Handlers raise `ServiceError` and nothing else on purpose; any other exception is logged and
told as INTERNAL without a word of it, since exception text reaches the client unless caught.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import NoReturn

import structlog

from muggins.i18n import sentence
from muggins_service.doors.guard import Admission
from muggins_service.doors.guest import spends_nothing
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.rpc.caller import Context, language_of
from muggins_service.rpc.limits import MAX_MESSAGE_BYTES
from muggins_service.rpc.status_codes import STATUS_CODES
from muggins_service.wire.frames import refusal
from muggins_service.wire.status import status_details

__all__ = [
    "BothWaysHandler",
    "StreamHandler",
    "UnaryHandler",
    "both_ways_handler",
    "refusal_of",
    "stream_handler",
    "unary_handler",
]

_log = structlog.get_logger("muggins.rpc")

UnaryHandler = Callable[[bytes, Context], Awaitable[bytes]]
"""A method with one answer."""

StreamHandler = Callable[[bytes, Context], AsyncGenerator[bytes, None]]
"""A method whose answers are a stream."""

BothWaysHandler = Callable[[AsyncIterator[bytes], Context], AsyncGenerator[bytes, None]]
"""A method whose requests and answers are streams."""

DETAILS_KEY = "grpc-status-details-bin"


def unary_handler(
    method: str,
    handle: UnaryHandler,
    most_bytes: int = MAX_MESSAGE_BYTES,
    admit: Admission | None = None,
) -> UnaryHandler:
    """The method, with its errors told as statuses; requests have `most_bytes` at most.

    `admit` is asked first; nobody has to be where there is none.
    """

    async def run(request: bytes, context: Context) -> bytes:
        try:
            if admit is not None:
                admit(context)
            _check_size(request, most_bytes)
            return await handle(request, context)
        except ServiceError as error:
            await abort(context, error)
        except Exception:  # noqa: BLE001 - told as INTERNAL and logged
            await abort_internal(context, method)

    return run


def both_ways_handler(
    method: str, handle: BothWaysHandler, admit: Admission | None = None
) -> BothWaysHandler:
    """The method that streams both ways, with its errors told as statuses."""

    async def run(requests: AsyncIterator[bytes], context: Context) -> AsyncGenerator[bytes, None]:
        leave: Callable[[], None] = spends_nothing
        try:
            if admit is not None:
                leave = admit(context)
            async with aclosing(handle(_checked(requests), context)) as answers:
                async for answer in answers:
                    yield answer
        except ServiceError as error:
            await abort(context, error)
        except Exception:  # noqa: BLE001 - told as INTERNAL and logged
            await abort_internal(context, method)
        finally:
            leave()

    return run


def stream_handler(
    method: str,
    handle: StreamHandler,
    most_bytes: int = MAX_MESSAGE_BYTES,
    admit: Admission | None = None,
) -> StreamHandler:
    """The streaming method, with its errors told as statuses; as for `unary_handler`."""

    async def run(request: bytes, context: Context) -> AsyncGenerator[bytes, None]:
        leave: Callable[[], None] = spends_nothing
        try:
            if admit is not None:
                leave = admit(context)
            _check_size(request, most_bytes)
            async with aclosing(handle(request, context)) as answers:
                async for answer in answers:
                    yield answer
        except ServiceError as error:
            await abort(context, error)
        except Exception:  # noqa: BLE001 - told as INTERNAL and logged
            await abort_internal(context, method)
        finally:
            leave()

    return run


async def _checked(requests: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    async for request in requests:
        _check_size(request)
        yield request


def _check_size(request: bytes, most_bytes: int = MAX_MESSAGE_BYTES) -> None:
    if len(request) > most_bytes:
        raise ServiceError(ServiceReason.MESSAGE_TOO_LARGE)


def sentence_of(error: ServiceError, language: str) -> str:
    """The error as a sentence for people."""
    return sentence(error.reason.value, language, **error.metadata)


def refusal_of(error: ServiceError, language: str) -> bytes:
    """The error as the answer to a command of a stream, which goes on."""
    return refusal(error, STATUS_CODES[error.reason].value[0], sentence_of(error, language))


async def abort(context: Context, error: ServiceError) -> NoReturn:
    """End the call with the error's status."""
    language = language_of(context)
    code = STATUS_CODES[error.reason]
    message = sentence_of(error, "en")
    details = status_details(
        code.value[0],
        message,
        error,
        localized=(language, sentence_of(error, language)),
    )
    await context.abort(code, message, ((DETAILS_KEY, details),))


async def abort_internal(context: Context, method: str) -> NoReturn:
    """End the call after a fault of the server's own: it is logged, and told without detail.

    A call that has already been aborted is let go on.
    """
    if context.done():
        raise  # noqa: PLE0704 - called from an except clause
    _log.exception("call_failed", method=method)
    await abort(context, ServiceError(ServiceReason.INTERNAL))
