"""Playing, drawing and passing over gRPC, beside the same match by the rules alone."""

from random import Random

import pytest

from muggins.v1 import actions_pb2, events_pb2, lobby_pb2, moves_pb2, streams_pb2, views_pb2
from muggins_rules import PRESETS, Draw, Pass, Place
from muggins_rules.state import RoundState
from muggins_rules.turn import drawable, fitting
from tests.service.game import Game
from tests.service.mirror import action_message
from tests.service.server import Player, Service, fact_of, new_id

pytestmark = pytest.mark.asyncio(loop_scope="module")

GAMES = [(name, seats) for name, rules in PRESETS.items() for seats in rules.seat_counts]


async def _play_until(game: Game, wanted: type, random: Random) -> None:
    """Play at random until an action of a kind is the only one."""
    while not isinstance(game.mirror.legal()[0], wanted):
        await game.act_on_turn(random.choice(game.mirror.legal()))
        assert not game.over


@pytest.mark.parametrize(("name", "seats"), GAMES)
async def test_a_played_round_goes_as_the_rules_alone_say(
    service: Service, name: str, seats: int
) -> None:
    random = Random(f"{name}{seats}")
    game = await Game.start(service, name, seats, random.randbytes(32))
    first = game.mirror.state.round
    while not game.over and game.mirror.state.round == first:
        seat = game.mirror.turn
        view = await service.seat_view(game.players[seat])
        offered = [legal.action for legal in view.legal_actions]
        assert [action_message(action) for action in game.mirror.legal()] == offered
        assert [(tile.low, tile.high) for tile in view.hand] == list(game.mirror.hand(seat))
        action = random.choice(game.mirror.legal())
        answer = await game.act(seat, action)
        causes = {event.cause for event in answer.events if fact_of(event) == "tile_played"}
        assert causes <= {events_pb2.CAUSE_PLAYER}


async def test_what_a_legal_placement_would_count_is_what_it_then_counts(
    service: Service,
) -> None:
    random = Random(3)
    game = await Game.start(service, "all_fives", 2, b"1" * 32)
    for _ in range(12):
        view = await service.seat_view(game.players[game.mirror.turn])
        chosen = random.randrange(len(view.legal_actions))
        answer = await game.act_on_turn(game.mirror.legal()[chosen])
        played = [event.tile_played for event in answer.events if fact_of(event) == "tile_played"]
        if played:
            assert view.legal_actions[chosen].outcome == played[0].count


async def test_a_single_draw_takes_one_tile_which_the_drawer_alone_is_told(
    service: Service,
) -> None:
    game = await Game.start(service, "muggins", 2, b"2" * 32)
    await _play_until(game, Draw, Random(2))
    seat = game.mirror.turn
    before = len(game.mirror.hand(seat))
    answer = await game.act(seat, Draw())
    assert ["tile_drawn"] == [fact_of(event) for event in answer.events]
    assert answer.events[0].tile_drawn.HasField("tile")
    assert before + 1 == len(game.mirror.hand(seat))
    other = await service.seat_view(game.players[1 - seat])
    drawn = [event for event in other.round_events if fact_of(event) == "tile_drawn"]
    assert drawn
    assert not any(event.tile_drawn.HasField("tile") for event in drawn[-1:])


async def test_a_draw_until_one_fits_ends_with_the_first_tile_that_fits(service: Service) -> None:
    for number in range(20):
        game = await Game.start(service, "muggins", 2, bytes([number]) * 32)
        await _play_until(game, Draw, Random(number))
        seat = game.mirror.turn
        answer = await game.send(Draw(until_playable=True), key=game.players[seat].key)
        facts = [fact_of(event) for event in answer.events]
        if set(facts) == {"tile_drawn"}:
            view = await service.seat_view(game.players[seat])
            tiles = {legal.action.place.tile.SerializeToString() for legal in view.legal_actions}
            assert {answer.events[-1].tile_drawn.tile.SerializeToString()} == tiles
            return
    pytest.fail("no draw ended with a tile that fits")


async def test_a_draw_until_one_fits_passes_when_the_boneyard_gave_none(service: Service) -> None:
    for number in range(200):
        game = await Game.start(service, "all_fives", 2, bytes([number]) * 32)
        if await _draws_in_vain(game, Random(number)):
            return
    pytest.fail("no boneyard was drawn out in vain")


async def _draws_in_vain(game: Game, random: Random) -> bool:
    while not game.over and game.mirror.state.round == 1:
        state, seat = game.mirror.state, game.mirror.turn
        assert state.table is not None
        if isinstance(game.mirror.legal()[0], Draw):
            undrawn = sum(1 << code for code in state.table.boneyard)
            if not fitting(_with_hand(state.table, seat, undrawn), seat):
                key = game.players[seat].key
                answer = await game.send(Draw(until_playable=True), key=key)
                facts = [fact_of(event) for event in answer.events]
                count = drawable(state.rule_set, state.table)
                assert ["tile_drawn"] * count + ["seat_passed"] == facts[: count + 1]
                assert events_pb2.CAUSE_PLAYER == answer.events[count].cause
                assert facts[count + 1] in {"turn_started", "round_ended"}
                return True
        await game.act_on_turn(random.choice(game.mirror.legal()))
    return False


def _with_hand(table: RoundState, seat: int, mask: int) -> RoundState:
    hands = list(table.hands)
    hands[seat] = mask
    return table._replace(hands=tuple(hands), drawn=None)


async def test_a_pass_gives_the_turn_to_the_next_seat(service: Service) -> None:
    game = await Game.start(service, "latin_american", 4, b"5" * 32)
    await _play_until(game, Pass, Random(5))
    seat = game.mirror.turn
    answer = await game.act(seat, Pass())
    assert "seat_passed" == fact_of(answer.events[0])
    assert seat != game.mirror.turn


async def _set_options(service: Service, player: Player, **options: bool) -> int:
    request = lobby_pb2.SetSeatOptionsRequest(
        match_id=player.match_id,
        request_id=new_id(),
        options=events_pb2.SeatOptions(**options),
    )
    return (await service.call.SetSeatOptions(request, metadata=player.key)).version


async def test_a_seat_that_asked_for_it_draws_and_passes_by_itself(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"6" * 32)
    for player in game.players:
        await _set_options(service, player, draws_by_itself=True, passes_by_itself=True)
    random, done = Random(6), []
    for _ in range(60):
        views = [await service.seat_view(player) for player in game.players]
        acting = [view for view in views if view.legal_actions]
        if not acting:
            break
        action = random.choice(acting[0].legal_actions).action
        assert "place" == action.WhichOneof("action")
        done += await _place(service, game, acting[0], action)
    options = [event for event in done if event.cause == events_pb2.CAUSE_SEAT_OPTION]
    assert {"tile_drawn"} <= {fact_of(event) for event in options}
    assert {"tile_drawn", "seat_passed"} >= {fact_of(event) for event in options}


async def _place(
    service: Service, game: Game, view: views_pb2.SeatView, action: actions_pb2.Action
) -> list[events_pb2.Event]:
    request = moves_pb2.PlayTileRequest(
        match_id=game.match_id, request_id=new_id(), placement=action.place
    )
    answer = await service.call.PlayTile(request, metadata=game.players[view.seat].key)
    return list(answer.events)


async def test_a_single_move_is_made_for_a_seat_that_asked_for_it(service: Service) -> None:
    game = await Game.start(service, "latin_american", 2, b"7" * 32)
    opener = game.mirror.turn
    assert 1 == len(game.mirror.legal())
    version = await _set_options(service, game.players[opener], single_moves_by_itself=True)
    stream = service.observe(game.match_id, game.version)
    batch = await stream.read()
    assert isinstance(batch, streams_pb2.ObserveMatchResponse)
    stream.cancel()
    events = list(batch.events.events)
    assert version == events[-1].sequence
    assert ["seat_options_set", "tile_played"] == [fact_of(event) for event in events[:2]]
    assert events_pb2.CAUSE_SEAT_OPTION == events[1].cause


async def test_options_are_seen_by_everybody_and_can_be_taken_back(service: Service) -> None:
    table, (player, _) = await service.started("muggins", 2)
    version = await _set_options(service, player, draws_by_itself=True)
    assert version == await _set_options(service, player, draws_by_itself=True)
    view = await service.public_view(table.match_id)
    assert view.seats[player.seat].options.draws_by_itself
    await _set_options(service, player)
    view = await service.public_view(table.match_id)
    assert not view.seats[player.seat].HasField("options")


async def test_tile_halves_may_be_named_in_either_order(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"8" * 32)
    action = next(
        action
        for action in game.mirror.legal()
        if isinstance(action, Place) and action.placement.tile.low != action.placement.tile.high
    )
    tile = action.placement.tile
    request = moves_pb2.PlayTileRequest(match_id=game.match_id, request_id=new_id())
    request.placement.tile.low, request.placement.tile.high = tile.high, tile.low
    key = game.players[game.mirror.turn].key
    answer = await service.call.PlayTile(request, metadata=key)
    played = answer.events[0].tile_played.placement.tile
    assert (tile.low, tile.high) == (played.low, played.high)
