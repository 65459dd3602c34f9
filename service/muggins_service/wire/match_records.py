"""The export of a match, read back into the records it was written from."""

from dataclasses import dataclass
from typing import Final

from muggins.v1 import records_pb2
from muggins_rules.events import Event
from muggins_rules.fair_deal.encoding import SECRET_BYTES
from muggins_rules.replaying import InconsistentEvents, replayed
from muggins_rules.ruleset import RuleSet
from muggins_service.errors import ServiceError, ServiceReason, malformed_field
from muggins_service.table.facts import Entry, MatchCreated, MatchStarted, TableFact
from muggins_service.table.record import Record
from muggins_service.wire.checks import parse
from muggins_service.wire.records import EXPORT_FORMAT, record_of
from muggins_service.wire.rule_sets import check_playable, check_seats, decode_rule_set

__all__ = ["ExportedMatch", "decode_match_record"]

_LONGEST_ID: Final = 64


@dataclass(frozen=True, slots=True)
class ExportedMatch:
    """A match as it was given out: events that follow from one another, and no keys."""

    match_id: str
    rule_set: RuleSet
    seats: int
    records: tuple[Record, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of all records."""
        return tuple(entry for record in self.records for entry in record.entries)


def decode_match_record(raw: bytes) -> ExportedMatch:
    """The match of a MatchRecord.

    Raises:
        ServiceError: MALFORMED_FIELD, RULE_SET_INVALID, or EVENTS_INCONSISTENT with the sequence.
    """
    message = parse(records_pb2.MatchRecord, raw)
    if message.format != EXPORT_FORMAT:
        raise malformed_field("record.format", f"Format {EXPORT_FORMAT} is required.")
    if not 1 <= len(message.match_id) <= _LONGEST_ID:
        raise malformed_field("record.match_id", "The id of a match is required.")
    rule_set = decode_rule_set(message.rule_set, "record.rule_set")
    check_playable(rule_set, "record.rule_set")
    check_seats(rule_set, message.seats)
    records = tuple(
        record_of(part, f"record.records[{index}]") for index, part in enumerate(message.records)
    )
    match = ExportedMatch(message.match_id, rule_set, message.seats, records)
    _check_table(match)
    _check_game(match)
    return match


def _check_table(match: ExportedMatch) -> None:
    """Refuse facts of the table that no such match can have."""
    entries = match.entries
    created = entries[0].fact if match.records and match.records[0].entries else None
    if not isinstance(created, MatchCreated):
        raise malformed_field("record.records", "A match begins with match_created.")
    if (created.rule_set, created.seats) != (match.rule_set, match.seats):
        raise malformed_field("record.rule_set", "The first event tells of another game.")
    for entry in entries[1:]:
        if isinstance(entry.fact, MatchCreated) or not _fits(entry.fact, match.seats):
            raise _inconsistent(entry.sequence)


def _fits(fact: TableFact | Event, seats: int) -> bool:
    if isinstance(fact, MatchStarted):
        return len(fact.nonces) == seats and all(
            len(nonce) in {0, SECRET_BYTES} for nonce in fact.nonces
        )
    return not isinstance(fact, TableFact) or getattr(fact, "seat", 0) < seats


def _check_game(match: ExportedMatch) -> None:
    """Refuse facts of the game that do not follow from one another."""
    told = [entry for entry in match.entries if not isinstance(entry.fact, TableFact)]
    facts = tuple(entry.fact for entry in told if not isinstance(entry.fact, TableFact))
    try:
        replayed(match.rule_set, match.seats, facts)
    except InconsistentEvents as error:
        raise _inconsistent(told[min(error.index, len(told) - 1)].sequence) from None


def _inconsistent(sequence: int) -> ServiceError:
    return ServiceError(ServiceReason.EVENTS_INCONSISTENT, metadata={"sequence": str(sequence)})
