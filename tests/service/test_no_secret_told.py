"""Keys, tokens, secrets and codes stand in no log, whatever is done with them."""

import json
from base64 import urlsafe_b64encode
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from muggins.v1 import admin_service_pb2, admin_service_pb2_grpc, lobby_pb2, match_service_pb2_grpc
from muggins_rules.fair_deal import commit_nonce
from muggins_service.doors.scopes import Scope
from tests.service.doors_kit import AUDIENCE, ISSUER, Signer, bearer, key_set, make_key
from tests.service.process import serving
from tests.service.server import host_key, new_secret, refusal, refusal_of_stream, seat_key
from tests.service.test_admin import _free_port

SIGNER = Signer()


def _shown(kind: str, folder: Path) -> tuple[str, str, list[str]]:
    """A player's credential, an operator's, and the flags of a server that believes them."""
    if kind == "keys":
        player, line = make_key("ana", Scope.PLAYER, key_id="a")
        admin, admins = make_key("root", Scope.ADMIN, key_id="b")
        (folder / "keys").write_text(line + admins)
        return player, admin, ["--auth", "keys", "--keys-file", str(folder / "keys")]
    (folder / "keys").write_text(key_set(SIGNER))
    flags = ["--auth", "tokens", "--tokens-issuer", ISSUER, "--tokens-audience", AUDIENCE]
    flags += ["--tokens-keys", str(folder / "keys")]
    return SIGNER.token(), SIGNER.token(sub="root", scope="admin"), flags


@pytest.mark.parametrize("kind", ["keys", "tokens"])
async def test_a_match_at_the_finest_level_tells_no_secret(tmp_path: Path, kind: str) -> None:
    player, admin, flags = _shown(kind, tmp_path)
    port = _free_port()
    host, seat, nonce, wrong = (new_secret() for _ in range(4))
    output = ""
    async with serving("--log-level", "debug", "--admin-port", str(port), *flags) as server:
        async with server.channel() as channel:
            stub: match_service_pb2_grpc.MatchServiceAsyncStub
            stub = match_service_pb2_grpc.MatchServiceStub(channel)
            creating = lobby_pb2.CreateMatchRequest(
                preset=lobby_pb2.PresetChoice(rule_set_id="muggins"),
                seats=2,
                host_secret=host,
                fills=[lobby_pb2.SeatFill(seat=1, level="greedy")],
            )
            creating.options.private = True
            made = await stub.CreateMatch(creating, metadata=bearer(player))
            joining = lobby_pb2.JoinMatchRequest(
                match_id=made.match_id,
                name="Zoraide",
                seat_secret=seat,
                nonce_commitment=commit_nonce(nonce),
                invite_code="a wrong code",
            )
            await refusal(stub.JoinMatch(joining, metadata=bearer(player)))
            joining.invite_code = made.invite_code
            await stub.JoinMatch(joining, metadata=bearer(player))
            own = (*bearer(player), *seat_key(seat))
            reveal = lobby_pb2.RevealNonceRequest(match_id=made.match_id, nonce=nonce)
            await stub.RevealNonce(reveal, metadata=own)
            start = lobby_pb2.ControlMatchRequest(match_id=made.match_id)
            start.start.SetInParent()
            await stub.ControlMatch(start, metadata=(*bearer(player), *host_key(host)))
            leave = lobby_pb2.LeaveMatchRequest(match_id=made.match_id)
            # What is not believed, or is none at all, is not told either.
            for metadata in (
                (*bearer(player), *seat_key(wrong)),
                (*bearer(player + "x"), *seat_key(seat)),
                (*bearer(admin), *seat_key(seat)),
                seat_key(seat),
            ):
                await refusal(stub.LeaveMatch(leave, metadata=metadata))
            play = stub.PlayMatch(metadata=own, timeout=20)
            await play.done_writing()
            await refusal_of_stream(play)
            await stub.LeaveMatch(leave, metadata=own)
        async with server.channel_to(port) as channel:
            operator: admin_service_pb2_grpc.AdminServiceAsyncStub
            operator = admin_service_pb2_grpc.AdminServiceStub(channel)
            seen = await operator.InspectMatch(
                admin_service_pb2.InspectMatchRequest(match_id=made.match_id),
                metadata=bearer(admin),
            )
            output += str(seen)
            reload = admin_service_pb2.ReloadRequest()
            await operator.Reload(reload, metadata=bearer(admin))
            end = admin_service_pb2.EndMatchRequest(match_id=made.match_id, reason="over")
            with suppress(grpc.aio.AioRpcError):  # opponents may have ended it first
                await operator.EndMatch(end, metadata=bearer(admin))
        server.process.terminate()
        status, errors = await server.ended()
        assert 0 == status
    events = {json.loads(line)["event"] for line in errors.splitlines()}
    assert {"admin_reload", "match_created"} <= events
    output += errors
    told = [player, admin, made.invite_code]
    for secret in (host, seat, wrong):
        told += [secret.hex(), urlsafe_b64encode(secret).decode()[:43], repr(secret)[2:-1]]
    assert not [text for text in told if text in output]
    # A nonce is public once it is revealed, and yet no business of a log.
    assert nonce.hex() not in errors
    assert "Zoraide" not in errors
