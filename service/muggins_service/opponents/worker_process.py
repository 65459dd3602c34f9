"""One worker process, which does one thing at a time and can be told to give it up, or killed."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from typing import Any, Final, TypeVar

from muggins_service.opponents import worker

__all__ = ["WorkerProcess"]

T = TypeVar("T")

STOP_LIMIT_S: Final = 2.0
"""The longest a worker's end is waited for."""


class WorkerProcess:
    """An executor of a single spawned process; every method belongs to the loop's thread.

    gRPC does not survive a fork, so it is spawned. An executor of its own means that its death
    costs nobody else's work.
    """

    def __init__(self) -> None:
        """Begin without a process."""
        self._context = get_context("spawn")
        # A byte shared with the process: 1 asks it to give up what it does.
        self._flag: Any = self._context.RawValue("b", 0)
        self._executor: ProcessPoolExecutor | None = None
        self._pid = 0

    async def start(self, *, warm: bool) -> None:
        """Start the process, with every opponent ready when `warm`.

        Raises:
            BrokenProcessPool: it died at once.
        """
        self._flag.value = 0
        self._executor = ProcessPoolExecutor(
            1, self._context, initializer=worker.prepare, initargs=(self._flag,)
        )
        ready = partial(worker.ready, warm=warm)
        self._pid = await asyncio.get_running_loop().run_in_executor(self._executor, ready)

    async def run(self, function: Callable[..., T], arguments: tuple[object, ...]) -> T:
        """What a function gives in the process, to its end, whatever becomes of who asked.

        Raises:
            BrokenProcessPool: the process died.
        """
        assert self._executor is not None, "the process was started"
        self._flag.value = 0
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, function, *arguments)

    def ask_to_give_up(self) -> None:
        """Tell the process that nobody waits for what it does."""
        self._flag.value = 1

    def kill(self) -> None:
        """End the process at once; what it does is lost."""
        if self._pid:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    @property
    def pid(self) -> int:
        """The number of the process, 0 before it runs."""
        return self._pid

    async def stop(self) -> None:
        """Let the process go: it gives up what it does. One that hangs is killed."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        self.ask_to_give_up()
        # Not waiting for it would tear down its pipes under its own thread.
        ending = threading.Thread(
            target=partial(executor.shutdown, wait=True, cancel_futures=True), daemon=True
        )
        ending.start()
        await asyncio.to_thread(ending.join, STOP_LIMIT_S)
        if ending.is_alive():
            self.kill()
            await asyncio.to_thread(ending.join, STOP_LIMIT_S)
