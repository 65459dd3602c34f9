"""The shapes that identifiers, secrets and names in requests must have."""

import unicodedata
from typing import Final, TypeVar

from google.protobuf.message import DecodeError, Message

from muggins_service.errors import malformed_field

__all__ = [
    "LONGEST_NAME",
    "allowed_name",
    "level_name",
    "match_id_in",
    "nonce_commitment",
    "optional_secret",
    "parse",
    "request_id_in",
    "secret_bytes",
]

LONGEST_NAME: Final = 40
"""Unicode code points of the longest name of a seat."""

_LONGEST_ID: Final = 64
_SECRET_BYTES: Final = 32
_UNPRINTABLE: Final = frozenset({"Cc", "Cs", "Cn", "Co", "Zl", "Zp"})
_UNSEEN: Final = frozenset({"Cf", "Mn", "Me", "Zs"})
_BIDI_CONTROLS: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)

_Request = TypeVar("_Request", bound=Message)


def parse(kind: type[_Request], raw: bytes) -> _Request:
    """The request in some bytes."""
    try:
        return kind.FromString(raw)
    except DecodeError as error:
        raise malformed_field("", f"This is no {kind.DESCRIPTOR.name}.") from error


def match_id_in(text: str) -> str:
    """The id of a match, which is required."""
    if not 1 <= len(text) <= _LONGEST_ID:
        raise malformed_field("match_id", "The id of a match is required, 64 characters at most.")
    return text


def request_id_in(text: str) -> str:
    """The id of a request, empty where a repeat is a new call."""
    if len(text) > _LONGEST_ID or not text.isascii() or not text.isprintable():
        raise malformed_field("request_id", "A request id is up to 64 printable ASCII characters.")
    return text


def secret_bytes(value: bytes, field: str) -> bytes:
    """A secret or nonce, which is required."""
    if len(value) != _SECRET_BYTES:
        raise malformed_field(field, "32 bytes are required here.")
    return value


def optional_secret(value: bytes, field: str) -> bytes | None:
    """32 bytes, or none."""
    return secret_bytes(value, field) if value else None


def nonce_commitment(value: bytes) -> bytes:
    """A commitment, empty where there is none."""
    return secret_bytes(value, "nonce_commitment") if value else value


def level_name(text: str, field: str) -> str:
    """The name of a level, which is required; whether there is one is for others to say."""
    if not 1 <= len(text) <= _LONGEST_ID:
        raise malformed_field(field, "The name of a level is required.")
    return text


def allowed_name(text: str) -> str | None:
    """The name that a seat may show, composed (NFC) and trimmed; none where it may not.

    It has 1 to 40 code points, at least one of which can be seen, and none that breaks a line,
    has no meaning, or turns the direction of the text around it.
    """
    name = unicodedata.normalize("NFC", text.strip())
    if len(name) > LONGEST_NAME:
        return None
    kinds = {unicodedata.category(character) for character in name}
    if kinds & _UNPRINTABLE or not kinds - _UNSEEN or not _BIDI_CONTROLS.isdisjoint(name):
        return None
    return name
