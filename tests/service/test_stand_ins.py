"""Seats that their players leave or let wait, and opponents whose worker dies."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from muggins.v1 import events_pb2, lobby_pb2
from muggins_rules import Claim
from muggins_rules.fair_deal import commit_nonce
from tests.service.finished import play_first
from tests.service.game import Game
from tests.service.server import (
    Player,
    Service,
    events_of,
    fact_of,
    new_id,
    new_secret,
    refusal,
    running,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOVES = {"tile_played", "tile_drawn", "seat_passed"}


async def _leave(service: Service, player: Player) -> list[events_pb2.Event]:
    request = lobby_pb2.LeaveMatchRequest(match_id=player.match_id, request_id=new_id())
    answer = await service.call.LeaveMatch(request, metadata=player.key)
    return list(answer.events)


async def _moves(
    service: Service, match_id: str, after: int
) -> AsyncIterator[tuple[int, events_pb2.Event]]:
    """The moves of a match after a version, by seat."""
    call = service.observe(match_id, after)
    async for frame in call:
        for event in frame.events.events:
            if fact_of(event) in MOVES:
                yield getattr(event, fact_of(event)).seat, event
    call.cancel()


async def test_a_stand_in_plays_on_for_a_seat_that_is_left_and_is_marked(
    service: Service,
) -> None:
    table, (player, other) = await service.started("muggins", 2, seed=b"1" * 32)
    left = await _leave(service, player)
    changed = next(event.takeover_changed for event in left if fact_of(event) == "takeover_changed")
    assert (player.seat, True, "greedy_plus") == (changed.seat, changed.bot_plays, changed.level)
    view = await service.public_view(table.match_id)
    assert view.seats[player.seat].bot_plays
    assert "greedy_plus" == view.seats[player.seat].level
    if view.seat_to_act == other.seat:
        await play_first(service, other)
    async for seat, event in _moves(service, table.match_id, left[-1].sequence):
        if seat == player.seat:
            assert events_pb2.CAUSE_TAKEOVER == event.cause
            assert event.engine.startswith("greedy_plus-")
            break


async def test_a_player_who_comes_back_has_the_seat_again(service: Service) -> None:
    table, (player, _) = await service.started("muggins", 2, seed=b"2" * 32)
    await _leave(service, player)
    back = await service.join(table.match_id, seat_secret=player.secret)
    assert player.seat == back.seat
    assert ["takeover_changed"] == [fact_of(event) for event in back.joined.events]
    assert not back.joined.events[0].takeover_changed.bot_plays
    assert not (await service.public_view(table.match_id)).seats[player.seat].bot_plays


async def test_a_player_who_acts_has_the_seat_again() -> None:
    async with running(claim_minimum_s=20.0, claim_window_s=60.0) as service:
        game = await Game.start(service, "muggins", 2, b"3" * 32, calling=True)
        mover = game.mirror.turn
        await game.act_on_turn(game.mirror.legal()[0])
        await _leave(service, game.players[mover])
        assert (await service.public_view(game.match_id)).seats[mover].bot_plays
        answer = await game.send(Claim(0), key=game.players[mover].key)
        assert ["takeover_changed", "points_claimed"] == [fact_of(event) for event in answer.events]
        assert not (await service.public_view(game.match_id)).seats[mover].bot_plays


async def test_a_match_that_everybody_left_is_played_to_its_end(service: Service) -> None:
    table, players = await service.started("latin_american", 4)
    for player in players:
        await _leave(service, player)
    events = await events_of(service.observe(table.match_id, 0))
    ended = events[-1].match_ended
    assert events_pb2.MATCH_END_REASON_TARGET_REACHED == ended.reason
    counted = [0] * 4
    for event in events:
        if fact_of(event) in MOVES:
            assert events_pb2.CAUSE_TAKEOVER == event.cause
            counted[getattr(event, fact_of(event)).seat] += 1
    assert counted == list(ended.stand_in_moves)


async def test_a_seat_left_before_the_start_is_open_again(service: Service) -> None:
    table = await service.create("muggins", 2)
    player = await service.join(table.match_id)
    left = await _leave(service, player)
    assert ["seat_left"] == [fact_of(event) for event in left]
    told = await refusal(
        service.call.LeaveMatch(
            lobby_pb2.LeaveMatchRequest(match_id=table.match_id), metadata=player.key
        )
    )
    assert "BAD_SEAT_SECRET" == told.reason
    assert 0 == (await service.join(table.match_id, name="Bea")).seat


async def test_a_seat_left_while_nonces_are_revealed_is_kept_by_a_stand_in(
    service: Service,
) -> None:
    table = await service.create("muggins", 2)
    nonce = new_secret()
    player = await service.join(table.match_id, nonce_commitment=commit_nonce(nonce))
    other = await service.join(table.match_id)
    reveal = lobby_pb2.RevealNonceRequest(match_id=table.match_id, nonce=nonce)
    await service.call.RevealNonce(reveal, metadata=player.key)
    left = await _leave(service, other)
    assert ["takeover_changed"] == [fact_of(event) for event in left]
    await service.control(table, start={})
    assert 1 <= (await service.public_view(table.match_id)).round


async def test_a_turn_limit_acts_for_the_seat_and_says_so(service: Service) -> None:
    table, _ = await service.started("latin_american", 2, seed=b"5" * 32, turn_limit={"seconds": 1})
    view = await service.public_view(table.match_id)
    assert 0 < view.time_left.ToMicroseconds() <= 1_000_000
    turn = next(event.turn_started for event in view.round_events if event.HasField("turn_started"))
    assert 1_000_000 == turn.time_left.ToMicroseconds()
    async for seat, event in _moves(service, table.match_id, view.version):
        assert (turn.seat, events_pb2.CAUSE_TIMEOUT) == (seat, event.cause)
        assert turn.deadline.ToMicroseconds() <= event.time.ToMicroseconds()
        break


async def test_one_player_who_never_moves_does_not_stop_the_others(
    service: Service,
) -> None:
    fills = {1: "greedy", 2: "greedy", 3: "greedy"}
    table = await service.create(
        "latin_american", 4, fills=fills, starts_when_full=True, turn_limit={"seconds": 1}
    )
    player = await service.join(table.match_id)
    causes = []
    async for seat, event in _moves(service, table.match_id, 0):
        if seat == player.seat:
            causes.append(event.cause)
            if len(causes) == 2:
                break
    assert [events_pb2.CAUSE_TIMEOUT] * 2 == causes
    await service.control(table, cancel={})
    ended = (await service.public_view(table.match_id)).ended
    assert 2 <= ended.stand_in_moves[player.seat]
    assert [0, 0, 0] == list(ended.stand_in_moves[1:])


async def test_dead_workers_are_replaced_and_every_match_goes_on() -> None:
    """A decision whose worker died is made once more; one whose second worker died falls back."""
    async with running() as service:
        pool = service.app.pool
        table = await service.create(
            "muggins", 2, fills={0: "greedy", 1: "greedy"}, starts_when_full=True
        )
        causes, kills = [], 0
        async for _, event in _moves(service, table.match_id, 0):
            if kills < 6:
                for pid in pool.pids:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                kills += 1
            causes.append(event.cause)
            if kills == 6 and causes[-3:] == [events_pb2.CAUSE_OPPONENT] * 3:
                break
        assert pool.counts.crashed
        assert set(causes) <= {events_pb2.CAUSE_FALLBACK, events_pb2.CAUSE_OPPONENT}
