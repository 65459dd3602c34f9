"""Entries of a match's log as Events, both ways.

An entry is encoded once for each projection of it, and the bytes are shared by the record, the
answer and every stream: all have their events in a repeated field of the same number. The facts
of a plain move are put together from cached parts, which costs about a quarter of building their
messages; the others are built by the library.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from muggins.v1 import events_pb2 as pb
from muggins_rules.events import SeatPassed, TileDrawn, TilePlayed, TurnStarted
from muggins_rules.places import AttachPoint
from muggins_service.table.facts import Cause, Entry, MadeFor, TurnTiming, WindowTiming
from muggins_service.wire.binary import VARINT, delimited, packed, varint, varint_field, wire_key
from muggins_service.wire.fact_decoding import DECODERS, decode_made_for
from muggins_service.wire.facts import set_fact
from muggins_service.wire.tiles import (
    attach_point_bytes,
    count_bytes,
    placement_bytes,
    tile_bytes,
)
from muggins_service.wire.times import instant, us_of

__all__ = ["decode_event", "decode_events", "encode_event", "events_chunk"]

EVENTS: Final = wire_key(2)
"""The repeated Events in records, answers and batches."""

_SEQUENCE: Final = wire_key(1, VARINT)
_TIME: Final = wire_key(2)
_ROUND: Final = wire_key(3, VARINT)
_CAUSE: Final = wire_key(4, VARINT)
_ENGINE: Final = wire_key(5)

_TURN_STARTED: Final = wire_key(pb.Event.TURN_STARTED_FIELD_NUMBER)
_TILE_PLAYED: Final = wire_key(pb.Event.TILE_PLAYED_FIELD_NUMBER)
_TILE_DRAWN: Final = wire_key(pb.Event.TILE_DRAWN_FIELD_NUMBER)
_SEAT_PASSED: Final = wire_key(pb.Event.SEAT_PASSED_FIELD_NUMBER)

_SEAT: Final = wire_key(1, VARINT)
_TURN_DEADLINE: Final = wire_key(2)
_TURN_TIME_LEFT: Final = wire_key(3)
_TURN_NOT_BEFORE: Final = wire_key(4)
_TURN_BANK_LEFT: Final = wire_key(5)
_PLAYED_PLACEMENT: Final = wire_key(2)
_PLAYED_ATTACH_POINT: Final = wire_key(3)
_PLAYED_COUNT: Final = wire_key(4)
_PLAYED_NOT_BEFORE: Final = wire_key(5)
_PLAYED_SCORES: Final = wire_key(6)
_PLAYED_NUMBER: Final = wire_key(7, VARINT)
_PLAYED_CLOSES_AT: Final = wire_key(8)
_DRAWN_TILE: Final = wire_key(2)
_DRAWN_BONEYARD: Final = wire_key(3, VARINT)

_CAUSES: Final = {int(cause): cause for cause in Cause}
_KEPT: Final = 8_192
_RECENT: Final = 64


def events_chunk(events: Iterable[bytes]) -> bytes:
    """Encoded events as the repeated field, to be joined with the other fields of a message."""
    return b"".join([delimited(EVENTS, event) for event in events])


# --- out ---


def encode_event(entry: Entry) -> bytes:
    """An Event of an entry that holds just what its reader may see."""
    fact = entry.fact
    header = (
        _SEQUENCE + varint(entry.sequence)
        + _instant_field(_TIME, entry.time_us)
        + varint_field(_ROUND, entry.round)
        + varint_field(_CAUSE, entry.cause)
    )  # fmt: skip
    if entry.engine:
        header += delimited(_ENGINE, entry.engine.encode())
    match fact:
        case TurnStarted(seat):
            return header + delimited(_TURN_STARTED, _turn_started(seat, entry.timing))
        case TilePlayed():
            return header + delimited(_TILE_PLAYED, _tile_played(fact, entry.timing))
        case TileDrawn():
            return header + delimited(_TILE_DRAWN, _tile_drawn(fact))
        case SeatPassed(seat):
            return header + delimited(_SEAT_PASSED, varint_field(_SEAT, seat))
        case _:
            event = pb.Event()
            set_fact(event, entry, fact)
            return header + event.SerializeToString()


def _turn_started(seat: int, timing: TurnTiming | WindowTiming | None) -> bytes:
    fields = varint_field(_SEAT, seat)
    if isinstance(timing, TurnTiming):
        fields += (
            _instant_field(_TURN_DEADLINE, timing.deadline_us)
            + _instant_field(_TURN_TIME_LEFT, timing.time_left_us)
            + _instant_field(_TURN_NOT_BEFORE, timing.not_before_us)
            + _instant_field(_TURN_BANK_LEFT, timing.bank_left_us)
        )
    return fields


def _tile_played(fact: TilePlayed, timing: TurnTiming | WindowTiming | None) -> bytes:
    parts = [
        varint_field(_SEAT, fact.seat),
        delimited(_PLAYED_PLACEMENT, placement_bytes(fact.placement)),
        *map(_attach_point_field, fact.attach_points),
    ]
    if fact.count is not None:
        parts.append(delimited(_PLAYED_COUNT, count_bytes(fact.count)))
    window = timing if isinstance(timing, WindowTiming) else None
    if window is not None:
        parts.append(_instant_field(_PLAYED_NOT_BEFORE, window.not_before_us))
    if fact.scores:
        parts.append(delimited(_PLAYED_SCORES, packed(fact.scores)))
    parts.append(varint_field(_PLAYED_NUMBER, fact.number))
    if window is not None:
        parts.append(_instant_field(_PLAYED_CLOSES_AT, window.closes_at_us))
    return b"".join(parts)


@lru_cache(_KEPT)
def _attach_point_field(point: AttachPoint) -> bytes:
    return delimited(_PLAYED_ATTACH_POINT, attach_point_bytes(point))


def _tile_drawn(fact: TileDrawn) -> bytes:
    fields = varint_field(_SEAT, fact.seat)
    if fact.tile is not None:
        fields += delimited(_DRAWN_TILE, tile_bytes(fact.tile))
    return fields + varint_field(_DRAWN_BONEYARD, fact.boneyard)


@lru_cache(_RECENT)
def _instant_field(key: bytes, us: int) -> bytes:
    """A time or duration, left out when zero; one command's entries share most of theirs."""
    return delimited(key, instant(us)) if us else b""


# --- in ---


def decode_event(message: pb.Event, field: str = "event") -> Entry | None:
    """The entry of an Event; nothing where its fact is of a kind that only later versions know."""
    kind = message.WhichOneof("fact")
    if kind is None:
        return None
    fact = DECODERS[kind](message, f"{field}.{kind}")
    timing: TurnTiming | WindowTiming | None = None
    secret, called = b"", 0
    stand_in_moves: tuple[int, ...] = ()
    made_for: tuple[MadeFor, ...] = ()
    if kind == "turn_started":
        timing = _turn_timing(message.turn_started)
    elif kind == "tile_played":
        timing = _window_timing(message.tile_played)
    elif kind == "muggins_called":
        called = message.muggins_called.placement_sequence
    elif kind == "round_ended":
        secret = message.round_ended.secret
    elif kind == "match_ended":
        secret = message.match_ended.secret
        stand_in_moves = tuple(message.match_ended.stand_in_moves)
        made_for = decode_made_for(message.match_ended)
    return Entry(
        message.sequence,
        us_of(message.time),
        message.round,
        _CAUSES.get(message.cause, Cause.UNSPECIFIED),
        fact,
        message.engine,
        timing,
        secret,
        called,
        stand_in_moves,
        made_for,
    )


def decode_events(messages: Iterable[pb.Event], field: str) -> tuple[Entry, ...]:
    """The entries of Events, without those of unknown facts: the sequences show the gaps."""
    entries = [decode_event(message, f"{field}[{index}]") for index, message in enumerate(messages)]
    return tuple([entry for entry in entries if entry is not None])


def _turn_timing(message: pb.TurnStarted) -> TurnTiming:
    return TurnTiming(
        us_of(message.deadline),
        us_of(message.time_left),
        us_of(message.not_before),
        us_of(message.bank_left),
    )


def _window_timing(message: pb.TilePlayed) -> WindowTiming | None:
    if not message.HasField("claim_window_closes_at"):
        return None
    return WindowTiming(
        us_of(message.claim_window_not_before), us_of(message.claim_window_closes_at)
    )
