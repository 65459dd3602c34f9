"""API keys: who is let in, with which scope, until when, and how the file is changed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from muggins.v1 import (
    lobby_pb2,
    match_service_pb2_grpc,
    opponent_service_pb2,
    opponent_service_pb2_grpc,
)
from muggins_service.doors.key_file import BadKeyFile, KeyRing, parse_keys
from muggins_service.doors.scopes import Scope
from tests.service.doors_kit import bearer, make_key, until
from tests.service.process import serve, serving
from tests.service.server import Metadata, Refused, Service, refusal, refusal_of_stream, running

ANA, ANA_LINE = make_key("ana", Scope.PLAYER, key_id="a")
SHOP, SHOP_LINE = make_key("shop", Scope.BACKEND, key_id="b")
LAB, LAB_LINE = make_key("lab", Scope.ANALYST, key_id="c")
ROOT, ROOT_LINE = make_key("root", Scope.ADMIN, key_id="d")
OLD, OLD_LINE = make_key("ana", Scope.PLAYER, key_id="e", expiry="2020-01-01")
LINES = "# keys of the tests\n\n" + ANA_LINE + SHOP_LINE + LAB_LINE + ROOT_LINE + OLD_LINE


@asynccontextmanager
async def _guarded(tmp_path: Path, lines: str = LINES) -> AsyncIterator[tuple[Service, Path]]:
    path = tmp_path / "keys"
    path.write_text(lines)
    async with running(auth="keys", keys_file=str(path), reload_s=0.05) as service:
        yield service, path


async def _listed(service: Service, key: Metadata) -> lobby_pb2.ListMatchesResponse:
    return await service.call.ListMatches(lobby_pb2.ListMatchesRequest(), metadata=key, timeout=20)


async def _refused(service: Service, key: Metadata) -> Refused:
    return await refusal(_listed(service, key))


async def test_a_key_lets_its_holder_in(tmp_path: Path) -> None:
    async with _guarded(tmp_path) as (service, _):
        assert not (await _listed(service, bearer(ANA))).matches
        assert not (await _listed(service, (("authorization", f"bearer {ANA}"),))).matches


async def test_without_credentials_every_method_is_refused_by_name(tmp_path: Path) -> None:
    async with _guarded(tmp_path) as (service, _):
        told = await _refused(service, ())
        expected = ("MISSING_CREDENTIALS", grpc.StatusCode.UNAUTHENTICATED, "muggins.v1")
        assert expected == (told.reason, told.code, told.domain)
        assert "MISSING_CREDENTIALS" == (await refusal_of_stream(service.observe("x"))).reason
        play = service.call.PlayMatch(iter(()), timeout=20)
        assert "MISSING_CREDENTIALS" == (await refusal_of_stream(play)).reason


@pytest.mark.parametrize(
    "metadata",
    [
        bearer(ANA + "x"),
        bearer(ANA[:-1]),
        bearer("mgk_a_"),
        bearer("mgk_zz_x"),
        bearer("x"),
        bearer(""),
        bearer(OLD),
        (("authorization", f"Basic {ANA}"),),
        (("authorization", ANA),),
        (*bearer(ANA), *bearer(ANA)),
        bearer(f"{ANA} {ANA}"),
    ],
    ids=str,
)
async def test_credentials_that_are_no_key_are_refused(tmp_path: Path, metadata: Metadata) -> None:
    async with _guarded(tmp_path) as (service, _):
        told = await _refused(service, metadata)
        assert ("BAD_CREDENTIALS", grpc.StatusCode.UNAUTHENTICATED) == (told.reason, told.code)
        assert ANA not in told.message


async def test_scopes_open_their_methods_and_no_others(tmp_path: Path) -> None:
    async with _guarded(tmp_path) as (service, _):
        assert not (await _listed(service, bearer(SHOP))).matches
        for key in (LAB, ROOT):
            told = await _refused(service, bearer(key))
            expected = ("SCOPE_MISSING", grpc.StatusCode.PERMISSION_DENIED, "player,backend")
            assert expected == (told.reason, told.code, told.metadata["scopes"])
        opponents = opponent_service_pb2_grpc.OpponentServiceStub(service.channel)
        request = opponent_service_pb2.ListLevelsRequest()
        assert (await opponents.ListLevels(request, metadata=bearer(LAB))).levels
        told = await refusal(opponents.ListLevels(request, metadata=bearer(ROOT)))
        assert "player,backend,analyst" == told.metadata["scopes"]
        info = lobby_pb2.GetServerInfoRequest()
        assert (await service.call.GetServerInfo(info, metadata=bearer(ROOT))).api_version


async def test_a_backend_alone_acts_for_others(tmp_path: Path) -> None:
    async with _guarded(tmp_path) as (service, _):
        assert not (await _listed(service, bearer(SHOP, acting_for="bea@shop"))).matches
        told = await _refused(service, bearer(ANA, acting_for="bea"))
        assert ("SCOPE_MISSING", "backend") == (told.reason, told.metadata["scopes"])
        for name in ("x" * 129, "two words"):
            told = await _refused(service, bearer(SHOP, acting_for=name))
            assert ("MALFORMED_FIELD", ("muggins-principal",)) == (told.reason, told.fields)


async def test_health_and_reflection_ask_for_nothing(tmp_path: Path) -> None:
    async with _guarded(tmp_path) as (service, _):
        health = health_pb2_grpc.HealthStub(service.channel)
        request = health_pb2.HealthCheckRequest()
        checked = await health.Check(request)  # type: ignore[attr-defined]
        assert health_pb2.HealthCheckResponse.SERVING == checked.status
        assert "muggins.v1.MatchService" in await _reflected(service)


async def test_reflection_can_be_switched_off() -> None:
    async with running(reflection=False) as service:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await _reflected(service)
        assert grpc.StatusCode.UNIMPLEMENTED is caught.value.code()


async def _reflected(service: Service) -> set[str]:
    """The services that a server tells of by reflection."""
    info: grpc.aio.StreamStreamMultiCallable[bytes, bytes]
    info = service.channel.stream_stream(f"/{reflection.SERVICE_NAME}/ServerReflectionInfo")
    asked = reflection_pb2.ServerReflectionRequest(list_services="")
    found = set()
    async for raw in info(iter([asked.SerializeToString()])):
        answer = reflection_pb2.ServerReflectionResponse.FromString(raw)
        found |= {told.name for told in answer.list_services_response.service}
    return found


async def test_a_key_that_is_added_or_taken_away_counts_without_a_restart(tmp_path: Path) -> None:
    async with _guarded(tmp_path, ANA_LINE) as (service, path):
        assert "BAD_CREDENTIALS" == (await _refused(service, bearer(SHOP))).reason
        path.write_text(SHOP_LINE)

        async def rotated() -> bool:
            try:
                await _listed(service, bearer(SHOP))
            except grpc.aio.AioRpcError:
                return False
            return True

        await until(rotated)
        assert "BAD_CREDENTIALS" == (await _refused(service, bearer(ANA))).reason


async def test_a_file_that_breaks_while_serving_changes_nothing(tmp_path: Path) -> None:
    async with _guarded(tmp_path, ANA_LINE) as (service, path):
        path.write_text("nonsense")
        with pytest.raises(ValueError, match=r"keys_file: .*keys: line 1: a line is"):
            await service.app.doors.reload()
        assert not (await _listed(service, bearer(ANA))).matches
        path.unlink()
        with pytest.raises(ValueError, match="No such file"):
            await service.app.doors.reload()
        assert not (await _listed(service, bearer(ANA))).matches


async def test_sighup_reads_the_keys_again(tmp_path: Path) -> None:
    import signal

    path = tmp_path / "keys"
    path.write_text(ANA_LINE)
    arguments = ("--auth", "keys", "--keys-file", str(path), "--reload-s", "3600")
    async with serving(*arguments) as server, server.channel() as channel:
        stub: match_service_pb2_grpc.MatchServiceAsyncStub
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        request = lobby_pb2.ListMatchesRequest()
        assert (
            "BAD_CREDENTIALS"
            == (await refusal(stub.ListMatches(request, metadata=bearer(SHOP)))).reason
        )
        path.write_text(SHOP_LINE)
        server.process.send_signal(signal.SIGHUP)

        async def rotated() -> bool:
            try:
                await stub.ListMatches(request, metadata=bearer(SHOP))
            except grpc.aio.AioRpcError:
                return False
            return True

        await until(rotated)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("k ana player", "line 2: a line is: id principal scopes hash"),
        (f"k ana player {'0' * 64} 2027-01-01 more", "line 2: a line is"),
        (f"K! ana player {'0' * 64}", "line 2: an id has"),
        (f"k {'a' * 129} player {'0' * 64}", "line 2: a principal has"),
        (f"k ana queen {'0' * 64}", "line 2: scopes are player, backend, analyst, admin"),
        ("k ana player abc", "line 2: a hash is 64 hex digits"),
        (f"k ana player {'0' * 64} soon", "line 2: an expiry is a date"),
        (f"a ana player {'0' * 64}", "line 2: the id a comes twice"),
    ],
)
def test_a_line_that_cannot_be_is_named(line: str, told: str) -> None:
    with pytest.raises(BadKeyFile, match=told):
        parse_keys(ANA_LINE + line)


def test_a_key_ends_at_its_time() -> None:
    now = 1_000_000_000.0
    text, line = make_key("ana", Scope.PLAYER, expiry="2027-01-31T12:00:00+01:00")
    ring = KeyRing(parse_keys(line), lambda: now)
    found = ring.identity(text)
    assert found is not None
    assert ("ana", frozenset({Scope.PLAYER})) == found[:2]
    now = found.expires_s - 1
    assert ring.identity(text) is not None
    now = found.expires_s
    assert ring.identity(text) is None


async def test_a_malformed_file_ends_the_start_with_2_and_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text(ANA_LINE + "nonsense\n")
    process = await serve("--auth", "keys", "--keys-file", str(path))
    _, errors = await process.communicate()
    assert 2 == process.returncode
    expected = f"muggins serve: keys_file: {path}: line 2: a line is: id principal scopes hash"
    assert errors.decode().startswith(expected)
    assert 1 == len(errors.decode().splitlines())


async def test_a_key_that_is_made_can_be_used(tmp_path: Path) -> None:
    import sys

    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "muggins_cli.main",
        "key",
        "zoe",
        "--scopes",
        "player,analyst",
        "--expires",
        "2999-12-31",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    line, told = await process.communicate()
    assert 0 == process.returncode
    text = told.decode().split()[-1]
    assert text not in line.decode()
    async with _guarded(tmp_path, line.decode()) as (service, _):
        assert not (await _listed(service, bearer(text))).matches
