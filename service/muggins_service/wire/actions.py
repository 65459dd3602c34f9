"""Actions and legal actions, both ways.

On the wire a call names the sequence of the placement called, and so does a `Call` here; whoever
knows the log turns it into the number that the rules go by. A claim that goes with a placement is
a field beside the action.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal, Protocol, assert_never

from muggins.v1 import actions_pb2 as pb
from muggins_rules.actions import Action, Call, Claim, Draw, Pass, Place
from muggins_rules.views import LegalAction
from muggins_service.errors import malformed_field
from muggins_service.wire.binary import delimited, wire_key
from muggins_service.wire.tiles import (
    count_bytes,
    decode_count,
    decode_placement,
    placement_bytes,
)

__all__ = [
    "decode_action",
    "decode_call",
    "decode_legal_actions",
    "legal_actions_field",
    "set_action",
    "with_claim",
]

_ACTION: Final = wire_key(1)
_OUTCOME: Final = wire_key(2)
_KEPT: Final = 8_192

_DRAWS: Final = (Draw(until_playable=False), Draw(until_playable=True))
_PASS: Final = Pass()


class _MayClaim(Protocol):
    @property
    def claim(self) -> pb.Claim: ...

    def HasField(self, field_name: Literal["claim"], /) -> bool: ...  # noqa: N802 - protobuf's


# --- out ---


def set_action(message: pb.Action, action: Action) -> None:
    """Fill an empty Action."""
    match action:
        case Place(placement):
            message.place.MergeFromString(placement_bytes(placement))
        case Draw(until_playable):
            message.draw.until_playable = until_playable
        case Pass():
            message.pass_turn.SetInParent()
        case Claim(points):
            message.claim.points = points
        case Call(placement_sequence):
            message.call.placement_sequence = placement_sequence
        case _:
            assert_never(action)


def legal_actions_field(actions: Iterable[LegalAction], field: int = 1) -> bytes:
    """Legal actions as a repeated field, the first of a batch of events unless told."""
    key = wire_key(field)
    return b"".join([delimited(key, _legal_action(action)) for action in actions])


def _legal_action(legal: LegalAction) -> bytes:
    message = delimited(_ACTION, _action(legal.action))
    if legal.outcome is not None:
        message += delimited(_OUTCOME, count_bytes(legal.outcome))
    return message


@lru_cache(_KEPT)
def _action(action: Action) -> bytes:
    message = pb.Action()
    set_action(message, action)
    return message.SerializeToString()


# --- in ---


def decode_action(message: pb.Action, field: str = "action") -> Action:
    """The action that is asked for."""
    match message.WhichOneof("action"):
        case "place":
            return Place(decode_placement(message.place, f"{field}.place"))
        case "draw":
            return _DRAWS[message.draw.until_playable]
        case "pass_turn":
            return _PASS
        case "claim":
            return Claim(message.claim.points)
        case "call":
            return decode_call(message.call.placement_sequence, f"{field}.call.placement_sequence")
        case None:
            raise malformed_field(field, "An action of a kind that this version knows is required.")
        case kind:
            assert_never(kind)


def decode_call(placement_sequence: int, field: str) -> Call:
    """The call of the placement whose event has that sequence."""
    if not placement_sequence:
        raise malformed_field(field, "A call names the event of the placement called.")
    return Call(placement_sequence)


def with_claim(action: Action, message: _MayClaim) -> Action:
    """The action, with the claim that stands beside it in a request."""
    if not message.HasField("claim"):
        return action
    if not isinstance(action, Place):
        raise malformed_field("claim", "A claim goes with a placement.")
    return Place(action.placement, message.claim.points)


def decode_legal_actions(messages: Sequence[pb.LegalAction], field: str) -> tuple[LegalAction, ...]:
    """The legal actions of a view."""
    return tuple(
        LegalAction(
            decode_action(message.action, f"{field}[{index}].action"),
            decode_count(message.outcome, f"{field}[{index}].outcome")
            if message.HasField("outcome")
            else None,
        )
        for index, message in enumerate(messages)
    )
