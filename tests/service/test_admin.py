"""AdminService: on its own port, for its own scope, and without a hidden tile."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import grpc
import pytest
from grpc_reflection.v1alpha import reflection, reflection_pb2

from muggins.v1 import admin_service_pb2 as pb
from muggins.v1 import (
    admin_service_pb2_grpc,
    events_pb2,
    lobby_pb2,
    match_service_pb2_grpc,
    streams_pb2,
    views_pb2,
)
from muggins_service.config import ConfigError, config_from
from muggins_service.doors.scopes import Scope
from muggins_service.matches.timers import Timers
from muggins_service.rpc.administering import Draining, admin_handlers
from muggins_service.rpc.caller import Context
from muggins_service.table.policy import TablePolicy
from tests.service.doors_kit import bearer, make_key
from tests.service.process import serving
from tests.service.server import (
    CALL_S,
    Field,
    Service,
    events_of,
    fact_of,
    new_secret,
    refusal,
    running,
)

if TYPE_CHECKING:
    from muggins.v1.admin_service_pb2_grpc import AdminServiceAsyncStub

ROOT, ROOT_LINE = make_key("root", Scope.ADMIN, key_id="r")
SHOP, SHOP_LINE = make_key("shop", Scope.BACKEND, key_id="s")


@asynccontextmanager
async def _administered(
    **settings: Field,
) -> AsyncIterator[tuple[Service, "AdminServiceAsyncStub", grpc.aio.Channel]]:
    async with running(admin_port=-1, **settings) as service:
        address = f"127.0.0.1:{service.app.admin.port}"
        async with grpc.aio.insecure_channel(address) as channel:
            stub: AdminServiceAsyncStub = admin_service_pb2_grpc.AdminServiceStub(channel)
            yield service, stub, channel


def _keyed(tmp_path: Path) -> dict[str, Field]:
    path = tmp_path / "keys"
    path.write_text(ROOT_LINE + SHOP_LINE)
    return {"auth": "keys", "keys_file": str(path)}


async def _listed(stub: "AdminServiceAsyncStub", **fields: Field) -> pb.ListAllMatchesResponse:
    return await stub.ListAllMatches(pb.ListAllMatchesRequest(**fields), timeout=CALL_S)


async def test_all_matches_are_listed_private_ones_too_page_by_page() -> None:
    async with _administered() as (service, stub, _):
        made = [(await service.create(private=number == 1)).match_id for number in range(3)]
        first = await _listed(stub, page_size=2)
        rest = await _listed(stub, page_size=2, page_token=first.next_page_token)
        found = [*first.matches, *rest.matches]
        assert made[::-1] == [match.match_id for match in found]
        assert [False, True, False] == [match.private for match in found]
        assert not rest.next_page_token
        assert not (await _listed(stub, state=views_pb2.MATCH_STATE_PLAYING)).matches
        told = await refusal(_listed(stub, page_token=first.next_page_token, principal="x"))
        assert ("MALFORMED_FIELD", ("page_token",)) == (told.reason, told.fields)
        assert "state" == (await refusal(_listed(stub, state=77))).metadata["field"]


async def test_a_match_is_inspected_without_a_tile_that_the_public_does_not_see() -> None:
    async with _administered() as (service, stub, _):
        _, players = await service.started(turn_limit={"seconds": 60}, observer_delay_moves=5)
        match_id = players[0].match_id
        watching = service.observe(match_id, key=players[0].key)
        await watching.read()
        request = pb.InspectMatchRequest(match_id=match_id)
        seen = await stub.InspectMatch(request, timeout=CALL_S)
        assert 1 == seen.match.streams
        assert views_pb2.MATCH_STATE_PLAYING == seen.match.state
        assert seen.match.version == seen.view.version == players[1].joined.version
        assert seen.turn_deadline.seconds > seen.match.changed.seconds
        assert seen.due.seconds > seen.match.changed.seconds
        (dealt,) = [e.round_dealt for e in seen.view.round_events if e.HasField("round_dealt")]
        assert not dealt.hand
        assert not dealt.deck
        text = str(seen)
        for player in players:
            view = await service.seat_view(player)
            assert view.hand
            assert "hand {" not in text
        watching.cancel()
        told = await refusal(stub.InspectMatch(pb.InspectMatchRequest(match_id="x")))
        assert "MATCH_NOT_FOUND" == told.reason


async def test_a_match_is_ended_and_its_players_are_told() -> None:
    async with _administered() as (service, stub, _):
        _, players = await service.started()
        match_id = players[0].match_id
        watching = service.observe(match_id, 0)
        request = pb.EndMatchRequest(match_id=match_id, reason="asked by support")
        answer = await stub.EndMatch(request, timeout=CALL_S)
        events = await events_of(watching)
        (ended,) = [event for event in events if fact_of(event) == "match_ended"]
        assert answer.version == ended.sequence
        assert events_pb2.MATCH_END_REASON_CANCELLED == ended.match_ended.reason
        assert "asked by support" not in str(events)
        assert "MATCH_OVER" == (await refusal(stub.EndMatch(request))).reason
        request.match_id = "x"
        assert "MATCH_NOT_FOUND" == (await refusal(stub.EndMatch(request))).reason
        for reason in ("", "x" * 201, "a\nb"):
            request.reason = reason
            assert "reason" == (await refusal(stub.EndMatch(request))).metadata["field"]


async def test_a_server_that_drains_plays_on_and_takes_no_new_match() -> None:
    async with _administered() as (service, stub, _):
        table = await service.create(starts_when_full=True)
        answer = await stub.Drain(pb.DrainRequest(), timeout=CALL_S)
        assert 1 == answer.matches
        creating = lobby_pb2.CreateMatchRequest(
            preset=lobby_pb2.PresetChoice(rule_set_id="muggins"), seats=2, host_secret=new_secret()
        )
        told = await refusal(service.call.CreateMatch(creating))
        assert ("DRAINING", grpc.StatusCode.UNAVAILABLE) == (told.reason, told.code)
        player = await service.join(table.match_id)
        watching = service.observe(table.match_id, key=player.key)
        frame = await watching.read()
        assert isinstance(frame, streams_pb2.ObserveMatchResponse)
        assert frame.HasField("snapshot")
        info = await service.call.GetServerInfo(lobby_pb2.GetServerInfoRequest())
        assert info.features.draining


async def test_reload_tells_what_it_read_or_what_is_wrong(tmp_path: Path) -> None:
    settings = _keyed(tmp_path)
    async with _administered(**settings, reload_s=3600.0) as (_, stub, __):
        key = bearer(ROOT)
        answer = await stub.Reload(pb.ReloadRequest(), metadata=key, timeout=CALL_S)
        assert ["keys"] == list(answer.reloaded)
        (tmp_path / "keys").write_text("nonsense")
        told = await refusal(stub.Reload(pb.ReloadRequest(), metadata=key))
        assert ("RELOAD_FAILED", True) == (told.reason, "line 1" in told.metadata["problem"])
        (tmp_path / "keys").write_text(SHOP_LINE)
        await stub.Reload(pb.ReloadRequest(), metadata=key, timeout=CALL_S)
        told = await refusal(stub.Reload(pb.ReloadRequest(), metadata=key))
        assert "BAD_CREDENTIALS" == told.reason


async def test_the_scope_admin_alone_administers(tmp_path: Path) -> None:
    async with _administered(**_keyed(tmp_path)) as (_, stub, __):
        request = pb.ListAllMatchesRequest()
        told = [
            (await refusal(stub.ListAllMatches(request, metadata=key))).reason
            for key in ((), bearer(SHOP), bearer(SHOP, acting_for="root"))
        ]
        assert ["MISSING_CREDENTIALS", "SCOPE_MISSING", "SCOPE_MISSING"] == told
        await stub.ListAllMatches(request, metadata=bearer(ROOT), timeout=CALL_S)


async def test_principals_are_shown_to_the_operator(tmp_path: Path) -> None:
    async with _administered(**_keyed(tmp_path)) as (service, stub, _):
        creating = lobby_pb2.CreateMatchRequest(
            preset=lobby_pb2.PresetChoice(rule_set_id="muggins"), seats=2, host_secret=new_secret()
        )
        made = await service.call.CreateMatch(creating, metadata=bearer(SHOP, acting_for="ana"))
        joining = lobby_pb2.JoinMatchRequest(
            match_id=made.match_id, name="B", seat_secret=new_secret(), seat=1
        )
        await service.call.JoinMatch(joining, metadata=bearer(SHOP, acting_for="bea"))
        for principal in ("ana", "bea"):
            request = pb.ListAllMatchesRequest(principal=principal)
            listed = await stub.ListAllMatches(request, metadata=bearer(ROOT))
            (match,) = listed.matches
            assert ("ana", ["", "bea"]) == (match.host_principal, list(match.seat_principals))
        request = pb.ListAllMatchesRequest(principal="zoe")
        assert not (await stub.ListAllMatches(request, metadata=bearer(ROOT))).matches


async def _services(channel: grpc.aio.Channel) -> set[str]:
    info: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
    info = channel.stream_stream(f"/{reflection.SERVICE_NAME}/ServerReflectionInfo")
    asked = reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString()
    found = set()
    async for raw in info(iter([asked])):
        answer = reflection_pb2.ServerReflectionResponse.FromString(raw)
        found |= {told.name for told in answer.list_services_response.service}
    return found


async def test_each_port_has_and_tells_its_own_services_alone() -> None:
    async with _administered() as (service, stub, channel):
        own, others = await _services(channel), await _services(service.channel)
        assert "muggins.v1.AdminService" in own - others
        assert "muggins.v1.MatchService" in others - own
        there: AdminServiceAsyncStub = admin_service_pb2_grpc.AdminServiceStub(service.channel)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await there.ListAllMatches(pb.ListAllMatchesRequest())
        assert grpc.StatusCode.UNIMPLEMENTED is caught.value.code()
        assert not (await _listed(stub)).matches


async def test_without_a_port_there_is_no_admin() -> None:
    async with running() as service:
        assert 0 == service.app.admin.port


EVERYWHERE = "0.0.0.0"  # noqa: S104 - to be refused


def test_administering_from_elsewhere_needs_credentials_and_tls() -> None:
    flags = {"admin_port": 50053, "admin_host": EVERYWHERE}
    with pytest.raises(ConfigError, match="admin_host: other machines may administer by auth"):
        config_from({**flags, "insecure_listen": True}, {})
    keys = {"auth": "keys", "keys_file": "keys"}
    with pytest.raises(ConfigError, match=r"admin_host: 0\.0\.0\.0 can be reached"):
        config_from({**flags, **keys}, {})
    assert config_from({**flags, **keys, "insecure_listen": True}, {}).admin_port
    assert config_from({"admin_host": EVERYWHERE}, {}).admin_host
    with pytest.raises(ConfigError, match="admin_port"):
        config_from({"admin_port": 70_000}, {})


def _free_port() -> int:
    """A port that nobody listened at just now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


async def _muggins(*arguments: str) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "muggins_cli.main",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), errors.decode()


async def test_the_command_lists_inspects_ends_reloads_and_drains(tmp_path: Path) -> None:
    port = _free_port()
    settings = _keyed(tmp_path)
    key = tmp_path / "key"
    key.write_text(ROOT + "\n")
    asked = ("admin", "--server", f"127.0.0.1:{port}", "--credentials", str(key))
    flags = ("--auth", "keys", "--keys-file", settings["keys_file"], "--admin-port", str(port))
    async with serving(*flags) as server, server.channel() as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        creating = lobby_pb2.CreateMatchRequest(
            preset=lobby_pb2.PresetChoice(rule_set_id="muggins"), seats=2, host_secret=new_secret()
        )
        made = await stub.CreateMatch(creating, metadata=bearer(SHOP))
        status, out, _ = await _muggins(*asked, "list")
        (line,) = out.splitlines()
        assert (0, made.match_id) == (status, json.loads(line)["match_id"])
        status, out, _ = await _muggins(*asked, "inspect", made.match_id)
        assert "shop" == json.loads(out)["match"]["host_principal"]
        status, out, _ = await _muggins(*asked, "end", made.match_id, "--reason", "a test")
        assert (0, "2") == (status, json.loads(out)["version"])
        status, _, errors = await _muggins(*asked, "end", made.match_id, "--reason", "a test")
        assert (1, ["muggins: The match is over."]) == (status, errors.splitlines())
        status, out, _ = await _muggins(*asked, "reload")
        assert ["keys"] == json.loads(out)["reloaded"]
        assert 0 == (await _muggins(*asked, "drain", "--stop"))[0]
        status, errors = await server.ended()
        assert 0 == status
        told = [json.loads(line) for line in errors.splitlines()]
        (ended,) = [line for line in told if line["event"] == "admin_ended"]
        assert ("root", "a test", made.match_id) == (
            ended["by"],
            ended["reason"],
            ended["match_id"],
        )
        assert ROOT not in errors
    status, _, errors = await _muggins(*asked, "list")
    assert (2, f"muggins: nothing answers at 127.0.0.1:{port}\n") == (status, errors)
    status, _, errors = await _muggins("admin", "--credentials", "none", "list")
    assert (2, "muggins: none: No such file or directory\n") == (status, errors)


async def test_a_match_is_shown_whose_timer_rings_at_once() -> None:
    async with running(admin_port=-1) as service:
        table = await service.create()
        slot = service.app.registry.get(table.match_id)
        late_us = slot.due_us + 1_000_000
        Timers(TablePolicy(), lambda: late_us, lambda _: None).set(slot, 0)
        draining = Draining(lambda: None, lambda: None)
        handlers = admin_handlers(service.app.engine, service.app.doors, draining)
        request = pb.InspectMatchRequest(match_id=table.match_id).SerializeToString()
        answer = await handlers["InspectMatch"](request, cast("Context", None))
        shown = pb.InspectMatchResponse.FromString(answer)
        assert shown.due.ToMicroseconds() == slot.due_us
