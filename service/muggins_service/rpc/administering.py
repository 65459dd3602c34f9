"""AdminService: what an operator may see and do while the server runs."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import structlog

from muggins_service.doors.doors import BadDoor, Doors
from muggins_service.doors.guest import GUEST
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.engine import Engine
from muggins_service.matches.outcome import Job
from muggins_service.matches.slot import Slot
from muggins_service.observers.lobby import is_of
from muggins_service.rpc.caller import Context
from muggins_service.rpc.calling import UnaryHandler
from muggins_service.rpc.pages import page_of
from muggins_service.table.commands import Cancel
from muggins_service.wire.admin import (
    HeldMatch,
    ListAllMatches,
    admin_page_token,
    decode_drain,
    decode_end_match,
    decode_inspect_match,
    decode_list_all_matches,
    drain_answer,
    end_match_answer,
    inspect_match_answer,
    list_all_matches_answer,
    reload_answer,
)

__all__ = ["Draining", "admin_handlers"]

_log = structlog.get_logger("muggins.admin")


class Draining(NamedTuple):
    """How a server is asked to take no new match, and to stop."""

    begin: Callable[[], None]
    stop: Callable[[], None]


def admin_handlers(engine: Engine, doors: Doors, draining: Draining) -> dict[str, UnaryHandler]:
    """The methods of AdminService, by name. What changes anything is logged with who did it."""
    registry = engine.registry

    async def list_all_matches(request: bytes, _: Context) -> bytes:
        asked = decode_list_all_matches(request)
        await engine.all_recovered()
        fitting = (slot for slot in registry if _fits(slot, asked))
        page, last = page_of(fitting, asked.after, asked.page_size)
        token = "" if last is None else admin_page_token(asked, last)
        return list_all_matches_answer((_held(slot, engine) for slot in page), token)

    async def inspect_match(request: bytes, _: Context) -> bytes:
        slot = registry.get(decode_inspect_match(request))
        return inspect_match_answer(_held(slot, engine), engine.now_us())

    async def end_match(request: bytes, _: Context) -> bytes:
        asked = decode_end_match(request)
        answer = asyncio.get_running_loop().create_future()
        outcome = await engine.submit(Job(Cancel(), answer, asked.match_id, trusted=True))
        _log.info("admin_ended", match_id=asked.match_id, reason=asked.reason, by=_who())
        return end_match_answer(outcome.version)

    async def drain(request: bytes, _: Context) -> bytes:
        stop = decode_drain(request)
        _log.info("admin_drain", stop=stop, by=_who())
        draining.begin()
        if stop:
            # The answer goes out first.
            asyncio.get_running_loop().call_later(_STOP_AFTER_S, draining.stop)
        return drain_answer(sum(not slot.table.is_over for slot in registry))

    async def reload(_: bytes, __: Context) -> bytes:
        _log.info("admin_reload", by=_who())
        try:
            return reload_answer(await doors.reload())
        except BadDoor as error:
            raise ServiceError(
                ServiceReason.RELOAD_FAILED, metadata={"problem": str(error)}
            ) from None

    return {
        "ListAllMatches": list_all_matches,
        "InspectMatch": inspect_match,
        "EndMatch": end_match,
        "Drain": drain,
        "Reload": reload,
    }


_STOP_AFTER_S = 0.1


def _who() -> str:
    """The principal of the caller; empty where nobody is asked who he is."""
    return GUEST.get().principal


def _fits(slot: Slot, asked: ListAllMatches) -> bool:
    if asked.status is not None and slot.table.status is not asked.status:
        return False
    return not asked.principal or is_of(slot, asked.principal)


def _held(slot: Slot, engine: Engine) -> HeldMatch:
    now_us = engine.now_us()
    due_us = None if slot.timer is None else max(slot.due_us, now_us)
    return HeldMatch(slot.table, len(slot.outboxes), slot.presence(now_us), due_us)
