"""Matches of an earlier process: each is made from its log again when it is first asked for."""

import asyncio
import time
from typing import Final

import structlog

from muggins_rules.views import PUBLIC
from muggins_service.matches.encodings import EncodedRecord
from muggins_service.matches.outcome import Outcome
from muggins_service.matches.registry import Registry
from muggins_service.matches.request_table import RETENTION_US, Recorded
from muggins_service.matches.slot import Slot
from muggins_service.store.port import Store
from muggins_service.table.facts import RematchCreated
from muggins_service.table.record import ActorKind
from muggins_service.table.state import Table, open_table, with_record
from muggins_service.wire.records import UnreadableRecord
from muggins_service.wire.views import seat_view_bytes

__all__ = ["first_outcome", "recover_rest", "recovered"]

_log = structlog.get_logger("muggins.matches")

SLICE_S: Final = 0.005
"""How long the loop is held up by recovering matches that nobody has asked for."""


def recovered(store: Store, slot: Slot, now_us: int) -> bool:
    """Fill a slot from its log, with the requests of its last minutes; False when it cannot be."""
    log = tuple(store.read(slot.match_id))
    try:
        slot.recover(log)
    except (UnreadableRecord, AssertionError, ValueError):
        _log.exception("match_unreadable", match_id=slot.match_id)
        return False
    if not log:
        return False
    for stored in log:
        record = stored.record
        if record.request_id and now_us - record.time_us < RETENTION_US:
            recorded = Recorded(slot.match_id, record.version)
            slot.requests.remember(record.request_id, record.body_hash, recorded, record.time_us)
    slot.watch = store.watch(slot.match_id, log[-1].version, slot.on_stored)
    return True


async def recover_rest(registry: Registry) -> None:
    """Recover all matches that nobody has asked for, a little at a time."""
    until = time.monotonic() + SLICE_S
    for match_id in registry.unrecovered():
        registry.recover(match_id)
        if time.monotonic() >= until:
            await asyncio.sleep(SLICE_S)
            until = time.monotonic() + SLICE_S


def first_outcome(store: Store, slot: Slot, version: int, now_us: int) -> Outcome:
    """What the command of a record was answered, from the match's log up to that record."""
    table: Table | None = None
    for stored in store.read(slot.match_id):
        record = stored.record
        table = open_table(slot.match_id, record) if table is None else with_record(table, record)
        if record.version == version:
            break
    else:
        raise AssertionError("a record that was told of is in the log")
    seat = record.actor.seat if record.actor.kind is ActorKind.PLAYER else None
    calling = table.created.rule_set.calling
    viewer = PUBLIC if seat is None else seat
    created = record.match_secrets is not None
    view = b""
    if seat is not None:
        view = seat_view_bytes(table, seat, slot.presence(now_us), now_us)
    return Outcome(
        slot.match_id,
        version,
        EncodedRecord(record, calling=calling).chunk(viewer),
        seat,
        view,
        created=created,
        invite_code=table.secrets.invite_code if created else "",
        rematch_id=next(
            (
                entry.fact.match_id
                for entry in record.entries
                if isinstance(entry.fact, RematchCreated)
            ),
            "",
        ),
        hint=record.hint,
    )
