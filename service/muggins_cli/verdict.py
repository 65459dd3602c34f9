"""The outcome of a check in plain words."""

from collections.abc import Iterator

from muggins_cli.following import tell_findings
from muggins_cli.look import Look
from muggins_cli.words import SEAT_NAMES, Words
from muggins_client import Report

__all__ = ["tell_report"]


def tell_report(report: Report, words: Words, look: Look) -> Iterator[str]:
    """Every finding, the summary, and how far the check goes."""
    yield from tell_findings(report.findings, look)
    counts = {"findings": len(report.findings), "rounds": report.rounds_checked}
    if report.is_clean:
        yield from map(look.gain, look.wrapped(words.line("all_in_order", **counts)))
    else:
        yield from map(look.warning, look.wrapped(words.line("not_in_order", **counts)))
    for text in _reach(report, words):
        yield from look.wrapped(text)


def _reach(report: Report, words: Words) -> Iterator[str]:
    """What the check shows, and what it cannot."""
    if not report.anchor_was_kept:
        yield words.line("anchor_not_given")
    elif report.is_clean:
        yield words.line("anchor_matches")
    if report.seats_with_nonce:
        seats = " ".join(SEAT_NAMES[seat] for seat in report.seats_with_nonce)
        yield words.line("shuffled_by_players", seats=seats)
    else:
        yield words.line("shuffled_by_server")
    if report.seeded_for_test:
        yield words.line("seeded_for_test")
