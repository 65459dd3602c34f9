"""The frames of a match's streams, put together from shared bytes."""

from enum import IntEnum
from typing import Final

from muggins.v1 import streams_pb2 as pb
from muggins_service.errors import ServiceError
from muggins_service.table.state import Table
from muggins_service.wire.binary import VARINT, delimited, varint_field, wire_key
from muggins_service.wire.status import reason_name
from muggins_service.wire.times import set_instant
from muggins_service.wire.views import Presence, seat_infos

__all__ = [
    "GoAwayReason",
    "command_result",
    "event_batch_frame",
    "go_away_frame",
    "go_away_message",
    "heartbeat_frame",
    "play_frame",
    "pong_frame",
    "refusal",
    "snapshot_frame",
]

_SNAPSHOT: Final = wire_key(1)
_EVENTS: Final = wire_key(2)
_HEARTBEAT: Final = wire_key(3)
_GO_AWAY: Final = wire_key(4)

_SNAPSHOT_TABLE: Final = wire_key(1)
_SNAPSHOT_SEAT: Final = wire_key(2)
_SNAPSHOT_GAP: Final = wire_key(3, VARINT)

_PLAY_RESULT: Final = wire_key(1)
_PLAY_OBSERVE: Final = wire_key(2)
_PLAY_PONG: Final = wire_key(3)

_RESULT_REQUEST_ID: Final = wire_key(1)
_RESULT_VERSION: Final = wire_key(2, VARINT)
_RESULT_REFUSAL: Final = wire_key(3)


class GoAwayReason(IntEnum):
    """Why a stream is ended by the server."""

    DRAINING = 1
    REPLACED = 2
    TOO_SLOW = 3
    MAX_AGE = 4
    MATCH_REMOVED = 5


# --- ObserveMatchResponse ---


def event_batch_frame(chunk: bytes, legal_actions: bytes = b"") -> bytes:
    """What happened next: events by `events_chunk`, legal actions by `legal_actions_chunk`."""
    return delimited(_EVENTS, legal_actions + chunk)


def snapshot_frame(view: bytes, *, is_seat: bool, gap: bool = False) -> bytes:
    """The match as the viewer may see it, as a SeatView or PublicView; after a gap or at first."""
    key = _SNAPSHOT_SEAT if is_seat else _SNAPSHOT_TABLE
    return delimited(_SNAPSHOT, delimited(key, view) + varint_field(_SNAPSHOT_GAP, gap))


def heartbeat_frame(table: Table, presence: Presence, now_us: int) -> bytes:
    """A sign of life with the version that the viewer has and the seats as they are now."""
    message = pb.Heartbeat(version=table.version)
    set_instant(message.time, now_us)
    message.presence.extend(seat_infos(table, presence))
    return delimited(_HEARTBEAT, message.SerializeToString())


def go_away_frame(reason: GoAwayReason, retry_after_us: int = 0) -> bytes:
    """The last frame of a stream that the server ends."""
    return delimited(_GO_AWAY, go_away_message(reason, retry_after_us).SerializeToString())


def go_away_message(reason: GoAwayReason, retry_after_us: int = 0) -> pb.GoAway:
    """A GoAway."""
    message = pb.GoAway(reason=pb.GoAwayReason.ValueType(reason))
    if retry_after_us:
        set_instant(message.retry_after, retry_after_us)
    return message


# --- PlayMatchResponse ---


def play_frame(result: bytes | None = None, observe: bytes | None = None) -> bytes:
    """A command's result, a frame of the match's stream, or both."""
    parts = b"" if result is None else delimited(_PLAY_RESULT, result)
    return parts if observe is None else parts + delimited(_PLAY_OBSERVE, observe)


def pong_frame(nonce: int) -> bytes:
    """The answer to a ping."""
    return delimited(_PLAY_PONG, pb.Ping(nonce=nonce).SerializeToString())


def command_result(request_id: str, version: int, refused: bytes | None = None) -> bytes:
    """A CommandResult; `refused` is a Refusal where the command was not carried out."""
    parts = delimited(_RESULT_REQUEST_ID, request_id.encode()) if request_id else b""
    parts += varint_field(_RESULT_VERSION, version)
    return parts if refused is None else parts + delimited(_RESULT_REFUSAL, refused)


def refusal(error: ServiceError, code: int, message: str) -> bytes:
    """A Refusal: what a unary call gives as status and details."""
    return pb.Refusal(
        code=code, reason=reason_name(error.reason), metadata=error.metadata, message=message
    ).SerializeToString(deterministic=True)
