"""A server that was killed and started again on its file: every match goes on where it was."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2, streams_pb2
from muggins_rules import Draw, Place
from tests.service.game import Game
from tests.service.mirror import placement_message
from tests.service.process import serving
from tests.service.server import (
    CALL_S,
    Metadata,
    Service,
    fact_of,
    new_id,
    new_secret,
    refusal,
    refused_by,
    seat_key,
)

SEED = b"\x05" * 32

M = TypeVar("M", bound=Message)


@asynccontextmanager
async def on_file(path: Path, *arguments: str) -> AsyncIterator[Service]:
    """A server process on a store's file; it is killed at the end, not stopped."""
    flags = ("--store", str(path), "--test-seeds", "--nonce-wait-s", "0.3", *arguments)
    async with serving(*flags) as server, server.channel() as channel:
        yield Service(None, channel)  # type: ignore[arg-type]  # nothing of the inside is used
        server.process.kill()
        await server.ended()


def again(service: Service, game: Game) -> Game:
    """The same game at another server."""
    moved = Game(service, game.table, game.players, game.mirror)
    moved.version, moved.placement_sequence = game.version, game.placement_sequence
    return moved


def play_request(game: Game) -> moves_pb2.PlayTileRequest:
    action = next(action for action in game.mirror.legal() if isinstance(action, Place))
    return moves_pb2.PlayTileRequest(
        match_id=game.match_id,
        request_id=new_id(),
        placement=placement_message(action.placement),
    )


def copied(message: M) -> M:
    """Another message of the same content."""
    return type(message).FromString(message.SerializeToString())


async def hinted(
    service: Service, ask: moves_pb2.GetHintRequest, key: Metadata
) -> moves_pb2.GetHintResponse:
    """The hint, as soon as the workers of a cold server are there."""
    for _ in range(60):
        with suppress(grpc.aio.AioRpcError):
            return await service.call.GetHint(ask, metadata=key, timeout=CALL_S)
        await asyncio.sleep(1)
    raise AssertionError("no hint within a minute")


async def moves(game: Game, count: int) -> None:
    for _ in range(count):
        action = game.mirror.legal()[0]
        await game.act_on_turn(Draw() if isinstance(action, Draw) else action)


async def test_a_match_goes_on_with_its_seats_and_sequences(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with on_file(path) as service:
        game = await Game.start(service, "all_fives", 2, SEED)
        await moves(game, 9)
        views = [await service.seat_view(player) for player in game.players]
    async with on_file(path) as service:
        for view, player in zip(views, game.players, strict=True):
            now = await service.seat_view(player)
            for seen in (view, now):
                for seat in seen.table.seats:
                    seat.ClearField("since")
            assert view == now
        game = again(service, game)
        while not game.over:
            await moves(game, 1)
        asked = lobby_pb2.GetMatchRequest(match_id=game.match_id)
        told = await refusal(service.call.GetMatch(asked, metadata=seat_key(new_secret())))
        assert "BAD_SEAT_SECRET" == told.reason
        export = await service.call.ExportMatch(
            moves_pb2.ExportMatchRequest(match_id=game.match_id)
        )
    sequences = [event.sequence for record in export.record.records for event in record.events]
    assert list(range(1, len(sequences) + 1)) == sequences


async def test_retries_get_their_first_answers(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    host, secret = new_secret(), new_secret()
    create = lobby_pb2.CreateMatchRequest(
        request_id=new_id(),
        preset=lobby_pb2.PresetChoice(rule_set_id="muggins"),
        seats=2,
        host_secret=host,
        options=events_pb2.MatchOptions(private=True),
    )
    find = lobby_pb2.FindMatchRequest(
        request_id=new_id(),
        preset=lobby_pb2.PresetChoice(rule_set_id="five_up"),
        seats=2,
        name="Ana",
        seat_secret=secret,
        host_secret=host,
    )
    async with on_file(path) as service:
        created = await service.call.CreateMatch(create, timeout=CALL_S)
        join = lobby_pb2.JoinMatchRequest(
            match_id=created.match_id,
            request_id=new_id(),
            name="Bia",
            seat_secret=secret,
            invite_code=created.invite_code,
        )
        joined = await service.call.JoinMatch(join, timeout=CALL_S)
        found = await service.call.FindMatch(find, timeout=CALL_S)
        game = await Game.start(service, "muggins", 2, SEED)
        play, key = play_request(game), game.players[game.mirror.turn].key
        played = await service.call.PlayTile(play, metadata=key, timeout=CALL_S)
    for _ in range(2):
        async with on_file(path) as service:
            assert created == await service.call.CreateMatch(create, timeout=CALL_S)
            again_found = await service.call.FindMatch(find, timeout=CALL_S)
            assert (found.match_id, found.seat, True) == (
                again_found.match_id,
                again_found.seat,
                again_found.created,
            )
            again_joined = await service.call.JoinMatch(join, timeout=CALL_S)
            assert (joined.version, joined.seat) == (again_joined.version, again_joined.seat)
            assert joined.events == again_joined.events
            assert joined.view.hand == again_joined.view.hand
            again_played = await service.call.PlayTile(play, metadata=key, timeout=CALL_S)
            assert played == again_played
            assert played.version == await service.version(game.match_id)
            other_create, other_find = copied(create), copied(find)
            other_create.seats = other_find.seats = 3
            told = await refusal(service.call.CreateMatch(other_create, timeout=CALL_S))
            assert "REQUEST_ID_REUSED" == told.reason
            told = await refusal(service.call.FindMatch(other_find, timeout=CALL_S))
            assert "REQUEST_ID_REUSED" == told.reason
            changed = copied(play)
            changed.placement.tile.low, changed.placement.tile.high = 0, 0
            told = await refusal(service.call.PlayTile(changed, metadata=key, timeout=CALL_S))
            assert "REQUEST_ID_REUSED" == told.reason


async def test_a_hint_and_a_rematch_are_told_again(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with on_file(path) as service:
        game = await Game.start(service, "muggins", 2, SEED, hints=True)
        key = game.players[game.mirror.turn].key
        ask = moves_pb2.GetHintRequest(
            match_id=game.match_id, request_id=new_id(), step=events_pb2.HINT_STEP_PLACE
        )
        hint = await hinted(service, ask, key)
        assert hint.hint.HasField("action")
        await service.control(game.table, cancel=lobby_pb2.CancelMatch())
        rematch = lobby_pb2.ControlMatchRequest(
            match_id=game.match_id, request_id=new_id(), rematch=lobby_pb2.Rematch()
        )
        made = await service.call.ControlMatch(rematch, metadata=game.table.host, timeout=CALL_S)
    async with on_file(path) as service:
        assert hint == await service.call.GetHint(ask, metadata=key, timeout=CALL_S)
        told = await service.call.ControlMatch(rematch, metadata=game.table.host, timeout=CALL_S)
        assert made == told
        assert 2 == len((await service.public_view(made.rematch_id)).seats)


async def test_opponents_go_on_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with on_file(path) as service:
        table = await service.create(
            "all_fives_us",
            2,
            fills={0: "greedy", 1: "regular"},
            starts_when_full=True,
            opponent_pace=2,  # human: some time is left for the server to be killed in
        )
        async for frame in service.observe(table.match_id):
            if any(fact_of(event) == "tile_played" for event in frame.events.events):
                break
        version = await service.version(table.match_id)
    async with on_file(path) as service:
        moved = await events_until(service, table.match_id, version, "tile_played")
        assert version < moved[-1].sequence


async def events_until(
    service: Service, match_id: str, version: int, until: str
) -> list[events_pb2.Event]:
    """The events after a version, up to the first of a kind."""
    found = []
    async for frame in service.observe(match_id, version):
        for event in frame.events.events:
            found.append(event)
            if fact_of(event) == until:
                return found
    raise AssertionError(f"the stream ended without {until}")


async def test_a_time_limit_goes_on_after_a_grace(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with on_file(path) as service:
        table, _ = await service.started("muggins", 2, turn_limit={"seconds": 2})
        version = await service.version(table.match_id)
    await asyncio.sleep(2.2)
    async with on_file(path, "--restart-grace-s", "4") as service:
        begun = asyncio.get_running_loop().time()
        assert version == await service.version(table.match_id)
        events = await events_until(service, table.match_id, version, "tile_played")
        assert events_pb2.CAUSE_TIMEOUT == events[-1].cause
        assert asyncio.get_running_loop().time() - begun > 0.5


async def test_streams_resume_from_where_they_were(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with on_file(path) as service:
        game = await Game.start(service, "five_up", 3, SEED)
        await moves(game, 5)
        key = game.players[0].key
        frames = service.observe(game.match_id, 0, key=key)
        first = await anext(aiter(frames))
        assert list(range(1, game.version + 1)) == [e.sequence for e in first.events.events]
    async with on_file(path) as service:
        for version in range(game.version):
            resumed = await anext(aiter(service.observe(game.match_id, version, key=key)))
            assert list(first.events.events)[version:] == list(resumed.events.events)
        ahead = await anext(aiter(service.observe(game.match_id, game.version + 5, key=key)))
        assert ahead.snapshot.gap
        play_match = service.call.PlayMatch(metadata=key, timeout=CALL_S)
        await play_match.write(
            streams_pb2.PlayMatchRequest(attach=streams_pb2.Attach(match_id=game.match_id))
        )
        attached = await play_match.read()
        assert isinstance(attached, streams_pb2.PlayMatchResponse)
        assert attached.observe.snapshot.seat.table.version == game.version
        play_match.cancel()


async def test_the_lobby_and_found_tables_are_there_at_once(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    async with on_file(path) as service:
        opened = [await service.create("sniff", 2) for _ in range(5)]
        hidden = await service.create("sniff", 2, private=True)
        played, _ = await service.started("muggins", 2)
    async with on_file(path) as service:
        listed = await service.call.ListMatches(lobby_pb2.ListMatchesRequest(), timeout=CALL_S)
        assert {table.match_id for table in (*opened, played)} == {
            match.match_id for match in listed.matches
        }
        found = await service.call.FindMatch(
            lobby_pb2.FindMatchRequest(
                preset=lobby_pb2.PresetChoice(rule_set_id="sniff"),
                seats=2,
                name="Ana",
                seat_secret=new_secret(),
                host_secret=new_secret(),
            ),
            timeout=CALL_S,
        )
        assert opened[0].match_id == found.match_id
        player = await service.join(hidden.match_id, invite_code=hidden.created.invite_code)
        assert 0 == player.seat


async def test_finished_matches_are_kept_for_their_time_and_then_gone(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    ask = moves_pb2.ExportMatchRequest
    async with on_file(path) as service:
        table, _ = await service.started("muggins", 2)
        await service.control(table, cancel=lobby_pb2.CancelMatch())
        before = await service.call.ExportMatch(ask(match_id=table.match_id))
    async with on_file(path) as service:
        assert before == await service.call.ExportMatch(ask(match_id=table.match_id))
    short = ("--finished-lifetime-s", "0.1", "--restart-grace-s", "0.5")
    async with on_file(path, *short) as service:
        told = None
        while told is None:
            await asyncio.sleep(0.1)
            try:
                await service.call.ExportMatch(ask(match_id=table.match_id))
            except grpc.aio.AioRpcError as error:
                told = refused_by(error)
        assert "MATCH_NOT_FOUND" == told.reason
    async with on_file(path) as service:
        told = await refusal(service.call.ExportMatch(ask(match_id=table.match_id)))
        assert "MATCH_NOT_FOUND" == told.reason
