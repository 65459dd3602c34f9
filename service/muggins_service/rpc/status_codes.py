"""One table from reasons to status codes; handlers never choose a code."""

from types import MappingProxyType
from typing import Final

import grpc

from muggins_rules.refusal import Refusal
from muggins_service.errors import Reason, ServiceReason

__all__ = ["STATUS_CODES"]

_INVALID = grpc.StatusCode.INVALID_ARGUMENT
_PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
_NOT_FOUND = grpc.StatusCode.NOT_FOUND
_DENIED = grpc.StatusCode.PERMISSION_DENIED
_UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
_EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
_UNAVAILABLE = grpc.StatusCode.UNAVAILABLE

_REFUSALS: Final[dict[Reason, grpc.StatusCode]] = {
    **dict.fromkeys(Refusal, _PRECONDITION),
    Refusal.MALFORMED_TILE: _INVALID,
}

_SERVICE: Final[dict[Reason, grpc.StatusCode]] = {
    ServiceReason.MALFORMED_FIELD: _INVALID,
    ServiceReason.MESSAGE_TOO_LARGE: _EXHAUSTED,
    ServiceReason.RATE_LIMITED: _EXHAUSTED,
    ServiceReason.DRAINING: _UNAVAILABLE,
    ServiceReason.STORE_UNAVAILABLE: _UNAVAILABLE,
    ServiceReason.NOT_IMPLEMENTED: grpc.StatusCode.UNIMPLEMENTED,
    ServiceReason.INTERNAL: grpc.StatusCode.INTERNAL,
    ServiceReason.MISSING_CREDENTIALS: _UNAUTHENTICATED,
    ServiceReason.BAD_CREDENTIALS: _UNAUTHENTICATED,
    ServiceReason.SCOPE_MISSING: _DENIED,
    ServiceReason.TOO_MANY_STREAMS: _EXHAUSTED,
    ServiceReason.TOO_MANY_MATCHES: _EXHAUSTED,
    ServiceReason.RELOAD_FAILED: _PRECONDITION,
    ServiceReason.DEAD_LETTER_NOT_FOUND: _NOT_FOUND,
    ServiceReason.MATCH_NOT_FOUND: _NOT_FOUND,
    ServiceReason.MATCH_LOST: _NOT_FOUND,
    ServiceReason.REQUEST_ID_REUSED: _INVALID,
    ServiceReason.VERSION_STALE: grpc.StatusCode.ABORTED,
    ServiceReason.BAD_SEAT_SECRET: _UNAUTHENTICATED,
    ServiceReason.MISSING_SEAT_SECRET: _UNAUTHENTICATED,
    ServiceReason.OBSERVER_CANNOT_ACT: _DENIED,
    ServiceReason.RULE_SET_UNKNOWN: _NOT_FOUND,
    ServiceReason.RULE_SET_INVALID: _INVALID,
    ServiceReason.UNSUPPORTED_SEATS: _INVALID,
    ServiceReason.LEVEL_UNKNOWN: _NOT_FOUND,
    ServiceReason.SEAT_UNKNOWN: _INVALID,
    ServiceReason.SEAT_TAKEN: _PRECONDITION,
    ServiceReason.NAME_NOT_ALLOWED: _INVALID,
    ServiceReason.TEST_SEED_NOT_ALLOWED: _PRECONDITION,
    ServiceReason.MATCH_FULL: _PRECONDITION,
    ServiceReason.MATCH_NOT_OPEN: _PRECONDITION,
    ServiceReason.INVITE_CODE_WRONG: _DENIED,
    ServiceReason.SEAT_NOT_YOURS: _DENIED,
    ServiceReason.SEAT_RESIGNED: _PRECONDITION,
    ServiceReason.NONCE_MISMATCH: _INVALID,
    ServiceReason.SEATS_NOT_FILLED: _PRECONDITION,
    ServiceReason.NONCE_NOT_EXPECTED: _PRECONDITION,
    ServiceReason.NONCE_ALREADY_REVEALED: _PRECONDITION,
    ServiceReason.BAD_HOST_SECRET: _UNAUTHENTICATED,
    ServiceReason.MATCH_NOT_FINISHED: _PRECONDITION,
    ServiceReason.HINTS_OFF: _PRECONDITION,
    ServiceReason.TOO_MANY_OBSERVERS: _EXHAUSTED,
    ServiceReason.STREAM_PROTOCOL: _INVALID,
    ServiceReason.STREAM_TOO_SLOW: _EXHAUSTED,
    ServiceReason.VIEW_INCONSISTENT: _INVALID,
    ServiceReason.EVENTS_INCONSISTENT: _INVALID,
    ServiceReason.ROUND_NOT_OVER: _PRECONDITION,
}

STATUS_CODES: Final = MappingProxyType(_REFUSALS | _SERVICE)
"""The canonical code of every reason."""
