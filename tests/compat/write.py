"""Write what later versions have to be able to read: `python -m tests.compat.write VERSION`.

Played matches as their stored records, and a store's file. Run once for each released version; what
it wrote is never written again.
"""

import asyncio
import gzip
import json
import sys
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Final

from muggins_service.store.sqlite import SqliteStore
from tests.service.game import Game
from tests.service.server import SETTINGS, Service, running

HERE: Final = Path(__file__).parent

MATCHES: Final = (
    ("muggins", 2, True),
    ("all_fives", 2, False),
    ("five_up", 3, True),
    ("sniff", 2, False),
)
"""Rule set, seats and whether points are called."""


async def write(version: str) -> None:
    """Play and write."""
    folder = HERE / version
    folder.mkdir()
    file = folder / "store.db"
    async with running(replace(SETTINGS, store=str(file), claim_minimum_s=0.0)) as service:
        told = []
        for number, (rule_set, seats, calling) in enumerate(MATCHES):
            seed = bytes([number + 1]) * 32
            fills = dict.fromkeys(range(seats), "greedy")
            table = await service.create(
                rule_set, seats, calling=calling, fills=fills, seed=seed, starts_when_full=True
            )
            async for _ in service.observe(table.match_id):
                pass  # to the end of the match
            told.append(_told(service, table.match_id))
        game = await Game.start(service, "latin_american", 2, b"\x77" * 32)
        for _ in range(20):
            await game.act_on_turn(game.mirror.legal()[0])
        told.append(_told(service, game.match_id))
    with gzip.GzipFile(folder / "matches.json.gz", "wb", mtime=0) as out:
        out.write(json.dumps(told).encode())
    for beside in folder.glob("store.db.lock"):
        beside.unlink()


def _told(service: Service, match_id: str) -> dict[str, object]:
    store, table = service.app.store, service.app.registry.get(match_id).table
    assert isinstance(store, SqliteStore)
    return {
        "match_id": match_id,
        "version": table.version,
        "over": table.is_over,
        "scores": list(table.game.scores),
        "records": [b64encode(one.data).decode() for one in store.read(match_id)],
    }


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1]))
