# ruff: noqa: N818 - each is named by what happened, which reads best after `except`
"""What can go wrong with a call: one typed error for each way in which a caller reacts.

Every failure of this package is a `MugginsError`. Its `reason` is the fixed name of the contract
(the list stands at MatchService in the protos), its `message` a sentence for people in the
client's language.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import grpc

__all__ = [
    "Exhausted",
    "FieldProblem",
    "Internal",
    "Malformed",
    "MugginsError",
    "NotFound",
    "NotImplementedByServer",
    "PermissionDenied",
    "ProtocolViolation",
    "Refused",
    "Replaced",
    "StaleVersion",
    "TimedOut",
    "Unauthenticated",
    "Unavailable",
    "error_class",
]

_NO_METADATA: Final[Mapping[str, str]] = {}


class FieldProblem(NamedTuple):
    """A field of the request by its path, and what is wrong with it in plain English."""

    field: str
    description: str


class MugginsError(Exception):
    """A call failed, or a stream ended early; subclasses tell what a caller can do about it."""

    def __init__(
        self,
        reason: str,
        message: str = "",
        *,
        code: grpc.StatusCode = grpc.StatusCode.UNKNOWN,
        metadata: Mapping[str, str] = _NO_METADATA,
        fields: tuple[FieldProblem, ...] = (),
        retry_after_s: float | None = None,
    ) -> None:
        """Keep everything that the server told."""
        super().__init__(reason, message)
        self.reason = reason
        """The fixed reason in upper case; the name of the status code where no reason came."""
        self.message = message
        """A sentence for people; may be empty."""
        self.code = code
        self.metadata = metadata
        """The values that belong to the reason, as `tile` and `value` to NO_MATCH."""
        self.fields = fields
        self.retry_after_s = retry_after_s
        """How long the server asks to wait before trying again; absent: it does not say."""
        self.method = ""
        """The rpc, as in "MatchService/PlayTile"; empty for a command on a stream."""
        self.request_id = ""
        """The id under which a mutation was sent: repeated with it, it is done once at most."""

    def __str__(self) -> str:
        where = f" ({self.method})" if self.method else ""
        return f"{self.reason}{where}: {self.message}" if self.message else self.reason + where

    @property
    def is_passing(self) -> bool:
        """True where the same call may succeed a little later."""
        return False


class NotFound(MugginsError):
    """What the request names does not exist: a match, a rule set, a level."""


class Refused(MugginsError):
    """The rules or the state of the match do not allow it now; `reason` tells why."""


class StaleVersion(MugginsError):
    """The match has moved on since `expected_version`; nothing was done."""

    @property
    def current(self) -> int | None:
        """The version the match has now, where the server told it."""
        version = self.metadata.get("version", "")
        return int(version) if version.isascii() and version.isdigit() else None


class Unauthenticated(MugginsError):
    """The secret that was shown is wrong or missing."""


class PermissionDenied(MugginsError):
    """Whoever asks may not do this."""


class Malformed(MugginsError):
    """The request itself is wrong, whatever the state of the match; `fields` may tell where."""


class Exhausted(MugginsError):
    """A limit of the server is reached."""

    @property
    def is_passing(self) -> bool:
        """True where the server tells when to come back."""
        return self.retry_after_s is not None


class Unavailable(MugginsError):
    """The server cannot be reached or is about to stop.

    Whether a mutation was done is not known; repeating it with its `request_id` is safe.
    """

    @property
    def is_passing(self) -> bool:
        """True: a server may come back."""
        return True


class TimedOut(Unavailable):
    """No answer came within the deadline. As with Unavailable the call may have been done."""


class NotImplementedByServer(MugginsError):
    """The server does not offer this rpc."""


class Internal(MugginsError):
    """The server has failed."""

    @property
    def is_passing(self) -> bool:
        """True where no word of the server's own came: a proxy or the transport broke the call."""
        return self.reason in {"UNKNOWN", "INTERNAL", "CANCELLED"} and not self.from_server

    from_server = False
    """True where the server itself said so, with an ErrorInfo."""


class Replaced(MugginsError):
    """A newer stream has attached to the same seat; this one is over."""


class ProtocolViolation(MugginsError):
    """The server does not keep the contract: events are missing, or the anchor has changed."""


_BY_CODE: Final[Mapping[grpc.StatusCode, Callable[..., MugginsError]]] = {
    grpc.StatusCode.CANCELLED: Internal,
    grpc.StatusCode.UNKNOWN: Internal,
    grpc.StatusCode.INVALID_ARGUMENT: Malformed,
    grpc.StatusCode.DEADLINE_EXCEEDED: TimedOut,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.ALREADY_EXISTS: Refused,
    grpc.StatusCode.PERMISSION_DENIED: PermissionDenied,
    grpc.StatusCode.RESOURCE_EXHAUSTED: Exhausted,
    grpc.StatusCode.FAILED_PRECONDITION: Refused,
    grpc.StatusCode.ABORTED: StaleVersion,
    grpc.StatusCode.OUT_OF_RANGE: Malformed,
    grpc.StatusCode.UNIMPLEMENTED: NotImplementedByServer,
    grpc.StatusCode.INTERNAL: Internal,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DATA_LOSS: Internal,
    grpc.StatusCode.UNAUTHENTICATED: Unauthenticated,
}


def error_class(code: grpc.StatusCode) -> Callable[..., MugginsError]:
    """The class of errors with a status code."""
    return _BY_CODE.get(code, Internal)
