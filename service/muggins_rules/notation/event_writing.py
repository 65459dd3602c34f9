"""Events as text, one statement each; what a viewer may not see is `?` or left out."""

from typing import assert_never

from muggins_rules.events import (
    ClaimWindowClosed,
    Credit,
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
from muggins_rules.notation.counts import format_scores, format_sources, format_working
from muggins_rules.notation.places import format_end, format_placement
from muggins_rules.notation.seats import SEAT_NAMES, format_side, format_winner
from muggins_rules.notation.tiles import format_tile, format_tiles

__all__ = ["format_event"]

_NEXT_LINE = "\n  "


def format_event(event: Event) -> str:
    """An event as text, in record form or as a viewer sees it."""
    match event:
        case LotDrawn(seat, tile, attempt):
            return f"lot {attempt}: {SEAT_NAMES[seat]} {format_tile(tile)}"
        case RoundDealt():
            return _round_dealt(event)
        case TurnStarted(seat):
            return f"turn {SEAT_NAMES[seat]}"
        case TilePlayed():
            return _tile_played(event)
        case TileDrawn(seat, tile, boneyard):
            shown = "?" if tile is None else format_tile(tile)
            return f"{SEAT_NAMES[seat]} draws {shown}, boneyard {boneyard}"
        case SeatPassed(seat):
            return f"{SEAT_NAMES[seat]} passes"
        case PointsClaimed(seat, points):
            return f"{SEAT_NAMES[seat]} claims {points}"
        case MugginsCalled(seat, placement):
            return f"{SEAT_NAMES[seat]} calls muggins on {placement}"
        case ClaimWindowClosed():
            return _claim_window_closed(event)
        case RoundEnded():
            return _round_ended(event)
        case MatchEnded():
            return _match_ended(event)
        case _:
            assert_never(event)


def _round_dealt(event: RoundDealt) -> str:
    lead = "" if event.must_lead is None else f" with {format_tile(event.must_lead)}"
    sizes = " ".join(map(str, event.hand_sizes))
    opening = f"{SEAT_NAMES[event.opener]} opens{lead}"
    lines = [f"round {event.round}: {opening}, hands {sizes}, boneyard {event.boneyard}"]
    if event.hand is not None:
        lines.append(f"hand {format_tiles(event.hand)}".rstrip())
    if event.deck is not None:
        dealt = 0
        for seat, size in zip(SEAT_NAMES, event.hand_sizes, strict=False):
            tiles = event.deck[dealt : dealt + size]
            lines.append(f"{seat} {format_tiles(tiles)}".rstrip())
            dealt += size
        lines.append(f"boneyard {format_tiles(event.deck[dealt:])}".rstrip())
    return _NEXT_LINE.join(lines)


def _tile_played(event: TilePlayed) -> str:
    working = "?" if event.count is None else format_working(event.count)
    score = "score ?" if event.scores is None else format_scores(event.scores)
    ends = " ".join(["open", *(format_end(point.end) for point in event.attach_points)])
    sources = "" if event.count is None else f"{format_sources(event.count)}, "
    return (
        f"{event.number}. {SEAT_NAMES[event.seat]} {format_placement(event.placement)}: "
        f"{working}, {score}{_NEXT_LINE}{sources}{ends}"
    )


def _claim_window_closed(event: ClaimWindowClosed) -> str:
    return _NEXT_LINE.join(
        [
            f"window closed: {format_working(event.count)}, {format_scores(event.scores)}",
            format_sources(event.count),
            *map(_credit, event.credits),
        ]
    )


def _credit(credit: Credit) -> str:
    how = " by call" if credit.called else ""
    return f"credit {credit.points} to {SEAT_NAMES[credit.seat]}{how}, {format_side(credit.side)}"


def _round_ended(event: RoundEnded) -> str:
    how = "blocked" if event.went_out is None else f"{SEAT_NAMES[event.went_out]} went out"
    return _NEXT_LINE.join(
        [
            f"round ended: {how}, {format_winner(event.winning_side)}",
            *map(_shown_hand, event.hands),
            *map(_settlement, event.settlement),
        ]
    )


def _match_ended(event: MatchEnded) -> str:
    result = f"{format_winner(event.winning_side)}, {format_scores(event.scores)}"
    return _NEXT_LINE.join(
        [f"match ended: {event.reason.value}, {result}", *map(_shown_hand, event.hands)]
    )


def _shown_hand(hand: ShownHand) -> str:
    tiles = format_tiles(hand.tiles) or "nothing"
    return f"{SEAT_NAMES[hand.seat]} holds {tiles}, pips {hand.pips}"


def _settlement(line: Settlement) -> str:
    return (
        f"{format_side(line.side)}: pips {line.pips}, rounded {line.rounded}, "
        f"change {line.change}, score {line.score}"
    )
