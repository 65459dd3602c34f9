"""kill -9 in the middle of load: nothing acknowledged is lost, nothing is done twice."""

import asyncio
from pathlib import Path

from muggins.v1 import lobby_pb2
from tests.service.game import Game
from tests.soak.counts import Counts
from tests.soak.killing import Acknowledged, Restarting, audited, insisting, play_on, seed_of

LIVE = 200
KILLS = 20
UP_S = 1.5
"""How long the server is up between two kills."""

PLAYED_ON = 60
"""Moves of each match once there are no more kills; a match that is not over then is cancelled."""

GAMES = ("muggins", "all_fives", "five_up", "sniff")


async def test_twenty_kills_among_two_hundred_matches(tmp_path: Path, counts: Counts) -> None:
    server = Restarting(tmp_path / "m.db")
    await server.start()
    played: dict[str, Acknowledged] = {}
    numbers = iter(range(100_000))
    begun = asyncio.Semaphore(0)
    killing_over = asyncio.Event()
    async with insisting(server.port) as service, asyncio.TaskGroup() as group:

        async def play() -> None:
            first = True
            while first or not killing_over.is_set():
                number = next(numbers)
                game = await Game.start(service, GAMES[number % 4], 2, seed_of(number))
                acknowledged = played[game.match_id] = {}
                if first:
                    begun.release()
                first = False
                left = PLAYED_ON
                while not game.over and left:
                    await play_on(game, acknowledged)
                    left -= killing_over.is_set()
                if not game.over:
                    await service.control(game.table, cancel=lobby_pb2.CancelMatch())

        async def kill() -> None:
            for _ in range(LIVE):
                await begun.acquire()
            for _ in range(KILLS):
                await asyncio.sleep(UP_S)
                await server.kill()
                await server.start()
                counts.add(kills=1)
            killing_over.set()

        for _ in range(LIVE):
            group.create_task(play())
        group.create_task(kill())
    async with insisting(server.port) as service:
        audit = await audited(service, played)
    await server.kill()
    counts.add(
        acknowledged=audit["acknowledged"],
        lost=audit["lost"],
        doubled=audit["doubled"],
        calls=audit["acknowledged"],
        matches=len(played),
        matches_audited=audit["matches"],
    )
    assert len(played) == audit["matches"] >= LIVE
    assert 0 == audit["lost"]
    assert 0 == audit["doubled"]
