"""Who calls and how: secrets, language and identity from a call's metadata."""

from base64 import urlsafe_b64decode
from binascii import Error as Base64Error
from typing import Final, NamedTuple

import grpc

from muggins.i18n import FALLBACK_LANGUAGE, best_language
from muggins_service.errors import ServiceError, ServiceReason

__all__ = ["CallerInfo", "Context", "caller_of", "language_of"]

Context = grpc.aio.ServicerContext[bytes, bytes]
"""A call of a method on raw bytes."""

SEAT_SECRET: Final = "muggins-seat-secret"
HOST_SECRET: Final = "muggins-host-secret"
_SECRET_BYTES: Final = 32
_SECRET_LETTERS: Final = 43


class CallerInfo(NamedTuple):
    """What a call's metadata tells. Secrets are 32 bytes, absent where none was shown."""

    language: str
    seat_secret: bytes | None
    host_secret: bytes | None


def caller_of(context: Context) -> CallerInfo:
    """What the metadata of a call tells.

    Raises:
        ServiceError: BAD_SEAT_SECRET or BAD_HOST_SECRET for what is no 32 bytes in unpadded
            base64url.
    """
    language = FALLBACK_LANGUAGE
    seat_secret = host_secret = None
    for key, value in context.invocation_metadata() or ():
        if key == SEAT_SECRET:
            seat_secret = _secret(value, ServiceReason.BAD_SEAT_SECRET)
        elif key == HOST_SECRET:
            host_secret = _secret(value, ServiceReason.BAD_HOST_SECRET)
        elif key == "accept-language":
            language = best_language(value if isinstance(value, str) else None)
    return CallerInfo(language, seat_secret, host_secret)


def language_of(context: Context) -> str:
    """The language in which a call's errors are told."""
    for key, value in context.invocation_metadata() or ():
        if key == "accept-language" and isinstance(value, str):
            return best_language(value)
    return FALLBACK_LANGUAGE


def _secret(value: str | bytes, reason: ServiceReason) -> bytes:
    text = value if isinstance(value, str) else value.decode("ascii", "replace")
    if len(text) == _SECRET_LETTERS:
        try:
            secret = urlsafe_b64decode(text + "=")
        except (Base64Error, ValueError):
            secret = b""
        if len(secret) == _SECRET_BYTES:
            return secret
    raise ServiceError(reason)
