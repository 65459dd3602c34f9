"""Matches that opponents play on a real server, as their export files."""

from __future__ import annotations

import asyncio
import hashlib
from itertools import cycle, islice
from typing import TYPE_CHECKING

from muggins_client import connect, write_export

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from muggins.v1 import records_pb2

__all__ = ["played_export"]


def played_export(
    address: str,
    path: Path,
    rules: str,
    seats: int,
    *,
    levels: Sequence[str] = ("greedy_plus", "greedy"),
    calling: bool = False,
    seed: str = "review",
) -> records_pb2.MatchRecord:
    """The record of a match that opponents have played to its end, which is written to a file."""

    async def play() -> records_pb2.MatchRecord:
        async with connect(address) as client:
            created = await client.create_match(
                rules,
                seats=seats,
                calling=calling,
                fills=dict(enumerate(islice(cycle(levels), seats))),
                test_seed=hashlib.sha256(seed.encode()).digest(),
            )
            await client.host.start(created.host)
            async with client.observe(created.host.match_id, from_sequence=0) as updates:
                async for _ in updates:
                    pass
            return await client.export_match(created.host.match_id)

    record = asyncio.run(play())
    write_export(record, path)
    return record
