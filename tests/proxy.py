"""A TCP proxy on the loopback between a client and a server of gRPC, which fails as networks do.

On command, for any kind of traffic: `cut` closes all links of now, `stall` has them lose every
byte without a word, `hold_answers` keeps back what the server sends until the links are cut.

By a schedule, for gRPC without TLS: the proxy follows the frames of HTTP/2, and each call that
begins draws its fault from a `Schedule`: "lose the answer of the next call", or one in ten, from a
seed. In a test:

    async with proxy_to(port, Schedule(seed=7, lose_answer=0.1)) as proxy:
        ...                                          # a channel to proxy.port
        proxy.schedule.lose_next(Fault.LOSE_ANSWER)  # and now the next one for certain

As a process, in front of any server: `python -m tests.proxy --to 127.0.0.1:50051
--listen 127.0.0.1:7000 --schedule seed=7,lose_answer=0.1,silence=0.02`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.fault_schedule import Fault, Schedule

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

__all__ = ["Fault", "Proxy", "Schedule", "proxy_to"]

_CHUNK: Final = 65_536
_PREFACE_BYTES: Final = 24
"""What a client sends before its first frame."""
_HEAD_BYTES: Final = 9
_TORN_BYTES: Final = 4
"""So much of a torn answer's first frame comes through."""
_DATA, _HEADERS = 0, 1


class _Frame(NamedTuple):
    """A frame whose head ended in a chunk; `start` is where it begins there, 0 if before it."""

    start: int
    kind: int
    stream: int


class _Frames:
    """Follows the frames of one direction of a connection."""

    def __init__(self, skipped: int) -> None:
        self._left = skipped
        self._head = b""

    def feed(self, chunk: bytes) -> list[_Frame]:
        """The frames whose heads are complete with this chunk."""
        found, at = [], 0
        while at < len(chunk):
            passed = min(self._left, len(chunk) - at)
            self._left -= passed
            at += passed
            start = at
            taken = chunk[at : at + _HEAD_BYTES - len(self._head)]
            at += len(taken)
            begun = bool(self._head)
            self._head += taken
            if len(self._head) == _HEAD_BYTES:
                stream = int.from_bytes(self._head[5:9]) & 0x7FFFFFFF
                found.append(_Frame(0 if begun else start, self._head[3], stream))
                self._left = int.from_bytes(self._head[:3])
                self._head = b""
        return found


class Proxy:
    """Passes on what comes, but for what was asked to go wrong. `links` counts connections."""

    def __init__(self, target_port: int, schedule: Schedule | None = None) -> None:
        self.port = 0
        self.links = 0
        self.schedule = schedule or Schedule()
        self._target_port = target_port
        self._links: set[_Link] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._answers_pass = asyncio.Event()
        self._answers_pass.set()

    def cut(self) -> None:
        """Close all links of now."""
        for link in tuple(self._links):
            link.cut()
        self._answers_pass.set()

    def stall(self) -> None:
        """Links of now lose every byte from here on; new ones work."""
        for link in self._links:
            link.is_silent = True

    def hold_answers(self) -> None:
        """What the server sends stays here until the links are cut."""
        self._answers_pass.clear()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of a client."""
        self.links += 1
        try:
            back_reader, back_writer = await asyncio.open_connection("127.0.0.1", self._target_port)
        except OSError:
            writer.transport.abort()
            return
        link = _Link(self.schedule, writer, back_writer)
        self._links.add(link)
        self._run(link, link.pass_requests(reader))
        self._run(link, link.pass_answers(back_reader, self._answers_pass))

    async def close(self) -> None:
        """Cut everything, and wait until nothing runs any more."""
        self.cut()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _run(self, link: _Link, pump: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(pump)
        self._tasks.add(task)

        def ended(_: object) -> None:
            self._tasks.discard(task)
            self._links.discard(link)

        task.add_done_callback(ended)


class _Link:
    """One connection of a client and the one to the server behind it."""

    def __init__(
        self, schedule: Schedule, client: asyncio.StreamWriter, server: asyncio.StreamWriter
    ) -> None:
        self.is_silent = False
        self._schedule = schedule
        self._client = client
        self._server = server
        self._failing: dict[int, Fault] = {}
        """What happens to the answers of a stream of HTTP/2."""

    def cut(self) -> None:
        self._client.transport.abort()
        self._server.transport.abort()

    async def pass_requests(self, reader: asyncio.StreamReader) -> None:
        frames = _Frames(_PREFACE_BYTES)
        with suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                for frame in frames.feed(chunk):
                    if frame.kind == _HEADERS:
                        await self._begin(frame.stream)
                await self._pass_on(self._server, chunk)
        self._server.close()

    async def _begin(self, stream: int) -> None:
        """A call begins: draw what happens to it."""
        match self._schedule.draw():
            case None:
                pass
            case Fault.LOSE_REQUEST:
                self.cut()
                raise ConnectionResetError
            case Fault.DELAY:
                await asyncio.sleep(self._schedule.delay_s)
            case fault:
                self._failing[stream] = fault

    async def pass_answers(self, reader: asyncio.StreamReader, may_pass: asyncio.Event) -> None:
        frames = _Frames(0)
        with suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                await may_pass.wait()
                for frame in frames.feed(chunk):
                    if frame.kind in {_DATA, _HEADERS} and frame.stream in self._failing:
                        await self._fail(self._failing.pop(frame.stream), chunk, frame)
                await self._pass_on(self._client, chunk)
        self._client.close()

    async def _fail(self, fault: Fault, chunk: bytes, frame: _Frame) -> None:
        if fault is Fault.SILENCE:
            self.is_silent = True
            asyncio.get_running_loop().call_later(self._schedule.silence_s, self.cut)
            return
        if fault is Fault.TEAR_ANSWER:
            await self._pass_on(self._client, chunk[: frame.start + _HEAD_BYTES + _TORN_BYTES])
            self._client.close()
            self._server.transport.abort()
        else:
            self.cut()
        raise ConnectionResetError

    async def _pass_on(self, writer: asyncio.StreamWriter, chunk: bytes) -> None:
        if not self.is_silent:
            writer.write(chunk)
            await writer.drain()


@asynccontextmanager
async def proxy_to(
    target_port: int, schedule: Schedule | None = None, *, port: int = 0
) -> AsyncIterator[Proxy]:
    """A proxy in front of a port of this machine while the context lasts; port 0: a free one."""
    proxy = Proxy(target_port, schedule)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", port)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()


async def _main(arguments: argparse.Namespace) -> None:
    _, _, port = arguments.to.rpartition(":")
    _, _, listen = arguments.listen.rpartition(":")
    schedule = Schedule.from_text(arguments.schedule)
    async with proxy_to(int(port), schedule, port=int(listen)) as proxy:
        sys.stdout.write(f"passing 127.0.0.1:{proxy.port} on to port {port}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="tests.proxy", description="A network that fails.")
    parser.add_argument("--to", required=True, help="the server, 127.0.0.1:PORT")
    parser.add_argument("--listen", default="127.0.0.1:0", help="where to listen")
    parser.add_argument("--schedule", default="", help="as in seed=7,lose_answer=0.1")
    with suppress(KeyboardInterrupt):
        asyncio.run(_main(parser.parse_args()))
