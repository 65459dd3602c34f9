"""`muggins watch MATCH`: shows a match as it is played, as everybody may see it.

Exit status: 0 at the end of the match and after Ctrl-C, 1 where the server refuses or a deal is
wrong, 2 where no server answers.
"""

import argparse

from muggins_cli.following import follow_match
from muggins_cli.look import Look, say
from muggins_cli.options import (
    REFUSED,
    add_look_arguments,
    add_server_argument,
    connected,
    look_asked_for,
    run_call,
    words_asked_for,
)
from muggins_cli.words import Words
from muggins_client import DealWatch

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The match, the server and the look."""
    parser.add_argument("match_id", metavar="MATCH", help="the match, by its id")
    add_server_argument(parser)
    parser.add_argument(
        "--from-start", action="store_true", help="tell also what was played before"
    )
    add_look_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Watch the match to its end; the exit status."""
    words, look = words_asked_for(arguments), look_asked_for(arguments)
    return run_call(lambda: _watch(arguments, words, look), words, arguments.server, 0)


async def _watch(arguments: argparse.Namespace, words: Words, look: Look) -> int:
    match_id = arguments.match_id
    async with connected(arguments, words) as client:
        table = await client.get_match(match_id)
        say([words.line("match_watched", match=match_id)])
        deals = DealWatch(match_id, table.fairness_anchor)
        known = 0 if arguments.from_start else table.version
        await follow_match(client, match_id, deals, words, look, say, known=known)
        return REFUSED if deals.findings else 0
