"""Points that have to be claimed and may be called, by people and by opponents."""

import asyncio

import grpc
import pytest

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2, tiles_pb2
from muggins_rules import Call, Claim, Draw, Place
from tests.service.game import Game
from tests.service.server import SETTINGS, Player, Service, fact_of, new_id, refusal

pytestmark = pytest.mark.asyncio(loop_scope="module")

MINIMUM_S = SETTINGS.claim_minimum_s


async def _scoring(
    service: Service, seats: int = 2, *, scores: bool = True, least: int = 0
) -> tuple[Game, Place, int]:
    """A match whose first placement can score (or cannot), the placement and its points."""
    for number in range(60):
        game = await Game.start(service, "all_fives_us", seats, bytes([number]) * 32, calling=True)
        for action in game.mirror.legal():
            assert isinstance(action, Place)
            points = game.mirror.points_of(action)
            if bool(points) == scores and least <= points:
                return game, action, points
    raise AssertionError("no seed gives such a hand")


async def _next_event(service: Service, game: Game, wanted: str) -> events_pb2.Event:
    """The next event of a kind after what the game knows."""
    call = service.observe(game.match_id, game.version)
    async for frame in call:
        for event in frame.events.events:
            if fact_of(event) == wanted:
                call.cancel()
                return event
    raise AssertionError("the stream has ended")


def _credits(event: events_pb2.Event) -> list[tuple[int, int, bool]]:
    closed = event.claim_window_closed
    return [(credit.seat, credit.points, credit.called) for credit in closed.credits]


async def test_a_placement_tells_no_count_while_its_window_is_open(service: Service) -> None:
    game, action, points = await _scoring(service)
    mover = game.mirror.turn
    answer = await game.act_on_turn(action)
    played = answer.events[0].tile_played
    assert not played.HasField("count")
    assert not played.scores
    window_us = (
        played.claim_window_closes_at.ToMicroseconds() - answer.events[0].time.ToMicroseconds()
    )
    assert round(SETTINGS.claim_window_s * 1e6) == window_us
    views = [await service.seat_view(player) for player in game.players]
    assert not views[0].table.HasField("count")
    assert [0, 0] == list(views[0].table.scores)
    assert not any(legal.HasField("outcome") for view in views for legal in view.legal_actions)
    windows = [view.claim_window for view in views]
    assert {answer.events[0].sequence} == {window.placement_sequence for window in windows}
    assert [seat == mover for seat in (0, 1)] == [window.may_claim for window in windows]
    assert [seat != mover for seat in (0, 1)] == [window.may_call for window in windows]
    closed = await _next_event(service, game, "claim_window_closed")
    assert points == closed.claim_window_closed.count.points
    assert not (await service.seat_view(game.players[0])).HasField("claim_window")


async def test_a_claim_with_the_placement_is_credited_to_its_mover(service: Service) -> None:
    game, action, points = await _scoring(service)
    mover = game.mirror.turn
    answer = await game.act_on_turn(Place(action.placement, points))
    assert ["tile_played", "points_claimed"] == [fact_of(event) for event in answer.events[:2]]
    assert points == answer.events[1].points_claimed.points
    closed = await _next_event(service, game, "claim_window_closed")
    assert [(mover, points, False)] == _credits(closed)
    assert points == closed.claim_window_closed.scores[mover]


async def test_a_claim_may_come_later_while_the_window_is_open(service: Service) -> None:
    game, action, points = await _scoring(service)
    mover = game.mirror.turn
    await game.act_on_turn(action)
    await game.act(mover, Claim(points))
    closed = await _next_event(service, game, "claim_window_closed")
    assert [(mover, points, False)] == _credits(closed)


async def test_a_stand_in_claims_for_a_player_who_left_in_its_window(service: Service) -> None:
    game, action, points = await _scoring(service)
    mover = game.mirror.turn
    await game.act_on_turn(action)
    leave = lobby_pb2.LeaveMatchRequest(match_id=game.match_id, request_id=new_id())
    await service.call.LeaveMatch(leave, metadata=game.players[mover].key)
    closed = await _next_event(service, game, "claim_window_closed")
    assert [(mover, points, False)] == _credits(closed)


async def test_points_that_nobody_claims_or_calls_are_lost(service: Service) -> None:
    game, action, points = await _scoring(service)
    await game.act_on_turn(action)
    closed = await _next_event(service, game, "claim_window_closed")
    assert [] == _credits(closed)
    assert points == closed.claim_window_closed.count.points
    assert {0} == set(closed.claim_window_closed.scores)
    assert events_pb2.CAUSE_UNSPECIFIED == closed.cause


async def test_the_window_closes_also_where_nothing_scored(service: Service) -> None:
    game, action, _ = await _scoring(service, scores=False)
    await game.act_on_turn(action)
    closed = await _next_event(service, game, "claim_window_closed")
    assert 0 == closed.claim_window_closed.count.points


async def test_forgotten_points_go_to_the_player_who_calls(service: Service) -> None:
    game, action, points = await _scoring(service)
    caller = 1 - game.mirror.turn
    await game.act_on_turn(action)
    answer = await game.act(caller, Call(1))
    called = answer.events[0].muggins_called
    assert (caller, game.placement_sequence, 1) == (
        called.seat,
        called.placement_sequence,
        called.number,
    )
    closed = await _next_event(service, game, "claim_window_closed")
    assert [(caller, points, True)] == _credits(closed)


async def test_too_small_a_claim_leaves_the_rest_to_a_call(service: Service) -> None:
    game, action, points = await _scoring(service, least=10)
    mover = game.mirror.turn
    await game.act_on_turn(Place(action.placement, 5))
    await game.act(1 - mover, Call(1))
    closed = await _next_event(service, game, "claim_window_closed")
    assert [(mover, 5, False), (1 - mover, points - 5, True)] == _credits(closed)


async def test_too_large_a_claim_earns_nothing_and_leaves_all_to_a_call(service: Service) -> None:
    game, action, points = await _scoring(service)
    mover = game.mirror.turn
    await game.act_on_turn(Place(action.placement, points + 5))
    await game.act(1 - mover, Call(1))
    closed = await _next_event(service, game, "claim_window_closed")
    assert [(1 - mover, points, True)] == _credits(closed)


async def test_a_call_where_nothing_is_open_is_accepted_and_earns_nothing(
    service: Service,
) -> None:
    game, action, points = await _scoring(service)
    mover = game.mirror.turn
    await game.act_on_turn(Place(action.placement, points))
    await game.act(1 - mover, Call(1))
    closed = await _next_event(service, game, "claim_window_closed")
    assert [(mover, points, False)] == _credits(closed)


async def test_the_next_seat_waits_for_the_minimum_time_and_then_closes_the_window(
    service: Service,
) -> None:
    game, action, _ = await _scoring(service)
    await game.act_on_turn(action)
    following = game.mirror.legal()[0]
    key = game.players[game.mirror.turn].key
    told = await refusal(game.send(following, key=key))
    expected = ("CLAIM_WINDOW_OPEN", grpc.StatusCode.FAILED_PRECONDITION, {"seconds": "1"})
    assert expected == (told.reason, told.code, told.metadata)
    assert "1\N{NO-BREAK SPACE}s" in told.sentence
    await asyncio.sleep(MINIMUM_S)
    answer = await game.act_on_turn(following)
    assert "claim_window_closed" == fact_of(answer.events[0])


async def test_claims_and_calls_are_refused_by_name_while_a_window_is_open(
    service: Service,
) -> None:
    game, action, points = await _scoring(service, seats=4)
    mover = game.mirror.turn
    keys = [player.key for player in game.players]
    other, partner = (mover + 1) % 4, (mover + 2) % 4
    await game.act_on_turn(action)
    assert "NOT_THE_MOVER" == (await refusal(game.send(Claim(5), key=keys[other]))).reason
    assert "CANNOT_CALL_OWN_SIDE" == (await refusal(game.send(Call(1), key=keys[mover]))).reason
    assert "CANNOT_CALL_OWN_SIDE" == (await refusal(game.send(Call(1), key=keys[partner]))).reason
    wrong = await refusal(game.send(Call(1), key=keys[other], sequence=1))
    assert "WRONG_PLACEMENT" == wrong.reason
    await game.act(mover, Claim(points))
    assert "ALREADY_CLAIMED" == (await refusal(game.send(Claim(5), key=keys[mover]))).reason
    assert "NOT_YOUR_TURN" == (await refusal(game.send(Draw(), key=keys[partner]))).reason
    assert game.version == await service.version(game.match_id)


async def test_claims_and_calls_are_refused_when_no_window_is_open(service: Service) -> None:
    game, action, _ = await _scoring(service)
    mover = game.mirror.turn
    await game.act_on_turn(action)
    await _next_event(service, game, "claim_window_closed")
    claim = await refusal(game.send(Claim(5), key=game.players[mover].key))
    call = await refusal(game.send(Call(1), key=game.players[1 - mover].key))
    assert ["NO_CLAIM_WINDOW", "NO_CLAIM_WINDOW"] == [claim.reason, call.reason]


async def test_calling_the_sequence_zero_names_no_placement(service: Service) -> None:
    game, action, _ = await _scoring(service)
    mover = game.mirror.turn
    await game.act_on_turn(action)
    told = await refusal(game.send(Call(1), key=game.players[1 - mover].key, sequence=0))
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT


async def _scoring_against_an_opponent(service: Service) -> tuple[Player, tiles_pb2.Placement]:
    """A player on turn against an opponent, and a first placement that scores."""
    for number in range(60):
        table = await service.create(
            "all_fives_us",
            2,
            calling=True,
            fills={1: "greedy"},
            seed=bytes([number, 1]) * 16,
            starts_when_full=True,
        )
        player = await service.join(table.match_id)
        for legal in player.joined.view.legal_actions:
            if _sole_points(legal.action.place):
                return player, legal.action.place
    raise AssertionError("no seed gives such a hand")


async def test_an_opponent_calls_what_a_person_forgot(service: Service) -> None:
    player, placement = await _scoring_against_an_opponent(service)
    request = moves_pb2.PlayTileRequest(
        match_id=player.match_id, request_id=new_id(), placement=placement
    )
    answer = await service.call.PlayTile(request, metadata=player.key)
    events: dict[str, events_pb2.Event] = {}
    call = service.observe(player.match_id, answer.version)
    async for frame in call:
        events |= {fact_of(event): event for event in frame.events.events}
        if "tile_played" in events or "tile_drawn" in events:
            break
    call.cancel()
    called = events["muggins_called"]
    assert (1, events_pb2.CAUSE_OPPONENT) == (called.muggins_called.seat, called.cause)
    assert called.engine.startswith("greedy-")
    points = _sole_points(placement)
    assert [(1, points, True)] == _credits(events["claim_window_closed"])


def _sole_points(placement: tiles_pb2.Placement) -> int:
    """What a placement on an empty table is worth."""
    pips = placement.tile.low + placement.tile.high
    return pips if pips % 5 == 0 and not placement.HasField("at") else 0


async def test_opponents_claim_with_their_placements(service: Service) -> None:
    table = await service.create(
        "latin_american",
        2,
        calling=True,
        fills={0: "greedy", 1: "greedy_plus"},
        starts_when_full=True,
    )
    claimed = 0
    async for frame in service.observe(table.match_id, 0):
        for event in frame.events.events:
            if event.HasField("points_claimed"):
                assert events_pb2.CAUSE_OPPONENT == event.cause
                claimed += event.points_claimed.points
            if event.HasField("claim_window_closed"):
                assert not any(credit.called for credit in event.claim_window_closed.credits)
    assert claimed
