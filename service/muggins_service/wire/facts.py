"""Facts as the messages of an Event, out."""

from collections.abc import Iterable
from typing import Final, assert_never

from muggins.v1 import events_pb2 as pb
from muggins_rules.events import (
    ClaimWindowClosed,
    EndReason,
    LotDrawn,
    MatchEnded,
    MugginsCalled,
    PointsClaimed,
    RoundDealt,
    RoundEnded,
    ShownHand,
)
from muggins_service.table.facts import (
    EndAgreed,
    Entry,
    HintShown,
    MatchCreated,
    MatchStarted,
    NonceRevealed,
    RematchCreated,
    SeatLeft,
    SeatOptionsSet,
    SeatResigned,
    SeatTaken,
    TableFact,
    TakeoverChanged,
)
from muggins_service.wire.options import set_match_options, set_seat_options
from muggins_service.wire.rule_sets import set_rule_set
from muggins_service.wire.tiles import add_tiles, count_bytes

__all__ = ["END_REASONS", "RareFact", "set_fact", "set_match_ended"]

RareFact = (
    TableFact
    | LotDrawn
    | RoundDealt
    | PointsClaimed
    | MugginsCalled
    | ClaimWindowClosed
    | RoundEnded
    | MatchEnded
)
"""Every fact but those of a plain move, which `events` writes by hand."""

END_REASONS: Final = {
    reason: pb.MatchEndReason.Value(f"MATCH_END_REASON_{reason.name}") for reason in EndReason
}


def set_fact(event: pb.Event, entry: Entry, fact: RareFact) -> None:
    """Put a fact, with what its entry adds to it, into an Event."""
    match fact:
        case LotDrawn(seat, tile, attempt):
            event.lot_drawn.seat = seat
            event.lot_drawn.tile.low, event.lot_drawn.tile.high = tile
            event.lot_drawn.attempt = attempt
        case RoundDealt():
            _set_round_dealt(event.round_dealt, fact)
        case PointsClaimed(seat, points):
            event.points_claimed.seat = seat
            event.points_claimed.points = points
        case MugginsCalled(seat, placement):
            event.muggins_called.seat = seat
            event.muggins_called.placement_sequence = entry.placement_sequence
            event.muggins_called.number = placement
        case ClaimWindowClosed():
            _set_window_closed(event.claim_window_closed, fact)
        case RoundEnded():
            _set_round_ended(event.round_ended, fact, entry.secret)
        case MatchEnded():
            set_match_ended(event.match_ended, fact, entry)
        case _:
            _set_table_fact(event, fact)


def _set_table_fact(event: pb.Event, fact: TableFact) -> None:
    match fact:
        case MatchCreated():
            _set_match_created(event.match_created, fact)
        case SeatTaken(seat, name, level, nonce_commitment):
            event.seat_taken.seat = seat
            event.seat_taken.name = name
            event.seat_taken.level = level
            event.seat_taken.nonce_commitment = nonce_commitment
        case SeatLeft(seat):
            event.seat_left.seat = seat
        case TakeoverChanged(seat, bot_plays, level):
            event.takeover_changed.seat = seat
            event.takeover_changed.bot_plays = bot_plays
            event.takeover_changed.level = level
        case MatchStarted(nonces):
            event.match_started.SetInParent()
            event.match_started.nonces.extend(nonces)
        case NonceRevealed(seat, nonce):
            event.nonce_revealed.seat = seat
            event.nonce_revealed.nonce = nonce
        case SeatOptionsSet(seat, options):
            event.seat_options_set.seat = seat
            set_seat_options(event.seat_options_set.options, options)
        case RematchCreated(match_id):
            event.rematch_created.match_id = match_id
        case SeatResigned(seat):
            event.seat_resigned.SetInParent()
            event.seat_resigned.seat = seat
        case EndAgreed(seat, proposes):
            event.end_agreed.seat = seat
            event.end_agreed.proposes = proposes
        case HintShown(seat, step):
            event.hint_shown.seat = seat
            event.hint_shown.step = pb.HintStep.ValueType(step)
        case _:
            assert_never(fact)


def _set_match_created(message: pb.MatchCreated, fact: MatchCreated) -> None:
    set_rule_set(message.rule_set, fact.rule_set)
    message.fairness_anchor = fact.fairness_anchor
    message.seeded_for_test = fact.seeded_for_test
    set_match_options(message.options, fact.options)
    message.seats = fact.seats
    message.rematch_of = fact.rematch_of


def _set_round_dealt(message: pb.RoundDealt, fact: RoundDealt) -> None:
    message.opener = fact.opener
    message.hand_sizes.extend(fact.hand_sizes)
    message.boneyard = fact.boneyard
    add_tiles(message.hand, fact.hand or ())
    add_tiles(message.deck, fact.deck or ())
    if fact.must_lead is not None:
        message.must_lead.low, message.must_lead.high = fact.must_lead


def _set_window_closed(message: pb.ClaimWindowClosed, fact: ClaimWindowClosed) -> None:
    message.count.MergeFromString(count_bytes(fact.count))
    for credit in fact.credits:
        line = message.credits.add()
        line.side = credit.side
        line.seat = credit.seat
        line.points = credit.points
        line.called = credit.called
    message.scores.extend(fact.scores)


def _set_round_ended(message: pb.RoundEnded, fact: RoundEnded, secret: bytes) -> None:
    message.blocked = fact.blocked
    if fact.went_out is not None:
        message.went_out = fact.went_out
    if fact.winning_side is not None:
        message.winning_side = fact.winning_side
    _add_hands(message, fact.hands)
    for change in fact.settlement:
        line = message.settlement.add()
        line.side = change.side
        line.pips = change.pips
        line.rounded = change.rounded
        line.change = change.change
        line.score = change.score
    message.secret = secret


def set_match_ended(message: pb.MatchEnded, fact: MatchEnded, entry: Entry) -> None:
    """Fill an empty MatchEnded with a fact and what its entry adds."""
    if fact.winning_side is not None:
        message.winning_side = fact.winning_side
    message.reason = END_REASONS[fact.reason]
    message.scores.extend(fact.scores)
    _add_hands(message, fact.hands)
    message.secret = entry.secret
    message.stand_in_moves.extend(entry.stand_in_moves)
    for seat, made in enumerate(entry.made_for):
        message.made_for.add(
            seat=seat,
            by_timeout=made.by_timeout,
            by_takeover=made.by_takeover,
            by_fallback=made.by_fallback,
            sequences=made.sequences,
        )


def _add_hands(message: pb.RoundEnded | pb.MatchEnded, hands: Iterable[ShownHand]) -> None:
    for hand in hands:
        shown = message.hands.add()
        shown.seat = hand.seat
        add_tiles(shown.tiles, hand.tiles)
        shown.pips = hand.pips
