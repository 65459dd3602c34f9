"""The answers of MatchService, put together from shared bytes where events are in them.

All that change a match begin with the version and the events; `chunk` is what `events_chunk`
made of those that the caller may see.
"""

from collections.abc import Iterable
from typing import Final

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2, views_pb2
from muggins_rules.actions import Action
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import Tile
from muggins_service.table.facts import HintStep
from muggins_service.wire.actions import set_action
from muggins_service.wire.binary import VARINT, delimited, varint_field, wire_key
from muggins_service.wire.frames import GoAwayReason, go_away_message
from muggins_service.wire.rule_sets import set_rule_set
from muggins_service.wire.times import set_instant

__all__ = [
    "control_match_answer",
    "create_match_answer",
    "find_match_answer",
    "get_match_answer",
    "hint_answer",
    "hint_bytes",
    "join_match_answer",
    "list_matches_answer",
    "list_rule_sets_answer",
    "mutation_answer",
    "watch_matches_frame",
    "watch_matches_go_away",
]

_VERSION: Final = wire_key(1, VARINT)
_JOIN_VIEW: Final = wire_key(lobby_pb2.JoinMatchResponse.VIEW_FIELD_NUMBER)
_FIND_VIEW: Final = wire_key(lobby_pb2.FindMatchResponse.VIEW_FIELD_NUMBER)
_FIND_CREATED: Final = wire_key(lobby_pb2.FindMatchResponse.CREATED_FIELD_NUMBER, VARINT)
_HINT: Final = wire_key(moves_pb2.GetHintResponse.HINT_FIELD_NUMBER)
_GET_TABLE: Final = wire_key(lobby_pb2.GetMatchResponse.TABLE_FIELD_NUMBER)
_GET_SEAT: Final = wire_key(lobby_pb2.GetMatchResponse.SEAT_FIELD_NUMBER)


def mutation_answer(version: int, chunk: bytes) -> bytes:
    """The whole answer of most methods that change a match, and the beginning of the others."""
    return varint_field(_VERSION, version) + chunk


def create_match_answer(
    version: int,
    chunk: bytes,
    *,
    match_id: str,
    invite_code: str,
    rule_set: RuleSet,
    fairness_anchor: bytes,
) -> bytes:
    """A CreateMatchResponse."""
    rest = lobby_pb2.CreateMatchResponse(
        match_id=match_id, invite_code=invite_code, fairness_anchor=fairness_anchor
    )
    set_rule_set(rest.rule_set, rule_set)
    return mutation_answer(version, chunk) + rest.SerializeToString()


def join_match_answer(version: int, chunk: bytes, *, seat: int, view: bytes) -> bytes:
    """A JoinMatchResponse; `view` is a SeatView."""
    rest = lobby_pb2.JoinMatchResponse(seat=seat).SerializeToString()
    return mutation_answer(version, chunk) + rest + delimited(_JOIN_VIEW, view)


def find_match_answer(
    version: int, chunk: bytes, *, match_id: str, seat: int, view: bytes, created: bool
) -> bytes:
    """A FindMatchResponse; `view` is a SeatView."""
    rest = lobby_pb2.FindMatchResponse(match_id=match_id, seat=seat).SerializeToString()
    rest += delimited(_FIND_VIEW, view) + varint_field(_FIND_CREATED, created)
    return mutation_answer(version, chunk) + rest


def control_match_answer(version: int, chunk: bytes, *, rematch_id: str = "") -> bytes:
    """A ControlMatchResponse."""
    rest = lobby_pb2.ControlMatchResponse(rematch_id=rematch_id)
    return mutation_answer(version, chunk) + rest.SerializeToString()


def hint_answer(version: int, chunk: bytes, hint: bytes) -> bytes:
    """A GetHintResponse; `hint` is a Hint."""
    return mutation_answer(version, chunk) + delimited(_HINT, hint)


def hint_bytes(
    step: HintStep, idea: str, *, tile: Tile | None = None, action: Action | None = None
) -> bytes:
    """A Hint."""
    message = moves_pb2.Hint(step=events_pb2.HintStep.ValueType(step), idea=idea)
    if tile is not None:
        message.tile.low, message.tile.high = tile
    if action is not None:
        set_action(message.action, action)
    return message.SerializeToString()


def get_match_answer(view: bytes, *, is_seat: bool) -> bytes:
    """A GetMatchResponse with a SeatView or a PublicView."""
    return delimited(_GET_SEAT if is_seat else _GET_TABLE, view)


def list_matches_answer(matches: Iterable[views_pb2.MatchSummary], next_page_token: str) -> bytes:
    """A ListMatchesResponse."""
    return lobby_pb2.ListMatchesResponse(
        matches=matches, next_page_token=next_page_token
    ).SerializeToString()


def watch_matches_frame(
    matches: Iterable[views_pb2.MatchSummary],
    removed: Iterable[str],
    now_us: int,
    *,
    snapshot: bool = False,
) -> bytes:
    """A WatchMatchesResponse; without matches and removed ones a sign of life."""
    message = lobby_pb2.WatchMatchesResponse(
        matches=matches, removed_match_ids=removed, snapshot=snapshot
    )
    set_instant(message.time, now_us)
    return message.SerializeToString()


def watch_matches_go_away(reason: GoAwayReason, retry_after_us: int, now_us: int) -> bytes:
    """The last WatchMatchesResponse of a stream that the server ends."""
    message = lobby_pb2.WatchMatchesResponse(go_away=go_away_message(reason, retry_after_us))
    set_instant(message.time, now_us)
    return message.SerializeToString()


def list_rule_sets_answer() -> bytes:
    """A ListRuleSetsResponse."""
    message = lobby_pb2.ListRuleSetsResponse()
    for rule_set in PRESETS.values():
        set_rule_set(message.rule_sets.add(), rule_set)
    return message.SerializeToString()
