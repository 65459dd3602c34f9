"""The channel to a server, and a fresh one in its place when the old has gone silent.

A connection whose packets are lost looks alive until keepalive gives up on it, and every new
call would go the same way. So a call that notices the silence has the connection renewed.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

import grpc

from muggins.v1.match_service_pb2_grpc import MatchServiceStub
from muggins.v1.opponent_service_pb2_grpc import OpponentServiceStub
from muggins.v1.rules_service_pb2_grpc import RulesServiceStub
from muggins_client.errors import Unavailable
from muggins_client.service_config import service_config

if TYPE_CHECKING:  # they exist for type checkers only
    from muggins.v1.match_service_pb2_grpc import MatchServiceAsyncStub
    from muggins.v1.opponent_service_pb2_grpc import OpponentServiceAsyncStub
    from muggins.v1.rules_service_pb2_grpc import RulesServiceAsyncStub

__all__ = ["Connection", "Stubs", "channel_options"]

SHORTEST_KEEPALIVE_S: Final = 20.0
"""A server takes more frequent pings of a client for an attack and cuts it off."""

_PING_ANSWER_MS: Final = 10_000
_RETIREMENT_S: Final = 10.0


class Stubs(NamedTuple):
    """One channel and the services called over it."""

    channel: grpc.aio.Channel
    match: "MatchServiceAsyncStub"
    opponents: "OpponentServiceAsyncStub"
    rules: "RulesServiceAsyncStub"


class Connection:
    """What calls go over; `stubs` are those of the channel in use."""

    def __init__(self, new_channel: Callable[[], grpc.aio.Channel]) -> None:
        self._new_channel = new_channel
        self._retiring: set[asyncio.Task[None]] = set()
        self._closed = False
        self.stubs = _stubs_of(new_channel())

    @property
    def is_closed(self) -> bool:
        """True once `close` was called."""
        return self._closed

    def renew(self, silent: Stubs) -> None:
        """Put a fresh channel in the place of a silent one; once, however many calls ask."""
        if silent is not self.stubs or self._closed:
            return
        self.stubs = _stubs_of(self._new_channel())
        # Should only one stream have been silent, what else runs over the old channel may finish.
        retiring = asyncio.get_running_loop().create_task(silent.channel.close(_RETIREMENT_S))
        self._retiring.add(retiring)
        retiring.add_done_callback(self._retiring.discard)

    async def ready(self, timeout_s: float) -> None:
        """Wait until the server can be reached.

        Raises:
            Unavailable: it could not be within the time.
        """
        try:
            async with asyncio.timeout(timeout_s):
                await self.stubs.channel.channel_ready()
        except TimeoutError:
            raise Unavailable(
                "UNAVAILABLE",
                f"the server could not be reached within {timeout_s:g} s",
                code=grpc.StatusCode.UNAVAILABLE,
            ) from None

    async def close(self) -> None:
        """End every call and close every channel."""
        self._closed = True
        retiring = tuple(self._retiring)
        for task in retiring:
            task.cancel()
        await asyncio.gather(*retiring, return_exceptions=True)
        await self.stubs.channel.close()


def channel_options(
    *, keepalive_s: float, max_message_bytes: int, user_agent: str
) -> list[tuple[str, str | int]]:
    """The options of a channel; `keepalive_s` is at least 20 s whatever is asked for."""
    return [
        ("grpc.service_config", service_config()),
        ("grpc.primary_user_agent", user_agent),
        ("grpc.max_receive_message_length", max_message_bytes),
        ("grpc.keepalive_time_ms", int(max(keepalive_s, SHORTEST_KEEPALIVE_S) * 1000)),
        # The first alone has no effect below a minute.
        ("grpc.keepalive_timeout_ms", _PING_ANSWER_MS),
        ("grpc.http2.ping_timeout_ms", _PING_ANSWER_MS),
        # An idle stream carries no data, and shall be watched all the same.
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.initial_reconnect_backoff_ms", 200),
        ("grpc.min_reconnect_backoff_ms", 1_000),
        ("grpc.max_reconnect_backoff_ms", 5_000),
        # A renewed channel would else be given the silent connection of the old one again.
        ("grpc.use_local_subchannel_pool", 1),
    ]


def _stubs_of(channel: grpc.aio.Channel) -> Stubs:
    return Stubs(
        channel,
        MatchServiceStub(channel),
        OpponentServiceStub(channel),
        RulesServiceStub(channel),
    )
