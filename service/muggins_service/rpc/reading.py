"""The unary methods that read: one match, the lobby, a record, the rule sets and the server."""

from muggins_service.config import Config
from muggins_service.doors.guest import GUEST
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.engine import Engine
from muggins_service.matches.slot import Slot
from muggins_service.observers.lobby import fits
from muggins_service.rpc.caller import Context, caller_of
from muggins_service.rpc.calling import UnaryHandler
from muggins_service.rpc.limits import limits_of
from muggins_service.rpc.pages import page_of
from muggins_service.store.port import Store
from muggins_service.table.deciding import seat_of_secret
from muggins_service.wire.answers import (
    get_match_answer,
    list_matches_answer,
    list_rule_sets_answer,
)
from muggins_service.wire.records import export
from muggins_service.wire.requests import (
    decode_export_match,
    decode_get_match,
    decode_list_matches,
    lobby_page_token,
)
from muggins_service.wire.server_info import ServerInfo, server_info_answer
from muggins_service.wire.views import match_summary, public_view_bytes, seat_view_bytes

__all__ = ["reading_handlers", "viewer_of"]


def viewer_of(slot: Slot, seat_secret: bytes | None) -> int | None:
    """The seat whose secret was shown, or the public; BAD_SEAT_SECRET when it holds none."""
    if seat_secret is None:
        return None
    seat = seat_of_secret(slot.table, seat_secret)
    if seat is None:
        raise ServiceError(ServiceReason.BAD_SEAT_SECRET)
    return seat


def reading_handlers(
    engine: Engine, store: Store, config: Config, engines: dict[str, str], version: str
) -> dict[str, UnaryHandler]:
    """The reading methods, by name. `engines` maps each level to its engine's name."""
    registry = engine.registry
    limits = limits_of(config)

    async def get_server_info(_: bytes, __: Context) -> bytes:
        info = ServerInfo(
            server_version=version,
            engine_versions=engines,
            limits=limits,
            test_seeds=config.test_seeds,
            draining=engine.draining or not engine.takes_new,
        )
        return server_info_answer(info, engine.now_us())

    async def list_rule_sets(_: bytes, __: Context) -> bytes:
        return list_rule_sets_answer()

    async def get_match(request: bytes, context: Context) -> bytes:
        secret = caller_of(context).seat_secret
        slot = registry.get(decode_get_match(request), shown=secret is not None)
        viewer = viewer_of(slot, secret)
        now_us = engine.now_us()
        presence = slot.presence(now_us)
        if viewer is None:
            view = public_view_bytes(slot.public, presence, now_us)
        else:
            slot.hear(viewer, now_us)
            view = seat_view_bytes(slot.table, viewer, presence, now_us)
        return get_match_answer(view, is_seat=viewer is not None)

    async def list_matches(request: bytes, _: Context) -> bytes:
        asked = decode_list_matches(request)
        wanted, principal = asked.filter, GUEST.get().principal
        if wanted.mine and not principal:
            raise ServiceError(ServiceReason.MISSING_CREDENTIALS)
        await engine.all_recovered()
        fitting = (slot for slot in registry if fits(slot, wanted, principal))
        page, last = page_of(fitting, asked.after, asked.page_size)
        token = "" if last is None else lobby_page_token(wanted, last)
        now_us = engine.now_us()
        summaries = [match_summary(slot.public, slot.presence(now_us)) for slot in page]
        return list_matches_answer(summaries, token)

    async def export_match(request: bytes, _: Context) -> bytes:
        slot = registry.get(decode_export_match(request))
        if not slot.table.is_over:
            raise ServiceError(ServiceReason.MATCH_NOT_FINISHED)
        records = (stored.data for stored in store.read(slot.match_id))
        return export(slot.match_id, records, version)

    return {
        "GetServerInfo": get_server_info,
        "ListRuleSets": list_rule_sets,
        "GetMatch": get_match,
        "ListMatches": list_matches,
        "ExportMatch": export_match,
    }
