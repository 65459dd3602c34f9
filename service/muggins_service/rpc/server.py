"""The gRPC server: every method of the contract, health and reflection."""

from collections.abc import AsyncGenerator, Mapping
from typing import Final, NamedTuple

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio as health_aio
from grpc_reflection.v1alpha import reflection

from muggins_service.doors.doors import Doors
from muggins_service.doors.guard import Admission
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.rpc.caller import Context
from muggins_service.rpc.calling import (
    BothWaysHandler,
    StreamHandler,
    UnaryHandler,
    both_ways_handler,
    stream_handler,
    unary_handler,
)
from muggins_service.rpc.limits import MAX_ANALYSIS_BYTES, MAX_MESSAGE_BYTES
from muggins_service.wire.methods import METHODS, OPPONENT_SERVICE, RULES_SERVICE, Method

__all__ = ["Handlers", "Health", "build_server", "listen"]

OPTIONS: Final = (
    # Pending calls beyond the default of 1,000 would be dropped at random.
    ("grpc.server.max_pending_requests", 20_000),
    ("grpc.server.max_pending_requests_hard_limit", 40_000),
    # A port that is already served is an error rather than shared.
    ("grpc.so_reuseport", 0),
    # The largest message of any method; the smaller bound of the others is checked per call.
    ("grpc.max_receive_message_length", MAX_ANALYSIS_BYTES),
    ("grpc.max_metadata_size", 16 * 1024),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    # Without this the time-out above does nothing below a minute.
    ("grpc.http2.ping_timeout_ms", 5_000),
)


_TAKES_MATCHES: Final = frozenset({OPPONENT_SERVICE, RULES_SERVICE})
"""Services whose requests hold the events of whole rounds or matches."""


class Handlers(NamedTuple):
    """The methods of one service by name; what is missing is answered as not implemented."""

    unary: Mapping[str, UnaryHandler] = {}
    streams: Mapping[str, StreamHandler] = {}
    both_ways: Mapping[str, BothWaysHandler] = {}


class Health:
    """The health of the server and of each of its services."""

    def __init__(self, services: tuple[str, ...]) -> None:
        """Begin as NOT_SERVING."""
        self.servicer = health_aio.HealthServicer()
        self._services = ("", *services)

    async def set_serving(self, *, serving: bool) -> None:
        """Tell everyone who asks or watches."""
        status = health_pb2.HealthCheckResponse
        state = status.SERVING if serving else status.NOT_SERVING
        for service in self._services:
            await self.servicer.set(service, state)

    async def shut_down(self) -> None:
        """Say NOT_SERVING from now on, whatever is set later."""
        await self.servicer.enter_graceful_shutdown()


def build_server(handlers: Mapping[str, Handlers], health: Health, doors: Doors) -> grpc.aio.Server:
    """A server of the given services by full name behind its doors, not yet listening."""
    server = grpc.aio.server(options=OPTIONS)
    for service, given in handlers.items():
        methods = {
            method.name: _rpc_handler(
                method, given, doors.guard.admission(method.service, method.name)
            )
            for method in METHODS[service]
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
    health_pb2_grpc.add_HealthServicer_to_server(health.servicer, server)
    names = (*handlers, "grpc.health.v1.Health", reflection.SERVICE_NAME)
    if doors.reflection:
        reflection.enable_server_reflection(names, server)
    return server


class _Unknown(grpc.GenericRpcHandler):
    """Every method that no other handler knows: refused as others are, with its details."""

    def __init__(self, admit: Admission | None) -> None:
        refuse = both_ways_handler("unknown", _stream_not_implemented, admit)
        # Streaming both ways, it answers a call of any kind without waiting for its requests.
        self._handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            refuse
        )

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[bytes, bytes]":
        """The handler of a call."""
        del handler_call_details
        return self._handler


def listen(server: grpc.aio.Server, host: str, port: int, doors: Doors) -> int:
    """Have a server listen behind its doors, at a free port for 0; its port.

    From here on it refuses what it has no method for, so all its methods are there by now.

    Raises:
        OSError: the port is taken.
    """
    server.add_generic_rpc_handlers((_Unknown(doors.guard.anybody()),))
    address, credentials = f"{host}:{port}", doors.credentials()
    try:
        if credentials is not None:
            return server.add_secure_port(address, credentials)
        return server.add_insecure_port(address)
    except RuntimeError as error:
        raise OSError(f"cannot listen on {address}") from error


def _rpc_handler(
    method: Method, given: Handlers, admit: Admission | None
) -> "grpc.RpcMethodHandler[bytes, bytes]":
    """The handler of a method on raw bytes: requests are decoded and answers encoded by `wire`."""
    name = method.full_name
    most_bytes = MAX_ANALYSIS_BYTES if method.service in _TAKES_MATCHES else MAX_MESSAGE_BYTES
    if method.streams_requests:
        both_ways = given.both_ways.get(method.name, _stream_not_implemented)
        return grpc.stream_stream_rpc_method_handler(both_ways_handler(name, both_ways, admit))
    if method.streams_responses:
        stream = given.streams.get(method.name, _stream_not_implemented)
        return grpc.unary_stream_rpc_method_handler(stream_handler(name, stream, most_bytes, admit))
    unary = given.unary.get(method.name, _not_implemented)
    return grpc.unary_unary_rpc_method_handler(unary_handler(name, unary, most_bytes, admit))


async def _not_implemented(_: bytes, __: Context) -> bytes:
    raise ServiceError(ServiceReason.NOT_IMPLEMENTED)


async def _stream_not_implemented(_: object, __: Context) -> AsyncGenerator[bytes, None]:
    answers: tuple[bytes, ...] = ()
    for answer in answers:
        yield answer  # makes it a generator, as every streaming method is
    raise ServiceError(ServiceReason.NOT_IMPLEMENTED)
