"""The methods of the contract's services, as their descriptors tell them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from muggins.v1 import (
    admin_service_pb2,
    match_service_pb2,
    opponent_service_pb2,
    results_service_pb2,
    rules_service_pb2,
)

__all__ = [
    "ADMIN_SERVICE",
    "MATCH_SERVICE",
    "METHODS",
    "OPPONENT_SERVICE",
    "RESULTS_SERVICE",
    "RULES_SERVICE",
    "Method",
    "file_descriptors",
    "service_names",
]

MATCH_SERVICE: Final = "muggins.v1.MatchService"
ADMIN_SERVICE: Final = "muggins.v1.AdminService"
OPPONENT_SERVICE: Final = "muggins.v1.OpponentService"
RESULTS_SERVICE: Final = "muggins.v1.ResultsService"
RULES_SERVICE: Final = "muggins.v1.RulesService"


class Method(NamedTuple):
    """A method: its service's full name, its own, its messages, and which way it streams."""

    service: str
    name: str
    request: type[Message]
    response: type[Message]
    streams_requests: bool
    streams_responses: bool

    @property
    def full_name(self) -> str:
        """The name by which it is called, as in "/muggins.v1.MatchService/PlayTile"."""
        return f"/{self.service}/{self.name}"


_FILES: Final[tuple[FileDescriptor, ...]] = (
    match_service_pb2.DESCRIPTOR,
    opponent_service_pb2.DESCRIPTOR,
    rules_service_pb2.DESCRIPTOR,
    admin_service_pb2.DESCRIPTOR,
    results_service_pb2.DESCRIPTOR,
)


def _method(descriptor: MethodDescriptor) -> Method:
    return Method(
        descriptor.containing_service.full_name,
        descriptor.name,
        GetMessageClass(descriptor.input_type),
        GetMessageClass(descriptor.output_type),
        descriptor.client_streaming,
        descriptor.server_streaming,
    )


METHODS: Final[Mapping[str, tuple[Method, ...]]] = MappingProxyType(
    {
        service.full_name: tuple(map(_method, service.methods))
        for file in _FILES
        for service in file.services_by_name.values()
    }
)
"""The methods of each service by its full name, in the order of the contract."""


def service_names() -> tuple[str, ...]:
    """The full names of all services."""
    return tuple(METHODS)


def file_descriptors() -> tuple[FileDescriptor, ...]:
    """Every file of the contract, for reflection: those of the services and all they import."""
    found: dict[str, FileDescriptor] = {}
    waiting = list(_FILES)
    while waiting:
        file = waiting.pop()
        if file.name not in found:
            found[file.name] = file
            waiting += file.dependencies
    return tuple(found[name] for name in sorted(found))
