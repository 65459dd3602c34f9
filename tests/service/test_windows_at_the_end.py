"""Claim windows after the last placement of a round: the round waits for them."""

from collections.abc import AsyncIterator, Iterable
from random import Random

import pytest
import pytest_asyncio

from muggins.v1 import events_pb2
from muggins_rules import Claim, Place
from tests.service.game import Game
from tests.service.server import Service, fact_of, running

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def quick() -> AsyncIterator[Service]:
    """A server on which the next seat may act at once."""
    async with running(claim_minimum_s=0, claim_window_s=0.3) as started:
        yield started


async def _last_tile(service: Service, *, scores: bool) -> tuple[Game, Place, int]:
    """A match before a placement that ends the round and scores, or does not; and its points."""
    for number in range(200):
        random = Random(number)
        seed = number.to_bytes(2, "big") * 16
        game = await Game.start(service, "muggins", 2, seed, calling=True)
        while not game.over and game.mirror.state.round == 1:
            for action in game.mirror.legal():
                if not isinstance(action, Place) or len(game.mirror.hand(game.mirror.turn)) > 1:
                    continue
                points = game.mirror.points_of(action)
                if bool(points) == scores:
                    return game, action, points
            await game.act_on_turn(random.choice(game.mirror.legal()))
    raise AssertionError("no seed gives such an ending")


def _since_placement(events: Iterable[events_pb2.Event]) -> list[str]:
    """The facts of an answer without the end of the window before it."""
    facts = [fact_of(event) for event in events]
    return facts[facts.index("tile_played") :]


async def _until_dealt(service: Service, game: Game, after: int) -> list[events_pb2.Event]:
    """What comes after a version, up to the next deal."""
    events: list[events_pb2.Event] = []
    call = service.observe(game.match_id, after)
    async for frame in call:
        events += frame.events.events
        if any(event.HasField("round_dealt") for event in events):
            break
    call.cancel()
    return events


async def test_a_round_ends_at_once_when_its_last_placement_scored_nothing(
    quick: Service,
) -> None:
    game, action, _ = await _last_tile(quick, scores=False)
    answer = await game.act_on_turn(action)
    facts = _since_placement(answer.events)
    assert ["tile_played", "claim_window_closed", "round_ended"] == facts[:3]
    assert "round_dealt" in facts


async def test_a_round_ends_with_the_claim_of_its_last_placement(quick: Service) -> None:
    game, action, points = await _last_tile(quick, scores=True)
    mover = game.mirror.turn
    answer = await game.act_on_turn(action)
    assert ["tile_played"] == _since_placement(answer.events)
    answer = await game.act(mover, Claim(points))
    facts = [fact_of(event) for event in answer.events]
    assert ["points_claimed", "claim_window_closed", "round_ended"] == facts[:3]


async def test_a_round_waits_for_its_last_points_until_the_window_runs_out(
    quick: Service,
) -> None:
    game, action, _ = await _last_tile(quick, scores=True)
    answer = await game.act_on_turn(action)
    events = await _until_dealt(quick, game, answer.version)
    assert ["claim_window_closed", "round_ended"] == [fact_of(event) for event in events[:2]]
    assert not events[0].claim_window_closed.credits
    closes = answer.events[-1].tile_played.claim_window_closes_at.ToMicroseconds()
    assert closes <= events[0].time.ToMicroseconds()
    assert 1 == events[1].round
    dealt = next(event for event in events if event.HasField("round_dealt"))
    assert 2 == dealt.round
