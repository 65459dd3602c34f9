"""Matches whose moves are known before they are timed.

Each is opened on the server with a test seed and both seats taken; the rules, dealt from the same
seed, then play it to its end beside the server. What is left for the timed loop is to put the
version of the last answer behind a request that is ready, and to compare the next answer with what
the rules said.
"""

import secrets
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Final, NamedTuple, assert_never

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2
from muggins_rules import Action, Call, Claim, Draw, Pass, Phase, Place
from tests.bench.http2 import Connection, Fields, Request, ask, field
from tests.service.mirror import Mirror, placement_message

__all__ = ["SEATS", "PreparedMatch", "Step", "method", "prepare"]

SEATS: Final = 2
MATCH_SERVICE: Final = b"/muggins.v1.MatchService/"

Moved = moves_pb2.PlayTileResponse | moves_pb2.DrawTileResponse | moves_pb2.PassTurnResponse


class Step(NamedTuple):
    """One call of a match, all but its expected version, and what its answer has to tell."""

    path: bytes
    fields: Fields
    message: bytes
    request_id: str
    parse: Callable[[bytes], Moved]
    seat_told: Callable[[events_pb2.Event], int | None]
    seat: int


class PreparedMatch(NamedTuple):
    """A match that has begun, its version, and every call that plays it to its end."""

    match_id: str
    version: int
    steps: tuple[Step, ...]


def method(name: str) -> bytes:
    """The path of a method of MatchService."""
    return MATCH_SERVICE + name.encode()


def prepare(control: Connection[None], rule_set_id: str, seed: bytes) -> PreparedMatch:
    """Open a match of two seats, sit down in both, and play it to its end by the rules alone."""
    created = lobby_pb2.CreateMatchResponse.FromString(
        ask(control, Request(method("CreateMatch"), b"", _create(rule_set_id, seed)))
    )
    match_id = created.match_id
    keys: list[Fields] = []
    version = created.version
    for _ in range(SEATS):
        secret = secrets.token_bytes(32)
        asked = lobby_pb2.JoinMatchRequest(
            match_id=match_id, request_id=str(uuid.uuid4()), seat_secret=secret, name="Ana"
        )
        answer = ask(control, Request(method("JoinMatch"), b"", asked.SerializeToString()))
        joined = lobby_pb2.JoinMatchResponse.FromString(answer)
        assert len(keys) == joined.seat, "seats are taken in order"
        text = urlsafe_b64encode(secret).rstrip(b"=")
        keys.append(field(b"muggins-seat-secret", text))
        version = joined.version
    mirror = Mirror(rule_set_id, SEATS, match_id, seed)
    steps = []
    while mirror.state.phase is not Phase.OVER:
        seat, action = mirror.turn, _chosen(mirror)
        steps.append(_step(match_id, keys[seat], seat, action))
        mirror.act(seat, action)
    return PreparedMatch(match_id, version, tuple(steps))


def _create(rule_set_id: str, seed: bytes) -> bytes:
    return lobby_pb2.CreateMatchRequest(
        request_id=str(uuid.uuid4()),
        preset=lobby_pb2.PresetChoice(rule_set_id=rule_set_id),
        seats=SEATS,
        host_secret=secrets.token_bytes(32),
        options=events_pb2.MatchOptions(starts_when_full=True),
        test_seed=seed,
    ).SerializeToString()


def _chosen(mirror: Mirror) -> Action:
    """What scores most at once, so that matches are about as long as those that people play."""
    places = [action for action in mirror.legal() if isinstance(action, Place)]
    return max(places, key=mirror.points_of) if places else mirror.legal()[0]


def _step(match_id: str, key: Fields, seat: int, action: Action) -> Step:
    request_id = str(uuid.uuid4())
    match action:
        case Place(placement):
            put = placement_message(placement)
            play = moves_pb2.PlayTileRequest(
                match_id=match_id, request_id=request_id, placement=put
            )
            name, message = "PlayTile", play.SerializeToString()
            return Step(method(name), key, message, request_id, _PLAYED, _player, seat)
        case Draw():
            draw = moves_pb2.DrawTileRequest(match_id=match_id, request_id=request_id)
            name, message = "DrawTile", draw.SerializeToString()
            return Step(method(name), key, message, request_id, _DRAWN, _drawer, seat)
        case Pass():
            left = moves_pb2.PassTurnRequest(match_id=match_id, request_id=request_id)
            name, message = "PassTurn", left.SerializeToString()
            return Step(method(name), key, message, request_id, _PASSED, _passer, seat)
        case Claim() | Call():
            raise AssertionError("nobody claims or calls without calling")
        case _:
            assert_never(action)


_PLAYED: Final = moves_pb2.PlayTileResponse.FromString
_DRAWN: Final = moves_pb2.DrawTileResponse.FromString
_PASSED: Final = moves_pb2.PassTurnResponse.FromString


def _player(event: events_pb2.Event) -> int | None:
    return event.tile_played.seat if event.HasField("tile_played") else None


def _drawer(event: events_pb2.Event) -> int | None:
    return event.tile_drawn.seat if event.HasField("tile_drawn") else None


def _passer(event: events_pb2.Event) -> int | None:
    return event.seat_passed.seat if event.HasField("seat_passed") else None
