"""From what the wire says of a failure to a typed error."""

import asyncio
from collections.abc import Mapping
from typing import Final

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from muggins.v1 import streams_pb2
from muggins_client.errors import (
    FieldProblem,
    Internal,
    MugginsError,
    Unavailable,
    error_class,
)

__all__ = ["being_cancelled", "closed_error", "error_of_call", "error_of_refusal"]

_DETAILS_KEY: Final = "grpc-status-details-bin"
_CODES: Final[Mapping[int, grpc.StatusCode]] = {code.value[0]: code for code in grpc.StatusCode}


def error_of_call(failure: grpc.aio.AioRpcError, method: str, request_id: str = "") -> MugginsError:
    """The error that a failed call raises."""
    code = failure.code()
    details = _Details(failure)
    error = error_class(code)(
        details.reason or code.name,
        details.message or failure.details() or "",
        code=code,
        metadata=details.metadata,
        fields=details.fields,
        retry_after_s=details.retry_after_s,
    )
    return _completed(error, method, request_id, from_server=bool(details.reason))


def error_of_refusal(refusal: streams_pb2.Refusal, method: str, request_id: str) -> MugginsError:
    """The error that a refused command on a stream raises: as that of the unary call."""
    code = _CODES.get(refusal.code, grpc.StatusCode.UNKNOWN)
    error = error_class(code)(
        refusal.reason or code.name,
        refusal.message,
        code=code,
        metadata=dict(refusal.metadata),
    )
    return _completed(error, method, request_id, from_server=True)


def closed_error(method: str, request_id: str = "") -> MugginsError:
    """The error of a call whose client or connection was closed under it."""
    error = Unavailable(
        "CONNECTION_CLOSED",
        "the connection was closed during the call",
        code=grpc.StatusCode.UNAVAILABLE,
    )
    return _completed(error, method, request_id, from_server=False)


def being_cancelled() -> bool:
    """True where the running task was asked to stop, false where only its call was cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _completed(
    error: MugginsError, method: str, request_id: str, *, from_server: bool
) -> MugginsError:
    error.method = method
    error.request_id = request_id
    if isinstance(error, Internal):
        error.from_server = from_server
    return error


class _Details:
    """What google.rpc.Status adds to a status code; empty where it is absent or unreadable."""

    def __init__(self, failure: grpc.aio.AioRpcError) -> None:
        self.reason = ""
        self.message = ""
        self.metadata: Mapping[str, str] = {}
        self.fields: tuple[FieldProblem, ...] = ()
        self.retry_after_s: float | None = None
        for packed in _status_of(failure).details:
            try:
                self._take(packed)
            except DecodeError:
                continue

    def _take(self, packed: any_pb2.Any) -> None:
        info = error_details_pb2.ErrorInfo()
        fields = error_details_pb2.BadRequest()
        retry = error_details_pb2.RetryInfo()
        localized = error_details_pb2.LocalizedMessage()
        if packed.Unpack(info):
            self.reason = info.reason
            self.metadata = dict(info.metadata)
        elif packed.Unpack(fields):
            self.fields = tuple(
                FieldProblem(violation.field, violation.description)
                for violation in fields.field_violations
            )
        elif packed.Unpack(retry):
            self.retry_after_s = retry.retry_delay.ToTimedelta().total_seconds()
        elif packed.Unpack(localized):
            self.message = localized.message


def _status_of(failure: grpc.aio.AioRpcError) -> status_pb2.Status:
    status = status_pb2.Status()
    for key, value in failure.trailing_metadata() or ():
        if key == _DETAILS_KEY and isinstance(value, bytes):
            try:
                status.ParseFromString(value)
            except DecodeError:
                return status_pb2.Status()
    return status
