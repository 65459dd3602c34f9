"""A SeatView from a message, as another server or a client gives it.

Only its shape is checked here. Whether it agrees with itself and the rules is for whoever works
with it: fields that follow from the events may be absent and come as empty values.
"""

from dataclasses import dataclass
from typing import Final

from muggins.v1 import views_pb2 as pb
from muggins_rules.events import (
    Event,
    MugginsCalled,
    PointsClaimed,
    RoundDealt,
    TilePlayed,
)
from muggins_rules.views import OpenWindow, Phase, PublicView, SeatView
from muggins_service.errors import FieldProblem, ServiceError, ServiceReason
from muggins_service.table.facts import Entry, TableFact
from muggins_service.wire.actions import decode_legal_actions
from muggins_service.wire.events import decode_events
from muggins_service.wire.rule_sets import check_playable, decode_rule_set
from muggins_service.wire.tiles import decode_attach_points, decode_count, decode_tiles

__all__ = ["SeenView", "decode_seat_view"]

_PHASES: Final = {
    pb.MATCH_STATE_OPEN: Phase.NOT_STARTED,
    pb.MATCH_STATE_PLAYING: Phase.PLAYING,
    pb.MATCH_STATE_FINISHED: Phase.OVER,
    pb.MATCH_STATE_ABANDONED: Phase.OVER,
}


@dataclass(frozen=True, slots=True)
class SeenView:
    """A view, and what its events are called by in the match.

    `placement_sequence` is that of the last placement, by which a call names it; 0: none.
    `sequences` are those of the view's round events.
    """

    view: SeatView
    placement_sequence: int
    sequences: tuple[int, ...] = ()


def decode_seat_view(message: pb.SeatView, field: str = "view") -> SeenView:
    """The view; VIEW_INCONSISTENT names the field that has no possible shape."""
    try:
        return _decode(message, field)
    except ServiceError as error:
        if error.reason is not ServiceReason.MALFORMED_FIELD:
            raise
        raise ServiceError(
            ServiceReason.VIEW_INCONSISTENT, metadata=error.metadata, fields=error.fields
        ) from error


def _decode(message: pb.SeatView, field: str) -> SeenView:
    table = message.table
    if not message.HasField("table") or not table.HasField("rule_set"):
        raise _inconsistent(f"{field}.table.rule_set", "A rule set is required.")
    rule_set = decode_rule_set(table.rule_set, f"{field}.table.rule_set")
    check_playable(rule_set, f"{field}.table.rule_set")
    entries = decode_events(message.round_events, f"{field}.round_events")
    events = _facts(entries)
    seats = _seats(table, events)
    if seats not in rule_set.seat_counts:
        raise _inconsistent(f"{field}.table.seats", "The rule set is not played with these seats.")
    if message.seat >= seats:
        raise _inconsistent(f"{field}.seat", "There is no such seat.")
    placement_sequence = max(
        (entry.sequence for entry in entries if isinstance(entry.fact, TilePlayed)), default=0
    )
    public = PublicView(
        rule_set,
        seats,
        _phase(table, events),
        table.round,
        tuple(table.scores),
        table.seat_to_act if table.HasField("seat_to_act") else None,
        tuple(seat.tiles for seat in table.seats),
        table.boneyard,
        decode_attach_points(table.attach_points, f"{field}.table.attach_points"),
        decode_count(table.count, f"{field}.table.count") if table.HasField("count") else None,
        _window(message, events) if message.HasField("claim_window") else None,
        (),
    )
    view = SeatView(
        public,
        message.seat,
        decode_tiles(message.hand, f"{field}.hand"),
        decode_legal_actions(message.legal_actions, f"{field}.legal_actions"),
        message.claim_window.may_claim,
        message.claim_window.may_call,
        events,
        tuple(
            _facts(decode_events(summary.events, f"{field}.past[{index}].events"))
            for index, summary in enumerate(message.past)
        ),
    )
    sequences = tuple(entry.sequence for entry in entries if not isinstance(entry.fact, TableFact))
    return SeenView(view, placement_sequence, sequences)


def _facts(entries: tuple[Entry, ...]) -> tuple[Event, ...]:
    """The facts of the game among some entries; a hint that was shown is none."""
    return tuple(entry.fact for entry in entries if not isinstance(entry.fact, TableFact))


def _seats(table: pb.PublicView, events: tuple[Event, ...]) -> int:
    for event in events:
        if isinstance(event, RoundDealt):
            return len(event.hand_sizes)
    return len(table.seats)


def _phase(table: pb.PublicView, events: tuple[Event, ...]) -> Phase:
    phase = _PHASES.get(table.state)
    if phase is None:
        return Phase.PLAYING if events else Phase.NOT_STARTED
    return phase


def _window(message: pb.SeatView, events: tuple[Event, ...]) -> OpenWindow:
    """The open window, with what was said in it: that stands in the events alone."""
    number, claimed, called = 0, None, False
    for event in events:
        if isinstance(event, TilePlayed):
            number, claimed, called = event.number, None, False
        elif isinstance(event, PointsClaimed):
            claimed = event.points
        elif isinstance(event, MugginsCalled):
            called = True
    return OpenWindow(message.claim_window.mover, number, claimed, called)


def _inconsistent(field: str, description: str) -> ServiceError:
    return ServiceError(
        ServiceReason.VIEW_INCONSISTENT,
        metadata={"field": field},
        fields=(FieldProblem(field, description),),
    )
