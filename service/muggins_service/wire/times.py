"""Times and durations: integer microseconds inside, seconds and nanoseconds on the wire."""

from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from muggins_service.errors import malformed_field
from muggins_service.wire.binary import varint

__all__ = ["decode_duration", "instant", "set_instant", "us_of"]

_US: Final = 1_000_000
_NS: Final = 1_000_000_000
_LONGEST_S: Final = 315_576_000_000
"""Bound of both kinds of message: 10,000 years."""


def instant(us: int) -> bytes:
    """A Timestamp since the epoch, or a Duration: on the wire both have the same two fields."""
    seconds, micros = divmod(us, _US)
    payload = b"\x08" + varint(seconds) if seconds else b""
    return payload + b"\x10" + varint(micros * 1_000) if micros else payload


def set_instant(message: Timestamp | Duration, us: int) -> None:
    """Give a message a time from 0."""
    message.seconds, micros = divmod(us, _US)
    message.nanos = micros * 1_000


def us_of(message: Timestamp | Duration) -> int:
    """The microseconds of a message that this server wrote, or of one that was checked."""
    return message.seconds * _US + message.nanos // 1_000


def decode_duration(message: Duration, field: str) -> int:
    """The microseconds of a duration in a request; 0 where it is absent."""
    seconds, nanos = message.seconds, message.nanos
    if not (0 <= seconds <= _LONGEST_S and 0 <= nanos < _NS):
        raise malformed_field(field, "A duration is from zero, its nanoseconds below a second.")
    return us_of(message)
