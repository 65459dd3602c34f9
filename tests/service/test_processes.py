"""Two players in processes of their own play a whole match while a third process observes."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from muggins.v1 import events_pb2
from tests.service.server import Service

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROOT = Path(__file__).parents[2]


async def _client(*arguments: str) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.service.client_process",
        *arguments,
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await asyncio.wait_for(process.communicate(), 60)
    assert 0 == process.returncode, errors.decode()
    report: dict[str, Any] = json.loads(out)
    return report


@pytest.mark.parametrize("name", ["all_fives", "latin_american"])
async def test_two_processes_play_a_whole_match_and_a_third_sees_the_same(
    service: Service, name: str
) -> None:
    table = await service.create(name, 2)
    players = [await service.join(table.match_id, name=f"P{seat}") for seat in range(2)]
    clients = [
        asyncio.ensure_future(
            _client(service.address, table.match_id, str(player.seat), player.secret.hex())
        )
        for player in players
    ]
    clients.append(asyncio.ensure_future(_client(service.address, table.match_id)))
    slot = service.app.registry.get(table.match_id)
    while len(slot.outboxes) < 3 and not any(  # noqa: ASYNC110 - the server has no event for it
        client.done() for client in clients
    ):
        await asyncio.sleep(0.02)
    await service.control(table, start={})
    reports = await asyncio.gather(*clients)
    assert reports[0] == reports[1] == reports[2]
    view = await service.public_view(table.match_id)
    assert view.version == reports[0]["version"] == reports[0]["events"]
    assert list(view.scores) == reports[0]["scores"]
    assert events_pb2.MATCH_END_REASON_TARGET_REACHED == reports[0]["reason"]
    assert 0 == reports[0]["snapshots"]
