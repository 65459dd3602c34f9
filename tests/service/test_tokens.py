"""Signed tokens: what must be in one, by whose key, and how the keys are changed."""

import asyncio
import base64
import http.server
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from muggins.v1 import lobby_pb2
from muggins_service.config import Config, ConfigError, config_from
from muggins_service.doors import doors
from muggins_service.doors.doors import BadDoor
from tests.service.doors_kit import AUDIENCE, ISSUER, Signer, bearer, claims, key_set
from tests.service.server import SETTINGS, Field, Service, refusal, running

ONE, TWO = Signer("one"), Signer("two", "RSA")


@asynccontextmanager
async def _guarded(keys: str, **settings: Field) -> AsyncIterator[Service]:
    async with running(_settings(keys), **{"reload_s": 0.05, **settings}) as service:
        yield service


@pytest.fixture
def keys(tmp_path: Path) -> str:
    path = tmp_path / "keys.json"
    path.write_text(key_set(ONE, TWO))
    return str(path)


async def _reason(service: Service, token: str) -> str:
    """Why a token is refused; empty where it is believed."""
    request = lobby_pb2.ListMatchesRequest()
    call = service.call.ListMatches(request, metadata=bearer(token), timeout=20)
    try:
        await call
    except grpc.aio.AioRpcError:
        return (await refusal(call)).reason
    return ""


async def test_a_good_token_lets_in_as_often_as_it_is_shown(keys: str) -> None:
    async with _guarded(keys) as service:
        for token in (ONE.token(), TWO.token()):
            assert ["", ""] == [await _reason(service, token) for _ in range(2)]


def _by_hand(header: dict[str, object], signature: bytes = b"") -> str:
    body = claims()
    body["exp"] = int(time.time()) + 300
    parts = [json.dumps(header).encode(), json.dumps(body).encode(), signature]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def _confused() -> str:
    """Signed by HS256, with the public key as the secret that everybody knows."""
    import hashlib
    import hmac

    public = TWO.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    unsigned = _by_hand({"alg": "HS256", "typ": "JWT", "kid": "two"}).rpartition(".")[0]
    signature = hmac.new(public, unsigned.encode(), hashlib.sha256).digest()
    return f"{unsigned}.{base64.urlsafe_b64encode(signature).decode().rstrip('=')}"


def _past(seconds: float) -> datetime:
    return datetime.now(UTC) - timedelta(seconds=seconds)


def _of_two(token: str, other: str) -> str:
    """A token with the claims of another."""
    header, _, signature = token.split(".")
    return ".".join((header, other.split(".")[1], signature))


BAD = {
    "expired": ONE.token(exp=_past(100)),
    "without an end": ONE.token(exp=None),
    "not yet": ONE.token(nbf=_past(-100)),
    "an endless end": ONE.token(exp=10**400),
    "wrong audience": ONE.token(aud="other"),
    "without audience": ONE.token(aud=None),
    "wrong issuer": ONE.token(iss="https://other.test"),
    "without issuer": ONE.token(iss=None),
    "without subject": ONE.token(sub=None),
    "a subject that is no principal": ONE.token(sub="an a"),
    "another's key": Signer("one").token(),
    "an unknown key": Signer("three").token(),
    "the name of another's key": ONE.token(kid="two"),
    "alg none": _by_hand({"alg": "none", "kid": "one"}),
    "no signature": _by_hand({"alg": "ES256", "kid": "one"}),
    "key confusion": _confused(),
    "no kid": jwt.encode(claims(), ONE.private, algorithm="ES256"),
    "a list as kid": _by_hand({"alg": "ES256", "kid": ["one"]}),
    "a changed body": _of_two(ONE.token(), ONE.token(sub="bea")),
    "too long": ONE.token(more="x" * 9_000),
    "no token": "a.b.c",
    "deep nonsense": "e30." + base64.urlsafe_b64encode(b"[" * 3_000).decode() + ".x",
}


@pytest.mark.parametrize("kind", BAD)
async def test_a_token_that_is_not_good_is_refused(keys: str, kind: str) -> None:
    async with _guarded(keys) as service:
        assert "BAD_CREDENTIALS" == await _reason(service, BAD[kind])


async def test_clocks_may_differ_by_the_bound_and_no_more(keys: str) -> None:
    async with _guarded(keys, tokens_skew_s=60.0) as service:
        assert "" == await _reason(service, ONE.token(exp=_past(30)))
        assert "BAD_CREDENTIALS" == await _reason(service, ONE.token(exp=_past(90)))


async def test_a_token_that_was_believed_ends_at_its_time(keys: str) -> None:
    async with _guarded(keys, tokens_skew_s=0.0) as service:
        token = ONE.token(exp=datetime.now(UTC) + timedelta(seconds=2))
        assert "" == await _reason(service, token)
        deadline = time.monotonic() + 20
        while not await _reason(service, token):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("player", ""),
        (["player", 7], ""),
        ("openid", "SCOPE_MISSING"),
        (None, "SCOPE_MISSING"),
        ("Player", "SCOPE_MISSING"),
        ({"player": 1}, "SCOPE_MISSING"),
        ("admin analyst", "SCOPE_MISSING"),
    ],
)
async def test_scopes_come_from_the_claim(keys: str, scope: object, expected: str) -> None:
    async with _guarded(keys) as service:
        assert expected == await _reason(service, ONE.token(scope=scope))


async def test_claim_and_prefix_of_scopes_can_be_set(keys: str) -> None:
    settings = {"tokens_scope_claim": "roles", "tokens_scope_prefix": "muggins:"}
    async with _guarded(keys, **settings) as service:
        assert "" == await _reason(service, ONE.token(roles=["muggins:player"]))
        assert "SCOPE_MISSING" == await _reason(service, ONE.token(roles=["player"]))


async def test_a_file_of_keys_is_rotated_without_a_restart(tmp_path: Path, keys: str) -> None:
    async with _guarded(keys) as service:
        three = Signer("three")
        old = ONE.token()
        assert "" == await _reason(service, old)
        (tmp_path / "keys.json").write_text(key_set(three))
        deadline = time.monotonic() + 20
        while await _reason(service, three.token()):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)
        assert "BAD_CREDENTIALS" == await _reason(service, old)


class _Provider(http.server.BaseHTTPRequestHandler):
    answer: tuple[int, bytes] = (200, b"")

    def do_GET(self) -> None:
        status, body = type(self).answer
        self.send_response(status)
        if status == 302:
            self.send_header("Location", body.decode())
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its names
        """Be quiet."""


@contextmanager
def _provider() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Provider)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/keys"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_keys_of_a_url_are_fetched_again_and_kept_when_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doors, "_LEAST_REFRESH_S", 0.05)
    with _provider() as url:
        _Provider.answer = 200, key_set(ONE).encode()
        async with _guarded(url, tokens_refresh_s=0.1) as service:
            assert "" == await _reason(service, ONE.token())
            _Provider.answer = 500, b"down"
            with pytest.raises(BadDoor, match="tokens_keys: the URL: it cannot be fetched: 500"):
                await service.app.doors.reload()
            assert "" == await _reason(service, ONE.token())
            _Provider.answer = 200, key_set(TWO).encode()
            deadline = time.monotonic() + 20
            while await _reason(service, TWO.token()):
                assert time.monotonic() < deadline
                await asyncio.sleep(0.02)
            assert "BAD_CREDENTIALS" == await _reason(service, ONE.token())


async def test_an_unknown_key_has_the_set_fetched_before_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doors, "_LEAST_REFRESH_S", 0.05)
    with _provider() as url:
        _Provider.answer = 200, key_set(ONE).encode()
        async with _guarded(url, tokens_refresh_s=3600.0) as service:
            _Provider.answer = 200, key_set(ONE, TWO).encode()
            deadline = time.monotonic() + 20
            while await _reason(service, TWO.token()):
                assert time.monotonic() < deadline
                await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((404, b""), "cannot be fetched: 404"),
        ((302, b"http://127.0.0.1:1/"), "cannot be fetched: 302"),
        ((200, b"{"), "line 1: "),
        ((200, b"[1]"), "no JSON Web Key Set"),
        ((200, b'{"keys": []}'), "no public key"),
        ((200, b'{"keys": [{"kty": "oct", "k": "c2VjcmV0", "alg": "HS256"}]}'), "no public key"),
        ((200, b'{"keys": [{"kty": "RSA", "n": "!", "e": "?"}, 7]}'), "no public key"),
        ((200, b" " * (1024 * 1024 + 1)), "larger than 1 MiB"),
    ],
)
def test_a_key_set_that_cannot_be_used_is_named(answer: tuple[int, bytes], told: str) -> None:
    _Provider.answer = answer
    with _provider() as url, pytest.raises(BadDoor, match=told):
        doors.Doors(_settings(url))


@pytest.mark.parametrize("url", ["http://issuer.test/keys", "ftp://issuer.test/keys"])
def test_keys_are_fetched_over_https_only(url: str) -> None:
    with pytest.raises(BadDoor, match="fetched by https"):
        doors.Doors(_settings(url))


def test_a_malformed_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text('{"keys": [\n{},\n]}')
    with pytest.raises(BadDoor, match=r"keys\.json: line [23]: "):
        doors.Doors(_settings(str(path)))


def _settings(keys: str) -> Config:
    return replace(
        SETTINGS,
        auth="tokens",
        tokens_issuer=ISSUER,
        tokens_audience=AUDIENCE,
        tokens_keys=keys,
    )


@pytest.mark.parametrize("missing", ["tokens_issuer", "tokens_audience", "tokens_keys"])
def test_tokens_without_issuer_audience_or_keys_are_no_setting(missing: str) -> None:
    given = {"tokens_issuer": ISSUER, "tokens_audience": AUDIENCE, "tokens_keys": "keys.json"}
    assert "tokens" == config_from({"auth": "tokens", **given}, {}).auth
    for nothing in ("", " "):
        with pytest.raises(ConfigError, match=f"{missing}: auth tokens needs it"):
            config_from({"auth": "tokens", **given, missing: nothing}, {})
