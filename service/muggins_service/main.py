"""`muggins serve`: the match service as a process, and what every serving process does."""

import argparse
import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Protocol

import uvloop

from muggins_service.app import App
from muggins_service.config import (
    NO_DEFAULTS,
    Config,
    ConfigError,
    add_config_arguments,
    config_from,
)
from muggins_service.doors.doors import BadDoor
from muggins_service.haste import Haste
from muggins_service.store.sqlite_file import StoreRefused
from muggins_service.telemetry.logs import LogWriter, configure_logs

__all__ = ["Servable", "add_arguments", "run", "run_server", "serve"]

USAGE_ERROR = 2
START_FAILED = 1


class Servable(Protocol):
    """A server that a process runs until it is asked to stop."""

    port: int

    async def start(self) -> None:
        """Listen; OSError when the port is taken."""
        ...

    async def stop(self, haste: Haste | None = None) -> None:
        """Drain as far as `haste` leaves time for it, and let everything go."""
        ...

    def reload(self) -> None:
        """Read keys and certificates again."""
        ...


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of `muggins serve`."""
    add_config_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve matches until SIGTERM or SIGINT; the exit status."""
    return run_server("serve", arguments, App, _welcome)


def run_server(
    command: str,
    arguments: argparse.Namespace,
    make: Callable[[Config], Servable],
    welcome: Callable[[str], str],
    defaults: Mapping[str, object] = NO_DEFAULTS,
) -> int:
    """Serve until SIGTERM or SIGINT; the exit status. `welcome` takes the address."""
    flags = {name: value for name, value in vars(arguments).items() if name in _SETTINGS}
    try:
        config = config_from(flags, os.environ, defaults)
    except ConfigError as error:
        print(f"muggins {command}: {error}", file=sys.stderr)
        return USAGE_ERROR
    writer = configure_logs(config.log_level)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(config, writer, make, welcome))
    except BadDoor as error:
        print(f"muggins {command}: {error}", file=sys.stderr)
        return USAGE_ERROR
    except (OSError, StoreRefused) as error:
        print(f"muggins {command}: {error}", file=sys.stderr)
        return START_FAILED
    finally:
        writer.flush()
    return 0


_SETTINGS = frozenset(Config.__dataclass_fields__)


async def serve(
    config: Config,
    writer: LogWriter,
    make: Callable[[Config], Servable],
    welcome: Callable[[str], str],
) -> None:
    """Run a server until it is asked to stop."""
    asked: asyncio.Queue[signal.Signals] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, asked.put_nowait, name)
    flushing = asyncio.create_task(writer.flush_for_ever())
    server = make(config)
    loop.add_signal_handler(signal.SIGHUP, server.reload)
    haste = Haste(waits=False)
    try:
        await server.start()
        _spare_collections()
        print(welcome(f"{config.host}:{server.port}"), flush=True)
        # A person at the keyboard has no load balancer that must notice.
        haste = Haste(waits=await asked.get() is signal.SIGTERM)
    finally:
        hurrying = asyncio.create_task(_hurry_when_asked(asked, haste))
        await server.stop(haste)
        hurrying.cancel()
        flushing.cancel()


async def _hurry_when_asked(asked: "asyncio.Queue[signal.Signals]", haste: Haste) -> None:
    """A second signal makes stopping quicker."""
    await asked.get()
    haste.hurry()


def _spare_collections() -> None:
    """Let the cycle collector look at what is made from now on, and seldom.

    Matches are frozen values without cycles: going through all of them again and again would only
    hold up the loop.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def _welcome(address: str) -> str:
    """The line that says how to play."""
    return (
        f"muggins serves matches on {address}\n"
        f"To play: `muggins demo` shows a whole match; from a program, see "
        f"clients/python/README.md, connect to {address}."
    )
