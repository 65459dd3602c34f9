"""Nothing that any rpc answers depends on a tile that its caller has not seen."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterator
from random import Random
from typing import Any

import grpc
import pytest
import pytest_asyncio
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from muggins.v1 import (
    events_pb2,
    lobby_pb2,
    moves_pb2,
    streams_pb2,
    tiles_pb2,
)
from muggins_rules import preset
from muggins_rules.events import LotDrawn
from muggins_rules.tiles import tiles_of_mask
from tests.service.injected import MATCH_ID, START_US, History, inject, played_history, swapped
from tests.service.server import (
    Metadata,
    Service,
    fact_of,
    running,
    seat_key,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECRETS = [bytes([seat + 1]) * 32 for seat in range(4)]
LATER_US = START_US + 3_600_000_000

CASES = [
    ("muggins", 2, False),
    ("all_fives", 2, True),
    ("five_up", 3, False),
    ("sniff", 4, True),
    ("latin_american", 4, False),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pair() -> AsyncIterator[tuple[Service, Service]]:
    """Two servers whose clocks stand still."""
    async with running() as one, running() as two:
        for service in (one, two):
            service.app.engine.now_us = lambda: LATER_US
            service.app.turns.close()
            service.app.hints.level = "greedy_plus"
        yield one, two


async def _frames(call: grpc.aio.UnaryStreamCall[Any, Any], number: int) -> list[bytes]:
    """The first frames of a stream as bytes."""
    frames = []
    for _ in range(number):
        frame = await asyncio.wait_for(call.read(), 10)
        assert isinstance(frame, Message)
        frames.append(frame.SerializeToString(deterministic=True))
    call.cancel()
    return frames


async def _refused(call: Awaitable[Message]) -> list[bytes]:
    """Everything that a refused call told, and its trailing metadata."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    error = caught.value
    trailing = [(key, value) for key, value in error.trailing_metadata() or ()]
    return [repr((error.code(), error.details(), trailing)).encode()]


async def _answered(call: Awaitable[Message]) -> list[bytes]:
    """An answer, or everything that a refused call told."""
    try:
        return [(await call).SerializeToString(deterministic=True)]
    except grpc.aio.AioRpcError as error:
        trailing = [(key, value) for key, value in error.trailing_metadata() or ()]
        return [repr((error.code(), error.details(), trailing)).encode()]


async def _quiet(service: Service) -> None:
    """Wait until the server has noticed that every stream was cancelled."""
    slot = service.app.registry.get(MATCH_ID)
    while slot.outboxes:  # noqa: ASYNC110 - the server has no event for it
        await asyncio.sleep(0.005)


async def _told(service: Service, viewer: int | None) -> dict[str, list[bytes]]:
    """Everything that a viewer can get by any rpc that changes nothing, and hints after it."""
    call = service.call
    key: Metadata = () if viewer is None else seat_key(SECRETS[viewer])
    match: dict[str, Any] = {"match_id": MATCH_ID}
    got: dict[str, list[bytes]] = {}
    got["get"] = [
        (await call.GetMatch(lobby_pb2.GetMatchRequest(**match), metadata=key)).SerializeToString(
            deterministic=True
        )
    ]
    for name, after in (("snapshot", None), ("history", 0), ("rest", 9), ("gap", 10_000)):
        got[name] = await _frames(service.observe(MATCH_ID, after, key=key), 1)
    beating = service.observe(MATCH_ID, key=key, heartbeat_s=0.2)
    got["heartbeat"] = await _frames(beating, 2)
    await _quiet(service)
    got["list"] = [
        (await call.ListMatches(lobby_pb2.ListMatchesRequest(), metadata=key)).SerializeToString(
            deterministic=True
        )
    ]
    got["lobby"] = await _frames(call.WatchMatches(lobby_pb2.WatchMatchesRequest()), 1)
    got["export"] = await _refused(
        call.ExportMatch(moves_pb2.ExportMatchRequest(**match), metadata=key)
    )
    stale = moves_pb2.DrawTileRequest(**match, expected_version=1)
    got["stale"] = await _refused(call.DrawTile(stale, metadata=key))
    for tile in (tiles_pb2.Tile(low=7, high=7), *_all_tiles()):
        if viewer is not None and service.app.registry.get(MATCH_ID).table.seat_to_act == viewer:
            break
        play = moves_pb2.PlayTileRequest(**match, placement=tiles_pb2.Placement(tile=tile))
        got[f"play {tile.low}-{tile.high}"] = await _refused(call.PlayTile(play, metadata=key))
    if viewer is not None:
        join = lobby_pb2.JoinMatchRequest(**match, seat_secret=SECRETS[viewer])
        got["join"] = [(await call.JoinMatch(join)).SerializeToString(deterministic=True)]
        playing = call.PlayMatch(metadata=key)
        attach = streams_pb2.Attach(match_id=MATCH_ID, from_sequence=0)
        await playing.write(streams_pb2.PlayMatchRequest(attach=attach))
        frame = await playing.read()
        assert isinstance(frame, Message)
        got["play"] = [frame.SerializeToString(deterministic=True)]
        playing.cancel()
    for step in (events_pb2.HINT_STEP_IDEA, events_pb2.HINT_STEP_TILE, events_pb2.HINT_STEP_PLACE):
        hint = moves_pb2.GetHintRequest(**match, step=step)
        got[f"hint {step}"] = await _answered(call.GetHint(hint, metadata=key))
    return got


def _all_tiles() -> list[tiles_pb2.Tile]:
    return [tiles_pb2.Tile(low=low, high=high) for low in range(7) for high in range(low, 7)]


def _histories(name: str, seats: int, *, calling: bool) -> Iterator[tuple[History, int]]:
    """Rounds in play, at several stages."""
    for number, moves in enumerate((3, 9, 16)):
        random = Random(f"{name}{seats}{number}")
        yield played_history(preset(name, calling=calling), seats, moves, random), number


@pytest.mark.parametrize(("name", "seats", "calling"), CASES)
async def test_no_answer_changes_when_the_unseen_tiles_are_swapped(
    pair: tuple[Service, Service], name: str, seats: int, *, calling: bool
) -> None:
    compared = hinted = 0
    for history, number in _histories(name, seats, calling=calling):
        for viewer in (None, *range(min(seats, 3))):
            other = swapped(history, viewer, Random(number))
            if other is None:
                continue
            assert other.chance.deck != history.chance.deck
            for service, dealt in zip(pair, (history, other), strict=True):
                inject(service, dealt, SECRETS[:seats])
            told = await asyncio.gather(*(_told(service, viewer) for service in pair))
            hinted += not told[0]["hint 3"][0].startswith(b"(")
            for service in pair:
                service.app.engine.forget(service.app.registry.get(MATCH_ID))
            assert told[0] == told[1]
            compared += 1
    assert 4 <= compared
    assert hinted


def _tiles_in(message: Message) -> Iterator[tuple[int, int]]:
    """Every tile that is anywhere in a message, which has no field that nobody knows."""
    assert 0 == len(UnknownFieldSet(message))
    if isinstance(message, tiles_pb2.Tile):
        yield message.low, message.high
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None or descriptor.message_type.GetOptions().map_entry:
            continue
        parts = value if not isinstance(value, Message) else [value]
        for part in parts:
            yield from _tiles_in(part)


@pytest.mark.parametrize(("name", "seats", "calling"), CASES)
async def test_no_message_names_a_tile_that_its_viewer_has_not_seen(
    pair: tuple[Service, Service], name: str, seats: int, *, calling: bool
) -> None:
    service = pair[0]
    for history, _ in _histories(name, seats, calling=calling):
        inject(service, history, SECRETS[:seats])
        state = history.state.table
        assert state is not None
        laid = {placement.tile for placement in state.layout.placements}
        lot = {event.tile for event in history.opening if isinstance(event, LotDrawn)}
        for viewer in (None, *range(seats)):
            hand = set() if viewer is None else set(tiles_of_mask(state.hands[viewer]))
            key: Metadata = () if viewer is None else seat_key(SECRETS[viewer])
            request = lobby_pb2.GetMatchRequest(match_id=MATCH_ID)
            messages: list[Message] = [await service.call.GetMatch(request, metadata=key)]
            call = service.observe(MATCH_ID, 0, key=key)
            messages.append(_message(await call.read()))
            call.cancel()
            call = service.observe(MATCH_ID, key=key)
            messages.append(_message(await call.read()))
            call.cancel()
            for message in messages:
                assert set(_tiles_in(message)) <= laid | hand | lot
        service.app.engine.forget(service.app.registry.get(MATCH_ID))


def _message(frame: object) -> Message:
    assert isinstance(frame, Message)
    return frame


async def test_another_players_draws_are_counted_and_not_named(
    pair: tuple[Service, Service],
) -> None:
    service = pair[0]
    history = next(
        found
        for number in range(50)
        for found in [played_history(preset("muggins"), 2, 14, Random(number))]
        if any(kind_of(event) == "TileDrawn" for part in found.events for event in part)
    )
    inject(service, history, SECRETS[:2])
    for viewer in (None, 0, 1):
        key: Metadata = () if viewer is None else seat_key(SECRETS[viewer])
        call = service.observe(MATCH_ID, 0, key=key)
        frame = await call.read()
        call.cancel()
        assert isinstance(frame, streams_pb2.ObserveMatchResponse)
        for event in frame.events.events:
            if fact_of(event) == "tile_drawn":
                assert (event.tile_drawn.seat == viewer) == event.tile_drawn.HasField("tile")
    service.app.engine.forget(service.app.registry.get(MATCH_ID))


def kind_of(event: object) -> str:
    """The name of a fact of the rules."""
    return type(event).__name__
