"""Requests that make, fill and run a table."""

from typing import assert_never

from muggins.v1 import lobby_pb2 as pb
from muggins_rules.presets import PRESETS, preset
from muggins_rules.ruleset import RuleSet
from muggins_service.errors import ServiceError, ServiceReason, malformed_field
from muggins_service.table.commands import (
    AgreeToEnd,
    Cancel,
    Command,
    CreateMatch,
    FillSeat,
    FindMatch,
    FreeSeat,
    JoinMatch,
    LeaveMatch,
    Rematch,
    Resign,
    RevealNonce,
    SeatFill,
    SetSeatOptions,
    StartMatch,
)
from muggins_service.wire.checks import (
    level_name,
    match_id_in,
    nonce_commitment,
    optional_secret,
    parse,
    request_id_in,
    secret_bytes,
)
from muggins_service.wire.envelopes import Envelope, Mutation, envelope_of
from muggins_service.wire.names import allowed_name
from muggins_service.wire.options import decode_seat_options, requested_match_options
from muggins_service.wire.rule_sets import check_playable, check_seats, decode_rule_set

__all__ = [
    "decode_agree_to_end",
    "decode_control_match",
    "decode_create_match",
    "decode_find_match",
    "decode_join_match",
    "decode_leave_match",
    "decode_resign_match",
    "decode_reveal_nonce",
    "decode_set_seat_options",
]


def decode_create_match(raw: bytes) -> Mutation:
    """CreateMatch. That its fills name open seats and known levels is checked by the table."""
    message = parse(pb.CreateMatchRequest, raw)
    envelope = Envelope("", request_id_in(message.request_id))
    options = requested_match_options(message.options, "options")
    host_secret = secret_bytes(message.host_secret, "host_secret")
    test_seed = optional_secret(message.test_seed, "test_seed")
    fills = tuple(
        SeatFill(fill.seat, level_name(fill.level, f"fills[{index}].level"))
        for index, fill in enumerate(message.fills)
    )
    match message.WhichOneof("rules"):
        case "preset":
            rule_set = _preset(message.preset)
        case "custom":
            rule_set = decode_rule_set(message.custom, "custom")
            check_playable(rule_set, "custom")
        case None:
            raise malformed_field("rules", "A preset or a custom rule set is required.")
        case kind:
            assert_never(kind)
    check_seats(rule_set, message.seats)
    command = CreateMatch(rule_set, message.seats, options, host_secret, fills, test_seed)
    return Mutation(envelope, command)


def decode_join_match(raw: bytes) -> Mutation:
    """JoinMatch. A name that may not be shown comes as an empty one.

    It counts only where a new seat is taken, and is to be refused there alone.
    """
    message = parse(pb.JoinMatchRequest, raw)
    envelope = Envelope(match_id_in(message.match_id), request_id_in(message.request_id))
    command = JoinMatch(
        allowed_name(message.name) or "",
        secret_bytes(message.seat_secret, "seat_secret"),
        message.seat if message.HasField("seat") else None,
        nonce_commitment(message.nonce_commitment),
        message.invite_code,
    )
    return Mutation(envelope, command)


def decode_find_match(raw: bytes) -> Mutation:
    """FindMatch."""
    message = parse(pb.FindMatchRequest, raw)
    envelope = Envelope("", request_id_in(message.request_id))
    commitment = nonce_commitment(message.nonce_commitment)
    seat_secret = secret_bytes(message.seat_secret, "seat_secret")
    host_secret = secret_bytes(message.host_secret, "host_secret")
    if not message.HasField("preset"):
        raise malformed_field("preset", "A game is required.")
    rule_set = _preset(message.preset)
    check_seats(rule_set, message.seats)
    name = allowed_name(message.name)
    if name is None:
        raise ServiceError(ServiceReason.NAME_NOT_ALLOWED)
    command = FindMatch(rule_set, message.seats, name, seat_secret, host_secret, commitment)
    return Mutation(envelope, command)


def decode_reveal_nonce(raw: bytes) -> Mutation:
    """RevealNonce."""
    message = parse(pb.RevealNonceRequest, raw)
    return Mutation(envelope_of(message), RevealNonce(secret_bytes(message.nonce, "nonce")))


def decode_set_seat_options(raw: bytes) -> Mutation:
    """SetSeatOptions."""
    message = parse(pb.SetSeatOptionsRequest, raw)
    return Mutation(envelope_of(message), SetSeatOptions(decode_seat_options(message.options)))


def decode_leave_match(raw: bytes) -> Mutation:
    """LeaveMatch."""
    return Mutation(envelope_of(parse(pb.LeaveMatchRequest, raw)), LeaveMatch())


def decode_resign_match(raw: bytes) -> Mutation:
    """ResignMatch."""
    return Mutation(envelope_of(parse(pb.ResignMatchRequest, raw)), Resign())


def decode_agree_to_end(raw: bytes) -> Mutation:
    """AgreeToEnd."""
    return Mutation(envelope_of(parse(pb.AgreeToEndRequest, raw)), AgreeToEnd())


def decode_control_match(raw: bytes) -> Mutation:
    """ControlMatch: one of the host's commands."""
    message = parse(pb.ControlMatchRequest, raw)
    return Mutation(envelope_of(message), _control(message))


def _control(message: pb.ControlMatchRequest) -> Command:
    match message.WhichOneof("control"):
        case "start":
            return StartMatch()
        case "fill_seat":
            fill = message.fill_seat
            return FillSeat(fill.seat, level_name(fill.level, "fill_seat.level"))
        case "free_seat":
            return FreeSeat(message.free_seat.seat)
        case "cancel":
            return Cancel()
        case "rematch":
            return Rematch()
        case None:
            raise malformed_field("control", "A control that this version knows is required.")
        case kind:
            assert_never(kind)


def _preset(message: pb.PresetChoice) -> RuleSet:
    if message.rule_set_id not in PRESETS:
        raise ServiceError(ServiceReason.RULE_SET_UNKNOWN)
    return preset(message.rule_set_id, calling=message.calling)
