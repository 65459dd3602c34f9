"""Events from text, whichever viewer they are shown to."""

from typing import Final

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
from muggins_rules.layout import value_at
from muggins_rules.notation.counts import (
    check_number,
    read_scores,
    read_sources,
    read_working,
)
from muggins_rules.notation.errors import NotationReason
from muggins_rules.notation.places import read_end, read_placement
from muggins_rules.notation.reader import Kind, Reader, read_whole
from muggins_rules.notation.seats import read_seat, read_side, read_winner
from muggins_rules.notation.tiles import read_hand, read_tile
from muggins_rules.places import AttachPoint
from muggins_rules.tiles import Tile

__all__ = ["parse_event", "read_event"]

_END_REASONS: Final = {reason.value: reason for reason in EndReason}


def parse_event(text: str) -> Event:
    """The event of a text, in record form or as a viewer sees it; NotationError."""
    return read_whole(text, read_event)


def read_event(reader: Reader) -> Event:
    """The event that has to come next."""
    if reader.at(Kind.NUMBER):
        return _tile_played(reader)
    if reader.skip_word("lot"):
        return _lot_drawn(reader)
    if reader.skip_word("round"):
        return _round_ended(reader) if reader.skip_word("ended") else _round_dealt(reader)
    if reader.skip_word("turn"):
        return TurnStarted(read_seat(reader))
    if reader.skip_word("window"):
        return _claim_window_closed(reader)
    if reader.skip_word("match"):
        return _match_ended(reader)
    return _said_by_seat(reader)


def _lot_drawn(reader: Reader) -> LotDrawn:
    attempt = reader.number()
    reader.sign(":")
    seat = read_seat(reader)
    return LotDrawn(seat, read_tile(reader), attempt)


def _round_dealt(reader: Reader) -> RoundDealt:
    number = reader.number()
    reader.sign(":")
    opener = read_seat(reader)
    reader.word("opens")
    must_lead = read_tile(reader) if reader.skip_word("with") else None
    reader.sign(",")
    reader.word("hands")
    sizes = [reader.number()]
    while reader.at(Kind.NUMBER):
        sizes.append(reader.number())
    reader.sign(",")
    reader.word("boneyard")
    boneyard = reader.number()
    hand = read_hand(reader) if reader.skip_word("hand") else None
    deck = _read_deck(reader, sizes, boneyard) if reader.at(Kind.WORD) else None
    return RoundDealt(number, opener, tuple(sizes), boneyard, hand, must_lead, deck)


def _read_deck(reader: Reader, sizes: list[int], boneyard: int) -> tuple[Tile, ...]:
    """The hands by seat and the boneyard, as many tiles in each as was told."""
    deck: list[Tile] = []
    seen: set[Tile] = set()
    hands = 0
    while not reader.skip_word("boneyard"):
        token = reader.token
        if read_seat(reader) != hands:
            raise reader.error(NotationReason.SEAT_OUT_OF_ORDER, token)
        tiles = read_hand(reader, seen)
        check_number(reader, token, len(tiles), sizes[hands] if hands < len(sizes) else 0)
        hands += 1
        deck += tiles
    token = reader.token
    tiles = read_hand(reader, seen)
    if hands != len(sizes):
        raise reader.error(NotationReason.DOES_NOT_ADD_UP, token, f"{hands} hands")
    check_number(reader, token, len(tiles), boneyard)
    return (*deck, *tiles)


def _tile_played(reader: Reader) -> TilePlayed:
    number = reader.number()
    reader.sign(".")
    seat = read_seat(reader)
    placement = read_placement(reader)
    reader.sign(":")
    working = None if reader.skip_sign("?") else read_working(reader)
    reader.sign(",")
    reader.word("score")
    scores = None if reader.skip_sign("?") else read_scores(reader)
    count = None
    if working is not None:
        count = read_sources(reader, working)
        reader.sign(",")
    reader.word("open")
    points = []
    while reader.at(Kind.TILE):
        end = read_end(reader)
        points.append(AttachPoint(end, value_at(end.tile, end.port)))
    return TilePlayed(seat, number, placement, tuple(points), count, scores)


def _claim_window_closed(reader: Reader) -> ClaimWindowClosed:
    reader.word("closed")
    reader.sign(":")
    working = read_working(reader)
    reader.sign(",")
    reader.word("score")
    scores = read_scores(reader)
    count = read_sources(reader, working)
    given = []
    while reader.skip_word("credit"):
        points = reader.number()
        reader.word("to")
        seat = read_seat(reader)
        called = reader.skip_word("by")
        if called:
            reader.word("call")
        reader.sign(",")
        given.append(Credit(read_side(reader), seat, points, called))
    return ClaimWindowClosed(count, tuple(given), scores)


def _round_ended(reader: Reader) -> RoundEnded:
    reader.sign(":")
    went_out = None
    if not reader.skip_word("blocked"):
        went_out = read_seat(reader)
        reader.word("went", "out")
    reader.sign(",")
    winner = read_winner(reader)
    hands = _read_shown_hands(reader)
    settlement = []
    while reader.at_word("side"):
        settlement.append(_read_settlement(reader))
    return RoundEnded(went_out is None, went_out, winner, hands, tuple(settlement))


def _match_ended(reader: Reader) -> MatchEnded:
    reader.word("ended")
    reader.sign(":")
    reason = reader.choice(_END_REASONS)
    reader.sign(",")
    winner = read_winner(reader)
    reader.sign(",")
    reader.word("score")
    scores = read_scores(reader)
    return MatchEnded(winner, reason, scores, _read_shown_hands(reader))


def _read_shown_hands(reader: Reader) -> tuple[ShownHand, ...]:
    """All the hands that come next."""
    hands = []
    while reader.at(Kind.WORD) and not reader.at_word("side"):
        seat = read_seat(reader)
        reader.word("holds")
        tiles = () if reader.skip_word("nothing") else read_hand(reader)
        reader.sign(",")
        reader.word("pips")
        token = reader.token
        pips = reader.number()
        held = sum(tile.pips for tile in tiles)
        if pips != held:
            raise reader.error(NotationReason.DOES_NOT_ADD_UP, token, f"the pips are {held}")
        hands.append(ShownHand(seat, tiles, pips))
    return tuple(hands)


def _read_settlement(reader: Reader) -> Settlement:
    side = read_side(reader)
    reader.sign(":")
    numbers = []
    for number, name in enumerate(("pips", "rounded", "change", "score")):
        if number:
            reader.sign(",")
        reader.word(name)
        numbers.append(reader.number())
    return Settlement(side, *numbers)


def _said_by_seat(reader: Reader) -> Event:
    seat = read_seat(reader)
    if reader.skip_word("draws"):
        tile = None if reader.skip_sign("?") else read_tile(reader)
        reader.sign(",")
        reader.word("boneyard")
        return TileDrawn(seat, tile, reader.number())
    if reader.skip_word("passes"):
        return SeatPassed(seat)
    if reader.skip_word("claims"):
        return PointsClaimed(seat, reader.number())
    if reader.skip_word("calls"):
        reader.word("muggins", "on")
        return MugginsCalled(seat, reader.number())
    raise reader.unexpected("what the seat does")
