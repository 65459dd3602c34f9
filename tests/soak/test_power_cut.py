"""A power cut: what was flushed to the image of a file system is all that there is afterwards."""

import asyncio
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

from tests.service.game import Game
from tests.soak.counts import Counts
from tests.soak.killing import Acknowledged, Restarting, audited, insisting, play_on, seed_of

MATCHES = 30
PLAYED_S = 6.0


async def run(*command: str | Path) -> None:
    process = await asyncio.create_subprocess_exec(*map(str, command))
    assert 0 == await process.wait(), (
        f"{command[0]} has to work here: it needs root and loop devices"
    )


async def test_after_a_power_cut_every_acknowledged_move_is_there(
    tmp_path: Path, counts: Counts
) -> None:
    image, cut, folder = tmp_path / "a.img", tmp_path / "cut.img", tmp_path / "disk"
    await asyncio.to_thread(folder.mkdir)
    await run("truncate", "-s", "256M", image)
    await run("mkfs.ext4", "-q", "-F", image)
    await run("mount", "-o", "loop", image, folder)
    server = Restarting(folder / "m.db")
    try:
        await server.start()
        games, played = await played_for_a_while(server)
        assert server.process is not None
        # Frozen with calls under way; what the image holds now is what the disk was handed.
        os.kill(server.process.pid, signal.SIGSTOP)
        await asyncio.to_thread(shutil.copy, image, cut)
        await server.kill()
        await run("umount", folder)
        await run("mount", "-o", "loop", cut, folder)
        await server.start()
        await finish(server, games, played)
        async with insisting(server.port) as service:
            audit = await audited(service, played)
    finally:
        await server.kill()
        await run("umount", folder)
    counts.add(
        kills=1,
        acknowledged=audit["acknowledged"],
        lost=audit["lost"],
        doubled=audit["doubled"],
        matches=len(played),
        matches_audited=audit["matches"],
    )
    assert MATCHES == audit["matches"]
    assert (0, 0) == (audit["lost"], audit["doubled"])


async def played_for_a_while(server: Restarting) -> tuple[list[Game], dict[str, Acknowledged]]:
    """Matches that are left where they are."""
    async with insisting(server.port) as service:
        games = [
            await Game.start(service, "all_fives", 2, seed_of(number)) for number in range(MATCHES)
        ]
        played: dict[str, Acknowledged] = {game.match_id: {} for game in games}
        until = asyncio.get_running_loop().time() + PLAYED_S
        await play_all(games, played, lambda: asyncio.get_running_loop().time() < until)
    return games, played


async def finish(server: Restarting, games: list[Game], played: dict[str, Acknowledged]) -> None:
    """Play the same matches on, to their ends."""
    async with insisting(server.port) as service:
        for game in games:
            game.service = service
        await play_all(games, played, lambda: True)


async def play_all(
    games: list[Game], played: dict[str, Acknowledged], goes_on: Callable[[], bool]
) -> None:
    """Play matches beside one another while they are not over and it goes on."""

    async def play(game: Game) -> None:
        while not game.over and goes_on():
            await play_on(game, played[game.match_id])

    async with asyncio.TaskGroup() as group:
        for game in games:
            group.create_task(play(game))
