"""The command: files in, one line for each mismatch and a summary out."""

import argparse
import sys
from pathlib import Path
from typing import Final

from muggins_cli.vectors.checking import Mismatch, check_cases
from muggins_cli.vectors.faults import UnreadableFileError
from muggins_cli.vectors.reading import read_cases

__all__ = ["add_arguments", "run"]

_RIGHT: Final = 0
_WRONG: Final = 1
_UNREADABLE: Final = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The files to check."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a file of cases")


def run(arguments: argparse.Namespace) -> int:
    """Check every file; the exit status."""
    statuses = [_check_file(path) for path in arguments.files]
    return max(statuses)


def _check_file(path: Path) -> int:
    try:
        cases = read_cases(path)
    except UnreadableFileError as error:
        print(f"{path}: unreadable: {error}", file=sys.stderr)
        return _UNREADABLE
    wrong = 0
    for mismatches in check_cases(cases):
        wrong += bool(mismatches)
        for mismatch in mismatches:
            print(f"{path}: {_line(mismatch)}")
    print(f"{path}: {len(cases) - wrong} of {len(cases)} cases right")
    return _WRONG if wrong else _RIGHT


def _line(mismatch: Mismatch) -> str:
    name, field, expected, got = mismatch
    if expected:
        return f"{name}: {field}: expected {expected}, got {got}"
    return f"{name}: {field}: {got}"
