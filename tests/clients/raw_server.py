"""A gRPC server of raw handlers, for faults that the real one does not make on demand."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import grpc
from google.protobuf import any_pb2, duration_pb2, message_factory
from google.rpc import error_details_pb2, status_pb2

from muggins.v1 import (
    lobby_pb2,
    match_service_pb2,
    opponent_service_pb2,
    rules_service_pb2,
)
from muggins_client import connect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
    from google.protobuf.message import Message

    from muggins_client import MugginsClient

    Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
    Behaviour: TypeAlias = Callable[..., Any]

__all__ = ["SERVICES", "Seen", "fail", "limits", "raw_server", "serving"]

SERVICES: tuple[ServiceDescriptor, ...] = (
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"],
    opponent_service_pb2.DESCRIPTOR.services_by_name["OpponentService"],
    rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"],
)


@dataclass(slots=True)
class Seen:
    """A call that reached the server."""

    method: str
    request: Any
    metadata: dict[str, str | bytes]
    time_left_s: float | None


@dataclass(slots=True)
class Calls:
    """All calls that reached the server."""

    seen: list[Seen] = field(default_factory=list)

    def of(self, method: str) -> list[Seen]:
        return [call for call in self.seen if call.method == method]


async def limits(*_: object) -> lobby_pb2.GetServerInfoResponse:
    """Answers GetServerInfo: heartbeats from 50 ms on are allowed."""
    bounds = lobby_pb2.ServerLimits(min_heartbeat=duration_pb2.Duration(nanos=50_000_000))
    return lobby_pb2.GetServerInfoResponse(limits=bounds)


async def fail(
    context: Context,
    code: grpc.StatusCode,
    reason: str,
    *,
    metadata: Mapping[str, str] | None = None,
    retry_after_s: float | None = None,
    more: tuple[Message, ...] = (),
) -> None:
    """End a call with the rich status of the contract."""
    details: list[Message] = [
        error_details_pb2.ErrorInfo(reason=reason, domain="muggins.v1", metadata=metadata or {}),
        *more,
    ]
    if retry_after_s is not None:
        delay = duration_pb2.Duration()
        delay.FromNanoseconds(int(retry_after_s * 1e9))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    packed = []
    for detail in details:
        packed.append(any_pb2.Any())
        packed[-1].Pack(detail)
    status = status_pb2.Status(code=code.value[0], message=reason.lower(), details=packed)
    trailing = (("grpc-status-details-bin", status.SerializeToString()),)
    await context.abort(code, reason.lower(), trailing)


@asynccontextmanager
async def raw_server(
    handlers: Mapping[str, Behaviour],
) -> AsyncIterator[tuple[int, Calls]]:
    """A server whose other rpcs answer an empty message; its port and the calls it sees."""
    calls = Calls()
    server = grpc.aio.server()
    for service in SERVICES:
        methods = {
            method.name: _handler(method, f"{service.name}/{method.name}", handlers, calls)
            for method in service.methods
        }
        generic = grpc.method_handlers_generic_handler(service.full_name, methods)
        server.add_generic_rpc_handlers((generic,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield port, calls
    finally:
        await server.stop(None)


@asynccontextmanager
async def serving(
    handlers: Mapping[str, Behaviour],
) -> AsyncIterator[tuple[MugginsClient, Calls]]:
    """A client of such a server."""
    async with raw_server(handlers) as (port, calls), connect(f"127.0.0.1:{port}") as client:
        yield client, calls


def _handler(
    method: MethodDescriptor, name: str, handlers: Mapping[str, Behaviour], calls: Calls
) -> grpc.RpcMethodHandler[Any, Any]:
    requests = message_factory.GetMessageClass(method.input_type)
    responses = message_factory.GetMessageClass(method.output_type)
    behaviour = handlers.get(name)

    def note(request: object, context: Context) -> None:
        metadata = dict(context.invocation_metadata() or ())
        calls.seen.append(Seen(name, request, metadata, context.time_remaining()))

    async def unary(request: object, context: Context) -> Message:
        note(request, context)
        if behaviour is None:
            return responses()
        answer: Message = await behaviour(request, context)
        return answer

    async def stream(request: object, context: Context) -> AsyncIterator[Message]:
        note(request, context)
        if behaviour is not None:
            async for message in behaviour(request, context):
                yield message

    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(stream, requests.FromString, _bytes_of)
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(stream, requests.FromString, _bytes_of)
    return grpc.unary_unary_rpc_method_handler(unary, requests.FromString, _bytes_of)


def _bytes_of(message: Message) -> bytes:
    return message.SerializeToString()


async def for_ever() -> None:
    """Wait until cancelled."""
    await asyncio.Event().wait()
