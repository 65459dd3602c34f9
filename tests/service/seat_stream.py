"""A stream of PlayMatch as a test drives it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc

from muggins.v1 import streams_pb2
from muggins_rules import Action
from tests.service.mirror import action_message
from tests.service.server import Field, Metadata, Service, new_id

__all__ = ["SeatStream", "seat_stream"]


class SeatStream:
    """A seat's stream: what was sent on it is read one message at a time."""

    def __init__(
        self,
        call: grpc.aio.StreamStreamCall[
            streams_pb2.PlayMatchRequest, streams_pb2.PlayMatchResponse
        ],
    ) -> None:
        self.call = call

    async def attach(self, match_id: str, from_sequence: int | None = None) -> None:
        """Send the first frame."""
        attach = streams_pb2.Attach(match_id=match_id, from_sequence=from_sequence)
        await self.call.write(streams_pb2.PlayMatchRequest(attach=attach))

    async def command(self, action: Action, **fields: Field) -> str:
        """Ask for an action; the request id."""
        request_id: str = fields.pop("request_id", None) or new_id()
        command = streams_pb2.Command(
            request_id=request_id, action=action_message(action), **fields
        )
        await self.call.write(streams_pb2.PlayMatchRequest(command=command))
        return request_id

    async def ping(self, nonce: int) -> None:
        """Ask for an answer."""
        ping = streams_pb2.Ping(nonce=nonce)
        await self.call.write(streams_pb2.PlayMatchRequest(ping=ping))

    async def read(self) -> streams_pb2.PlayMatchResponse:
        """The next message."""
        message = await asyncio.wait_for(self.call.read(), 10)
        assert isinstance(message, streams_pb2.PlayMatchResponse), "the stream has ended"
        return message

    async def result(self) -> streams_pb2.CommandResult:
        """The next result of a command."""
        while True:
            message = await self.read()
            if message.HasField("result"):
                return message.result


@asynccontextmanager
async def seat_stream(service: Service, key: Metadata) -> AsyncIterator[SeatStream]:
    """Open a stream with a seat's secret, and cancel it with the context."""
    call = service.call.PlayMatch(metadata=key, timeout=60)
    try:
        yield SeatStream(call)
    finally:
        call.cancel()
