"""Matches as text: the rule set, the number of seats and all events, round after round."""

from dataclasses import dataclass

from muggins_rules.events import Event, LotDrawn, RoundDealt
from muggins_rules.notation.errors import NotationReason
from muggins_rules.notation.event_writing import format_event
from muggins_rules.notation.reader import Reader, read_whole
from muggins_rules.notation.rounds import read_events
from muggins_rules.notation.rule_sets import format_rule_set, read_rule_set
from muggins_rules.ruleset import RuleSet

__all__ = ["MatchRecord", "format_match", "parse_match"]


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match, over or not: what is played, by how many, and what has happened so far."""

    rule_set: RuleSet
    seats: int
    events: tuple[Event, ...]


def format_match(record: MatchRecord) -> str:
    """A match as text, whole lines, with an empty line before each round."""
    lines = [f"rules {format_rule_set(record.rule_set)}", f"seats {record.seats}"]
    before: Event | None = None
    for event in record.events:
        if isinstance(event, LotDrawn | RoundDealt) and not isinstance(before, LotDrawn):
            lines.append("")
        lines.append(format_event(event))
        before = event
    return "".join(f"{line}\n" for line in lines)


def parse_match(text: str) -> MatchRecord:
    """The match of a text; NotationError. `evolve_all` on `new_match` replays its events."""
    return read_whole(text, _read_match)


def _read_match(reader: Reader) -> MatchRecord:
    reader.word("rules")
    rule_set = read_rule_set(reader)
    reader.line_end()
    reader.word("seats")
    token = reader.token
    seats = reader.number()
    if seats not in rule_set.seat_counts:
        raise reader.error(NotationReason.SEATS_NOT_OFFERED, token)
    reader.seats = seats
    reader.line_end()
    return MatchRecord(rule_set, seats, read_events(reader))
