"""One stream from its opening to its end, with an eye on its silence."""

import asyncio
import weakref
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar, cast

import grpc

from muggins_client.errors import TimedOut
from muggins_client.statuses import being_cancelled, closed_error, error_of_call

__all__ = ["DuplexCall", "Link", "StreamCall", "WritableLink"]

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_Written_contra = TypeVar("_Written_contra", contravariant=True)


class StreamCall(Protocol):
    """What the calls of all streams have in common."""

    async def read(self) -> object:
        """The next message, or `grpc.aio.EOF`."""

    def cancel(self) -> object:
        """End the call."""


class DuplexCall(StreamCall, Protocol[_Written_contra]):
    """What the calls of streams in both directions have in common."""

    async def write(self, request: _Written_contra, /) -> None:
        """Send a message."""


class Link(Generic[_Response]):
    """A stream's call. A link that is dropped cancels its call, which gRPC does not do itself."""

    def __init__(self, method: str, start: Callable[[], StreamCall]) -> None:
        """Open the stream.

        Raises:
            Unavailable: the client is closed.
        """
        self._method = method
        try:
            call = start()
        except grpc.aio.UsageError:
            raise closed_error(method) from None
        self._call: StreamCall = call
        self._finalizer = weakref.finalize(self, _cancel_in_loop, call, asyncio.get_running_loop())

    async def read(self, silence_s: float) -> _Response | None:
        """The next message, or nothing when the stream has ended with OK.

        Raises:
            TimedOut: nothing came for so long; the call is cancelled.
            MugginsError: the stream ended with an error.
        """
        try:
            async with asyncio.timeout(silence_s):
                message = await self._call.read()
        except TimeoutError:
            self.cancel()
            silent = TimedOut(
                "SILENT",
                f"nothing came for {silence_s:g} s",
                code=grpc.StatusCode.DEADLINE_EXCEEDED,
            )
            silent.method = self._method
            raise silent from None
        except grpc.aio.AioRpcError as failure:
            raise error_of_call(failure, self._method) from failure
        except grpc.aio.UsageError:
            raise closed_error(self._method) from None
        except asyncio.CancelledError:
            if being_cancelled():
                raise
            raise closed_error(self._method) from None
        if message is grpc.aio.EOF:
            return None
        # EOF is the one thing beside messages that a read gives.
        return cast("_Response", message)

    def cancel(self) -> None:
        """End the call, if it has not ended."""
        self._finalizer.detach()
        self._call.cancel()

    async def aclose(self) -> None:
        """As `cancel`."""
        self.cancel()


class WritableLink(Link[_Response], Generic[_Request, _Response]):
    """The call of a stream in both directions."""

    def __init__(self, method: str, start: Callable[[], DuplexCall[_Request]]) -> None:
        """Open the stream.

        Raises:
            Unavailable: the client is closed.
        """
        calls: list[DuplexCall[_Request]] = []

        def started() -> DuplexCall[_Request]:
            calls.append(start())
            return calls[0]

        super().__init__(method, started)
        (self._duplex,) = calls

    async def write(self, message: _Request) -> None:
        """Send a message. A broken stream takes it without a word: the next read tells."""
        try:
            await self._duplex.write(message)
        except (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError):
            return
        except asyncio.CancelledError:
            if being_cancelled():
                raise


def _cancel_in_loop(call: StreamCall, loop: asyncio.AbstractEventLoop) -> None:
    """Cancel from wherever the garbage collector happens to run."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(call.cancel)
