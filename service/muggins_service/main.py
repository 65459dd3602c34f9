"""`muggins serve`: the match service as a process."""

import argparse
import asyncio
import gc
import os
import signal
import sys

import uvloop

from muggins_service.app import App
from muggins_service.config import Config, ConfigError, add_config_arguments, config_from
from muggins_service.telemetry.logs import LogWriter, configure_logs

__all__ = ["add_arguments", "run", "serve"]

USAGE_ERROR = 2
START_FAILED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of `muggins serve`."""
    add_config_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT; the exit status."""
    flags = {name: value for name, value in vars(arguments).items() if name in _SETTINGS}
    try:
        config = config_from(flags, os.environ)
    except ConfigError as error:
        print(f"muggins serve: {error}", file=sys.stderr)
        return USAGE_ERROR
    writer = configure_logs(config.log_level)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(config, writer))
    except OSError as error:
        print(f"muggins serve: {error}", file=sys.stderr)
        return START_FAILED
    finally:
        writer.flush()
    return 0


_SETTINGS = frozenset(Config.__dataclass_fields__)


async def serve(config: Config, writer: LogWriter) -> None:
    """Run a server until it is asked to stop."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopping.set)
    flushing = asyncio.create_task(writer.flush_for_ever())
    app = App(config)
    try:
        await app.start()
        _spare_collections()
        print(_welcome(config.host, app.port), flush=True)
        await stopping.wait()
    finally:
        await app.stop()
        flushing.cancel()


def _spare_collections() -> None:
    """Let the cycle collector look at what is made from now on, and seldom.

    Matches are frozen values without cycles: going through all of them again and again would only
    hold up the loop.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def _welcome(host: str, port: int) -> str:
    """The line that says how to play."""
    address = f"{host}:{port}"
    return (
        f"muggins serves matches on {address}\n"
        f"To play: `muggins demo` shows a whole match; from a program, see "
        f"clients/python/README.md, connect to {address}."
    )
