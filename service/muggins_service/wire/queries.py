"""Requests that read: one match, its stream, its record, and the lobby."""

from dataclasses import dataclass, replace
from typing import Final, Protocol

from muggins.v1 import lobby_pb2, moves_pb2, streams_pb2, views_pb2
from muggins_service.errors import malformed_field
from muggins_service.table.state import Status
from muggins_service.wire.checks import match_id_in, parse
from muggins_service.wire.paging import Cursor, cursor_of, page_token
from muggins_service.wire.times import decode_duration

__all__ = [
    "Cursor",
    "ListMatches",
    "MatchFilter",
    "ObserveMatch",
    "WatchMatches",
    "decode_export_match",
    "decode_get_match",
    "decode_list_matches",
    "decode_observe_match",
    "decode_watch_matches",
    "lobby_page_token",
]

_STATUSES: Final = {int(status): status for status in Status}


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches of the lobby are wanted; absent or empty: any."""

    status: Status | None = None
    rule_set_id: str = ""
    open_seats_only: bool = False
    mine: bool = False


@dataclass(frozen=True, slots=True)
class ListMatches:
    """A page of the lobby after a cursor; `page_size` 0 is left to the server."""

    filter: MatchFilter
    page_size: int
    after: Cursor | None


@dataclass(frozen=True, slots=True)
class WatchMatches:
    """The lobby and its changes; `heartbeat_us` 0 is left to the server."""

    filter: MatchFilter
    heartbeat_us: int


@dataclass(frozen=True, slots=True)
class ObserveMatch:
    """The stream of a match after a sequence, or from a snapshot on."""

    match_id: str
    from_sequence: int | None
    heartbeat_us: int


class _Filtered(Protocol):
    @property
    def state(self) -> views_pb2.MatchState.ValueType: ...

    @property
    def rule_set_id(self) -> str: ...

    @property
    def open_seats_only(self) -> bool: ...


def decode_get_match(raw: bytes) -> str:
    """GetMatch: the id of the match."""
    return match_id_in(parse(lobby_pb2.GetMatchRequest, raw).match_id)


def decode_export_match(raw: bytes) -> str:
    """ExportMatch: the id of the match."""
    return match_id_in(parse(moves_pb2.ExportMatchRequest, raw).match_id)


def decode_observe_match(raw: bytes) -> ObserveMatch:
    """ObserveMatch."""
    message = parse(streams_pb2.ObserveMatchRequest, raw)
    return ObserveMatch(
        match_id_in(message.match_id),
        message.from_sequence if message.HasField("from_sequence") else None,
        decode_duration(message.heartbeat, "heartbeat"),
    )


def decode_watch_matches(raw: bytes) -> WatchMatches:
    """WatchMatches."""
    message = parse(lobby_pb2.WatchMatchesRequest, raw)
    return WatchMatches(_filter(message), decode_duration(message.heartbeat, "heartbeat"))


def decode_list_matches(raw: bytes) -> ListMatches:
    """ListMatches."""
    message = parse(lobby_pb2.ListMatchesRequest, raw)
    wanted = replace(_filter(message), mine=message.mine)
    token = message.page_token
    after = cursor_of(token, _filter_of(wanted)) if token else None
    return ListMatches(wanted, message.page_size, after)


def lobby_page_token(wanted: MatchFilter, last: Cursor) -> str:
    """The token by which the page after a match is asked for, with the same filter only."""
    return page_token(_filter_of(wanted), last)


def _filter_of(wanted: MatchFilter) -> object:
    return int(wanted.status or 0), wanted.rule_set_id, wanted.open_seats_only, wanted.mine


def _filter(message: _Filtered) -> MatchFilter:
    if message.state not in _STATUSES and message.state != 0:
        raise malformed_field("state", "There is no such state.")
    return MatchFilter(_STATUSES.get(message.state), message.rule_set_id, message.open_seats_only)
