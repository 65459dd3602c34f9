"""A TCP proxy whose links can be cut, or fall silent without a word."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

__all__ = ["Proxy", "proxy_to"]

_CHUNK = 65_536


class Proxy:
    """Passes on what comes; `cut` closes all links of now, `stall` loses their packets."""

    def __init__(self, target_port: int) -> None:
        self.port = 0
        self.links = 0
        self._target_port = target_port
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._passing = _set_event()
        self._answers_pass = _set_event()

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()
        self._answers_pass.set()

    def stall(self) -> None:
        """Links of now lose every packet from here on; new ones work."""
        self._passing.clear()
        self._passing = _set_event()

    def hold_answers(self) -> None:
        """What the server sends stays here until the links are cut."""
        self._answers_pass.clear()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.links += 1
        back_reader, back_writer = await asyncio.open_connection("127.0.0.1", self._target_port)
        self._writers += [writer, back_writer]
        self._run(_pump(reader, back_writer, self._passing, _set_event()))
        self._run(_pump(back_reader, writer, self._passing, self._answers_pass))

    async def close(self) -> None:
        self.cut()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _run(self, pump: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(pump)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _set_event() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


async def _pump(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    passing: asyncio.Event,
    answers_pass: asyncio.Event,
) -> None:
    try:
        while data := await reader.read(_CHUNK):
            await passing.wait()
            await answers_pass.wait()
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def proxy_to(target_port: int) -> AsyncIterator[Proxy]:
    proxy = Proxy(target_port)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
