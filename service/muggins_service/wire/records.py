"""Records of a match, as they are stored and as they are given out when it is over."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from google.protobuf.message import DecodeError

from muggins.v1 import records_pb2, storage_pb2
from muggins_service.errors import ServiceError
from muggins_service.table.facts import MatchCreated
from muggins_service.table.record import Actor, ActorKind, MatchSecrets, Record, SeatKey
from muggins_service.wire.binary import VARINT, delimited, varint_field, wire_key
from muggins_service.wire.events import decode_events, encode_event, events_chunk
from muggins_service.wire.rule_sets import set_rule_set
from muggins_service.wire.times import instant, us_of

__all__ = [
    "EXPORT_FORMAT",
    "UnreadableRecord",
    "decode_export",
    "decode_record",
    "encode_record",
    "export",
    "record_of",
    "record_with_chunk",
]

EXPORT_FORMAT: Final = 1
"""Version of the layout of an export."""

_STORED_RECORD: Final = wire_key(1)
_STORED_SECRETS: Final = wire_key(2)
_STORED_KEY: Final = wire_key(3)
_STORED_HINT: Final = wire_key(4)

_VERSION: Final = wire_key(1, VARINT)
_REQUEST_ID: Final = wire_key(3)
_BODY_HASH: Final = wire_key(4)
_ACTOR: Final = wire_key(5)
_TIME: Final = wire_key(6)

_EXPORT_RECORD: Final = wire_key(1)
_MATCH_RECORDS: Final = wire_key(4)

_FEW: Final = 64
_KINDS: Final = {int(kind): kind for kind in ActorKind}


class UnreadableRecord(ValueError):  # noqa: N818 - says what it is, as IllegalAction does
    """Stored bytes that are no record of this or an earlier version."""


# --- stored ---


def encode_record(record: Record) -> bytes:
    """A StoredRecord."""
    return record_with_chunk(record, events_chunk(map(encode_event, record.entries)))


def record_with_chunk(record: Record, chunk: bytes) -> bytes:
    """A StoredRecord whose events are already encoded, in record form, by `events_chunk`."""
    stored = delimited(_STORED_RECORD, _record(record, chunk))
    if record.match_secrets is not None:
        stored += delimited(_STORED_SECRETS, _secrets(record.match_secrets))
    for key in record.seat_keys:
        stored += delimited(_STORED_KEY, _seat_key(key))
    if record.hint:
        stored += delimited(_STORED_HINT, record.hint)
    return stored


def decode_record(data: bytes) -> Record:
    """The record of a StoredRecord; UnreadableRecord when the bytes are none.

    Facts and fields that only later versions know are left out. The record keeps its version, so
    the sequences of later records go on where they did.
    """
    try:
        stored = storage_pb2.StoredRecord.FromString(data)
    except DecodeError as error:
        raise UnreadableRecord("not a StoredRecord") from error
    secrets = stored.match_secrets
    return replace(
        _decoded(stored.record),
        match_secrets=MatchSecrets(
            secrets.host_secret_hash,
            secrets.invite_code,
            secrets.chain_seed,
            secrets.chain_length,
            secrets.host_principal,
        )
        if stored.HasField("match_secrets")
        else None,
        seat_keys=tuple(
            SeatKey(key.seat, key.secret_hash, key.epoch, key.principal) for key in stored.seat_keys
        ),
        hint=stored.hint,
    )


def _decoded(message: records_pb2.Record) -> Record:
    try:
        return record_of(message, "record")
    except ServiceError as error:
        raise UnreadableRecord(f"malformed {error.metadata['field']}") from error


def record_of(message: records_pb2.Record, field: str) -> Record:
    """The record of a message, without secrets and keys; MALFORMED_FIELD where it is none."""
    return Record(
        message.version,
        decode_events(message.events, f"{field}.events"),
        message.request_id,
        message.body_hash,
        Actor(
            _KINDS.get(message.actor.kind, ActorKind.SERVER),
            message.actor.seat if message.actor.HasField("seat") else None,
        ),
        us_of(message.time),
    )


def _record(record: Record, chunk: bytes) -> bytes:
    parts = [varint_field(_VERSION, record.version), chunk]
    if record.request_id:
        parts.append(delimited(_REQUEST_ID, record.request_id.encode()))
    if record.body_hash:
        parts.append(delimited(_BODY_HASH, record.body_hash))
    parts += (delimited(_ACTOR, _actor(record.actor)), delimited(_TIME, instant(record.time_us)))
    return b"".join(parts)


@lru_cache(_FEW)
def _actor(actor: Actor) -> bytes:
    message = records_pb2.Actor(kind=records_pb2.ActorKind.ValueType(actor.kind))
    if actor.seat is not None:
        message.seat = actor.seat
    return message.SerializeToString()


def _secrets(secrets: MatchSecrets) -> bytes:
    return storage_pb2.MatchSecrets(
        host_secret_hash=secrets.host_secret_hash,
        invite_code=secrets.invite_code,
        chain_seed=secrets.chain_seed,
        chain_length=secrets.chain_length,
        host_principal=secrets.host_principal,
    ).SerializeToString()


def _seat_key(key: SeatKey) -> bytes:
    return storage_pb2.SeatKey(
        seat=key.seat, secret_hash=key.secret_hash, epoch=key.epoch, principal=key.principal
    ).SerializeToString()


# --- given out ---


def export(match_id: str, stored: Iterable[bytes], server_version: str) -> bytes:
    """An ExportMatchResponse of stored records: everything but the secrets and keys beside them."""
    given = [storage_pb2.StoredRecord.FromString(data).record for data in stored]
    created = record_of(given[0], "record").entries[0].fact
    assert isinstance(created, MatchCreated), "a match begins with MatchCreated"
    head = records_pb2.MatchRecord(match_id=match_id, seats=created.seats)
    set_rule_set(head.rule_set, created.rule_set)
    tail = records_pb2.MatchRecord(
        fairness_anchor=created.fairness_anchor,
        format=EXPORT_FORMAT,
        server_version=server_version,
    )
    records = [delimited(_MATCH_RECORDS, record.SerializeToString()) for record in given]
    message = b"".join((head.SerializeToString(), *records, tail.SerializeToString()))
    return delimited(_EXPORT_RECORD, message)


def decode_export(message: records_pb2.MatchRecord) -> tuple[Record, ...]:
    """The records of a match that was given out, without secrets and keys.

    Raises:
        UnreadableRecord: they are none of this or an earlier version.
    """
    return tuple(map(_decoded, message.records))
