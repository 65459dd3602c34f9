"""TLS: whom the server shows itself to, whom it lets connect, and a new certificate."""

from collections.abc import Awaitable
from pathlib import Path

import grpc
import pytest

from muggins.v1 import lobby_pb2, match_service_pb2_grpc
from muggins_service.app import App
from muggins_service.config import ConfigError, config_from
from muggins_service.doors.doors import BadDoor
from tests.service.doors_kit import Authority, until, write_pair
from tests.service.process import serve
from tests.service.server import CALL_S, SETTINGS, Field, running

FIRST, SECOND = Authority("first"), Authority("second")


async def _version(port: int, credentials: grpc.ChannelCredentials | None) -> str:
    """The version of the contract, asked over a connection of its own."""
    address, options = f"127.0.0.1:{port}", (("grpc.use_local_subchannel_pool", 1),)
    channel = (
        grpc.aio.insecure_channel(address, options)
        if credentials is None
        else grpc.aio.secure_channel(address, credentials, options)
    )
    async with channel:
        stub: match_service_pb2_grpc.MatchServiceAsyncStub
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        request = lobby_pb2.GetServerInfoRequest()
        return (await stub.GetServerInfo(request, timeout=CALL_S)).api_version


async def _unavailable(call: Awaitable[str]) -> bool:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_over_tls_who_trusts_the_authority_is_served_and_nobody_else(tmp_path: Path) -> None:
    async with running(**write_pair(tmp_path, FIRST.pair())) as service:
        port = service.app.port
        assert "muggins.v1" == await _version(port, FIRST.trusted())
        assert await _unavailable(_version(port, SECOND.trusted()))
        assert await _unavailable(_version(port, None))


async def test_a_certificate_is_changed_while_serving(tmp_path: Path) -> None:
    settings = write_pair(tmp_path, FIRST.pair())
    async with running(**settings, reload_s=0.05) as service:
        port = service.app.port
        async with grpc.aio.secure_channel(service.address, FIRST.trusted()) as channel:
            stub: match_service_pb2_grpc.MatchServiceAsyncStub
            stub = match_service_pb2_grpc.MatchServiceStub(channel)
            info = lobby_pb2.GetServerInfoRequest()
            await stub.GetServerInfo(info, timeout=CALL_S)
            write_pair(tmp_path, SECOND.pair())

            async def changed() -> bool:
                try:
                    return bool(await _version(port, SECOND.trusted()))
                except grpc.aio.AioRpcError:
                    return False

            await until(changed)
            assert await _unavailable(_version(port, FIRST.trusted()))
            # What was open before goes on.
            assert (await stub.GetServerInfo(info, timeout=CALL_S)).api_version


async def test_each_port_gets_the_new_certificate(tmp_path: Path) -> None:
    settings = write_pair(tmp_path, FIRST.pair())
    async with running(**settings, admin_port=-1, reload_s=3600.0) as service:
        ports = (service.app.port, service.app.admin.port)
        for port in ports:
            assert await _connects(port, FIRST)
        write_pair(tmp_path, SECOND.pair())
        await service.app.doors.reload()
        for port in ports:
            assert await _connects(port, SECOND)
            assert not await _connects(port, FIRST)


async def _connects(port: int, authority: Authority) -> bool:
    """Whether a client that trusts an authority is answered by the health of a port."""
    options = (("grpc.use_local_subchannel_pool", 1),)
    address = f"127.0.0.1:{port}"
    async with grpc.aio.secure_channel(address, authority.trusted(), options) as channel:
        check: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
        check = channel.unary_unary("/grpc.health.v1.Health/Check")
        try:
            await check(b"", timeout=CALL_S)
        except grpc.aio.AioRpcError as error:
            return error.code() is not grpc.StatusCode.UNAVAILABLE
        return True


async def test_half_of_a_new_certificate_is_not_used(tmp_path: Path) -> None:
    settings = write_pair(tmp_path, FIRST.pair())
    async with running(**settings, reload_s=3600.0) as service:
        (tmp_path / "server.pem").write_bytes(FIRST.pair().certificate)
        with pytest.raises(BadDoor, match="KEY_VALUES_MISMATCH"):
            await service.app.doors.reload()
        assert "muggins.v1" == await _version(service.app.port, FIRST.trusted())


async def test_where_clients_are_asked_only_those_of_the_authority_connect(tmp_path: Path) -> None:
    authorities = tmp_path / "clients.pem"
    authorities.write_bytes(SECOND.certificate)
    settings = write_pair(tmp_path, FIRST.pair())
    async with running(**settings, tls_client_ca=str(authorities)) as service:
        port = service.app.port
        assert "muggins.v1" == await _version(port, FIRST.trusted(SECOND.pair("client")))
        assert await _unavailable(_version(port, FIRST.trusted(FIRST.pair("client"))))
        assert await _unavailable(_version(port, FIRST.trusted()))


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("tls_cert", b"nonsense", "server.pem, .*server.key: "),
        ("tls_key", b"nonsense", "server.pem, .*server.key: "),
        ("tls_key", FIRST.pair().key, "KEY_VALUES_MISMATCH"),
        ("tls_client_ca", b"nonsense", "clients.pem: no certificates in PEM"),
        ("tls_client_ca", b"", "clients.pem: no certificates in PEM"),
    ],
)
def test_files_that_are_no_certificate_are_named(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    settings = write_pair(tmp_path, FIRST.pair())
    authorities = tmp_path / "clients.pem"
    authorities.write_bytes(FIRST.certificate)
    settings["tls_client_ca"] = str(authorities)
    Path(settings[name]).write_bytes(content)
    with pytest.raises(BadDoor, match=f"tls_cert: .*{told}"):
        _app(**settings)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadDoor, match=r"tls_cert: .*none\.key: No such file"):
        _app(tls_cert=str(tmp_path / "none.pem"), tls_key=str(tmp_path / "none.key"))


def _app(**settings: Field) -> App:
    from dataclasses import replace

    return App(replace(SETTINGS, **settings))


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"tls_cert": "a"}, "tls_cert, tls_key: one needs the other"),
        ({"tls_key": "a"}, "tls_cert, tls_key: one needs the other"),
        ({"tls_client_ca": "a"}, "tls_client_ca: it needs tls_cert"),
    ],
)
def test_half_a_setting_is_none(flags: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        config_from(flags, {})


EVERYWHERE = "0.0.0.0"  # noqa: S104 - to be refused


@pytest.mark.parametrize("host", [EVERYWHERE, "[::]", "10.0.0.7", "192.168.1.2", "games.test", ""])
def test_listening_to_others_without_tls_has_to_be_asked_for(host: str) -> None:
    with pytest.raises(ConfigError, match="can be reached from other machines"):
        config_from({"host": host}, {})
    with pytest.raises(ConfigError, match="can be reached from other machines"):
        config_from({"host": host, "auth": "keys", "keys_file": "keys"}, {})
    assert config_from({"host": host, "insecure_listen": True}, {}).insecure_listen
    assert config_from({"host": host, "tls_cert": "a", "tls_key": "b"}, {}).tls_cert


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "[::1]", "localhost"])
def test_this_machine_alone_is_served_without_tls(host: str) -> None:
    assert host == config_from({"host": host}, {}).host


@pytest.mark.parametrize("command", ["serve", "opponents"])
async def test_the_refusal_to_listen_is_one_clear_sentence(command: str) -> None:
    process = await serve("--host", EVERYWHERE, command=command)
    _, errors = await process.communicate()
    assert 2 == process.returncode
    (line,) = errors.decode().splitlines()
    assert line.startswith(f"muggins {command}: host: 0.0.0.0 can be reached from other machines")
