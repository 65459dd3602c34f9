"""Facts of the rules in their form on the wire, as records hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from muggins.v1 import events_pb2, rule_sets_pb2, tiles_pb2
from muggins_rules.events import (
    ClaimWindowClosed,
    Event,
    LotDrawn,
    MatchEnded,
    MugginsCalled,
    PointsClaimed,
    RoundDealt,
    RoundEnded,
    SeatPassed,
    ShownHand,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from muggins_rules import AttachPoint, Count, Placement, RuleSet, Tile
    from muggins_rules.places import End

__all__ = ["wire_event", "wire_placement", "wire_rule_set"]


def wire_rule_set(rule_set: RuleSet) -> rule_sets_pb2.RuleSet:
    openers, settlements = rule_sets_pb2.OpenerRule, rule_sets_pb2.SettlementRule
    house = rule_set.house_rules
    return rule_sets_pb2.RuleSet(
        id=rule_set.id,
        deal=rule_sets_pb2.Deal(
            highest_pip=rule_set.deal.highest_pip,
            hand_size_by_seats=rule_set.deal.hand_size_by_seats,
            boneyard_reserve=rule_set.deal.boneyard_reserve,
        ),
        turns=rule_sets_pb2.Turns(
            anticlockwise=rule_set.turns.anticlockwise,
            first_opener=openers.Value(f"OPENER_RULE_{rule_set.turns.first_opener.name}"),
            opener_after_block=openers.Value(
                f"OPENER_RULE_{rule_set.turns.opener_after_block.name}"
            ),
            must_lead_highest_double=rule_set.turns.must_lead_highest_double,
        ),
        layout=rule_sets_pb2.Layout(
            spinner=rule_sets_pb2.SpinnerRule.Value(f"SPINNER_RULE_{rule_set.layout.spinner.name}")
        ),
        scoring=rule_sets_pb2.Scoring(
            going_out=settlements.Value(f"SETTLEMENT_RULE_{rule_set.scoring.going_out.name}"),
            blocked=settlements.Value(f"SETTLEMENT_RULE_{rule_set.scoring.blocked.name}"),
            points_divisor=rule_set.scoring.points_divisor,
            pairs=rule_set.scoring.pairs,
            target_by_seats=rule_set.scoring.target_by_seats,
        ),
        calling=rule_set.calling,
        rules_version=rule_set.rules_version,
        house_rules=rule_sets_pb2.HouseRules(
            exact_target=house.exact_target,
            first_score_minimum=house.first_score_minimum,
            blocked_tie_shares=house.blocked_tie_shares,
            round_limit=house.round_limit,
        ),
    )


def wire_event(event: Event, sequences: Mapping[int, int], secret: bytes = b"") -> events_pb2.Event:
    """`sequences` are those of the round's placements by number."""
    wired = events_pb2.Event()
    match event:
        case LotDrawn(seat, tile, attempt):
            wired.lot_drawn.MergeFrom(
                events_pb2.LotDrawn(seat=seat, tile=_tile(tile), attempt=attempt)
            )
        case RoundDealt():
            wired.round_dealt.MergeFrom(_round_dealt(event))
        case TurnStarted(seat):
            wired.turn_started.MergeFrom(events_pb2.TurnStarted(seat=seat))
        case TilePlayed():
            wired.tile_played.MergeFrom(_tile_played(event))
        case TileDrawn(seat, drawn, boneyard):
            fact = events_pb2.TileDrawn(seat=seat, boneyard=boneyard)
            if drawn is not None:
                fact.tile.CopyFrom(_tile(drawn))
            wired.tile_drawn.MergeFrom(fact)
        case SeatPassed(seat):
            wired.seat_passed.MergeFrom(events_pb2.SeatPassed(seat=seat))
        case PointsClaimed(seat, points):
            wired.points_claimed.MergeFrom(events_pb2.PointsClaimed(seat=seat, points=points))
        case MugginsCalled(seat, number):
            called = events_pb2.MugginsCalled(
                seat=seat, placement_sequence=sequences[number], number=number
            )
            wired.muggins_called.MergeFrom(called)
        case ClaimWindowClosed():
            wired.claim_window_closed.MergeFrom(_window_closed(event))
        case RoundEnded():
            wired.round_ended.MergeFrom(_round_ended(event, secret))
        case MatchEnded():
            wired.match_ended.MergeFrom(_match_ended(event, secret))
        case _:
            assert_never(event)
    return wired


def wire_placement(placement: Placement) -> tiles_pb2.Placement:
    wired = tiles_pb2.Placement(tile=_tile(placement.tile))
    if placement.at is not None:
        wired.at.CopyFrom(_end(placement.at))
    if placement.orientation is not None:
        wired.orientation = tiles_pb2.Orientation.ValueType(placement.orientation)
    return wired


def _round_dealt(event: RoundDealt) -> events_pb2.RoundDealt:
    return events_pb2.RoundDealt(
        opener=event.opener,
        hand_sizes=event.hand_sizes,
        boneyard=event.boneyard,
        hand=[_tile(tile) for tile in event.hand or ()],
        deck=[_tile(tile) for tile in event.deck or ()],
        must_lead=None if event.must_lead is None else _tile(event.must_lead),
    )


def _tile_played(event: TilePlayed) -> events_pb2.TilePlayed:
    return events_pb2.TilePlayed(
        seat=event.seat,
        placement=wire_placement(event.placement),
        attach_points=[_attach_point(point) for point in event.attach_points],
        count=None if event.count is None else _count(event.count),
        scores=event.scores or (),
        number=event.number,
    )


def _window_closed(event: ClaimWindowClosed) -> events_pb2.ClaimWindowClosed:
    return events_pb2.ClaimWindowClosed(
        count=_count(event.count),
        credits=[
            events_pb2.Credit(
                side=credit.side, seat=credit.seat, points=credit.points, called=credit.called
            )
            for credit in event.credits
        ],
        scores=event.scores,
    )


def _round_ended(event: RoundEnded, secret: bytes) -> events_pb2.RoundEnded:
    return events_pb2.RoundEnded(
        blocked=event.blocked,
        went_out=event.went_out,
        winning_side=event.winning_side,
        hands=[_hand(hand) for hand in event.hands],
        settlement=[
            events_pb2.Settlement(
                side=line.side,
                pips=line.pips,
                rounded=line.rounded,
                change=line.change,
                score=line.score,
            )
            for line in event.settlement
        ],
        secret=secret,
    )


def _match_ended(event: MatchEnded, secret: bytes) -> events_pb2.MatchEnded:
    return events_pb2.MatchEnded(
        winning_side=event.winning_side,
        reason=events_pb2.MatchEndReason.Value(f"MATCH_END_REASON_{event.reason.name}"),
        scores=event.scores,
        hands=[_hand(hand) for hand in event.hands],
        secret=secret,
    )


def _hand(hand: ShownHand) -> events_pb2.ShownHand:
    tiles = [_tile(tile) for tile in hand.tiles]
    return events_pb2.ShownHand(seat=hand.seat, tiles=tiles, pips=hand.pips)


def _count(count: Count) -> tiles_pb2.Count:
    return tiles_pb2.Count(
        sum=count.sum,
        contributions=[
            tiles_pb2.Contribution(tile=_tile(part.tile), value=part.value)
            for part in count.contributions
        ],
        points=count.points,
    )


def _attach_point(point: AttachPoint) -> tiles_pb2.AttachPoint:
    return tiles_pb2.AttachPoint(end=_end(point.end), value=point.value)


def _end(end: End) -> tiles_pb2.End:
    return tiles_pb2.End(tile=_tile(end.tile), port=tiles_pb2.Port.ValueType(end.port))


def _tile(tile: Tile) -> tiles_pb2.Tile:
    return tiles_pb2.Tile(low=tile.low, high=tile.high)
