"""Opponents outside the loop: choices are made in a spawned worker process.

gRPC does not survive a fork, so workers are spawned; they are niced, so that a search never
delays a call. A worker that dies is replaced, and whoever waited gets `OpponentsUnavailable`.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

import structlog

from muggins_ai.opponent import Choice
from muggins_rules.views import SeatView
from muggins_service.opponents import worker

__all__ = ["OpponentRunner", "OpponentsUnavailable"]

T = TypeVar("T")

_log = structlog.get_logger("muggins.opponents")

STOP_LIMIT_S = 2.0
"""The longest the workers' end is waited for."""

DECISION_LIMIT_S = 10.0
"""The longest an answer is waited for."""


class OpponentsUnavailable(Exception):  # noqa: N818 - a state of the server, not a mistake
    """No worker answered: it died, it took too long, or what it ran failed."""


class OpponentRunner:
    """Asks opponents in worker processes; every method belongs to the loop's thread."""

    def __init__(self, workers: int, *, warm: bool) -> None:
        """Begin without a process; `start` makes them, with all opponents ready when `warm`."""
        self._workers = workers
        self._warm = warm
        self._pool: ProcessPoolExecutor | None = None

    async def start(self) -> None:
        """Start the workers and return once one has answered."""
        self._pool = self._new_pool()
        ready = partial(worker.ready, warm=self._warm)
        await asyncio.get_running_loop().run_in_executor(self._pool, ready)

    async def choose(self, level: str, view: SeatView, seed: bytes) -> Choice:
        """The choice of an opponent; OpponentsUnavailable when no worker gives one."""
        return await self._ask(worker.choose, level, view, seed)

    async def calls(self, level: str, view: SeatView) -> bool:
        """Whether an opponent calls the placement whose window is open."""
        return await self._ask(worker.calls, level, view)

    async def _ask(self, function: Callable[..., T], *arguments: object) -> T:
        pool = self._pool
        if pool is None:
            raise OpponentsUnavailable
        try:
            async with asyncio.timeout(DECISION_LIMIT_S):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(pool, function, *arguments)
        except TimeoutError:
            raise OpponentsUnavailable from None
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = self._new_pool()
            raise OpponentsUnavailable from None
        except Exception:  # noqa: BLE001 - an opponent's fault must not cost its seat the turn
            _log.exception("opponent_failed", asked=function.__name__)
            raise OpponentsUnavailable from None

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers, mp_context=get_context("spawn"), initializer=worker.prepare
        )

    async def stop(self) -> None:
        """Let the workers go: they finish what they think about, and the rest is dropped.

        One that does not end in time is left to end with this process.
        """
        pool, self._pool = self._pool, None
        if pool is None:
            return
        # Not waiting for it would tear down its pipes under its own thread.
        ending = threading.Thread(
            target=partial(pool.shutdown, wait=True, cancel_futures=True), daemon=True
        )
        ending.start()
        await asyncio.to_thread(ending.join, STOP_LIMIT_S)
