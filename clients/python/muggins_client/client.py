"""The client: `async with connect("host:port") as client`."""

from importlib.metadata import version
from typing import Final, Self

import grpc

from muggins.v1 import moves_pb2, records_pb2, streams_pb2
from muggins_client.calls import Caller
from muggins_client.connection import Connection, channel_options
from muggins_client.credentials import Bearer, check_bearer
from muggins_client.handles import Seat
from muggins_client.host_calls import HostCalls
from muggins_client.join_calls import JoinCalls
from muggins_client.link import Link, WritableLink
from muggins_client.lobby_calls import DEFAULT_GIVE_UP_S, DEFAULT_HEARTBEAT_S, LobbyCalls
from muggins_client.observing import Observation, go_away_of_observed
from muggins_client.opponent_calls import OpponentCalls
from muggins_client.playing import Player, PlayLink, PlayStream
from muggins_client.reconnecting import Frames, Line, silence_of
from muggins_client.revealing import NonceRevealer
from muggins_client.rules_calls import RulesCalls
from muggins_client.seat_calls import SeatCalls
from muggins_client.tracker import Tracker

__all__ = ["MugginsClient", "connect"]

DEFAULT_TARGET: Final = "127.0.0.1:50051"
_MOST_BYTES: Final = 16 * 1024 * 1024
_KEEPALIVE_S: Final = 30.0


def connect(  # noqa: PLR0913 - each is a choice of its own
    target: str = DEFAULT_TARGET,
    *,
    language: str = "en",
    credentials: grpc.ChannelCredentials | None = None,
    call_credentials: grpc.CallCredentials | None = None,
    bearer: Bearer = "",
    acting_for: str = "",
    plaintext_bearer: bool = False,
    keepalive_s: float = _KEEPALIVE_S,
    max_message_bytes: int = _MOST_BYTES,
    user_agent: str = "",
) -> "MugginsClient":
    """A client of the server at `target`; in a running event loop.

    Nothing is sent before the first call. `credentials` switch on TLS, as made by
    `grpc.ssl_channel_credentials()` or `tls()`; `call_credentials` go with every call and need TLS.
    `bearer` is an API key or a token, or gives one for each call; over a network it needs TLS too,
    unless `plaintext_bearer` says that the network may see it. `acting_for` is the player for whom
    a backend calls.
    `language` (en, pt-BR, fr, es) is that of sentences for people.

    Raises:
        ValueError: call credentials without TLS, or a bearer over a network without it.
    """
    if bearer:
        check_bearer(target, is_secure=credentials is not None, is_allowed=plaintext_bearer)
    if call_credentials is not None and credentials is None:
        raise ValueError("call credentials are sent over TLS only: give credentials too")
    options = channel_options(
        keepalive_s=keepalive_s,
        max_message_bytes=max_message_bytes,
        user_agent=user_agent or f"muggins-python/{version('muggins')}",
    )
    if credentials is not None and call_credentials is not None:
        credentials = grpc.composite_channel_credentials(credentials, call_credentials)

    def new_channel() -> grpc.aio.Channel:
        if credentials is None:
            return grpc.aio.insecure_channel(target, options)
        return grpc.aio.secure_channel(target, credentials, options)

    return MugginsClient(Connection(new_channel), language, bearer=bearer, acting_for=acting_for)


class MugginsClient(LobbyCalls, JoinCalls, SeatCalls):
    """Everything that a server offers, with typed errors and deadlines on every call.

    `host` has what hosts may do, `opponents` and `rules` the two services for games that are
    hosted elsewhere. Close it when done, best by `async with`.
    """

    def __init__(
        self,
        connection: Connection,
        language: str = "en",
        *,
        bearer: Bearer = "",
        acting_for: str = "",
    ) -> None:
        self._connection = connection
        caller = Caller(connection, language, bearer, acting_for)
        super().__init__(caller)
        self.host = HostCalls(caller)
        self.opponents = OpponentCalls(caller)
        self.rules = RulesCalls(caller)

    async def ready(self, timeout_s: float = 10.0) -> None:
        """Wait until the server can be reached.

        Raises:
            Unavailable: it could not be within the time.
        """
        await self._connection.ready(timeout_s)

    def observe(
        self,
        match_id: str,
        seat: Seat | None = None,
        from_sequence: int | None = None,
        *,
        heartbeat_s: float = DEFAULT_HEARTBEAT_S,
        give_up_s: float = DEFAULT_GIVE_UP_S,
    ) -> Observation:
        """The updates of a match to its end, as everybody or as one's own seat sees them.

        `from_sequence` is the last sequence already known; without it a snapshot comes first.
        A server that is silent for two and a half `heartbeat_s` counts as lost, and one that
        cannot be reached again for `give_up_s` ends the iteration with the error. With a seat
        the nonce is revealed when its time has come.
        """
        assert seat is None or seat.match_id == match_id, "the seat is one of the match"
        caller, tracker = self._caller, Tracker(from_sequence)
        secret = b"" if seat is None else seat.secret

        async def open_line() -> Line[streams_pb2.ObserveMatchResponse]:
            interval_s = await self.allowed_heartbeat_s(heartbeat_s)
            request = streams_pb2.ObserveMatchRequest(match_id=match_id, from_sequence=tracker.last)
            request.heartbeat.FromMilliseconds(int(interval_s * 1000))
            stubs = caller.connection.stubs
            # A credential may be another one by the time the stream is opened again.
            metadata = caller.metadata(match_id, seat_secret=secret)
            link: Link[streams_pb2.ObserveMatchResponse] = Link(
                "MatchService/ObserveMatch",
                lambda: stubs.match.ObserveMatch(request, metadata=metadata),
            )
            return Line(link, stubs, silence_of(interval_s))

        frames = Frames(
            caller.connection,
            open_line,
            is_over=lambda: tracker.is_over,
            go_away_of=go_away_of_observed,
            give_up_s=give_up_s,
        )
        return Observation(frames, tracker, self._revealer(seat))

    def play(
        self,
        seat: Seat,
        from_sequence: int | None = None,
        *,
        heartbeat_s: float = DEFAULT_HEARTBEAT_S,
        give_up_s: float = DEFAULT_GIVE_UP_S,
    ) -> PlayStream:
        """A seat played over one stream: commands in, results and updates out. See `observe`."""
        caller, tracker = self._caller, Tracker(from_sequence)

        async def open_line() -> Line[streams_pb2.PlayMatchResponse]:
            interval_s = await self.allowed_heartbeat_s(heartbeat_s)
            attach = streams_pb2.Attach(match_id=seat.match_id, from_sequence=tracker.last)
            attach.heartbeat.FromMilliseconds(int(interval_s * 1000))
            stubs = caller.connection.stubs
            metadata = caller.metadata(seat.match_id, seat_secret=seat.secret)
            link: PlayLink = WritableLink(
                "MatchService/PlayMatch", lambda: stubs.match.PlayMatch(metadata=metadata)
            )
            await link.write(streams_pb2.PlayMatchRequest(attach=attach))
            return Line(link, stubs, silence_of(interval_s))

        player = Player(caller.connection, open_line, tracker, self._revealer(seat), give_up_s)
        return PlayStream(player)

    async def export_match(
        self, match_id: str, *, timeout_s: float | None = None
    ) -> records_pb2.MatchRecord:
        """The whole record of a match that is over."""
        answer = await self._caller.unary(
            "MatchService/ExportMatch",
            lambda stubs: stubs.match.ExportMatch,
            moves_pb2.ExportMatchRequest(match_id=match_id),
            self._caller.metadata(match_id),
            timeout_s,
        )
        return answer.record

    async def close(self) -> None:
        """End every call and stream of this client."""
        await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    def _revealer(self, seat: Seat | None) -> NonceRevealer | None:
        if seat is None or not seat.nonce:
            return None
        return NonceRevealer(seat.seat, lambda: self.reveal_nonce(seat))
