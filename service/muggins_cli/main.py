"""The `muggins` command: one subcommand a module, imported when it is asked for."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

__all__ = ["main"]

COMMANDS: Final = {
    "store": ("muggins_cli.store", "copy, check and tidy the file that keeps matches"),
    "serve": ("muggins_service.main", "serve matches over gRPC"),
    "opponents": ("muggins_service.opponents_main", "serve opponents alone, for other servers"),
    "key": ("muggins_cli.key", "make an API key and the line for the server's file of keys"),
    "admin": ("muggins_cli.admin", "list, inspect or end matches, drain or reload a server"),
    "demo": ("muggins_cli.demo", "play one whole match between opponents and show it"),
    "watch": ("muggins_cli.watch", "watch a match as it is played"),
    "export": ("muggins_cli.export", "save a match that is over, to be checked or kept"),
    "verify": (
        "muggins_cli.verify",
        "check an exported match: moves, scores, shuffles and opponents",
    ),
    "challenge": ("muggins_cli.challenge", "ask an opponent again with the hidden tiles re-dealt"),
    "review": ("muggins_cli.review", "judge the decisions and the luck of an exported match"),
    "report": ("muggins_cli.report", "write one move to a file, or read and run one again"),
    "vectors": ("muggins_cli.vectors", "check files of worked cases against the rules"),
    "arena": ("muggins_cli.arena", "measure two opponents against each other"),
    "train": ("muggins_cli.train", "train the opponents' learned values again, from nothing"),
    "ladder": ("muggins_cli.ladder", "measure each level against the next, family by family"),
    "perft": ("muggins_cli.perft", "count the sequences of legal actions to a depth"),
}
"""Module and summary of each subcommand; a module has `add_arguments` and `run`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand; the exit status."""
    # The C core's remarks would stand between the JSON lines of a log and on the terminal.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(
        prog="muggins", description="Games of the Muggins and All Fives family of dominoes."
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    asked = next((word for word in given if not word.startswith("-")), "")
    for name, (module_name, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if name == asked:
            import_module(module_name).add_arguments(command)
    parsed = parser.parse_args(given)
    command_module = import_module(COMMANDS[parsed.command][0])
    try:
        return int(command_module.run(parsed))
    except BrokenPipeError:
        # Whoever read has seen enough; Python would complain again when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
