"""A hundred whole matches through a network that fails."""

import asyncio

from tests.proxy import Schedule
from tests.service.server import running
from tests.service.stormy import play_in_storm
from tests.service.test_storms import STORM
from tests.soak.counts import Counts

MATCHES = 100
AT_ONCE = 20


async def test_a_hundred_matches_in_a_storm_end_as_they_would_have(counts: Counts) -> None:
    numbers = iter(range(MATCHES))
    doubled = lost = played = 0
    async with running(claim_minimum_s=0.0) as service:

        async def play() -> None:
            nonlocal doubled, lost, played
            for number in numbers:
                schedule = Schedule.from_text(f"seed={number},{STORM}")
                told = await play_in_storm(service, number, schedule)
                doubled, lost, played = doubled + told.doubled, lost + told.lost, played + 1
                counts.add(
                    acknowledged=told.moves,
                    doubled=told.doubled,
                    lost=told.lost,
                    calls=told.moves + told.repeats,
                    matches=1,
                    matches_audited=1,
                )

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(play())
    assert MATCHES == played
    assert 0 == doubled
    assert 0 == lost
