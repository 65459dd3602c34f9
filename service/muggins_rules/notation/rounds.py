"""Rounds as text: their events, one after another."""

from collections.abc import Iterable

from muggins_rules.events import Event
from muggins_rules.notation.event_reading import read_event
from muggins_rules.notation.event_writing import format_event
from muggins_rules.notation.reader import Reader, read_whole

__all__ = ["format_round", "parse_round", "read_events"]


def format_round(events: Iterable[Event]) -> str:
    """Events as text, whole lines; of one round, whole or not, and from any viewer."""
    return "".join(f"{format_event(event)}\n" for event in events)


def parse_round(text: str) -> tuple[Event, ...]:
    """The events of a text; NotationError."""
    return read_whole(text, read_events)


def read_events(reader: Reader) -> tuple[Event, ...]:
    """All the events that are left."""
    events = []
    while not reader.at_end():
        events.append(read_event(reader))
        reader.line_end()
    return tuple(events)
