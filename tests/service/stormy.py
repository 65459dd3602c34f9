"""Whole matches through a network that fails, each beside its mirror by the rules."""

from random import Random
from typing import Final, NamedTuple

from muggins.v1 import streams_pb2
from muggins_rules import Call, Claim, Draw, Phase, Place
from tests.proxy import Schedule
from tests.service.finished import exported
from tests.service.fold import Folded
from tests.service.game import Game, Moved
from tests.service.insistent import through_proxy
from tests.service.server import Service, fact_of

__all__ = ["GAMES", "Stormy", "play_in_storm"]

GAMES: Final = (
    ("muggins", 2, False),
    ("all_fives", 2, True),
    ("five_up", 3, False),
    ("sniff", 4, False),
    ("latin_american", 4, False),
    ("five_up", 2, True),
)


_ACTED: Final = frozenset(
    {"tile_played", "tile_drawn", "seat_passed", "points_claimed", "muggins_called"}
)


class Stormy(NamedTuple):
    """What became of one match."""

    moves: int
    repeats: int
    faults: int
    doubled: int
    lost: int


async def play_in_storm(service: Service, number: int, schedule: Schedule) -> Stormy:
    """Play match `number` to its end; what it ended with is what the rules alone end with.

    Every answer is compared by Game: a move done twice, or lost, shows in its version and events.
    """
    rule_set_id, seats, calling = GAMES[number % len(GAMES)]
    random = Random(number)
    seed = random.randbytes(32)
    async with through_proxy(service, schedule) as (seen, _, insistent):
        game = await Game.start(
            seen, rule_set_id, seats, seed, calling=calling, claim_window={"seconds": 60}
        )
        moves = 0
        while not game.over:
            answer = await _move(game, random)
            moves += any(fact_of(fact) in _ACTED for fact in answer.events)
        faults = sum(schedule.drawn.values())
        repeats = insistent.repeats
    doubled, lost = await _audit(service, game, moves)
    return Stormy(moves, repeats, faults, doubled, lost)


async def _move(game: Game, random: Random) -> Moved:
    """Do some action; the answer, which may tell of no action where a closing window ended all.

    Windows stay open for as long as nobody closes them by an action.
    """
    table = game.mirror.state.table
    assert table is not None
    window = table.window
    if window is not None and window.claimed is None and random.random() < 0.5:
        return await game.act(window.mover, Claim(random.choice([0, window.count.points])))
    if window and not window.called and (table.turn is None or random.random() < 0.3):
        return await game.act((window.mover + 1) % game.mirror.state.seats, Call(window.placement))
    action = random.choice(game.mirror.legal())
    if isinstance(action, Draw):
        action = Draw(until_playable=random.random() < 0.5)
    if isinstance(action, Place) and game.mirror.state.rule_set.calling:
        action = Place(action.placement, random.choice([None, 0, 5]))
    return await game.act_on_turn(action)


async def _audit(service: Service, game: Game, moves: int) -> tuple[int, int]:
    """Compare the end with the mirror; how many moves are in the record twice, and are missing."""
    state = game.mirror.state
    assert state.phase is Phase.OVER
    view = await service.public_view(game.match_id)
    assert list(state.scores) == list(view.scores)
    folded, seated = Folded(), Folded(0)
    for who, key in ((folded, ()), (seated, game.players[0].key)):
        async for frame in service.observe(game.match_id, 0, key=key):
            assert isinstance(frame, streams_pb2.ObserveMatchResponse)
            for event in frame.events.events:
                who.take(event)
    folded.check_public(view)
    record = await exported(service, game.match_id)
    acted = sum(any(fact_of(fact) in _ACTED for fact in entry.events) for entry in record.records)
    return max(0, acted - moves), max(0, moves - acted)
