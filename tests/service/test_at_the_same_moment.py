"""Commands that the engine takes in one run: none meets a match that is only being made."""

import asyncio
from asyncio import Future

import pytest

from muggins_rules import preset
from muggins_service.matches.engine import Engine
from muggins_service.matches.outcome import Job, Outcome
from muggins_service.table.commands import Command, CreateMatch, FindMatch
from muggins_service.table.facts import MatchOptions
from tests.service.server import Service, new_id, new_secret

pytestmark = pytest.mark.asyncio(loop_scope="module")


def _submitted(engine: Engine, command: Command, request_id: str = "") -> "Future[Outcome]":
    answer: Future[Outcome] = asyncio.get_running_loop().create_future()
    return engine.submit(Job(command, answer, request_id=request_id))


def _find(name: str, seats: int) -> FindMatch:
    return FindMatch(preset(name), seats, "Ana", new_secret(), new_secret())


async def _outcomes(*answers: "Future[Outcome]") -> list[Outcome]:
    async with asyncio.timeout(5):
        return await asyncio.gather(*answers)


@pytest.mark.parametrize("named", [True, False])
async def test_players_who_look_together_meet_at_as_few_tables_as_can_be(
    service: Service, *, named: bool
) -> None:
    engine = service.app.engine
    asked = [_find("sniff", 4) for _ in range(8)]
    found = await _outcomes(
        *(_submitted(engine, command, new_id() if named else "") for command in asked)
    )
    assert 2 == len({outcome.match_id for outcome in found})


async def test_one_who_has_a_seat_already_does_not_hold_up_the_next(service: Service) -> None:
    engine = service.app.engine
    seated = _find("five_up", 3)
    first = await _submitted(engine, seated)
    again, created = await _outcomes(
        _submitted(engine, seated),
        _submitted(engine, CreateMatch(preset("five_up"), 3, MatchOptions(), new_secret())),
    )
    assert (first.match_id, first.seat) == (again.match_id, again.seat)
    assert created.match_id != first.match_id


async def test_matches_of_one_test_seed_get_ids_of_their_own(service: Service) -> None:
    create = CreateMatch(preset("muggins"), 2, MatchOptions(), new_secret(), test_seed=b"s" * 32)
    made = await _outcomes(
        *(_submitted(service.app.engine, create, new_id()) for _ in range(3)),
    )
    ids = {outcome.match_id for outcome in made}
    assert 3 == len(ids)
    for match_id in ids:
        assert 0 == (await service.join(match_id)).seat
        assert 2 == await service.version(match_id)
