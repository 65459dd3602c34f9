"""The requests of RulesService: a match hosted elsewhere, and what is asked about it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, assert_never

from muggins.v1 import events_pb2, tiles_pb2
from muggins.v1 import rules_service_pb2 as pb
from muggins_rules.actions import Action, Call
from muggins_rules.events import Event, MatchEnded, RoundDealt, TileDrawn, TilePlayed
from muggins_rules.opening import RoundChance
from muggins_rules.ruleset import FEWEST_SEATS, PAIRS_SEATS, RuleSet
from muggins_rules.tiles import SET_CODES
from muggins_service.errors import ServiceError, ServiceReason, malformed_field
from muggins_service.table.facts import TableFact
from muggins_service.wire.actions import decode_action, with_claim
from muggins_service.wire.checks import optional_secret, parse, secret_bytes
from muggins_service.wire.events import decode_event
from muggins_service.wire.facts import END_REASONS
from muggins_service.wire.rule_sets import check_playable, check_seats, decode_rule_set
from muggins_service.wire.tiles import decode_tiles

__all__ = [
    "ApplyStep",
    "CheckRuleSet",
    "FairDeal",
    "Played",
    "StartRound",
    "ViewAsked",
    "decode_apply",
    "decode_check_rule_set",
    "decode_start_round",
    "decode_view",
]

_RECORD_FORM: Final = "Events are required in the form of records, with all that was hidden."
_LONGEST_ID: Final = 64


@dataclass(frozen=True, slots=True)
class Played:
    """A match hosted elsewhere: its rule set, its seats and all its facts so far.

    That the facts follow from one another is still to be checked; the event at index i has the
    sequence i + 1.
    """

    rule_set: RuleSet
    seats: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class FairDeal:
    """What deck and lot are derived from; `nonces` are by seat, empty where a seat has none."""

    secret: bytes
    match_id: str
    nonces: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class StartRound:
    """The next round, from tiles that are already shuffled or from a secret.

    The lot of an explicit deal is empty where none was given.
    """

    played: Played
    chance: RoundChance | FairDeal


@dataclass(frozen=True, slots=True)
class ApplyStep:
    """An action of a seat; without one, the open claim window ends by its time."""

    played: Played
    seat: int
    action: Action | None


@dataclass(frozen=True, slots=True)
class ViewAsked:
    """What a seat, or without one the public, may know."""

    played: Played
    seat: int | None


@dataclass(frozen=True, slots=True)
class CheckRuleSet:
    """A rule set that may be unplayable, and a number of seats it shall offer; 0: any."""

    rule_set: RuleSet
    seats: int


# --- decoding ---


def decode_check_rule_set(raw: bytes) -> CheckRuleSet:
    """CheckRuleSet."""
    message = parse(pb.CheckRuleSetRequest, raw)
    if message.seats and not FEWEST_SEATS <= message.seats <= PAIRS_SEATS:
        raise malformed_field("seats", "A number of seats is 2, 3 or 4.")
    if not message.HasField("rule_set"):
        raise malformed_field("rule_set", "A rule set is required.")
    return CheckRuleSet(decode_rule_set(message.rule_set, "rule_set"), message.seats)


def decode_start_round(raw: bytes) -> StartRound:
    """StartRound."""
    message = parse(pb.StartRoundRequest, raw)
    played = _played(message)
    match message.WhichOneof("chance"):
        case "explicit":
            deck = _whole_set(message.explicit.deck, played.rule_set, "explicit.deck")
            lot: tuple[int, ...] = ()
            if message.explicit.lot_tiles:
                lot_tiles = message.explicit.lot_tiles
                lot = _whole_set(lot_tiles, played.rule_set, "explicit.lot_tiles")
            return StartRound(played, RoundChance(deck, lot))
        case "fair":
            return StartRound(played, _fair_deal(message.fair, played.seats))
        case None:
            raise malformed_field("chance", "An explicit or a fair deal is required.")
        case kind:
            assert_never(kind)


def decode_apply(raw: bytes) -> ApplyStep:
    """Apply. A call comes with the number of the placement it names, 0 where it names none."""
    message = parse(pb.ApplyRequest, raw)
    played = _played(message)
    match message.WhichOneof("step"):
        case "action":
            action = with_claim(decode_action(message.action), message)
            if isinstance(action, Call):
                action = Call(_placement_number(played, action.placement))
            return ApplyStep(played, _seat(message.seat, played), action)
        case "close_claim_window":
            if message.HasField("claim"):
                raise malformed_field("claim", "A claim goes with a placement.")
            return ApplyStep(played, 0, None)
        case None:
            raise malformed_field("step", "An action or the end of a claim window is required.")
        case kind:
            assert_never(kind)


def decode_view(raw: bytes) -> ViewAsked:
    """View."""
    message = parse(pb.ViewRequest, raw)
    played = _played(message)
    seat = _seat(message.seat, played) if message.HasField("seat") else None
    return ViewAsked(played, seat)


def _played(message: pb.StartRoundRequest | pb.ApplyRequest | pb.ViewRequest) -> Played:
    if not message.HasField("rule_set"):
        raise malformed_field("rule_set", "A rule set is required.")
    rule_set = decode_rule_set(message.rule_set, "rule_set")
    check_playable(rule_set, "rule_set")
    check_seats(rule_set, message.seats)
    round_number = 0
    events: list[Event] = []
    for index, event in enumerate(message.events):
        if event.sequence not in {0, index + 1}:
            raise ServiceError(
                ServiceReason.EVENTS_INCONSISTENT, metadata={"sequence": str(index + 1)}
            )
        fact = _fact(event, f"events[{index}]", rule_set)
        if isinstance(fact, RoundDealt):
            round_number += 1
            if not fact.round:
                fact = replace(fact, round=round_number)
        events.append(fact)
    return Played(rule_set, message.seats, tuple(events))


def _fact(event: events_pb2.Event, field: str, rule_set: RuleSet) -> Event:
    """A fact of the rules in record form."""
    entry = decode_event(event, field)
    if entry is None or isinstance(entry.fact, TableFact):
        raise malformed_field(field, "A fact of the rules is required.")
    fact = entry.fact
    match fact:
        case RoundDealt():
            _whole_set(event.round_dealt.deck, rule_set, f"{field}.round_dealt.deck")
        case TileDrawn(_, None, _):
            raise malformed_field(f"{field}.tile_drawn.tile", _RECORD_FORM)
        case TilePlayed() if fact.count is None:
            raise malformed_field(f"{field}.tile_played.count", _RECORD_FORM)
        case TilePlayed() if fact.scores is None:
            raise malformed_field(f"{field}.tile_played.scores", _RECORD_FORM)
        case MatchEnded() if event.match_ended.reason != END_REASONS[fact.reason]:
            raise malformed_field(f"{field}.match_ended.reason", "There is no such reason.")
        case _:
            pass
    return fact


def _whole_set(
    messages: Sequence[tiles_pb2.Tile], rule_set: RuleSet, field: str
) -> tuple[int, ...]:
    codes = tuple(tile.code for tile in decode_tiles(messages, field))
    if tuple(sorted(codes)) != SET_CODES[rule_set.deal.highest_pip]:
        raise malformed_field(field, "Every tile of the set is required here, each once.")
    return codes


def _fair_deal(message: pb.FairDeal, seats: int) -> FairDeal:
    nonces = tuple(message.nonces)
    if nonces and len(nonces) != seats:
        raise malformed_field("fair.nonces", "An entry for each seat is required, or none at all.")
    for index, nonce in enumerate(nonces):
        optional_secret(nonce, f"fair.nonces[{index}]")
    if len(message.match_id) > _LONGEST_ID:
        raise malformed_field("fair.match_id", "The id of a match has 64 characters at most.")
    secret = secret_bytes(message.secret, "fair.secret")
    return FairDeal(secret, message.match_id, nonces or (b"",) * seats)


def _placement_number(played: Played, sequence: int) -> int:
    if sequence <= len(played.events):
        fact = played.events[sequence - 1]
        if isinstance(fact, TilePlayed):
            return fact.number
    return 0


def _seat(seat: int, played: Played) -> int:
    if seat >= played.seats:
        raise ServiceError(ServiceReason.SEAT_UNKNOWN)
    return seat
