"""Servers that are killed and started again at the same place, and what is asked of them after."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import grpc

from muggins.v1 import moves_pb2
from muggins_service.wire.match_records import decode_match_record
from tests.service.game import Game
from tests.service.insistent import OPTIONS, Insistent
from tests.service.process import START_S, serve
from tests.service.server import Service, new_id

if TYPE_CHECKING:
    from muggins.v1.match_service_pb2_grpc import MatchServiceAsyncStub

__all__ = ["Acknowledged", "Audit", "Restarting", "audited", "insisting", "play_on", "seed_of"]

FLAGS: Final = (
    "--test-seeds",
    "--workers",
    "1",
    "--nonce-wait-s",
    "0.2",
    "--claim-minimum-s",
    "0",
    "--log-level",
    "error",
)

Acknowledged = dict[str, int]
"""The version that each request of a match was answered with, by its id."""

MOST_MESSAGE: Final = ("grpc.max_receive_message_length", 16 * 1024 * 1024)


class Restarting:
    """A server process on a file, always at the same port."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.port = 0
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and wait until it serves."""
        flags = ("--port", str(self.port), "--store", str(self.path), *FLAGS)
        self.process = process = await serve(*flags)
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), START_S)).decode()
        self.port = int(line.split(":")[-1])

    async def kill(self) -> None:
        """End it as if the power of its machine went off; the system keeps what it was handed."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            _, errors = await process.communicate()
            told = [line for line in errors.decode().splitlines() if line.startswith("{")]
            assert not told, told


@asynccontextmanager
async def insisting(port: int) -> AsyncIterator[Service]:
    """A server at a port, asked again and again while it is away."""
    async with grpc.aio.insecure_channel(
        f"127.0.0.1:{port}", options=(*OPTIONS, MOST_MESSAGE)
    ) as channel:
        service = Service(None, channel)  # type: ignore[arg-type]  # nothing inside is asked for
        service.call = cast("MatchServiceAsyncStub", Insistent(channel))
        yield service


def seed_of(number: int) -> bytes:
    """The test seed of a match."""
    return number.to_bytes(32, "big")


async def play_on(game: Game, acknowledged: Acknowledged) -> None:
    """Do one lawful action, in which everything told is compared with the rules."""
    request_id = new_id()
    answer = await game.act_on_turn(game.mirror.legal()[0], request_id=request_id)
    acknowledged[request_id] = answer.version


class Audit(Counter[str]):
    """How many matches were looked at, and moves that are not there or there twice."""


async def audited(service: Service, played: Mapping[str, Acknowledged]) -> Audit:
    """Compare the exports of matches that are over with what was acknowledged."""
    audit = Audit()
    for match_id, acknowledged in played.items():
        answer = await service.call.ExportMatch(moves_pb2.ExportMatchRequest(match_id=match_id))
        decode_match_record(answer.record.SerializeToString())  # refuses what does not follow
        versions: dict[str, list[int]] = {}
        for record in answer.record.records:
            versions.setdefault(record.request_id, []).append(record.version)
        sequences = [event.sequence for r in answer.record.records for event in r.events]
        assert list(range(1, len(sequences) + 1)) == sequences
        for request_id, version in acknowledged.items():
            found = versions.get(request_id, [])
            audit["lost"] += version not in found
            audit["doubled"] += max(0, len(found) - 1)
        audit["matches"] += 1
        audit["acknowledged"] += len(acknowledged)
    return audit
