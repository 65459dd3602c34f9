"""What the service refuses: a fixed reason, its metadata, and the fields it is about."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from muggins_rules.refusal import Refusal

__all__ = ["FieldProblem", "Reason", "ServiceError", "ServiceReason", "malformed_field"]


class ServiceReason(StrEnum):
    """A reason of the service's own, beside the refusals of the rules."""

    MALFORMED_FIELD = "malformed_field"
    MESSAGE_TOO_LARGE = "message_too_large"
    RATE_LIMITED = "rate_limited"
    DRAINING = "draining"
    STORE_UNAVAILABLE = "store_unavailable"
    NOT_IMPLEMENTED = "not_implemented"
    INTERNAL = "internal"

    MISSING_CREDENTIALS = "missing_credentials"
    BAD_CREDENTIALS = "bad_credentials"
    SCOPE_MISSING = "scope_missing"
    TOO_MANY_STREAMS = "too_many_streams"
    TOO_MANY_MATCHES = "too_many_matches"
    RELOAD_FAILED = "reload_failed"
    DEAD_LETTER_NOT_FOUND = "dead_letter_not_found"

    MATCH_NOT_FOUND = "match_not_found"
    MATCH_LOST = "match_lost"
    REQUEST_ID_REUSED = "request_id_reused"
    VERSION_STALE = "version_stale"
    BAD_SEAT_SECRET = "bad_seat_secret"
    MISSING_SEAT_SECRET = "missing_seat_secret"
    OBSERVER_CANNOT_ACT = "observer_cannot_act"

    RULE_SET_UNKNOWN = "rule_set_unknown"
    RULE_SET_INVALID = "rule_set_invalid"
    UNSUPPORTED_SEATS = "unsupported_seats"
    LEVEL_UNKNOWN = "level_unknown"
    SEAT_UNKNOWN = "seat_unknown"
    SEAT_TAKEN = "seat_taken"
    NAME_NOT_ALLOWED = "name_not_allowed"
    TEST_SEED_NOT_ALLOWED = "test_seed_not_allowed"

    MATCH_FULL = "match_full"
    MATCH_NOT_OPEN = "match_not_open"
    INVITE_CODE_WRONG = "invite_code_wrong"
    SEAT_NOT_YOURS = "seat_not_yours"
    SEAT_RESIGNED = "seat_resigned"

    NONCE_MISMATCH = "nonce_mismatch"
    SEATS_NOT_FILLED = "seats_not_filled"
    NONCE_NOT_EXPECTED = "nonce_not_expected"
    NONCE_ALREADY_REVEALED = "nonce_already_revealed"

    BAD_HOST_SECRET = "bad_host_secret"
    MATCH_NOT_FINISHED = "match_not_finished"
    HINTS_OFF = "hints_off"

    TOO_MANY_OBSERVERS = "too_many_observers"
    STREAM_PROTOCOL = "stream_protocol"
    STREAM_TOO_SLOW = "stream_too_slow"

    VIEW_INCONSISTENT = "view_inconsistent"
    EVENTS_INCONSISTENT = "events_inconsistent"
    ROUND_NOT_OVER = "round_not_over"


Reason = Refusal | ServiceReason
"""Anything that can be given as the reason of an error."""

NO_METADATA: Final[Mapping[str, str]] = {}


class FieldProblem(NamedTuple):
    """A field of a request by its path, and what is wrong with it in plain English."""

    field: str
    description: str


class ServiceError(Exception):
    """A request was refused; nothing has changed."""

    def __init__(
        self,
        reason: Reason,
        *,
        metadata: Mapping[str, str] = NO_METADATA,
        fields: tuple[FieldProblem, ...] = (),
        retry_after_s: float | None = None,
        quota: tuple[str, str] | None = None,
    ) -> None:
        """Keep everything that the caller is told. `quota` is whose limit it was, and which."""
        super().__init__(reason.value)
        self.reason = reason
        self.metadata = metadata
        self.fields = fields
        self.retry_after_s = retry_after_s
        self.quota = quota


def malformed_field(field: str, description: str) -> ServiceError:
    """The error of a field whose value no message may have."""
    return ServiceError(
        ServiceReason.MALFORMED_FIELD,
        metadata={"field": field},
        fields=(FieldProblem(field, description),),
    )
