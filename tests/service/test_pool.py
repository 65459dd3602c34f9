"""The pool of workers: fair, bounded, and never held up by what hangs, dies or is not wanted."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from muggins_rules.presets import PRESETS
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from muggins_service.opponents import worker
from muggins_service.opponents.pool import (
    STUCK_S,
    PoolFull,
    WorkerDied,
    WorkerPool,
    WorkersBusy,
    WorkFailed,
)
from tests.ai.tables import Table, states_with_choice

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMIT_S = 20.0
ENDLESS = 1_000_000_000
"""Samples: more than any test waits for; a worker gives them up when it is told."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[WorkerPool]:
    """Two workers with their machine code loaded, and room for six waiting."""
    started = WorkerPool(2, 6, warm=True)
    await started.start()
    yield started
    await started.stop()


def view() -> SeatView:
    state = next(states_with_choice(Table(PRESETS["muggins"], 2), "pool", rounds=1))
    assert state.table is not None
    assert state.table.turn is not None
    return seat_view(state, state.table.turn)


async def works(pool: WorkerPool, caller: str = "test") -> None:
    """The pool answers."""
    assert 7 == await pool.run(caller, LIMIT_S, abs, -7)


async def idle(pool: WorkerPool) -> None:
    """Wait until nothing is done or waits."""
    async with asyncio.timeout(LIMIT_S):
        while pool.busy or pool.waiting:  # noqa: ASYNC110 - the pool is watched from outside
            await asyncio.sleep(0.01)


async def test_what_a_function_gives_is_given_and_what_it_raises_is_a_failure(
    pool: WorkerPool,
) -> None:
    await works(pool)
    with pytest.raises(WorkFailed):
        await pool.run("test", LIMIT_S, int, "no number")
    await works(pool)


async def test_a_worker_that_dies_costs_its_own_work_only(pool: WorkerPool) -> None:
    other = asyncio.create_task(pool.run("other", LIMIT_S, time.sleep, 1.0))
    await asyncio.sleep(0.1)
    crashed = pool.counts.crashed
    with pytest.raises(WorkerDied):
        await pool.run("test", LIMIT_S, os._exit, 3)
    assert crashed + 1 == pool.counts.crashed
    await other
    await works(pool)


async def test_after_a_kill_the_next_answer_comes_within_a_second(pool: WorkerPool) -> None:
    await idle(pool)
    dying = asyncio.create_task(pool.run("test", LIMIT_S, time.sleep, 30))
    await asyncio.sleep(0.2)
    os.kill(pool.pids[0], signal.SIGKILL)
    began = time.monotonic()
    await works(pool)
    assert time.monotonic() - began < 1.0
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    await idle(pool)


async def test_a_worker_that_hangs_is_killed_and_replaced(pool: WorkerPool) -> None:
    await idle(pool)
    killed = pool.counts.killed
    with pytest.raises(WorkersBusy):
        await pool.run("test", 0.2, time.sleep, 60)
    await works(pool)
    await asyncio.sleep(STUCK_S + 0.2)
    assert killed + 1 == pool.counts.killed
    await idle(pool)
    await asyncio.gather(works(pool), works(pool))


async def test_a_search_that_nobody_waits_for_is_given_up_and_nothing_is_killed(
    pool: WorkerPool,
) -> None:
    await idle(pool)
    killed, given_up = pool.counts.killed, pool.counts.given_up
    asking = asyncio.create_task(
        pool.run("test", LIMIT_S, worker.analyse, view(), ENDLESS, 100, 0, 1)
    )
    await asyncio.sleep(0.5)
    assert 1 == pool.busy
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await idle(pool)
    assert (killed, given_up + 1) == (pool.counts.killed, pool.counts.given_up)
    await works(pool)


async def test_no_more_waits_than_may_and_what_is_cancelled_leaves_the_queue(
    pool: WorkerPool,
) -> None:
    await idle(pool)
    running = [asyncio.create_task(pool.run("a", LIMIT_S, time.sleep, 0.8)) for _ in range(8)]
    await asyncio.sleep(0.1)
    assert (2, 6) == (pool.busy, pool.waiting)
    with pytest.raises(PoolFull):
        await pool.run("b", LIMIT_S, abs, 1)
    for task in running[2:]:
        task.cancel()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert 0 == pool.waiting
    await asyncio.gather(*running, return_exceptions=True)
    await works(pool)


async def test_one_caller_with_many_requests_does_not_hold_up_another(pool: WorkerPool) -> None:
    await idle(pool)
    finished: list[str] = []

    async def ask(caller: str) -> None:
        await pool.run(caller, LIMIT_S, time.sleep, 0.1)
        finished.append(caller)

    tasks = [asyncio.create_task(ask("many")) for _ in range(7)]
    await asyncio.sleep(0.02)
    tasks.append(asyncio.create_task(ask("one")))
    await asyncio.gather(*tasks)
    assert finished.index("one") <= 4


async def test_workers_are_polite_and_small(pool: WorkerPool) -> None:
    """Niced, and below 250 MB with every learned opponent warm."""
    await pool.run("test", LIMIT_S, worker.choose, "strongest", view(), b"seed")
    for pid in pool.pids:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()  # noqa: ASYNC240 - of the kernel
        resident = next(line for line in lines if line.startswith("VmRSS"))
        assert int(resident.split()[1]) < 250 * 1024
        assert worker.NICENESS == os.getpriority(os.PRIO_PROCESS, pid)


async def test_a_pool_that_is_stopped_tells_who_waits() -> None:
    own = WorkerPool(1, 5, warm=False)
    with pytest.raises(WorkFailed):
        await own.run("test", LIMIT_S, abs, 1)
    await own.start()
    first = asyncio.create_task(own.run("test", LIMIT_S, time.sleep, 0.3))
    second = asyncio.create_task(own.run("test", LIMIT_S, abs, 1))
    await asyncio.sleep(0.1)
    await own.stop()
    answers = await asyncio.gather(first, second, return_exceptions=True)
    assert isinstance(answers[1], WorkFailed)
