"""Views of a match as messages, built up from what each viewer may know."""

from typing import Final

from muggins.v1 import views_pb2 as pb
from muggins_rules.events import MatchEnded
from muggins_rules.legal import legal_outcomes
from muggins_rules.viewing import public_view as rules_public_view
from muggins_rules.viewing import seat_view as rules_seat_view
from muggins_rules.views import PUBLIC, PublicView, SeatView, Viewer
from muggins_service.table.facts import Entry, SeatOptions
from muggins_service.table.seeing import project_entry
from muggins_service.table.state import Occupant, Seat, Table, bank_left_us
from muggins_service.wire.actions import legal_actions_field
from muggins_service.wire.binary import delimited, wire_key
from muggins_service.wire.events import encode_event
from muggins_service.wire.facts import set_match_ended
from muggins_service.wire.options import set_match_options, set_seat_options
from muggins_service.wire.rule_sets import set_rule_set
from muggins_service.wire.tiles import add_tiles, attach_point_bytes, count_bytes
from muggins_service.wire.times import set_instant

__all__ = [
    "Presence",
    "add_events",
    "add_past",
    "asked_view_bytes",
    "legal_actions_chunk",
    "match_summary",
    "public_view",
    "public_view_bytes",
    "seat_infos",
    "seat_view",
    "seat_view_bytes",
    "set_hand_and_actions",
    "set_layout",
]

Presence = tuple[tuple[bool, int], ...]
"""By seat: whether a stream with the seat's secret is open, and since when (microseconds)."""

_TABLE_EVENTS: Final = wire_key(pb.PublicView.ROUND_EVENTS_FIELD_NUMBER)
_SEAT_EVENTS: Final = wire_key(pb.SeatView.ROUND_EVENTS_FIELD_NUMBER)
_PAST_EVENTS: Final = wire_key(pb.RoundSummary.EVENTS_FIELD_NUMBER)


def public_view_bytes(table: Table, presence: Presence, now_us: int) -> bytes:
    """A PublicView, for a viewer without a seat."""
    return public_view(table, presence, now_us).SerializeToString()


def seat_view_bytes(table: Table, seat: int, presence: Presence, now_us: int) -> bytes:
    """A SeatView, for the holder of the seat."""
    return seat_view(table, seat, presence, now_us).SerializeToString()


def public_view(table: Table, presence: Presence, now_us: int) -> pb.PublicView:
    """What everybody may know of a match. A table held back gives the view of then."""
    view = _table_view(table, rules_public_view(table.game), presence, now_us)
    add_events(view, _seen(table, table.round_entries, PUBLIC))
    return view


def seat_view(
    table: Table,
    seat: int,
    presence: Presence,
    now_us: int,
    past: tuple[tuple[Entry, ...], ...] = (),
) -> pb.SeatView:
    """What the player of a seat may know; `past` are the entries of earlier rounds."""
    known = rules_seat_view(table.game, seat)
    view = pb.SeatView(seat=seat)
    view.table.CopyFrom(_table_view(table, known.table, presence, now_us))
    set_hand_and_actions(view, known)
    add_events(view, _seen(table, table.round_entries, seat))
    for entries in past:
        add_past(view, _seen(table, entries, seat))
    window = known.table.window
    if window is not None:
        view.claim_window.placement_sequence = table.placement_sequence
        view.claim_window.mover = window.mover
        view.claim_window.may_claim = known.may_claim
        view.claim_window.may_call = known.may_call
        if table.window is not None:
            set_instant(view.claim_window.closes_at, table.window.closes_at_us)
            set_instant(view.claim_window.not_before, table.window.not_before_us)
    return view


def asked_view_bytes(table: Table, seat: int, past: tuple[tuple[Entry, ...], ...] = ()) -> bytes:
    """A SeatView as an opponent elsewhere is asked with it, without the names of players."""
    view = seat_view(table, seat, ((False, 0),) * len(table.seats), table.changed_us, past)
    for info in view.table.seats:
        info.ClearField("name")
    return view.SerializeToString()


def seat_infos(table: Table, presence: Presence) -> tuple[pb.SeatInfo, ...]:
    """What everybody may know of each seat, in seat order."""
    hands = () if table.game.table is None else table.game.table.hands
    return tuple(
        _seat_info(
            number,
            seat,
            hands[number].bit_count() if hands else 0,
            presence[number],
            bank_left_us(table, number),
        )
        for number, seat in enumerate(table.seats)
    )


def match_summary(table: Table, presence: Presence) -> pb.MatchSummary:
    """A line of the lobby."""
    created = table.created
    summary = pb.MatchSummary(
        match_id=table.match_id,
        state=pb.MatchState.ValueType(table.status),
        seats=seat_infos(table, presence),
        scores=table.game.scores,
        fairness_anchor=created.fairness_anchor,
        seeded_for_test=created.seeded_for_test,
    )
    set_rule_set(summary.rule_set, created.rule_set)
    set_match_options(summary.options, created.options)
    set_instant(summary.created, table.created_us)
    return summary


def legal_actions_chunk(table: Table) -> bytes:
    """What the seat on turn may do, as the field of a batch of events; empty where none is."""
    return legal_actions_field(legal_outcomes(table.game))


# --- parts that a view of RulesService has too ---


def set_layout(view: pb.PublicView, known: PublicView) -> None:
    """Fill in what the rules alone tell of a table."""
    set_rule_set(view.rule_set, known.rule_set)
    view.round = known.round
    view.scores.extend(known.scores)
    if known.seat_to_act is not None:
        view.seat_to_act = known.seat_to_act
    for point in known.attach_points:
        view.attach_points.add().MergeFromString(attach_point_bytes(point))
    if known.count is not None:
        view.count.MergeFromString(count_bytes(known.count))
    view.boneyard = known.boneyard


def set_hand_and_actions(view: pb.SeatView, known: SeatView) -> None:
    """Fill in what is the seat's own."""
    add_tiles(view.hand, known.hand)
    field = pb.SeatView.LEGAL_ACTIONS_FIELD_NUMBER
    view.MergeFromString(legal_actions_field(known.legal_actions, field))


def add_events(view: pb.PublicView | pb.SeatView, seen: tuple[Entry, ...]) -> None:
    """Add the events of the current round, already as the viewer saw them."""
    key = _SEAT_EVENTS if isinstance(view, pb.SeatView) else _TABLE_EVENTS
    view.MergeFromString(b"".join([delimited(key, encode_event(entry)) for entry in seen]))


def add_past(view: pb.SeatView, seen: tuple[Entry, ...]) -> None:
    """Add an earlier round, already as the seat saw it."""
    events = b"".join([delimited(_PAST_EVENTS, encode_event(entry)) for entry in seen])
    view.past.add().MergeFromString(events)


# --- the rest ---


def _table_view(table: Table, known: PublicView, presence: Presence, now_us: int) -> pb.PublicView:
    created = table.created
    view = pb.PublicView(
        match_id=table.match_id,
        version=table.version,
        state=pb.MatchState.ValueType(table.status),
        seats=seat_infos(table, presence),
        fairness_anchor=created.fairness_anchor,
        rematch_id=table.rematch_id,
        private=created.options.private,
        seeded_for_test=created.seeded_for_test,
        rematch_of=created.rematch_of,
    )
    set_layout(view, known)
    set_match_options(view.options, created.options)
    if known.seat_to_act is not None and table.turn is not None and table.turn.deadline_us:
        set_instant(view.time_left, max(0, table.turn.deadline_us - now_us))
    view.end_agreed.extend(table.end_agreed)
    _set_ended(view, table)
    return view


def _set_ended(view: pb.PublicView, table: Table) -> None:
    for entry in reversed(table.round_entries):
        if isinstance(entry.fact, MatchEnded):
            set_match_ended(view.ended, entry.fact, entry)
            return


def _seat_info(
    number: int, seat: Seat, tiles: int, presence: tuple[bool, int], bank_us: int
) -> pb.SeatInfo:
    present, since_us = presence
    info = pb.SeatInfo(
        seat=number,
        name=seat.name if seat.occupant is Occupant.PLAYER else "",
        level=seat.acting_level,
        tiles=tiles,
        present=seat.occupant is Occupant.OPPONENT
        or (present and seat.occupant is Occupant.PLAYER),
        bot_plays=seat.bot_plays,
        nonce_committed=bool(seat.nonce_commitment),
        occupant=pb.Occupant.ValueType(seat.occupant),
    )
    if seat.occupant is not Occupant.NOBODY:
        set_instant(info.since, since_us)
    info.resigned = seat.resigned
    if bank_us:
        set_instant(info.bank_left, bank_us)
    if seat.options != SeatOptions():
        set_seat_options(info.options, seat.options)
    return info


def _seen(table: Table, entries: tuple[Entry, ...], viewer: Viewer) -> tuple[Entry, ...]:
    calling = table.created.rule_set.calling
    return tuple(project_entry(entry, viewer, calling=calling) for entry in entries)
