"""`muggins train`: trains the opponents' learned values again, from nothing."""

import argparse

from muggins_ai.train import command

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said about a training."""
    command.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Train and write the weights; the exit status."""
    return command.run(arguments)
