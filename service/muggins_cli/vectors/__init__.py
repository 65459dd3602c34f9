"""`muggins vectors FILE...`: checks files of worked cases against the rules engine.

A file holds groups of cases in the language-neutral format of `tests/vectors/rules.json`; its
`about` says what the fields mean. Each case is staged as a position of the engine and played
there, and every field it expects is compared. Exit status: 0 when all cases are right, 1 when a
case is wrong or cannot be played, 2 when a file cannot be read.
"""

from muggins_cli.vectors.command import add_arguments, run

__all__ = ["add_arguments", "run"]
