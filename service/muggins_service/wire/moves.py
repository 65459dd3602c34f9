"""Requests of a seat in play, and the frames of its stream."""

from dataclasses import dataclass
from typing import Final, assert_never

from muggins.v1 import moves_pb2, streams_pb2
from muggins_rules.actions import Action, Claim, Draw, Pass, Place
from muggins_service.errors import ServiceError, ServiceReason, malformed_field
from muggins_service.table.commands import ShowHint
from muggins_service.table.facts import HintStep
from muggins_service.wire.actions import decode_action, decode_call, with_claim
from muggins_service.wire.checks import match_id_in, parse, request_id_in
from muggins_service.wire.envelopes import Envelope, Mutation, envelope_of
from muggins_service.wire.tiles import decode_placement
from muggins_service.wire.times import decode_duration

__all__ = [
    "Attach",
    "Ping",
    "PlayFrame",
    "StreamCommand",
    "decode_call_muggins",
    "decode_claim_points",
    "decode_draw_tile",
    "decode_get_hint",
    "decode_pass_turn",
    "decode_play_frame",
    "decode_play_tile",
    "decode_show_hint",
]

_HINT_STEPS: Final = {int(step): step for step in HintStep}


@dataclass(frozen=True, slots=True)
class Attach:
    """The first frame of a stream: the match, the last sequence the client has, if any.

    `heartbeat_us` is 0 where the server's default is wanted.
    """

    match_id: str
    from_sequence: int | None
    heartbeat_us: int


@dataclass(frozen=True, slots=True)
class StreamCommand:
    """A later frame of a stream. What is wrong with its fields is answered, not raised."""

    request_id: str
    expected_version: int | None
    action: Action | ServiceError


@dataclass(frozen=True, slots=True)
class Ping:
    """A frame that asks for an answer."""

    nonce: int


PlayFrame = Attach | StreamCommand | Ping
"""A frame from a player."""


def decode_play_tile(raw: bytes) -> Mutation:
    """PlayTile: a placement, with or without a claim."""
    message = parse(moves_pb2.PlayTileRequest, raw)
    envelope = envelope_of(message)
    if not message.HasField("placement"):
        raise malformed_field("placement", "A placement is required.")
    action = Place(decode_placement(message.placement, "placement"))
    return Mutation(envelope, with_claim(action, message))


def decode_draw_tile(raw: bytes) -> Mutation:
    """DrawTile: a draw."""
    message = parse(moves_pb2.DrawTileRequest, raw)
    return Mutation(envelope_of(message), Draw(message.until_playable))


def decode_pass_turn(raw: bytes) -> Mutation:
    """PassTurn: a pass."""
    return Mutation(envelope_of(parse(moves_pb2.PassTurnRequest, raw)), Pass())


def decode_claim_points(raw: bytes) -> Mutation:
    """ClaimPoints: a claim."""
    message = parse(moves_pb2.ClaimPointsRequest, raw)
    return Mutation(envelope_of(message), Claim(message.points))


def decode_call_muggins(raw: bytes) -> Mutation:
    """CallMuggins: a call that names the sequence of the placement called."""
    message = parse(moves_pb2.CallMugginsRequest, raw)
    envelope = envelope_of(message)
    return Mutation(envelope, decode_call(message.placement_sequence, "placement_sequence"))


def decode_get_hint(raw: bytes) -> Mutation:
    """GetHint: a hint."""
    return Mutation(*decode_show_hint(raw))


def decode_show_hint(raw: bytes) -> tuple[Envelope, ShowHint]:
    """GetHint, for whoever has to work the hint out first."""
    message = parse(moves_pb2.GetHintRequest, raw)
    envelope = envelope_of(message)
    step = _HINT_STEPS.get(message.step)
    if step is None:
        raise malformed_field("step", "A step of the hint is required.")
    return envelope, ShowHint(step)


def decode_play_frame(raw: bytes) -> PlayFrame:
    """A frame of PlayMatch; an error where it is none at all, which ends the stream."""
    message = parse(streams_pb2.PlayMatchRequest, raw)
    match message.WhichOneof("frame"):
        case "command":
            return _command(message.command)
        case "attach":
            attach = message.attach
            return Attach(
                match_id_in(attach.match_id),
                attach.from_sequence if attach.HasField("from_sequence") else None,
                decode_duration(attach.heartbeat, "attach.heartbeat"),
            )
        case "ping":
            return Ping(message.ping.nonce)
        case None:
            raise ServiceError(ServiceReason.STREAM_PROTOCOL)
        case kind:
            assert_never(kind)


def _command(message: streams_pb2.Command) -> StreamCommand:
    action: Action | ServiceError
    try:
        request_id_in(message.request_id)
        action = with_claim(decode_action(message.action), message)
    except ServiceError as error:
        action = error
    expected = message.expected_version if message.HasField("expected_version") else None
    return StreamCommand(message.request_id, expected, action)
