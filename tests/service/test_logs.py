"""Log lines are JSON, one event a line, and hold no secret."""

import io
import json
from base64 import urlsafe_b64encode

import pytest
import structlog

from muggins.v1 import lobby_pb2
from muggins_rules.fair_deal import commit_nonce
from muggins_service.telemetry.logs import configure_logs
from tests.service.server import events_of, new_secret, refusal, running


@pytest.fixture
def written() -> io.BytesIO:
    return io.BytesIO()


async def test_a_whole_match_at_the_finest_level_logs_no_secret_and_no_tile(
    written: io.BytesIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = configure_logs("debug", written)
    try:
        async with running() as service:
            table = await service.create("latin_american", 2, fills={0: "greedy"}, private=True)
            nonce = new_secret()
            player = await service.join(
                table.match_id,
                invite_code=table.created.invite_code,
                nonce_commitment=commit_nonce(nonce),
                name="Zoraide",
            )
            reveal = lobby_pb2.RevealNonceRequest(match_id=table.match_id, nonce=nonce)
            await service.call.RevealNonce(reveal, metadata=player.key)
            await service.control(table, start={})
            await service.call.LeaveMatch(
                lobby_pb2.LeaveMatchRequest(match_id=table.match_id), metadata=player.key
            )
            await events_of(service.observe(table.match_id, 0))

            def fail(_: str, *, shown: bool) -> None:  # noqa: ARG001 - as the registry does
                raise RuntimeError

            with monkeypatch.context() as patch:
                patch.setattr(service.app.registry, "get", fail)
                request = lobby_pb2.GetMatchRequest(match_id=table.match_id)
                await refusal(service.call.GetMatch(request, metadata=player.key))
        writer.flush()
    finally:
        structlog.reset_defaults()
    text = written.getvalue().decode()
    lines = [json.loads(line) for line in text.splitlines()]
    events = [line["event"] for line in lines]
    assert {"serving", "call_failed", "draining", "stopped"} <= set(events)
    assert all({"event", "level", "timestamp"} <= set(line) for line in lines)
    failed = next(line for line in lines if line["event"] == "call_failed")
    assert "/muggins.v1.MatchService/GetMatch" == failed["method"]
    assert "RuntimeError" in failed["exception"]
    secrets = (table.host_secret, player.secret, nonce)
    for secret in secrets:
        for form in (secret.hex(), urlsafe_b64encode(secret).decode()[:43], repr(secret)[2:-1]):
            assert form not in text
    assert table.created.invite_code not in text
    assert "Zoraide" not in text


def test_lines_below_the_level_are_not_written(written: io.BytesIO) -> None:
    writer = configure_logs("warning", written)
    try:
        log = structlog.get_logger("test")
        log.info("quiet")
        log.warning("told", seats=4)
        writer.flush()
    finally:
        structlog.reset_defaults()
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert [("told", "warning", 4)] == [(x["event"], x["level"], x["seats"]) for x in lines]


def test_lines_are_written_when_many_have_gathered(written: io.BytesIO) -> None:
    writer = configure_logs("info", written)
    structlog.reset_defaults()
    writer.write(b"x" * 100)
    assert b"" == written.getvalue()
    writer.write(b"y" * 70_000)
    assert 70_102 == len(written.getvalue())
