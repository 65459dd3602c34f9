"""The whole check of a finished match from its export, without the server.

Every lot and shuffle is made again from the secrets, every move is played again by the rules,
and the secrets are checked against the anchor that a player kept from joining.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from muggins.v1 import events_pb2, records_pb2
from muggins_client.checking import EVERYTHING, MatchCheck
from muggins_client.findings import Finding, FindingName
from muggins_client.kept import Kept

__all__ = ["Report", "verify_record"]

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Report:
    """What was found; a match without findings is clean."""

    findings: tuple[Finding, ...]
    rounds_checked: int
    """Rounds whose shuffle was made again and whose every move was replayed."""
    seats_with_nonce: tuple[int, ...]
    """Seats whose players had a say in the shuffle. Empty: only the operator's word stands."""
    anchor_was_kept: bool
    """False: the anchor is the export's own, so that a whole exchanged match would look clean."""
    seeded_for_test: bool
    """True: the deals come from a seed given by the match's creator, and prove nothing."""

    @property
    def is_clean(self) -> bool:
        """True where nothing is wrong."""
        return not self.findings


def verify_record(record: records_pb2.MatchRecord, kept: Kept | None = None) -> Report:
    """Check a match from its export, and where given against what a player kept."""
    anchor = record.fairness_anchor if kept is None else kept.anchor
    check = MatchCheck(record.match_id, anchor, EVERYTHING, kept)
    findings = tuple(_findings(record, check, kept))
    nonces = check.nonces.listed or ()
    return Report(
        findings,
        check.rounds_checked,
        tuple(seat for seat, nonce in enumerate(nonces) if nonce),
        kept is not None,
        any(event.match_created.seeded_for_test for event in _events(record)),
    )


def _findings(
    record: records_pb2.MatchRecord, check: MatchCheck, kept: Kept | None
) -> Iterator[Finding]:
    if record.format != _FORMAT:
        yield Finding(FindingName.FORMAT_UNKNOWN, 0, str(record.format))
        return
    if kept is not None and kept.match_id != record.match_id:
        yield Finding(FindingName.MATCH_MISMATCH, 0, record.match_id)
    yield from _frame(record)
    for event in _events(record):
        yield from check.take(event)
    yield from check.finish()


def _frame(record: records_pb2.MatchRecord) -> Iterator[Finding]:
    """What is wrong with the export as a list of events."""
    events = tuple(_events(record))
    created = events[0].match_created if events else events_pb2.MatchCreated()
    if created.rule_set != record.rule_set or created.seats != record.seats or not created.seats:
        yield Finding(FindingName.CREATION_MISMATCH, 1)
    if created.fairness_anchor != record.fairness_anchor:
        yield Finding(FindingName.ANCHOR_MISMATCH, 0)
    for number, event in enumerate(events, start=1):
        if event.sequence != number:
            yield Finding(FindingName.SEQUENCE_GAP, event.sequence, f"{number} has to follow")
            break
    for entry in record.records:
        if not entry.events or entry.version != entry.events[-1].sequence:
            yield Finding(FindingName.VERSION_MISMATCH, entry.version)
    if not any(event.WhichOneof("fact") == "match_ended" for event in events):
        yield Finding(FindingName.END_MISSING, 0)


def _events(record: records_pb2.MatchRecord) -> Iterator[events_pb2.Event]:
    for entry in record.records:
        yield from entry.events
