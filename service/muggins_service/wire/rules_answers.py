"""The answers of RulesService: facts numbered on, views without a table around them."""

from collections.abc import Iterable, Sequence
from typing import Final

from muggins.i18n import FALLBACK_LANGUAGE, sentence
from muggins.v1 import rules_service_pb2 as pb
from muggins.v1 import views_pb2
from muggins_rules.events import Event, MatchEnded, MugginsCalled, RoundDealt, TilePlayed
from muggins_rules.rule_set_check import rule_set_problems
from muggins_rules.views import Phase, PublicView, SeatView
from muggins_service.errors import ServiceReason
from muggins_service.table.facts import Cause, Entry
from muggins_service.table.state import DECIDED, Status
from muggins_service.wire.events import encode_event, events_chunk
from muggins_service.wire.facts import set_match_ended
from muggins_service.wire.rule_sets import problem_sentence
from muggins_service.wire.rules import CheckRuleSet
from muggins_service.wire.views import add_events, add_past, set_hand_and_actions, set_layout

__all__ = ["check_rule_set_answer", "new_events_answer", "view_answer"]

_STATUSES: Final = {
    Phase.NOT_STARTED: Status.OPEN,
    Phase.PLAYING: Status.PLAYING,
    Phase.ROUND_OVER: Status.PLAYING,
}


def check_rule_set_answer(asked: CheckRuleSet, language: str = FALLBACK_LANGUAGE) -> bytes:
    """A CheckRuleSetResponse with everything that is wrong."""
    message = pb.CheckRuleSetResponse()
    for problem in rule_set_problems(asked.rule_set):
        message.problems.add(
            field=problem.field,
            reason=problem.problem.upper(),
            message=problem_sentence(problem, language),
        )
    if asked.seats and asked.seats not in asked.rule_set.seat_counts:
        reason = ServiceReason.UNSUPPORTED_SEATS
        message.problems.add(
            field="deal.hand_size_by_seats",
            reason=reason.upper(),
            message=sentence(reason, language),
        )
    return message.SerializeToString()


def new_events_answer(before: Sequence[Event], new: Iterable[Event]) -> bytes:
    """A StartRoundResponse or ApplyResponse: both have the new events in the same field."""
    new = tuple(new)
    dealt = [fact.round for fact in (*before, *new) if isinstance(fact, RoundDealt)]
    called = max(
        (place for place, fact in enumerate(before, 1) if isinstance(fact, TilePlayed)), default=0
    )
    entries = _numbered(new, len(before) + 1, dealt[-1] if dealt else 0, called)
    return events_chunk(map(encode_event, entries))


def view_answer(view: PublicView | SeatView, version: int) -> bytes:
    """A ViewResponse after so many events of the match, the last of which the view includes."""
    message = pb.ViewResponse()
    if isinstance(view, PublicView):
        _set_table(message.table, view, view.round_events, version)
        first = version - len(view.round_events) + 1
        add_events(message.table, _numbered(view.round_events, first, view.round))
        return message.SerializeToString()
    seat = message.seat
    seat.seat = view.seat
    _set_table(seat.table, view.table, view.round_events, version)
    set_hand_and_actions(seat, view)
    rounds = (*view.past, view.round_events)
    first = version - sum(map(len, rounds)) + 1
    placement_sequence = 0
    for place, events in enumerate(rounds, 1):
        entries = _numbered(events, first, _round_of(events, view.table.round))
        placement_sequence = max(
            (entry.sequence for entry in entries if isinstance(entry.fact, TilePlayed)), default=0
        )
        if place == len(rounds):
            add_events(seat, entries)
        else:
            add_past(seat, entries)
        first += len(events)
    if view.table.window is not None:
        seat.claim_window.placement_sequence = placement_sequence
        seat.claim_window.mover = view.table.window.mover
        seat.claim_window.may_claim = view.may_claim
        seat.claim_window.may_call = view.may_call
    return message.SerializeToString()


def _set_table(
    message: views_pb2.PublicView, view: PublicView, events: tuple[Event, ...], version: int
) -> None:
    ended = next((fact for fact in reversed(events) if isinstance(fact, MatchEnded)), None)
    status = _STATUSES.get(view.phase, Status.FINISHED)
    if ended is not None:
        set_match_ended(message.ended, ended, Entry(version, 0, 0, Cause.UNSPECIFIED, ended))
        if ended.reason not in DECIDED:
            status = Status.ABANDONED
    message.version = version
    message.state = views_pb2.MatchState.ValueType(status)
    for seat in range(view.seats):
        tiles = view.hand_sizes[seat] if view.hand_sizes else 0
        message.seats.add(seat=seat, tiles=tiles)
    set_layout(message, view)


def _numbered(
    events: Iterable[Event], first: int, round_number: int, placement_sequence: int = 0
) -> tuple[Entry, ...]:
    """Entries of one round without time and cause, which are the host's to add."""
    entries = []
    for sequence, fact in enumerate(events, first):
        if isinstance(fact, TilePlayed):
            placement_sequence = sequence
        called = placement_sequence if isinstance(fact, MugginsCalled) else 0
        entries.append(
            Entry(sequence, 0, round_number, Cause.UNSPECIFIED, fact, placement_sequence=called)
        )
    return tuple(entries)


def _round_of(events: tuple[Event, ...], current: int) -> int:
    return next((fact.round for fact in events if isinstance(fact, RoundDealt)), current)
