"""`muggins serve`, or another serving command, as a process of its own."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import grpc

__all__ = ["ServerProcess", "serve", "serving"]

START_S: Final = 20.0
QUICK: Final = {
    "serve": ("--store", "memory", "--drain-wait-s", "0"),
    "opponents": ("--drain-wait-s", "0"),
}
"""What lets a test have a server of its own, and not wait where it is stopped."""


class ServerProcess:
    """A running server process that has said where it listens."""

    def __init__(self, process: asyncio.subprocess.Process, address: str) -> None:
        self.process = process
        self.address = address

    def channel(self) -> grpc.aio.Channel:
        """A new channel to it."""
        return grpc.aio.insecure_channel(self.address)

    def channel_to(self, port: int) -> grpc.aio.Channel:
        """A new channel to another port of it."""
        return grpc.aio.insecure_channel(f"127.0.0.1:{port}")

    async def ended(self) -> tuple[int, str]:
        """Its exit status and what it wrote to standard error, once it has ended."""
        _, errors = await asyncio.wait_for(self.process.communicate(), 20)
        assert self.process.returncode is not None
        return self.process.returncode, errors.decode()


async def serve(
    *arguments: str, environment: Mapping[str, str] | None = None, command: str = "serve"
) -> asyncio.subprocess.Process:
    """Start `muggins serve` or another command with some arguments."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "muggins_cli.main",
        command,
        "--no-warm",
        *QUICK[command],
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )


@asynccontextmanager
async def serving(
    *arguments: str, environment: Mapping[str, str] | None = None, command: str = "serve"
) -> AsyncIterator[ServerProcess]:
    """A server process on a free port; it is ended with the context where it still runs."""
    process = await serve("--port", "0", *arguments, environment=environment, command=command)
    try:
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), START_S)).decode()
        yield ServerProcess(process, line.split()[-1])
    finally:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.communicate(), 20)
