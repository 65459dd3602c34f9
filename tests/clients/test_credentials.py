"""Keys, tokens and TLS as a client shows them, against a server that asks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from muggins_client import (
    Exhausted,
    PermissionDenied,
    SnapshotSeen,
    Unauthenticated,
    connect,
    tls,
)
from muggins_service.doors.scopes import Scope
from tests.cli.commands import muggins
from tests.service.doors_kit import Authority, make_key, until, write_pair
from tests.service.server import Field, running

if TYPE_CHECKING:
    from pathlib import Path

ANA, ANA_LINE = make_key("ana", Scope.PLAYER, key_id="a")
SHOP, SHOP_LINE = make_key("shop", Scope.BACKEND, key_id="b")
LAB, LAB_LINE = make_key("lab", Scope.ANALYST, key_id="c")


def _keyed(folder: Path) -> dict[str, Field]:
    path = folder / "keys"
    path.write_text(ANA_LINE + SHOP_LINE + LAB_LINE)
    return {"auth": "keys", "keys_file": str(path), "reload_s": 0.05}


async def test_a_key_is_shown_with_every_call_and_stream(tmp_path: Path) -> None:
    async with running(**_keyed(tmp_path)) as service:
        async with connect(service.address, bearer=ANA) as client:
            created = await client.create_match("muggins", fills={1: "greedy"})
            joined = await client.join_match(created.host.match_id, "Ana")
            async with client.observe(joined.seat.match_id, joined.seat) as updates:
                assert isinstance(await anext(updates), SnapshotSeen)
            async with client.play(joined.seat) as stream:
                assert isinstance(await anext(stream), SnapshotSeen)
            mine = await client.list_matches(mine=True)
            assert [created.host.match_id] == [match.match_id for match in mine.matches]
        async with connect(service.address, bearer=SHOP, acting_for="bea") as client:
            assert not (await client.list_matches(mine=True)).matches
        async with connect(service.address, bearer=SHOP, acting_for="ana") as client:
            assert 1 == len([match async for match in client.all_matches(mine=True)])


async def test_what_is_not_let_in_is_a_typed_error(tmp_path: Path) -> None:
    async with running(**_keyed(tmp_path), calls_per_second=0.01, calls_burst=2) as service:
        async with connect(service.address) as client:
            with pytest.raises(Unauthenticated) as missing:
                await client.list_matches()
            assert "MISSING_CREDENTIALS" == missing.value.reason
        async with connect(service.address, bearer=ANA[:-1]) as client:
            with pytest.raises(Unauthenticated) as bad:
                await client.list_matches()
            assert "BAD_CREDENTIALS" == bad.value.reason
        async with connect(service.address, bearer=LAB) as client:
            with pytest.raises(PermissionDenied) as denied:
                await client.list_matches()
            assert ("SCOPE_MISSING", "player,backend") == (
                denied.value.reason,
                denied.value.metadata["scopes"],
            )
        async with connect(service.address, bearer=ANA) as client:
            await client.list_matches()
            await client.list_matches()
            with pytest.raises(Exhausted) as limited:
                await client.list_matches()
            assert limited.value.retry_after_s is not None


async def test_a_bearer_is_asked_for_anew_with_each_call(tmp_path: Path) -> None:
    shown = [ANA]
    async with (
        running(**_keyed(tmp_path)) as service,
        connect(service.address, bearer=lambda: shown[-1]) as client,
    ):
        await client.list_matches()
        new, line = make_key("ana", Scope.PLAYER, key_id="n")
        await asyncio.to_thread((tmp_path / "keys").write_text, line)

        async def refused() -> bool:
            try:
                await client.list_matches()
            except Unauthenticated:
                return True
            return False

        await until(refused)
        shown.append(new)
        await client.list_matches()


async def test_over_tls_with_a_certificate_of_ones_own(tmp_path: Path) -> None:
    servers, clients = Authority("servers"), Authority("clients")
    (tmp_path / "root.pem").write_bytes(servers.certificate)
    (tmp_path / "clients.pem").write_bytes(clients.certificate)
    settings = write_pair(tmp_path, servers.pair())
    (tmp_path / "own").mkdir()
    own = write_pair(tmp_path / "own", clients.pair("client"))
    shown = tls(tmp_path / "root.pem", own["tls_cert"], own["tls_key"])
    async with (
        running(**settings, tls_client_ca=str(tmp_path / "clients.pem")) as service,
        connect(service.address, credentials=shown) as client,
    ):
        assert "muggins.v1" == (await client.get_server_info()).api_version


def test_half_a_certificate_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="needs its key"):
        tls(certificate=tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        tls(tmp_path / "x")


@pytest.mark.parametrize(
    "target", ["games.test:443", "10.0.0.1:50051", "dns:///games.test:443", "127.0.0.1.test:1"]
)
async def test_a_bearer_is_not_sent_readable_over_a_network(target: str) -> None:
    with pytest.raises(ValueError, match="travel readable"):
        connect(target, bearer=ANA)
    for allowed in (
        connect(target, bearer=ANA, credentials=tls()),
        connect(target, bearer=ANA, plaintext_bearer=True),
    ):
        async with allowed:
            pass


@pytest.mark.parametrize("target", ["127.0.0.1:1", "localhost:1", "[::1]:1", "unix:/tmp/x"])
async def test_on_this_machine_a_bearer_may_be_sent_without_tls(target: str) -> None:
    async with connect(target, bearer=ANA):
        pass


async def test_a_command_shows_a_key_over_tls(tmp_path: Path) -> None:
    authority = Authority()
    (tmp_path / "root.pem").write_bytes(authority.certificate)
    (tmp_path / "key").write_text(ANA + "\n")
    asked = ("--tls-root", str(tmp_path / "root.pem"), "--credentials", str(tmp_path / "key"))
    settings = {**write_pair(tmp_path, authority.pair()), **_keyed(tmp_path)}
    async with running(**settings) as service:
        command = ("export", "x", "--language", "en", "--server", service.address)
        found = await asyncio.to_thread(muggins, *command, *asked)
        assert (1, "muggins: There is no such match.\n") == (found.returncode, found.stderr)
        without = await asyncio.to_thread(muggins, *command, *asked[:2])
        assert (1, True) == (without.returncode, "asks for credentials" in without.stderr)
        unread = await asyncio.to_thread(muggins, *command, "--credentials", "none")
        assert (2, "muggins: none: No such file or directory\n") == (
            unread.returncode,
            unread.stderr,
        )
