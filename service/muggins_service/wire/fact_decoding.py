"""Facts from the messages of an Event, in.

A shape that no fact has is a malformed field. A number of an enum that only a later version knows
is read as the nearest meaning that this one has, since records outlive versions: the most telling
step of a hint, a match that was not played out.
"""

from collections.abc import Callable, Sequence
from typing import Final

from muggins.v1 import events_pb2 as pb
from muggins_rules.events import (
    ClaimWindowClosed,
    Credit,
    EndReason,
    LotDrawn,
    MatchEnded,
    MugginsCalled,
    PointsClaimed,
    RoundDealt,
    RoundEnded,
    SeatPassed,
    Settlement,
    ShownHand,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)
from muggins_service.table.facts import (
    EndAgreed,
    Fact,
    HintShown,
    HintStep,
    MadeFor,
    MatchCreated,
    MatchStarted,
    NonceRevealed,
    RematchCreated,
    SeatLeft,
    SeatOptionsSet,
    SeatResigned,
    SeatTaken,
    TakeoverChanged,
)
from muggins_service.wire.facts import END_REASONS
from muggins_service.wire.options import decode_match_options, decode_seat_options
from muggins_service.wire.rule_sets import decode_rule_set
from muggins_service.wire.tiles import (
    decode_attach_points,
    decode_count,
    decode_played,
    decode_tiles,
    known_tile,
)

__all__ = ["DECODERS", "decode_made_for"]

_REASONS: Final = {number: reason for reason, number in END_REASONS.items()}
_HINT_STEPS: Final = {int(step): step for step in HintStep}

_Hands = Sequence[pb.ShownHand]


def _match_created(event: pb.Event, field: str) -> Fact:
    message = event.match_created
    return MatchCreated(
        decode_rule_set(message.rule_set, f"{field}.rule_set"),
        message.seats,
        message.fairness_anchor,
        decode_match_options(message.options, f"{field}.options"),
        message.seeded_for_test,
        message.rematch_of,
    )


def _seat_taken(event: pb.Event, _field: str) -> Fact:
    message = event.seat_taken
    return SeatTaken(message.seat, message.name, message.level, message.nonce_commitment)


def _seat_left(event: pb.Event, _field: str) -> Fact:
    return SeatLeft(event.seat_left.seat)


def _takeover_changed(event: pb.Event, _field: str) -> Fact:
    message = event.takeover_changed
    return TakeoverChanged(message.seat, message.bot_plays, message.level)


def _match_started(event: pb.Event, _field: str) -> Fact:
    return MatchStarted(tuple(event.match_started.nonces))


def _nonce_revealed(event: pb.Event, _field: str) -> Fact:
    return NonceRevealed(event.nonce_revealed.seat, event.nonce_revealed.nonce)


def _seat_options_set(event: pb.Event, _field: str) -> Fact:
    message = event.seat_options_set
    return SeatOptionsSet(message.seat, decode_seat_options(message.options))


def _rematch_created(event: pb.Event, _field: str) -> Fact:
    return RematchCreated(event.rematch_created.match_id)


def _seat_resigned(event: pb.Event, _field: str) -> Fact:
    return SeatResigned(event.seat_resigned.seat)


def _end_agreed(event: pb.Event, _field: str) -> Fact:
    return EndAgreed(event.end_agreed.seat, event.end_agreed.proposes)


def _hint_shown(event: pb.Event, _field: str) -> Fact:
    step = _HINT_STEPS.get(event.hint_shown.step, HintStep.PLACE)
    return HintShown(event.hint_shown.seat, step)


def _lot_drawn(event: pb.Event, field: str) -> Fact:
    message = event.lot_drawn
    return LotDrawn(message.seat, known_tile(message, field), message.attempt)


def _round_dealt(event: pb.Event, field: str) -> Fact:
    message = event.round_dealt
    must_lead = None
    if message.HasField("must_lead"):
        (must_lead,) = decode_tiles([message.must_lead], f"{field}.must_lead")
    return RoundDealt(
        event.round,
        message.opener,
        tuple(message.hand_sizes),
        message.boneyard,
        decode_tiles(message.hand, f"{field}.hand") or None,
        must_lead,
        decode_tiles(message.deck, f"{field}.deck") or None,
    )


def _turn_started(event: pb.Event, _field: str) -> Fact:
    return TurnStarted(event.turn_started.seat)


def _tile_played(event: pb.Event, field: str) -> Fact:
    message = event.tile_played
    return TilePlayed(
        message.seat,
        message.number,
        decode_played(message.placement, f"{field}.placement"),
        decode_attach_points(message.attach_points, f"{field}.attach_points"),
        decode_count(message.count, f"{field}.count") if message.HasField("count") else None,
        tuple(message.scores) or None,
    )


def _tile_drawn(event: pb.Event, field: str) -> Fact:
    message = event.tile_drawn
    tile = known_tile(message, field) if message.HasField("tile") else None
    return TileDrawn(message.seat, tile, message.boneyard)


def _seat_passed(event: pb.Event, _field: str) -> Fact:
    return SeatPassed(event.seat_passed.seat)


def _points_claimed(event: pb.Event, _field: str) -> Fact:
    return PointsClaimed(event.points_claimed.seat, event.points_claimed.points)


def _muggins_called(event: pb.Event, _field: str) -> Fact:
    return MugginsCalled(event.muggins_called.seat, event.muggins_called.number)


def _claim_window_closed(event: pb.Event, field: str) -> Fact:
    message = event.claim_window_closed
    return ClaimWindowClosed(
        decode_count(message.count, f"{field}.count"),
        tuple(Credit(line.side, line.seat, line.points, line.called) for line in message.credits),
        tuple(message.scores),
    )


def _round_ended(event: pb.Event, field: str) -> Fact:
    message = event.round_ended
    return RoundEnded(
        message.blocked,
        message.went_out if message.HasField("went_out") else None,
        message.winning_side if message.HasField("winning_side") else None,
        _hands(message.hands, field),
        tuple(
            Settlement(line.side, line.pips, line.rounded, line.change, line.score)
            for line in message.settlement
        ),
    )


def _match_ended(event: pb.Event, field: str) -> Fact:
    message = event.match_ended
    return MatchEnded(
        message.winning_side if message.HasField("winning_side") else None,
        _REASONS.get(message.reason, EndReason.ABANDONED),
        tuple(message.scores),
        _hands(message.hands, field),
    )


def decode_made_for(message: pb.MatchEnded) -> tuple[MadeFor, ...]:
    """The moves that were made for each seat, by seat."""
    return tuple(
        MadeFor(line.by_timeout, line.by_takeover, line.by_fallback, tuple(line.sequences))
        for line in message.made_for
    )


def _hands(messages: _Hands, field: str) -> tuple[ShownHand, ...]:
    return tuple(
        ShownHand(
            message.seat,
            decode_tiles(message.tiles, f"{field}.hands[{index}].tiles"),
            message.pips,
        )
        for index, message in enumerate(messages)
    )


DECODERS: Final[dict[str, Callable[[pb.Event, str], Fact]]] = {
    "match_created": _match_created,
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "takeover_changed": _takeover_changed,
    "match_started": _match_started,
    "nonce_revealed": _nonce_revealed,
    "seat_options_set": _seat_options_set,
    "rematch_created": _rematch_created,
    "seat_resigned": _seat_resigned,
    "end_agreed": _end_agreed,
    "lot_drawn": _lot_drawn,
    "round_dealt": _round_dealt,
    "turn_started": _turn_started,
    "tile_played": _tile_played,
    "tile_drawn": _tile_drawn,
    "seat_passed": _seat_passed,
    "points_claimed": _points_claimed,
    "muggins_called": _muggins_called,
    "claim_window_closed": _claim_window_closed,
    "round_ended": _round_ended,
    "hint_shown": _hint_shown,
    "match_ended": _match_ended,
}
"""By the field of the Event that is set: makes its fact, naming fields by the path given."""
