"""The pool of worker processes: who waits, who works, and what is given up.

A worker does one thing at a time. Whoever is not waited for any more, because the call ended, the
match went on or the time was up, is asked to give up; a worker that does not hear within
`STUCK_S` is killed and replaced, as is one that died.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import structlog

from muggins_ai.stopping import DecisionStopped
from muggins_service.opponents.fair_queue import FairQueue, QueueFull
from muggins_service.opponents.worker_process import WorkerProcess

__all__ = ["PoolCounts", "PoolFull", "WorkFailed", "WorkerDied", "WorkerPool", "WorkersBusy"]

T = TypeVar("T")

_log = structlog.get_logger("muggins.opponents")

STUCK_S: Final = 1.0
"""How long a worker may take to give up what it does before it is killed."""
RESTART_S: Final = 1.0
"""How long after a failed start a worker is started again."""


class WorkersBusy(Exception):  # noqa: N818 - a state of the server, not a mistake
    """Too much waits already, or the time was up before an answer."""


class PoolFull(WorkersBusy):
    """As much waits as may wait; nothing was tried."""


class WorkerDied(Exception):  # noqa: N818 - as above
    """The worker died before it answered."""


class WorkFailed(Exception):  # noqa: N818 - as above
    """What was to be run failed, or there is no pool any more."""


@dataclass(slots=True)
class PoolCounts:
    """What the pool has done since it began."""

    started: int = 0
    finished: int = 0
    given_up: int = 0
    crashed: int = 0
    killed: int = 0
    refused: int = 0


@dataclass(eq=False, slots=True)
class _Task:
    """Something to be run for a caller."""

    caller: str
    function: Callable[..., Any]
    arguments: tuple[object, ...]
    answer: "asyncio.Future[Any]"
    worker: WorkerProcess | None = field(default=None)


class WorkerPool:
    """Runs functions in worker processes; every method belongs to the loop's thread."""

    def __init__(
        self, workers: int, most_waiting: int, *, warm: bool, at_first: int | None = None
    ) -> None:
        """Begin without a process; `most_waiting` things may wait for a worker.

        With `at_first`, from 1, so many workers stand by, and the others start once things wait.
        """
        self._workers = [WorkerProcess() for _ in range(workers)]
        self._resting = self._workers[at_first:] if at_first is not None else []
        self._idle: list[WorkerProcess] = []
        self._queue: FairQueue[_Task] = FairQueue(most_waiting)
        self._warm = warm
        self._open = False
        self._serving: set[asyncio.Task[None]] = set()
        self.counts = PoolCounts()

    async def start(self) -> None:
        """Start the workers that stand by, and return when each has answered."""
        self._open = True
        first = [worker for worker in self._workers if worker not in self._resting]
        await asyncio.gather(*(worker.start(warm=self._warm) for worker in first))
        self._idle = first
        self._go_on()

    @property
    def waiting(self) -> int:
        """How many things wait for a worker."""
        return len(self._queue)

    @property
    def busy(self) -> int:
        """How many workers are at work, those that start included."""
        return len(self._serving)

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes that were started."""
        return tuple(worker.pid for worker in self._workers if worker.pid)

    async def run(
        self, caller: str, limit_s: float, function: Callable[..., T], *arguments: object
    ) -> T:
        """What a function gives in some worker, within so many seconds.

        Callers, whatever their number of requests, take turns. A cancelled wait gives the work up.

        Raises:
            WorkFailed: the function raised, or the pool is not open.
            WorkerDied: the worker died.
            WorkersBusy: too much waits already, or the time was up.
        """
        if not self._open:
            raise WorkFailed
        answer = asyncio.get_running_loop().create_future()
        task = _Task(caller, function, arguments, answer)
        try:
            self._queue.push(caller, task)
        except QueueFull:
            self.counts.refused += 1
            raise PoolFull from None
        self._go_on()
        try:
            async with asyncio.timeout(limit_s):
                found: T = await answer
        except TimeoutError:
            raise WorkersBusy from None
        finally:
            self._give_up(task)
        return found

    def _go_on(self) -> None:
        """Give what waits to the workers that are idle."""
        while self._open and self._idle and len(self._queue):
            task = self._queue.pop()
            worker = self._idle.pop()
            task.worker = worker
            self._run_beside(self._serve(worker, task))
        if self._open and self._resting and len(self._queue):
            self._run_beside(self._join(self._resting.pop()))

    def _run_beside(self, work: Coroutine[Any, Any, None]) -> None:
        serving = asyncio.get_running_loop().create_task(work)
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)

    async def _join(self, worker: WorkerProcess) -> None:
        """Start a worker that rested, and let it help."""
        await self._restarted(worker)
        if self._open:
            self._idle.append(worker)
            self._go_on()

    async def _serve(self, worker: WorkerProcess, task: _Task) -> None:
        self.counts.started += 1
        answer = task.answer
        try:
            found = await worker.run(task.function, task.arguments)
        except BrokenProcessPool:
            self.counts.crashed += 1
            if not answer.done():
                answer.set_exception(WorkerDied())
            task.worker = None
            await self._restarted(worker)
        except DecisionStopped:
            self.counts.given_up += 1
            if not answer.done():
                answer.set_exception(WorkersBusy())
        except Exception:  # noqa: BLE001 - an opponent's fault must not cost its seat the turn
            _log.exception("opponent_failed", asked=task.function.__name__)
            if not answer.done():
                answer.set_exception(WorkFailed())
        else:
            self.counts.finished += 1
            if not answer.done():
                answer.set_result(found)
        task.worker = None
        if self._open:
            self._idle.append(worker)
            self._go_on()

    async def _restarted(self, worker: WorkerProcess) -> None:
        """Start a worker that died or rested, and again while that fails."""
        while self._open:
            await worker.stop()
            try:
                await worker.start(warm=self._warm)
            except BrokenProcessPool:
                _log.exception("opponent_worker_not_started")
                await asyncio.sleep(RESTART_S)
            else:
                return

    def _give_up(self, task: _Task) -> None:
        """Nobody waits for a task any more: it leaves the queue, or its worker is told."""
        if not task.answer.done():
            task.answer.cancel()
        if task.worker is None:
            self._queue.remove(task.caller, task)
            return
        task.worker.ask_to_give_up()
        asyncio.get_running_loop().call_later(STUCK_S, self._kill_if_stuck, task)

    def _kill_if_stuck(self, task: _Task) -> None:
        if task.worker is not None:
            self.counts.killed += 1
            _log.warning("opponent_worker_killed", asked=task.function.__name__)
            task.worker.kill()

    async def stop(self) -> None:
        """Let all workers go; who still waits is told that there are none."""
        self._open = False
        while len(self._queue):
            waiting = self._queue.pop().answer
            if not waiting.done():
                waiting.set_exception(WorkFailed())
        await asyncio.gather(*(worker.stop() for worker in self._workers))
        for serving in tuple(self._serving):
            serving.cancel()
