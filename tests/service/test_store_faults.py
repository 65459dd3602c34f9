"""A store that cannot be written for a while: what is refused has not happened, and it recovers."""

import asyncio
import resource
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc

from muggins_rules import Draw
from tests.service.game import Game
from tests.service.process import ServerProcess, serving
from tests.service.server import Service, new_id, refusal

SEED = b"\x09" * 32
NO_LIMIT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


@asynccontextmanager
async def on_file(path: Path) -> AsyncIterator[tuple[Service, ServerProcess]]:
    flags = ("--store", str(path), "--test-seeds", "--workers", "1")
    async with serving(*flags) as server, server.channel() as channel:
        yield Service(None, channel), server  # type: ignore[arg-type]  # nothing inside is asked for


async def refused_then_done(game: Game, fails: AsyncIterator[None]) -> None:
    """A move is refused while the store fails, changes nothing, and is done once afterwards."""
    seat, action, request_id = game.mirror.turn, game.mirror.legal()[0], new_id()
    key = game.players[seat].key
    before = await game.service.seat_view(game.players[seat])
    observing = aiter(game.service.observe(game.match_id, game.version, key=key, heartbeat_s=0.2))
    await anext(observing)
    await anext(fails)
    told = await refusal(game.send(action, key=key, request_id=request_id))
    assert (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE") == (told.code, told.reason)
    assert told.retry_after_s
    after = await game.service.seat_view(game.players[seat])
    assert (before.table.version, before.hand) == (after.table.version, after.hand)
    assert not (await anext(observing)).events.events
    await anext(fails, None)
    await game.act(seat, action, request_id=request_id)
    version = game.version
    again = await game.send(action, key=key, request_id=request_id)
    assert version == again.version == await game.service.version(game.match_id)
    for _ in range(4):
        lawful = game.mirror.legal()[0]
        await game.act_on_turn(Draw() if isinstance(lawful, Draw) else lawful)


async def test_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with on_file(path) as (service, server):
        game = await Game.start(service, "muggins", 2, SEED)

        async def full() -> AsyncIterator[None]:
            wal = path.with_name("m.db-wal").stat().st_size
            limit = (wal, resource.RLIM_INFINITY)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limit)
            yield
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, NO_LIMIT)

        await refused_then_done(game, full())


async def test_a_file_that_another_program_has_locked(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with on_file(path) as (service, _):
        game = await Game.start(service, "muggins", 2, SEED)

        async def locked() -> AsyncIterator[None]:
            connection = sqlite3.connect(path, isolation_level=None)
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("ROLLBACK")
            connection.close()

        await refused_then_done(game, locked())


async def test_a_slow_store_holds_the_answer_back_and_shows_nothing_before(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with on_file(path) as (service, _):
        game = await Game.start(service, "muggins", 2, SEED)
        seat, action = game.mirror.turn, game.mirror.legal()[0]
        version = game.version
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        moving = asyncio.create_task(game.act(seat, action))
        for _ in range(5):
            await asyncio.sleep(0.1)
            assert version == await service.version(game.match_id)
        assert not moving.done()
        connection.execute("ROLLBACK")
        connection.close()
        answer = await moving
        assert answer.version == await service.version(game.match_id)
