"""From the wire to values of the rules, as far as the verifier needs them."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, TypeVar

from muggins.v1 import events_pb2, rule_sets_pb2, tiles_pb2
from muggins_rules import (
    AttachPoint,
    Contribution,
    Count,
    End,
    Orientation,
    Placement,
    Port,
    RuleSet,
    Tile,
)
from muggins_rules.events import (
    ClaimWindowClosed,
    Credit,
    EndReason,
    Event,
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
from muggins_rules.ruleset import (
    Deal,
    HouseRules,
    Layout,
    OpenerRule,
    Scoring,
    SettlementRule,
    SpinnerRule,
    Turns,
)
from muggins_rules.tiles import is_tile

__all__ = ["Undecodable", "decode_event", "decode_rule_set"]

_Named = TypeVar("_Named", bound=StrEnum)

_SEAT_COUNTS: Final = 3
_NO_PLACEMENT: Final = 0


class Undecodable(ValueError):  # noqa: N818 - tells what the message is
    """A message whose values no match can have; the text names the field."""


def decode_rule_set(message: rule_sets_pb2.RuleSet) -> RuleSet:
    """The rule set of a message; Undecodable where a field has no meaning."""
    scoring, turns, house = message.scoring, message.turns, message.house_rules
    return RuleSet(
        message.id,
        Deal(
            message.deal.highest_pip,
            _by_seats(message.deal.hand_size_by_seats, "hand_size_by_seats"),
            message.deal.boneyard_reserve,
        ),
        Turns(
            turns.anticlockwise,
            _named(OpenerRule, rule_sets_pb2.OpenerRule.Name, turns.first_opener),
            _named(OpenerRule, rule_sets_pb2.OpenerRule.Name, turns.opener_after_block),
            turns.must_lead_highest_double,
        ),
        Layout(_named(SpinnerRule, rule_sets_pb2.SpinnerRule.Name, message.layout.spinner)),
        Scoring(
            _named(SettlementRule, rule_sets_pb2.SettlementRule.Name, scoring.going_out),
            _named(SettlementRule, rule_sets_pb2.SettlementRule.Name, scoring.blocked),
            scoring.points_divisor,
            scoring.pairs,
            _by_seats(scoring.target_by_seats, "target_by_seats"),
        ),
        message.calling,
        HouseRules(
            house.exact_target,
            house.first_score_minimum,
            house.blocked_tie_shares,
            house.round_limit,
        ),
        message.rules_version,
    )


def decode_event(message: events_pb2.Event, placements: Mapping[int, int]) -> Event | None:
    """The fact of the rules in an event; none where it is a fact of the table around them.

    `placements` gives the number of each placement of the round by the sequence of its event.

    Raises:
        Undecodable: the fact holds what no match can have.
    """
    match message.WhichOneof("fact"):
        case "lot_drawn":
            lot = message.lot_drawn
            return LotDrawn(lot.seat, _tile(lot.tile), lot.attempt)
        case "round_dealt":
            return _round_dealt(message.round_dealt, message.round)
        case "turn_started":
            return TurnStarted(message.turn_started.seat)
        case "tile_played":
            return _tile_played(message.tile_played)
        case "tile_drawn":
            drawn = message.tile_drawn
            tile = _tile(drawn.tile) if drawn.HasField("tile") else None
            return TileDrawn(drawn.seat, tile, drawn.boneyard)
        case "seat_passed":
            return SeatPassed(message.seat_passed.seat)
        case "points_claimed":
            return PointsClaimed(message.points_claimed.seat, message.points_claimed.points)
        case "muggins_called":
            called = message.muggins_called
            number = placements.get(called.placement_sequence, _NO_PLACEMENT)
            return MugginsCalled(called.seat, number)
        case "claim_window_closed":
            return _window_closed(message.claim_window_closed)
        case "round_ended":
            return _round_ended(message.round_ended)
        case "match_ended":
            return _match_ended(message.match_ended)
        case _:
            return None


def _round_dealt(fact: events_pb2.RoundDealt, round_number: int) -> RoundDealt:
    return RoundDealt(
        round_number,
        fact.opener,
        tuple(fact.hand_sizes),
        fact.boneyard,
        tuple(map(_tile, fact.hand)) or None,
        _tile(fact.must_lead) if fact.HasField("must_lead") else None,
        tuple(map(_tile, fact.deck)) or None,
    )


def _tile_played(fact: events_pb2.TilePlayed) -> TilePlayed:
    return TilePlayed(
        fact.seat,
        fact.number,
        _placement(fact.placement),
        tuple(AttachPoint(_end(point.end), point.value) for point in fact.attach_points),
        _count(fact.count) if fact.HasField("count") else None,
        tuple(fact.scores) or None,
    )


def _window_closed(fact: events_pb2.ClaimWindowClosed) -> ClaimWindowClosed:
    credited = tuple(
        Credit(credit.side, credit.seat, credit.points, credit.called) for credit in fact.credits
    )
    return ClaimWindowClosed(_count(fact.count), credited, tuple(fact.scores))


def _round_ended(fact: events_pb2.RoundEnded) -> RoundEnded:
    return RoundEnded(
        fact.blocked,
        fact.went_out if fact.HasField("went_out") else None,
        fact.winning_side if fact.HasField("winning_side") else None,
        _hands(fact.hands),
        tuple(
            Settlement(line.side, line.pips, line.rounded, line.change, line.score)
            for line in fact.settlement
        ),
    )


def _match_ended(fact: events_pb2.MatchEnded) -> MatchEnded:
    return MatchEnded(
        fact.winning_side if fact.HasField("winning_side") else None,
        _named(EndReason, events_pb2.MatchEndReason.Name, fact.reason),
        tuple(fact.scores),
        _hands(fact.hands),
    )


def _hands(hands: Iterable[events_pb2.ShownHand]) -> tuple[ShownHand, ...]:
    return tuple(ShownHand(hand.seat, tuple(map(_tile, hand.tiles)), hand.pips) for hand in hands)


def _count(count: tiles_pb2.Count) -> Count:
    contributions = tuple(
        Contribution(_tile(part.tile), part.value) for part in count.contributions
    )
    return Count(count.sum, contributions, count.points)


def _placement(placement: tiles_pb2.Placement) -> Placement:
    try:
        orientation = Orientation(placement.orientation) if placement.orientation else None
    except ValueError:
        raise Undecodable("orientation") from None
    at = _end(placement.at) if placement.HasField("at") else None
    return Placement(_tile(placement.tile), at, orientation)


def _end(end: tiles_pb2.End) -> End:
    try:
        port = Port(end.port)
    except ValueError:
        raise Undecodable("port") from None
    return End(_tile(end.tile), port)


def _tile(tile: tiles_pb2.Tile) -> Tile:
    decoded = Tile(tile.low, tile.high)
    if not is_tile(decoded):
        raise Undecodable("tile")
    return decoded


def _by_seats(numbers: Iterable[int], field: str) -> tuple[int, int, int]:
    by_seats = tuple(numbers)
    if len(by_seats) != _SEAT_COUNTS:
        raise Undecodable(field)
    two, three, four = by_seats
    return two, three, four


def _named(kind: type[_Named], name_of: object, number: int) -> _Named:
    """The member of a domain's enum whose name ends the name on the wire."""
    assert callable(name_of), "the Name function of a wire enum"
    try:
        name = str(name_of(number)).lower()
    except ValueError:
        raise Undecodable(kind.__name__) from None
    for member in kind:
        if name.endswith((f"_rule_{member.value}", f"_reason_{member.value}")):
            return member
    raise Undecodable(kind.__name__)
