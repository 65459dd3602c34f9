"""Records of matches that opponents played on a server, for the commands that check them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from muggins_client import connect
from tests.cli.commands import served

if TYPE_CHECKING:
    from muggins.v1 import events_pb2, records_pb2

__all__ = ["TEST_SEED", "copy_of", "events_in", "name_engine", "recorded"]

TEST_SEED: Final = b"r" * 32


def recorded(*levels: str, calling: bool = False) -> records_pb2.MatchRecord:
    """A match of All Fives between opponents from the test seed, played to its end."""
    with served() as server:
        return asyncio.run(_record(server, levels, calling=calling))


async def _record(
    server: str, levels: tuple[str, ...], *, calling: bool
) -> records_pb2.MatchRecord:
    async with connect(server) as client:
        created = await client.create_match(
            seats=len(levels), calling=calling, fills=dict(enumerate(levels)), test_seed=TEST_SEED
        )
        await client.host.start(created.host)
        match_id = created.host.match_id
        async with client.observe(match_id) as updates:
            async for _ in updates:
                pass
        return await client.export_match(match_id)


def events_in(record: records_pb2.MatchRecord) -> list[events_pb2.Event]:
    """All events in their order."""
    return [event for part in record.records for event in part.events]


def copy_of(record: records_pb2.MatchRecord) -> records_pb2.MatchRecord:
    """A record to change."""
    copied = type(record)()
    copied.CopyFrom(record)
    return copied


def name_engine(record: records_pb2.MatchRecord, engine: str) -> None:
    """Let every decision be that of an engine."""
    for event in events_in(record):
        if event.engine:
            event.engine = engine
