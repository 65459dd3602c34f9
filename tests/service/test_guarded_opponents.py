"""`muggins opponents` behind doors, and a match server that has the key to them."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
import structlog

from muggins.v1 import opponent_service_pb2, opponent_service_pb2_grpc
from muggins_service.config import Config
from muggins_service.doors.doors import BadDoor
from muggins_service.doors.passes import opponents_pass
from muggins_service.doors.scopes import Scope
from muggins_service.opponents_app import OpponentsApp
from tests.service.doors_kit import Authority, bearer, make_key, write_pair
from tests.service.server import SETTINGS, Field, refusal, running

TABLES, TABLES_LINE = make_key("tables", Scope.BACKEND, key_id="t")


@asynccontextmanager
async def _opponents(folder: Path, authority: Authority) -> AsyncIterator[OpponentsApp]:
    keys = folder / "keys"
    keys.write_text(TABLES_LINE)
    pair = write_pair(folder, authority.pair())
    app = OpponentsApp(replace(SETTINGS, auth="keys", keys_file=str(keys), workers=1, **pair))
    await app.start()
    try:
        yield app
    finally:
        await app.stop()


def _pass_of(folder: Path, app: OpponentsApp, authority: Authority) -> dict[str, Field]:
    (folder / "root.pem").write_bytes(authority.certificate)
    (folder / "key").write_text(TABLES + "\n")
    return {
        "opponents_address": f"127.0.0.1:{app.port}",
        "opponents_credentials": str(folder / "key"),
        "opponents_tls_ca": str(folder / "root.pem"),
        "opponents_deadline_s": 20.0,
        "workers": 1,
    }


async def _told_of_failures(settings: dict[str, Field]) -> list[str]:
    """Why the other server gave no answer, in a match of two of its opponents."""
    with structlog.testing.capture_logs() as lines:
        async with running(**settings) as service:
            fills = {0: "greedy", 1: "greedy"}
            table = await service.create("muggins", 2, fills=fills, starts_when_full=True)
            deadline = time.monotonic() + 60
            async for frame in service.observe(table.match_id, 0):
                assert time.monotonic() < deadline
                if any(event.HasField("match_ended") for event in frame.events.events):
                    break
    return [line["reason"] for line in lines if line["event"] == "opponents_elsewhere_failed"]


async def test_opponents_are_asked_over_tls_with_a_key(tmp_path: Path) -> None:
    authority = Authority()
    async with _opponents(tmp_path, authority) as app:
        settings = _pass_of(tmp_path, app, authority)
        assert not await _told_of_failures(settings)
        (tmp_path / "key").write_text(TABLES[:-1])
        assert await _told_of_failures(settings)


async def test_opponents_ask_who_calls(tmp_path: Path) -> None:
    authority = Authority()
    async with _opponents(tmp_path, authority) as app:
        address = f"127.0.0.1:{app.port}"
        async with grpc.aio.secure_channel(address, authority.trusted()) as channel:
            stub: opponent_service_pb2_grpc.OpponentServiceAsyncStub
            stub = opponent_service_pb2_grpc.OpponentServiceStub(channel)
            request = opponent_service_pb2.ListLevelsRequest()
            assert "MISSING_CREDENTIALS" == (await refusal(stub.ListLevels(request))).reason
            assert (await stub.ListLevels(request, metadata=bearer(TABLES))).levels


def test_a_pass_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadDoor, match=r"opponents_credentials: .*none: No such file"):
        opponents_pass(
            Config(opponents_address="x:1", opponents_credentials=str(tmp_path / "none"))
        )
