"""Calls about matches as a whole: what there is, make one, watch the lobby."""

from collections.abc import AsyncIterator, Mapping
from typing import Final

from muggins.v1 import events_pb2, lobby_pb2, rule_sets_pb2, streams_pb2, views_pb2
from muggins_client.calls import Caller
from muggins_client.handles import Host, Seat
from muggins_client.keys import new_key, new_request_id
from muggins_client.link import Link
from muggins_client.reconnecting import Frames, Line, silence_of
from muggins_client.results import Created

__all__ = ["LobbyCalls"]

DEFAULT_HEARTBEAT_S: Final = 10.0
DEFAULT_GIVE_UP_S: Final = 60.0
_NO_FILLS: Final[Mapping[int, str]] = {}


class LobbyCalls:
    """The part of the client that is about matches as a whole.

    Every method may raise MugginsError. Mutations take a `request_id` of the caller's own, to
    repeat a call after its answer was lost; without one each call makes a fresh one, which the
    error carries.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._limits: lobby_pb2.ServerLimits | None = None

    async def get_server_info(
        self, *, timeout_s: float | None = None
    ) -> lobby_pb2.GetServerInfoResponse:
        """Versions, limits, features and clock of the server."""
        info = await self._caller.unary(
            "MatchService/GetServerInfo",
            lambda stubs: stubs.match.GetServerInfo,
            lobby_pb2.GetServerInfoRequest(),
            self._caller.metadata(),
            timeout_s,
        )
        self._limits = info.limits
        return info

    async def list_rule_sets(
        self, *, timeout_s: float | None = None
    ) -> tuple[rule_sets_pb2.RuleSet, ...]:
        """The games that have a name, with their whole rules."""
        answer = await self._caller.unary(
            "MatchService/ListRuleSets",
            lambda stubs: stubs.match.ListRuleSets,
            lobby_pb2.ListRuleSetsRequest(),
            self._caller.metadata(),
            timeout_s,
        )
        return tuple(answer.rule_sets)

    async def create_match(  # noqa: PLR0913 - each is a choice of its own
        self,
        rules: str | rule_sets_pb2.RuleSet = "all_fives",
        *,
        seats: int = 2,
        calling: bool = False,
        options: events_pb2.MatchOptions | None = None,
        fills: Mapping[int, str] = _NO_FILLS,
        test_seed: bytes = b"",
        host_secret: bytes = b"",
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> Created:
        """Make a match of a preset, by its id, or of a rule set of one's own.

        `fills` puts opponents of the server on seats, by seat and level. `calling` is for
        presets; a whole rule set says it itself. A `host_secret` made beforehand lets the call
        be repeated after its answer was lost.
        """
        secret = host_secret or new_key()
        request = lobby_pb2.CreateMatchRequest(
            request_id=request_id or new_request_id(),
            seats=seats,
            options=options,
            host_secret=secret,
            fills=[lobby_pb2.SeatFill(seat=seat, level=level) for seat, level in fills.items()],
            test_seed=test_seed,
        )
        if isinstance(rules, str):
            request.preset.rule_set_id = rules
            request.preset.calling = calling
        else:
            request.custom.CopyFrom(rules)
        answer = await self._caller.unary(
            "MatchService/CreateMatch",
            lambda stubs: stubs.match.CreateMatch,
            request,
            self._caller.metadata(),
            timeout_s,
        )
        host = Host(answer.match_id, secret, answer.fairness_anchor, answer.invite_code)
        return Created(host, answer.rule_set, answer.version, tuple(answer.events))

    async def get_match(
        self, match_id: str, *, timeout_s: float | None = None
    ) -> views_pb2.PublicView:
        """A match as everybody may see it."""
        answer = await self._caller.unary(
            "MatchService/GetMatch",
            lambda stubs: stubs.match.GetMatch,
            lobby_pb2.GetMatchRequest(match_id=match_id),
            self._caller.metadata(match_id),
            timeout_s,
        )
        return answer.table

    async def get_seat_view(
        self, seat: Seat, *, timeout_s: float | None = None
    ) -> views_pb2.SeatView:
        """A match as one's own seat sees it."""
        answer = await self._caller.unary(
            "MatchService/GetMatch",
            lambda stubs: stubs.match.GetMatch,
            lobby_pb2.GetMatchRequest(match_id=seat.match_id),
            self._caller.metadata(seat.match_id, seat_secret=seat.secret),
            timeout_s,
        )
        return answer.seat

    async def list_matches(
        self,
        *,
        state: views_pb2.MatchState.ValueType = views_pb2.MATCH_STATE_UNSPECIFIED,
        rule_set_id: str = "",
        open_seats_only: bool = False,
        mine: bool = False,
        page_size: int = 0,
        page_token: str = "",
        timeout_s: float | None = None,
    ) -> lobby_pb2.ListMatchesResponse:
        """One page of the matches that are not private, newest first.

        With `mine` those that the caller's principal made or sits in, private ones too.
        """
        return await self._caller.unary(
            "MatchService/ListMatches",
            lambda stubs: stubs.match.ListMatches,
            lobby_pb2.ListMatchesRequest(
                page_size=page_size,
                page_token=page_token,
                state=state,
                rule_set_id=rule_set_id,
                open_seats_only=open_seats_only,
                mine=mine,
            ),
            self._caller.metadata(),
            timeout_s,
        )

    async def all_matches(
        self,
        *,
        state: views_pb2.MatchState.ValueType = views_pb2.MATCH_STATE_UNSPECIFIED,
        rule_set_id: str = "",
        open_seats_only: bool = False,
        mine: bool = False,
    ) -> AsyncIterator[views_pb2.MatchSummary]:
        """The matches of all pages."""
        token = ""
        while True:
            page = await self.list_matches(
                state=state,
                rule_set_id=rule_set_id,
                open_seats_only=open_seats_only,
                mine=mine,
                page_token=token,
            )
            for summary in page.matches:
                yield summary
            token = page.next_page_token
            if not token:
                return

    async def watch_matches(
        self,
        *,
        state: views_pb2.MatchState.ValueType = views_pb2.MATCH_STATE_UNSPECIFIED,
        rule_set_id: str = "",
        open_seats_only: bool = False,
        heartbeat_s: float = DEFAULT_HEARTBEAT_S,
        give_up_s: float = DEFAULT_GIVE_UP_S,
    ) -> AsyncIterator[lobby_pb2.WatchMatchesResponse]:
        """The lobby and its changes, for ever; a message with `snapshot` voids what was known."""
        caller = self._caller

        async def open_line() -> Line[lobby_pb2.WatchMatchesResponse]:
            interval_s = await self.allowed_heartbeat_s(heartbeat_s)
            request = lobby_pb2.WatchMatchesRequest(
                state=state, rule_set_id=rule_set_id, open_seats_only=open_seats_only
            )
            request.heartbeat.FromMilliseconds(int(interval_s * 1000))
            stubs = caller.connection.stubs
            link: Link[lobby_pb2.WatchMatchesResponse] = Link(
                "MatchService/WatchMatches",
                lambda: stubs.match.WatchMatches(request, metadata=caller.metadata()),
            )
            return Line(link, stubs, silence_of(interval_s))

        frames = Frames(
            caller.connection,
            open_line,
            is_over=lambda: False,
            go_away_of=_go_away_of_lobby,
            give_up_s=give_up_s,
        )
        try:
            while (frame := await frames.next()) is not None:
                frames.content()
                if frame.matches or frame.removed_match_ids or frame.snapshot:
                    yield frame
        finally:
            frames.cancel()

    async def allowed_heartbeat_s(self, wanted_s: float) -> float:
        """The interval of heartbeats nearest to the one wanted that the server keeps to."""
        limits = self._limits or (await self.get_server_info()).limits
        longest = limits.max_heartbeat.ToTimedelta().total_seconds()
        shortest = limits.min_heartbeat.ToTimedelta().total_seconds()
        return max(min(wanted_s, longest) if longest else wanted_s, shortest)


def _go_away_of_lobby(message: lobby_pb2.WatchMatchesResponse) -> streams_pb2.GoAway | None:
    return message.go_away if message.HasField("go_away") else None
