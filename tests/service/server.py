"""A server in the test's own loop, raw stubs of the contract, and what a caller needs beside them.

Nothing here uses the Python client: what the contract promises is checked against the contract.
"""

import secrets
import uuid
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, LocalizedMessage, RetryInfo
from google.rpc.status_pb2 import Status

from muggins.v1 import events_pb2, lobby_pb2, match_service_pb2_grpc, streams_pb2, views_pb2
from muggins_service.app import App
from muggins_service.config import Config

if TYPE_CHECKING:
    from muggins.v1.match_service_pb2_grpc import MatchServiceAsyncStub

__all__ = [
    "CALL_S",
    "SETTINGS",
    "Field",
    "Metadata",
    "Observing",
    "Player",
    "Refused",
    "Service",
    "Table",
    "events_of",
    "fact_of",
    "host_key",
    "new_id",
    "new_secret",
    "refusal",
    "refusal_of_stream",
    "refused_by",
    "running",
    "seat_key",
]

Metadata = tuple[tuple[str, str], ...]

Field = Any
"""The value of some field of a message."""

Observing = grpc.aio.UnaryStreamCall[Any, streams_pb2.ObserveMatchResponse]
"""An open stream of a match."""

SETTINGS: Final = Config(
    port=0,
    store="memory",
    test_seeds=True,
    warm=False,
    claim_window_s=0.6,
    claim_minimum_s=0.2,
    nonce_wait_s=0.3,
    rematch_wait_s=0.3,
    grace_s=2.0,
)
"""Short times, so that a test can wait for each."""

CALL_S: Final = 20.0
"""The deadline of every call: longer than anything that works takes."""


def new_secret() -> bytes:
    """A secret as a client makes it."""
    return secrets.token_bytes(32)


def new_id() -> str:
    """A fresh request id."""
    return str(uuid.uuid4())


def seat_key(secret: bytes) -> Metadata:
    """The metadata that show a seat's secret."""
    return (("muggins-seat-secret", _written(secret)),)


def host_key(secret: bytes) -> Metadata:
    """The metadata that show a host's secret."""
    return (("muggins-host-secret", _written(secret)),)


def _written(secret: bytes) -> str:
    return urlsafe_b64encode(secret).decode().rstrip("=")


class Refused(NamedTuple):
    """How a call was refused: everything that its status tells."""

    code: grpc.StatusCode
    reason: str
    metadata: Mapping[str, str]
    message: str
    locale: str = ""
    sentence: str = ""
    fields: tuple[str, ...] = ()
    retry_after_s: float | None = None
    domain: str = ""


async def refusal(call: Awaitable[object]) -> Refused:
    """How a call is refused; a call that succeeds fails the test."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return refused_by(caught.value)


async def refusal_of_stream(call: AsyncIterable[object]) -> Refused:
    """How a stream is refused, at once or after some frames."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async for _ in call:
            pass
    return refused_by(caught.value)


def refused_by(error: grpc.aio.AioRpcError) -> Refused:
    """What the status of a failed call tells."""
    trailing = dict(error.trailing_metadata() or ())
    raw = trailing.get("grpc-status-details-bin", b"")
    status = Status.FromString(raw if isinstance(raw, bytes) else raw.encode())
    refused = Refused(error.code(), "", {}, error.details() or "")
    for detail in status.details:
        info, bad, retry, local = ErrorInfo(), BadRequest(), RetryInfo(), LocalizedMessage()
        if detail.Unpack(info):
            refused = refused._replace(
                reason=info.reason, metadata=dict(info.metadata), domain=info.domain
            )
        elif detail.Unpack(bad):
            names = tuple(violation.field for violation in bad.field_violations)
            refused = refused._replace(fields=names)
        elif detail.Unpack(retry):
            refused = refused._replace(retry_after_s=retry.retry_delay.ToMicroseconds() / 1e6)
        elif detail.Unpack(local):
            refused = refused._replace(locale=local.locale, sentence=local.message)
    return refused


@dataclass(frozen=True)
class Player:
    """Somebody who holds a seat."""

    match_id: str
    seat: int
    secret: bytes
    joined: lobby_pb2.JoinMatchResponse = field(repr=False)

    @property
    def key(self) -> Metadata:
        """The metadata that prove it."""
        return seat_key(self.secret)


@dataclass(frozen=True)
class Table:
    """A match and its host."""

    match_id: str
    host_secret: bytes
    created: lobby_pb2.CreateMatchResponse = field(repr=False)

    @property
    def host(self) -> Metadata:
        """The metadata that prove who is host."""
        return host_key(self.host_secret)


class Service:
    """A running server and a channel to it. `call` is the stub of MatchService."""

    def __init__(self, app: App, channel: grpc.aio.Channel) -> None:
        self.app = app
        self.channel = channel
        self.call: MatchServiceAsyncStub = match_service_pb2_grpc.MatchServiceStub(channel)

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.app.port}"

    async def create(
        self,
        rule_set_id: str = "muggins",
        seats: int = 2,
        *,
        calling: bool = False,
        fills: Mapping[int, str] | None = None,
        seed: bytes = b"",
        **options: Field,
    ) -> Table:
        """Open a table; `fills` are levels by seat, `options` those of MatchOptions."""
        host_secret = new_secret()
        created = await self.call.CreateMatch(
            lobby_pb2.CreateMatchRequest(
                request_id=new_id(),
                preset=lobby_pb2.PresetChoice(rule_set_id=rule_set_id, calling=calling),
                seats=seats,
                host_secret=host_secret,
                options=events_pb2.MatchOptions(**options),
                fills=[
                    lobby_pb2.SeatFill(seat=seat, level=level)
                    for seat, level in (fills or {}).items()
                ],
                test_seed=seed,
            ),
            timeout=CALL_S,
        )
        return Table(created.match_id, host_secret, created)

    async def join(self, match_id: str, **fields: Field) -> Player:
        """Take a seat."""
        secret = fields.pop("seat_secret", None) or new_secret()
        request = lobby_pb2.JoinMatchRequest(
            match_id=match_id, request_id=new_id(), seat_secret=secret, **{"name": "Ana", **fields}
        )
        joined = await self.call.JoinMatch(request, timeout=CALL_S)
        return Player(match_id, joined.seat, secret, joined)

    async def control(self, table: Table, **control: Field) -> lobby_pb2.ControlMatchResponse:
        """What the host asks."""
        request = lobby_pb2.ControlMatchRequest(
            match_id=table.match_id, request_id=new_id(), **control
        )
        return await self.call.ControlMatch(request, metadata=table.host, timeout=CALL_S)

    async def public_view(self, match_id: str) -> views_pb2.PublicView:
        """A match as everybody sees it."""
        answer = await self.call.GetMatch(lobby_pb2.GetMatchRequest(match_id=match_id))
        assert answer.WhichOneof("view") == "table"
        return answer.table

    async def seat_view(self, player: Player) -> views_pb2.SeatView:
        """A match as a seat sees it."""
        request = lobby_pb2.GetMatchRequest(match_id=player.match_id)
        answer = await self.call.GetMatch(request, metadata=player.key)
        assert answer.WhichOneof("view") == "seat"
        return answer.seat

    async def version(self, match_id: str) -> int:
        """The version at which a match stands."""
        return (await self.public_view(match_id)).version

    def observe(
        self,
        match_id: str,
        from_sequence: int | None = None,
        *,
        key: Metadata = (),
        heartbeat_s: float = 0,
    ) -> Observing:
        """Open a stream of a match."""
        request = streams_pb2.ObserveMatchRequest(match_id=match_id, from_sequence=from_sequence)
        if heartbeat_s:
            request.heartbeat.FromMicroseconds(round(heartbeat_s * 1e6))
        return self.call.ObserveMatch(request, metadata=key, timeout=60)

    async def started(
        self, rule_set_id: str = "muggins", seats: int = 2, **options: Field
    ) -> tuple[Table, list[Player]]:
        """A match in play among players, one in each seat."""
        table = await self.create(rule_set_id, seats, starts_when_full=True, **options)
        return table, [await self.join(table.match_id, name=f"P{i}") for i in range(seats)]


def fact_of(event: events_pb2.Event) -> str:
    """The kind of an event, as in "tile_played"."""
    return event.WhichOneof("fact") or ""


async def events_of(
    call: AsyncIterable[streams_pb2.ObserveMatchResponse],
) -> list[events_pb2.Event]:
    """All events of a stream up to its end."""
    return [event async for frame in call for event in frame.events.events]


@asynccontextmanager
async def running(config: Config = SETTINGS, **settings: Field) -> AsyncIterator[Service]:
    """A server that listens while the context lasts."""
    app = App(replace(config, **settings))
    await app.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{app.port}") as channel:
            yield Service(app, channel)
    finally:
        await app.stop()
