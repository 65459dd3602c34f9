"""The shapes that identifiers, secrets and names in requests must have."""

from typing import Final, TypeVar

from google.protobuf.message import DecodeError, Message

from muggins_service.errors import malformed_field

__all__ = [
    "level_name",
    "match_id_in",
    "nonce_commitment",
    "optional_secret",
    "parse",
    "request_id_in",
    "secret_bytes",
]

_LONGEST_ID: Final = 64
_SECRET_BYTES: Final = 32

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
