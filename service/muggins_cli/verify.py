"""`muggins verify EXPORT`: checks a match from its record alone, without any server.

Every lot and shuffle is made again, and every move, count, score and settlement is played again
by the rules. What a player kept from joining, an anchor or a whole seat, proves that the record
is of the match that was played. Then every opponent decides again, from what its seat saw and the
revealed secrets, which shows whether it used anything else. Exit status: 0 where all is in order,
1 where something is wrong, 2 where a file cannot be read.
"""

import argparse
from pathlib import Path
from typing import Final

from muggins.v1 import records_pb2
from muggins_cli.honesty import are_honest, tell_outcomes
from muggins_cli.look import Look, say
from muggins_cli.options import (
    REFUSED,
    UNUSABLE,
    add_look_arguments,
    complain,
    look_asked_for,
    words_asked_for,
)
from muggins_cli.verdict import tell_report
from muggins_cli.words import Words
from muggins_client import (
    ExportUnreadable,
    HandleUnreadable,
    Kept,
    read_export,
    verify_record,
)
from muggins_service.honesty.decisions import read_decisions
from muggins_service.honesty.recomputing import recompute
from muggins_service.wire.records import UnreadableRecord, decode_export

__all__ = ["add_arguments", "run"]

_ANCHOR_BYTES: Final = 32


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The export and what was kept."""
    parser.add_argument("export", type=Path, metavar="EXPORT", help="a record, JSON or binary")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument(
        "--anchor", type=_anchor, metavar="HEX", help="the anchor seen before the match began"
    )
    kept.add_argument(
        "--seat", type=Path, metavar="FILE", help="a seat, host or Kept as the client saved it"
    )
    add_look_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check the match and say what was found; the exit status."""
    words, look = words_asked_for(arguments), look_asked_for(arguments)
    try:
        record = read_export(arguments.export)
        kept = _kept(arguments, record)
    except ExportUnreadable:
        complain(words.line("no_export", file=arguments.export))
        return UNUSABLE
    except HandleUnreadable:
        complain(words.line("no_handle", file=arguments.seat))
        return UNUSABLE
    except OSError as error:
        complain(words.line("file_failed", file=error.filename, reason=error.strerror))
        return UNUSABLE
    report = verify_record(record, kept)
    heading = words.line("match_watched", match=record.match_id)
    # Before the opponents decide again, which takes a while where they search.
    say([heading, *tell_report(report, words, look)])
    is_honest = _check_opponents(record, words, look)
    return 0 if report.is_clean and is_honest else REFUSED


def _check_opponents(record: records_pb2.MatchRecord, words: Words, look: Look) -> bool:
    """Let every opponent decide again and say what came of it; True when nothing is wrong."""
    try:
        decisions = read_decisions(record.match_id, decode_export(record))
    except UnreadableRecord as unreadable:
        say([look.warning(f"  ! record_unreadable: {unreadable}")])
        return False
    outcomes = [recompute(decision) for decision in decisions.made]
    say(tell_outcomes(decisions, outcomes, words, look))
    return are_honest(decisions, outcomes)


def _kept(arguments: argparse.Namespace, record: records_pb2.MatchRecord) -> Kept | None:
    if arguments.seat is not None:
        return Kept.from_json(arguments.seat.read_text(encoding="utf-8", errors="replace"))
    if arguments.anchor is not None:
        return Kept(record.match_id, arguments.anchor)
    return None


def _anchor(text: str) -> bytes:
    try:
        anchor = bytes.fromhex(text)
    except ValueError:
        anchor = b""
    if len(anchor) != _ANCHOR_BYTES:
        raise argparse.ArgumentTypeError("an anchor is 64 hexadecimal digits")
    return anchor
