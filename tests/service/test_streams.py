"""Observing a match: where a stream begins, what it brings, and how it ends."""

import asyncio
from random import Random

import grpc
import pytest

from muggins.v1 import events_pb2, lobby_pb2, streams_pb2, views_pb2
from muggins_rules import Claim, Place
from tests.service.fold import Folded
from tests.service.game import Game
from tests.service.server import (
    Metadata,
    Observing,
    Service,
    events_of,
    fact_of,
    new_secret,
    refusal_of_stream,
    running,
    seat_key,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _moved(service: Service, seed: int, moves: int, name: str = "muggins") -> Game:
    """A match of two players some random moves from its beginning."""
    game = await Game.start(service, name, 2, bytes([seed]) * 32)
    random = Random(seed)
    for _ in range(moves):
        if game.over:
            break
        await game.act_on_turn(random.choice(game.mirror.legal()))
    return game


async def _take(call: Observing, version: int) -> list[events_pb2.Event]:
    """The events of a stream up to a version."""
    events: list[events_pb2.Event] = []
    while not events or events[-1].sequence < version:
        frame = await asyncio.wait_for(_read(call), 10)
        events += frame.events.events
    return events


async def _read(
    call: Observing,
) -> streams_pb2.ObserveMatchResponse:
    frame = await call.read()
    assert isinstance(frame, streams_pb2.ObserveMatchResponse), "the stream has ended"
    return frame


async def test_a_stream_without_a_sequence_begins_with_a_snapshot(service: Service) -> None:
    game = await _moved(service, 1, 6)
    for key, kind in (((), "table"), (game.players[1].key, "seat")):
        call = service.observe(game.match_id, key=key)
        frame = await _read(call)
        call.cancel()
        assert "snapshot" == frame.WhichOneof("frame")
        assert kind == frame.snapshot.WhichOneof("view")
        assert not frame.snapshot.gap


async def test_a_snapshot_is_what_a_reader_gets(service: Service) -> None:
    game = await _moved(service, 2, 6)
    call = service.observe(game.match_id)
    frame = await _read(call)
    call.cancel()
    assert frame.snapshot.table == await service.public_view(game.match_id)


@pytest.mark.parametrize("viewer", [None, 0, 1])
async def test_a_stream_can_begin_after_every_sequence(
    service: Service, viewer: int | None
) -> None:
    game = await _moved(service, 3, 12)
    key: Metadata = () if viewer is None else game.players[viewer].key
    call = service.observe(game.match_id, 0, key=key)
    whole = await _take(call, game.version)
    call.cancel()
    assert list(range(1, game.version + 1)) == [event.sequence for event in whole]
    for after in range(1, game.version):
        call = service.observe(game.match_id, after, key=key)
        assert whole[after:] == await _take(call, game.version)
        call.cancel()


async def test_all_viewers_are_told_of_the_same_kinds_of_events(service: Service) -> None:
    game = await _moved(service, 4, 30)
    told = []
    for key in ((), game.players[0].key, game.players[1].key):
        call = service.observe(game.match_id, 0, key=key)
        events = await _take(call, game.version)
        told.append([(event.sequence, fact_of(event), event.round) for event in events])
        call.cancel()
    assert told[0] == told[1] == told[2]


async def test_a_stream_beyond_the_version_begins_with_a_snapshot_marked_as_a_gap(
    service: Service,
) -> None:
    game = await _moved(service, 5, 3)
    call = service.observe(game.match_id, game.version + 1)
    frame = await _read(call)
    call.cancel()
    assert frame.snapshot.gap
    assert game.version == frame.snapshot.table.version


async def test_a_stream_from_the_current_version_waits_for_what_comes_next(
    service: Service,
) -> None:
    game = await _moved(service, 6, 3)
    call = service.observe(game.match_id, game.version)
    waiting = asyncio.ensure_future(_read(call))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    before = game.version
    await game.act_on_turn(game.mirror.legal()[0])
    frame = await waiting
    call.cancel()
    assert before + 1 == frame.events.events[0].sequence
    assert game.version == frame.events.events[-1].sequence


@pytest.mark.parametrize("calling", [False, True])
@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
async def test_events_folded_without_rules_are_the_view_at_every_version(
    service: Service, *, viewer: int | None, calling: bool
) -> None:
    random = Random(f"{viewer}")
    game = await Game.start(service, "all_fives_us", 3, random.randbytes(32), calling=calling)
    key: Metadata = () if viewer is None else game.players[viewer].key
    call = service.observe(game.match_id, 0, key=key)
    folded = Folded(viewer)
    moves = 0
    while not game.over and moves < (10 if calling else 60):
        for event in await _take(call, game.version):
            folded.take(event)
        seen: views_pb2.PublicView | views_pb2.SeatView
        if viewer is None:
            seen = await service.public_view(game.match_id)
        else:
            seen = await service.seat_view(game.players[viewer])
        folded.check(seen)
        moves += 1
        if calling and game.mirror.state.table and game.mirror.state.table.window:
            window = game.mirror.state.table.window
            if window.claimed is None and moves % 2:
                await game.act(window.mover, Claim(window.count.points))
                continue
            await asyncio.sleep(0.21)
        action = random.choice(game.mirror.legal())
        if calling and isinstance(action, Place) and moves % 3 == 0:
            action = Place(action.placement, 5)
        await game.act_on_turn(action)
    call.cancel()


async def test_the_legal_actions_come_with_the_events_that_give_a_seat_its_turn(
    service: Service,
) -> None:
    game = await _moved(service, 8, 0)
    calls = [service.observe(game.match_id, 0, key=player.key) for player in game.players]
    frames = [await _read(call) for call in calls]
    for seat, frame in enumerate(frames):
        view = await service.seat_view(game.players[seat])
        assert list(view.legal_actions) == list(frame.events.legal_actions)
        assert (seat == game.mirror.turn) == bool(frame.events.legal_actions)
        calls[seat].cancel()


async def test_heartbeats_tell_the_version_and_who_is_present(service: Service) -> None:
    game = await _moved(service, 9, 2)
    call = service.observe(game.match_id, game.version, heartbeat_s=0.2)
    beat = (await _read(call)).heartbeat
    assert game.version == beat.version
    assert [False, False] == [seat.present for seat in beat.presence]
    seated = service.observe(game.match_id, game.version, key=game.players[1].key)
    await asyncio.sleep(0.05)
    beat = (await _read(call)).heartbeat
    assert [False, True] == [seat.present for seat in beat.presence]
    since = beat.presence[1].since.ToMicroseconds()
    seated.cancel()
    while beat.presence[1].present:
        beat = (await _read(call)).heartbeat
    assert since < beat.presence[1].since.ToMicroseconds()
    call.cancel()


async def test_a_snapshot_after_coming_back_tells_who_is_present_and_since_when(
    service: Service,
) -> None:
    game = await _moved(service, 10, 2)
    seated = service.observe(game.match_id, key=game.players[0].key)
    first = (await _read(seated)).snapshot.seat.table.seats
    assert [True, False] == [seat.present for seat in first]
    assert all(seat.since.ToMicroseconds() > 0 for seat in first)
    seated.cancel()


async def test_after_the_last_event_the_stream_ends_with_ok(service: Service) -> None:
    table = await service.create(
        "latin_american", 4, fills=dict.fromkeys(range(4), "greedy"), starts_when_full=True
    )
    call = service.observe(table.match_id, 0)
    events = await events_of(call)
    assert "match_ended" == fact_of(events[-1])
    assert grpc.StatusCode.OK is await call.code()


async def test_a_stream_opened_after_the_end_brings_the_end_and_ok(service: Service) -> None:
    game = await _moved(service, 11, 3)
    ended = await service.control(game.table, cancel={})
    call = service.observe(game.match_id, game.version)
    events = await events_of(call)
    assert ended.version == events[-1].sequence
    assert events_pb2.MATCH_END_REASON_CANCELLED == events[-1].match_ended.reason
    assert grpc.StatusCode.OK is await call.code()


async def test_a_wrong_seat_secret_opens_no_stream(service: Service) -> None:
    game = await _moved(service, 12, 0)
    told = await refusal_of_stream(service.observe(game.match_id, key=seat_key(new_secret())))
    assert ("BAD_SEAT_SECRET", grpc.StatusCode.UNAUTHENTICATED) == (told.reason, told.code)


async def test_a_cancelled_stream_leaves_nothing_behind(service: Service) -> None:
    game = await _moved(service, 13, 0)
    slot = service.app.registry.get(game.match_id)
    calls = [
        service.observe(game.match_id, key=game.players[number % 2].key if number % 3 else ())
        for number in range(60)
    ]
    for call in calls:
        await _read(call)
    assert 60 == len(slot.outboxes)
    for call in calls:
        call.cancel()
    for _ in range(100):
        if not slot.outboxes:
            break
        await asyncio.sleep(0.02)
    assert not slot.outboxes
    view = await service.public_view(game.match_id)
    assert [False, False] == [seat.present for seat in view.seats]


async def test_observers_that_come_and_go_while_others_play_miss_nothing(
    service: Service,
) -> None:
    table = await service.create(
        "muggins", 2, fills={0: "greedy", 1: "greedy"}, starts_when_full=True
    )
    random = Random(14)

    async def watch() -> list[int]:
        """The sequences of all events, over many streams."""
        told: list[int] = []
        while True:
            call = service.observe(table.match_id, len(told))
            cut = random.randrange(1, 40)
            async for frame in call:
                told += [event.sequence for event in frame.events.events]
                over = any(event.HasField("match_ended") for event in frame.events.events)
                cut -= 1
                if over:
                    return told
                if cut == 0:
                    call.cancel()
                    break

    for told in await asyncio.gather(*(watch() for _ in range(20))):
        assert list(range(1, len(told) + 1)) == told


async def test_more_observers_than_a_match_may_have_are_refused_and_seats_are_not(
    service: Service,  # noqa: ARG001 - keeps one loop for the module
) -> None:
    async with running(observers_per_match=2) as small:
        table, players = await small.started("muggins", 2)
        seated = [small.observe(table.match_id, key=player.key) for player in players]
        calls = [small.observe(table.match_id) for _ in range(2)]
        for call in seated + calls:
            await _read(call)
        told = await refusal_of_stream(small.observe(table.match_id))
        expected = ("TOO_MANY_OBSERVERS", grpc.StatusCode.RESOURCE_EXHAUSTED)
        assert expected == (told.reason, told.code)
        assert told.retry_after_s
        again = small.observe(table.match_id, key=players[0].key)
        assert (await _read(again)).HasField("snapshot")
        for call in [*seated, *calls, again]:
            call.cancel()


async def test_a_stream_that_has_lasted_as_long_as_one_may_is_sent_a_go_away() -> None:
    async with running(stream_max_age_s=0.5) as service:
        game = await _moved(service, 21, 3)
        calls = [service.observe(game.match_id, key=key) for key in ((), game.players[0].key)]
        for call in calls:
            frames = [frame async for frame in call]
            assert streams_pb2.GO_AWAY_REASON_MAX_AGE == frames[-1].go_away.reason
            assert grpc.StatusCode.OK is await call.code()
        lobby = [
            frame async for frame in service.call.WatchMatches(lobby_pb2.WatchMatchesRequest())
        ]
        assert streams_pb2.GO_AWAY_REASON_MAX_AGE == lobby[-1].go_away.reason
