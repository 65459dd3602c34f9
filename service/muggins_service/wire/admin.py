"""AdminService: requests in, and what an operator is told out."""

from collections.abc import Iterable
from dataclasses import dataclass

from muggins.v1 import admin_service_pb2 as pb
from muggins.v1 import views_pb2
from muggins_service.doors.scopes import LONGEST_PRINCIPAL
from muggins_service.errors import malformed_field
from muggins_service.table.state import Status, Table
from muggins_service.wire.checks import match_id_in, parse
from muggins_service.wire.paging import Cursor, cursor_of, page_token
from muggins_service.wire.times import set_instant
from muggins_service.wire.views import Presence, public_view

__all__ = [
    "EndMatch",
    "HeldMatch",
    "ListAllMatches",
    "admin_page_token",
    "decode_drain",
    "decode_end_match",
    "decode_inspect_match",
    "decode_list_all_matches",
    "drain_answer",
    "end_match_answer",
    "inspect_match_answer",
    "list_all_matches_answer",
    "reload_answer",
]

_LONGEST_REASON = 200
_STATUSES = {int(status): status for status in Status}


@dataclass(frozen=True, slots=True)
class ListAllMatches:
    """A page of the matches that are held; `status` absent and `principal` empty: any."""

    page_size: int
    after: Cursor | None
    status: Status | None
    principal: str


@dataclass(frozen=True, slots=True)
class EndMatch:
    """The match to be ended, and why."""

    match_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class HeldMatch:
    """A match as the server holds it; times in microseconds, `due_us` absent where it waits."""

    table: Table
    streams: int
    presence: Presence
    due_us: int | None


def decode_list_all_matches(raw: bytes) -> ListAllMatches:
    """ListAllMatches."""
    message = parse(pb.ListAllMatchesRequest, raw)
    if message.state not in _STATUSES and message.state != 0:
        raise malformed_field("state", "There is no such state.")
    if len(message.principal) > LONGEST_PRINCIPAL:
        raise malformed_field("principal", "A principal has 128 characters at most.")
    status = _STATUSES.get(message.state)
    token = message.page_token
    after = cursor_of(token, _filter_of(status, message.principal)) if token else None
    return ListAllMatches(message.page_size, after, status, message.principal)


def _filter_of(status: Status | None, principal: str) -> object:
    return "admin", int(status or 0), principal


def admin_page_token(asked: ListAllMatches, last: Cursor) -> str:
    """The token of the page after a match."""
    return page_token(_filter_of(asked.status, asked.principal), last)


def decode_inspect_match(raw: bytes) -> str:
    """InspectMatch: the id of the match."""
    return match_id_in(parse(pb.InspectMatchRequest, raw).match_id)


def decode_end_match(raw: bytes) -> EndMatch:
    """EndMatch."""
    message = parse(pb.EndMatchRequest, raw)
    if not (1 <= len(message.reason) <= _LONGEST_REASON and message.reason.isprintable()):
        raise malformed_field("reason", "A reason of up to 200 printable characters is required.")
    return EndMatch(match_id_in(message.match_id), message.reason)


def decode_drain(raw: bytes) -> bool:
    """Drain: whether the server shall stop."""
    return parse(pb.DrainRequest, raw).stop


def list_all_matches_answer(matches: Iterable[HeldMatch], token: str) -> bytes:
    """A ListAllMatchesResponse."""
    return pb.ListAllMatchesResponse(
        matches=map(_held, matches), next_page_token=token
    ).SerializeToString()


def inspect_match_answer(held: HeldMatch, now_us: int) -> bytes:
    """An InspectMatchResponse."""
    answer = pb.InspectMatchResponse(
        match=_held(held), view=public_view(held.table, held.presence, now_us)
    )
    if held.due_us is not None:
        set_instant(answer.due, held.due_us)
    turn = held.table.turn
    if turn is not None and turn.deadline_us:
        set_instant(answer.turn_deadline, turn.deadline_us)
    return answer.SerializeToString()


def _held(held: HeldMatch) -> pb.HeldMatch:
    table = held.table
    message = pb.HeldMatch(
        match_id=table.match_id,
        state=views_pb2.MatchState.ValueType(table.status),
        rule_set_id=table.created.rule_set.id,
        version=table.version,
        round=table.game.round,
        private=table.created.options.private,
        streams=held.streams,
        host_principal=table.secrets.host_principal,
        seat_principals=["" if key is None else key.principal for key in table.keys],
    )
    set_instant(message.created, table.created_us)
    set_instant(message.changed, table.changed_us)
    return message


def end_match_answer(version: int) -> bytes:
    """An EndMatchResponse."""
    return pb.EndMatchResponse(version=version).SerializeToString()


def drain_answer(matches: int) -> bytes:
    """A DrainResponse."""
    return pb.DrainResponse(matches=matches).SerializeToString()


def reload_answer(names: Iterable[str]) -> bytes:
    """A ReloadResponse."""
    return pb.ReloadResponse(reloaded=names).SerializeToString()
