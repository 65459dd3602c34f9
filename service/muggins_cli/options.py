"""Flags that several commands share, and the errors that all of them tell in one line."""

import argparse
import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import grpc

from muggins.i18n import LANGUAGES
from muggins_cli.look import Look, language_of_environment, look_of
from muggins_cli.words import Words
from muggins_client import MugginsClient, MugginsError, connect, tls
from muggins_client.decoding import Undecodable

__all__ = [
    "REFUSED",
    "UNUSABLE",
    "add_look_arguments",
    "add_server_argument",
    "bearer_of",
    "complain",
    "connected",
    "look_asked_for",
    "run_call",
    "words_asked_for",
]

REFUSED: Final = 1
"""Exit status: the server refused, or a check found something."""

UNUSABLE: Final = 2
"""Exit status: what was given cannot be used, or nothing answers."""


class Unusable(Exception):  # noqa: N818 - says what it is
    """What was given cannot be used; the text says why."""


_ENDS_WITHIN_S: Final = 3.0
"""How long after Ctrl-C a command may take to end in good order."""

_DEFAULT_SERVER: Final = "127.0.0.1:50051"


def add_look_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags `--language` and `--no-color`."""
    parser.add_argument(
        "--language", choices=LANGUAGES, help="language of the text (default: the environment's)"
    )
    parser.add_argument(
        "--no-color", action="store_true", help="no colours, also where the terminal has them"
    )


def add_server_argument(parser: argparse.ArgumentParser) -> None:
    """The flag `--server`."""
    parser.add_argument(
        "--server",
        default=_DEFAULT_SERVER,
        metavar="HOST:PORT",
        help=f"the server to ask (default: {_DEFAULT_SERVER})",
    )
    parser.add_argument(
        "--credentials", type=Path, metavar="FILE", help="file that holds an API key or a token"
    )
    parser.add_argument(
        "--tls-root", type=Path, metavar="FILE", help="use TLS, with the authorities of this file"
    )


def connected(arguments: argparse.Namespace, words: Words) -> MugginsClient:
    """A client of the server that is asked; Unusable for files that cannot be read or used."""
    try:
        credentials = None if arguments.tls_root is None else tls(arguments.tls_root)
        bearer = "" if arguments.credentials is None else bearer_of(arguments.credentials)
        return connect(
            arguments.server, language=words.language, credentials=credentials, bearer=bearer
        )
    except OSError as error:
        raise Unusable(f"{error.filename}: {error.strerror}") from None
    except ValueError as error:
        raise Unusable(str(error)) from None


def bearer_of(path: Path) -> str:
    """The API key or token that a file holds."""
    return path.read_text(encoding="utf-8").strip()


def words_asked_for(arguments: argparse.Namespace) -> Words:
    """The language asked for."""
    return Words(arguments.language or language_of_environment())


def look_asked_for(arguments: argparse.Namespace) -> Look:
    """What standard output can show."""
    return look_of(sys.stdout, coloured=False if arguments.no_color else None)


def complain(text: str) -> None:
    """Say on standard error why the command cannot do its work."""
    print(f"muggins: {text}", file=sys.stderr)


async def _until_interrupted(call: Coroutine[Any, Any, int], interrupted: int) -> int:
    """The status of a call, or `interrupted` after Ctrl-C, soon and whatever the call waits for."""
    loop = asyncio.get_running_loop()
    task = loop.create_task(call)

    def interrupt() -> None:
        task.cancel()
        last_resort = threading.Timer(_ENDS_WITHIN_S, os._exit, (interrupted,))
        last_resort.daemon = True
        last_resort.start()

    loop.add_signal_handler(signal.SIGINT, interrupt)
    try:
        return await task
    except asyncio.CancelledError:
        return interrupted


def run_call(
    call: Callable[[], Coroutine[Any, Any, int]], words: Words, server: str, interrupted: int
) -> int:
    """Run what talks to a server; the exit status, `interrupted` after Ctrl-C.

    A refusal is told by the server's own sentence.
    """
    try:
        return asyncio.run(_until_interrupted(call(), interrupted))
    except KeyboardInterrupt:
        return interrupted
    except Unusable as error:
        complain(str(error))
        return UNUSABLE
    except Undecodable:
        complain(words.line("server_too_new"))
        return UNUSABLE
    except MugginsError as error:
        if error.code in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}:
            complain(words.line("no_server", address=server))
            return UNUSABLE
        complain(error.message or str(error))
        return REFUSED
