"""The server that is measured: the product's own in a process of its own, and a no-op beside it.

The no-op is a unary method on raw bytes in the same gRPC server, without an answer of its own to
think about: what a call costs before anything is done for it. It is added here and nowhere else.

    python -m tests.bench.server [CORE]

serves on a free port, which it prints, until its standard input ends.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import grpc

from muggins_service.app import App
from muggins_service.config import Config
from muggins_service.telemetry.logs import configure_logs
from tests.bench.http2 import Connection, Request, ask

__all__ = ["NOOP", "NOOP_ANSWER", "BenchServer", "serving"]

SERVICE: Final = "muggins.bench.Noop"
NOOP: Final = Request(f"/{SERVICE}/Call".encode(), b"", bytes(range(24)))
NOOP_ANSWER: Final = bytes(number % 251 for number in range(285))
CPU_TIME: Final = Request(f"/{SERVICE}/CpuTime".encode(), b"", b"")

ROOT: Final = Path(__file__).parents[2]
STOP_S: Final = 30

Context = grpc.aio.ServicerContext[bytes, bytes]


class BenchServer:
    """A running server process."""

    def __init__(self, port: int) -> None:
        self.host = "127.0.0.1"
        self.port = port

    @contextmanager
    def control(self) -> Iterator[Connection[None]]:
        """A connection for one call at a time, while the context lasts.

        Nobody answers the server's pings between calls, so it is not to be kept without use.
        """
        connection = Connection[None](self.host, self.port)
        try:
            yield connection
        finally:
            connection.close()

    def cpu_s(self) -> float:
        """Processor time that the process has used so far, all threads together."""
        with self.control() as control:
            return int.from_bytes(ask(control, CPU_TIME), "big") / 1e9


@contextmanager
def serving(core: int | None = None) -> Iterator[BenchServer]:
    """A server process while the context lasts, on one core only where one is given."""
    arguments = () if core is None else (str(core),)
    process = subprocess.Popen(
        (sys.executable, "-m", "tests.bench.server", *arguments),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield BenchServer(int(process.stdout.readline()))
        finally:
            process.stdin.close()
            process.wait(STOP_S)


async def serve() -> None:
    """Serve until standard input ends."""
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), stopping.set)
    app = App(Config(port=0, store="memory", test_seeds=True, warm=False, grace_s=0.5))
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Call": grpc.unary_unary_rpc_method_handler(_noop),
        "CpuTime": grpc.unary_unary_rpc_method_handler(_cpu_time),
    }
    app.server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods),))
    await app.start()
    try:
        print(app.port, flush=True)
        await stopping.wait()
    finally:
        await app.stop()


async def _noop(_: bytes, __: Context) -> bytes:
    return NOOP_ANSWER


async def _cpu_time(_: bytes, __: Context) -> bytes:
    return time.process_time_ns().to_bytes(8, "big")


def main(arguments: list[str]) -> None:
    """Serve on the loop that the product serves on."""
    import uvloop

    if arguments:
        os.sched_setaffinity(0, {int(arguments[0])})
    configure_logs("warning")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve())


if __name__ == "__main__":
    main(sys.argv[1:])
