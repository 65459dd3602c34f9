"""Calls that are asked again, as they were, until an answer comes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, cast

import grpc
from google.protobuf.message import Message

from muggins.v1 import match_service_pb2_grpc
from tests.proxy import Proxy, Schedule, proxy_to
from tests.service.server import Service

if TYPE_CHECKING:
    from muggins.v1.match_service_pb2_grpc import MatchServiceAsyncStub

__all__ = ["Insistent", "through_proxy"]

TRY_S: Final = 3.0
"""The deadline of one try."""
PATIENCE_S: Final = 60.0
"""After so long the test gives up."""

LOST: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
    }
)
"""How a call ends that may or may not have reached the server."""

OPTIONS: Final = (
    ("grpc.initial_reconnect_backoff_ms", 20),
    ("grpc.min_reconnect_backoff_ms", 20),
    ("grpc.max_reconnect_backoff_ms", 100),
    ("grpc.enable_retries", 0),
    ("grpc.use_local_subchannel_pool", 1),
)
"""Connect again at once, and leave trying again to the test."""


class Insistent:
    """The stub of MatchService, each unary call of which is repeated while its answer is lost."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = match_service_pb2_grpc.MatchServiceStub(channel)
        self.repeats = 0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._stub, name)
        if name in {"ObserveMatch", "WatchMatches", "PlayMatch"}:
            return cast("Callable[..., Any]", method)

        async def call(request: Message, **how: Any) -> Message:  # noqa: ANN401 - a stub's own
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    try:
                        asked: Awaitable[Message] = method(request, **{**how, "timeout": TRY_S})
                        return await asked
                    except grpc.aio.AioRpcError as error:
                        if error.code() not in LOST:
                            raise
                        self.repeats += 1
                        await asyncio.sleep(0.02)

        return call


@asynccontextmanager
async def through_proxy(
    service: Service, schedule: Schedule
) -> AsyncIterator[tuple[Service, Proxy, Insistent]]:
    """The same server as seen through a network that fails."""
    async with (
        proxy_to(service.app.port, schedule) as proxy,
        grpc.aio.insecure_channel(f"127.0.0.1:{proxy.port}", options=OPTIONS) as channel,
    ):
        seen = Service(service.app, channel)
        insistent = Insistent(channel)
        seen.call = cast("MatchServiceAsyncStub", insistent)
        yield seen, proxy, insistent
