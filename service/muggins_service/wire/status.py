"""The details of a refusal: a google.rpc.Status as the trailing metadata carry it."""

from typing import Final

from google.rpc.error_details_pb2 import (
    BadRequest,
    ErrorInfo,
    LocalizedMessage,
    QuotaFailure,
    RetryInfo,
)
from google.rpc.status_pb2 import Status

from muggins_service.errors import Reason, ServiceError

__all__ = ["DOMAIN", "reason_name", "status_details"]

DOMAIN: Final = "muggins.v1"
"""The domain of every reason."""

_US: Final = 1_000_000


def reason_name(reason: Reason) -> str:
    """A reason as the wire has it, as in "NOT_YOUR_TURN"."""
    return reason.value.upper()


def status_details(
    code: int, message: str, error: ServiceError, *, localized: tuple[str, str] | None = None
) -> bytes:
    """A Status with an ErrorInfo, and what else is known: fields, the time to wait, a sentence.

    `localized` is the tag of a language and a sentence for people in it.
    """
    status = Status(code=code, message=message)
    info = ErrorInfo(reason=reason_name(error.reason), domain=DOMAIN, metadata=error.metadata)
    status.details.add().Pack(info)
    if error.fields:
        violations = [
            BadRequest.FieldViolation(field=problem.field, description=problem.description)
            for problem in error.fields
        ]
        status.details.add().Pack(BadRequest(field_violations=violations))
    if error.retry_after_s is not None:
        retry = RetryInfo()
        retry.retry_delay.FromMicroseconds(round(error.retry_after_s * _US))
        status.details.add().Pack(retry)
    if error.quota is not None:
        subject, description = error.quota
        violation = QuotaFailure.Violation(subject=subject, description=description)
        status.details.add().Pack(QuotaFailure(violations=[violation]))
    if localized is not None:
        locale, sentence = localized
        status.details.add().Pack(LocalizedMessage(locale=locale, message=sentence))
    data: bytes = status.SerializeToString()
    return data
