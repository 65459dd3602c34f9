"""`muggins export MATCH`: saves the record of a match that is over.

Exit status: 0 when it is written, 1 where the server refuses, 2 where no server answers or the
file cannot be written.
"""

import argparse
from pathlib import Path

from muggins_cli.look import say
from muggins_cli.options import (
    UNUSABLE,
    add_look_arguments,
    add_server_argument,
    complain,
    connected,
    run_call,
    words_asked_for,
)
from muggins_cli.words import Words
from muggins_client import write_export

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The match, the server and the file."""
    parser.add_argument("match_id", metavar="MATCH", help="the match, by its id")
    add_server_argument(parser)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="where to write it: JSON where it ends in .json, else binary (default: MATCH.json)",
    )
    add_look_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Ask for the record and write it; the exit status."""
    words = words_asked_for(arguments)
    return run_call(lambda: _export(arguments, words), words, arguments.server, UNUSABLE)


async def _export(arguments: argparse.Namespace, words: Words) -> int:
    match_id = arguments.match_id
    async with connected(arguments, words) as client:
        record = await client.export_match(match_id)
    path = arguments.out or Path(f"{record.match_id}.json")
    try:
        write_export(record, path)
    except OSError as error:
        complain(words.line("file_failed", file=path, reason=error.strerror))
        return UNUSABLE
    say([words.line("export_written", file=path, match=match_id)])
    return 0
