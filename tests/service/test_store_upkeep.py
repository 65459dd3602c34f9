"""Backup and restore, checking a file, and forgetting a player, as docs/operations.md tells."""

import asyncio
import shutil
import sys
from pathlib import Path

from muggins.v1 import lobby_pb2, moves_pb2
from muggins_service.store.sqlite_file import MIGRATIONS
from muggins_service.store.upkeep import FORGOTTEN
from tests.service.game import Game
from tests.service.server import Field
from tests.service.test_restart import SEED, again, moves, on_file


async def command(*arguments: Field) -> tuple[int, str, str]:
    """`muggins store` with some arguments: its exit status and what it wrote."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "muggins_cli.main",
        "store",
        *map(str, arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode is not None
    return process.returncode, out.decode(), errors.decode()


async def test_a_backup_made_in_mid_match_is_played_on_from(tmp_path: Path) -> None:
    path, copy = tmp_path / "m.db", tmp_path / "copy.db"
    async with on_file(path) as service:
        game = await Game.start(service, "muggins", 2, SEED)
        await moves(game, 4)
        backed_up = game.version
        status, out, _ = await command("backup", path, "--to", copy)
        assert (0, True) == (status, out.startswith(f"{copy}: 1 matches"))
        status, _, errors = await command("backup", path, "--to", copy)
        assert (1, True) == (status, "exists already" in errors)
        ahead = game.mirror.legal()[0]
        await game.send(ahead, key=game.players[game.mirror.turn].key)
    status, out, _ = await command("check", copy)
    assert (0, True) == (status, out.startswith(f"sound: version {len(MIGRATIONS)}, 1 matches"))
    path.unlink()
    for beside in ("-wal", "-shm"):
        path.with_name(path.name + beside).unlink(missing_ok=True)
    shutil.copy(copy, path)
    async with on_file(path) as service:
        assert backed_up == await service.version(game.match_id)
        game = again(service, game)
        while not game.over:
            await moves(game, 1)


async def test_a_name_is_forgotten_and_the_match_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with on_file(path) as service:
        table = await service.create("muggins", 2)
        await service.join(table.match_id, name="Zuleica")
        await service.join(table.match_id, name="Ana")
        status, _, errors = await command("forget-name", path, "--name", "Zuleica")
        assert (1, True) == (status, "another server uses it" in errors)
    assert (0, "changed 1 records\n", "") == await command("forget-name", path, "--name", "Zuleica")
    assert b"Zuleica" not in path.read_bytes()
    async with on_file(path) as service:
        view = await service.public_view(table.match_id)
        assert [FORGOTTEN, "Ana"] == [seat.name for seat in view.seats]
        await service.control(table, cancel=lobby_pb2.CancelMatch())
        ask = moves_pb2.ExportMatchRequest(match_id=table.match_id)
        assert b"Zuleica" not in (await service.call.ExportMatch(ask)).SerializeToString()


async def test_what_is_no_store_is_told(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no store at all\n" * 400)
    for arguments in (("check", text), ("backup", text, "--to", tmp_path / "x")):
        status, _, errors = await command(*arguments)
        assert (1, True) == (status, "it is no store of muggins" in errors)
    status, _, errors = await command("check", tmp_path / "nowhere.db")
    assert (1, True) == (status, "there is no such file" in errors)
