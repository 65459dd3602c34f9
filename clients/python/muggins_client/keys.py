"""Secrets, nonces and request ids: what a client makes for itself."""

import secrets
import uuid
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Final

__all__ = ["KEY_BYTES", "SeatKeys", "decode_key", "encode_key", "new_key", "new_request_id"]

KEY_BYTES: Final = 32
"""Length of seat secrets, host secrets and nonces."""

_BASE64_GROUP: Final = 4


def new_key() -> bytes:
    """32 bytes from the operating system's source of randomness."""
    return secrets.token_bytes(KEY_BYTES)


def new_request_id() -> str:
    """A random UUID, by which the server tells a repeat from a new request."""
    return str(uuid.uuid4())


def encode_key(key: bytes) -> str:
    """Bytes as unpadded base64url, the form of metadata and of saved handles."""
    return urlsafe_b64encode(key).rstrip(b"=").decode("ascii")


def decode_key(text: str) -> bytes:
    """The bytes of unpadded base64url.

    Raises:
        ValueError: the text is none.
    """
    decoded = urlsafe_b64decode(text + "=" * (-len(text) % _BASE64_GROUP))
    if encode_key(decoded) != text:
        raise ValueError("not unpadded base64url")
    return decoded


@dataclass(frozen=True, slots=True)
class SeatKeys:
    """The secret and the nonce that a client makes before it asks for a seat.

    Kept and used again when no answer came, they ask for the same seat again.
    """

    secret: bytes = field(default_factory=new_key, repr=False)
    nonce: bytes = field(default_factory=new_key, repr=False)
    """Empty: the seat takes no part in the shuffle."""
