"""`muggins report`: one move of a match as a file, and such a file read and run again.

Exit status: 0; 1 where the opponent or the analysis comes out otherwise with the same engine; 2
where the file or what was asked for cannot be used.
"""

import argparse
from pathlib import Path

from muggins.i18n import sentence
from muggins_cli.figures import can_analyse
from muggins_cli.look import say
from muggins_cli.options import (
    REFUSED,
    UNUSABLE,
    add_look_arguments,
    complain,
    look_asked_for,
    words_asked_for,
)
from muggins_cli.report_file import OtherFormat, ReportUnreadable, read_report, write_report
from muggins_cli.report_making import report_of, run_again, situation_of
from muggins_cli.report_telling import tell_again, tell_report_file
from muggins_cli.words import Words
from muggins_client import ExportUnreadable, read_export
from muggins_service.errors import ServiceError
from muggins_service.recorded import decision_at
from muggins_service.wire.match_records import decode_match_record

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The export and the move, or the file to read."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "export", type=Path, nargs="?", metavar="EXPORT", help="a record, JSON or binary"
    )
    source.add_argument("--read", type=Path, metavar="FILE", help="a report to show and run again")
    parser.add_argument(
        "--sequence", type=int, metavar="N", help="the move, by the sequence of its event"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where to write it (default: MATCH-N.json)"
    )
    add_look_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write a report, or show one and run it again; the exit status."""
    words = words_asked_for(arguments)
    if not can_analyse():
        complain(words.line("needs_numba"))
        return UNUSABLE
    try:
        if arguments.read is not None:
            return _read(arguments, words)
        return _write(arguments, words)
    except OSError as error:
        complain(words.line("file_failed", file=error.filename, reason=error.strerror))
        return UNUSABLE


def _write(arguments: argparse.Namespace, words: Words) -> int:
    export, sequence = arguments.export, arguments.sequence
    if sequence is None:
        complain(words.line("report_needs_sequence"))
        return UNUSABLE
    try:
        match = decode_match_record(read_export(export).SerializeToString())
        decision = decision_at(match, sequence)
    except ExportUnreadable:
        complain(words.line("no_export", file=export))
        return UNUSABLE
    except ServiceError as refused:
        reason = sentence(refused.reason.value, words.language, **refused.metadata)
        complain(words.line("file_failed", file=export, reason=reason))
        return UNUSABLE
    if decision is None:
        complain(words.line("report_no_decision", sequence=sequence, match=match.match_id))
        return UNUSABLE
    report = report_of(match.match_id, decision)
    path = arguments.out or Path(f"{match.match_id}-{sequence}.json")
    path.write_text(write_report(report), encoding="utf-8")
    say([words.line("report_written", file=path, sequence=sequence, match=match.match_id)])
    return 0


def _read(arguments: argparse.Namespace, words: Words) -> int:
    path, look = arguments.read, look_asked_for(arguments)
    try:
        report = read_report(path.read_bytes())
        situation = situation_of(report)
        say(tell_report_file(report, situation, words, look))
        again = run_again(report, situation)
    except OtherFormat as other:
        complain(words.line("report_of_other_format", file=path, format=other))
        return UNUSABLE
    except ReportUnreadable as damaged:
        complain(words.line("report_damaged", file=path, part=damaged))
        return UNUSABLE
    say(tell_again(report, again, words, look))
    return 0 if again.is_same else REFUSED
