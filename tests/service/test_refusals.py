"""Every refusal of the rules over gRPC: its reason, its sentences, and that nothing has changed."""

from collections.abc import AsyncIterator
from random import Random
from typing import Final, NamedTuple

import grpc
import pytest
import pytest_asyncio

from muggins.i18n import LANGUAGES, sentence
from muggins_rules import Action, Draw, Pass, Place, Refusal
from tests.service.game import Game
from tests.service.mirror import refusal_by_the_rules, tries
from tests.service.server import Metadata, Refused, Service, refusal

pytestmark = pytest.mark.asyncio(loop_scope="module")

IN_CALLING: Final = {
    Refusal.CLAIM_WINDOW_OPEN,
    Refusal.NOT_THE_MOVER,
    Refusal.ALREADY_CLAIMED,
    Refusal.CANNOT_CALL_OWN_SIDE,
    Refusal.WRONG_PLACEMENT,
}
"""Told in a claim window: `test_calling` has them."""

OF_THE_STATE: Final = {Refusal.MATCH_NOT_STARTED, Refusal.MATCH_OVER, Refusal.ROUND_OVER}
"""The first two have tests of their own below; the service deals the next round at once, so that
nobody can ever act between two rounds."""

IN_PLAY: Final = sorted(set(Refusal) - IN_CALLING - OF_THE_STATE)

GAMES: Final = [("all_fives", 2), ("sniff", 3), ("latin_american", 2), ("muggins", 2)]


class Witness(NamedTuple):
    """A refusal that was met: the answer by language, and the versions around it."""

    told: dict[str, Refused]
    before: int
    after: int


async def _witness(game: Game, seat: int, action: Action) -> Witness:
    before = await game.service.version(game.match_id)
    told = {}
    for language in LANGUAGES:
        key: Metadata = (*game.players[seat].key, ("accept-language", language))
        told[language] = await refusal(
            game.send(action, key=key, sequence=game.placement_sequence or 1)
        )
    return Witness(told, before, await game.service.version(game.match_id))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def met(service: Service) -> AsyncIterator[dict[Refusal, Witness]]:
    """A refusal of each kind that random play and random tries come upon."""
    random = Random(7)
    found: dict[Refusal, Witness] = {}
    for number in range(40):
        name, seats = GAMES[number % len(GAMES)]
        game = await Game.start(service, name, seats, bytes([number]) * 32)
        for _ in range(70):
            if game.over or len(found) == len(IN_PLAY):
                break
            state = game.mirror.state
            for seat, action in tries(state, random, 60):
                reason = refusal_by_the_rules(state, seat, action)
                if reason is not None and reason in IN_PLAY and reason not in found:
                    found[reason] = await _witness(game, seat, action)
            await game.act_on_turn(random.choice(game.mirror.legal()))
    yield found


@pytest.mark.parametrize("reason", IN_PLAY)
async def test_a_refused_action_names_its_reason_and_changes_nothing(
    met: dict[Refusal, Witness], reason: Refusal
) -> None:
    witness = met[reason]
    assert witness.before == witness.after
    invalid = reason is Refusal.MALFORMED_TILE
    code = grpc.StatusCode.INVALID_ARGUMENT if invalid else grpc.StatusCode.FAILED_PRECONDITION
    for language, told in witness.told.items():
        assert reason.value.upper() == told.reason
        assert code is told.code
        assert "muggins.v1" == told.domain
        assert language == told.locale
        assert sentence(reason.value, language, **told.metadata) == told.sentence
        assert "{" not in told.sentence


async def test_a_tile_that_fits_nowhere_is_told_with_the_value_it_was_put_to(
    met: dict[Refusal, Witness],
) -> None:
    told = met[Refusal.NO_MATCH].told["en"]
    assert {"tile", "value"} == set(told.metadata)
    assert told.metadata["tile"] in told.sentence


@pytest.mark.parametrize("action", [Draw(), Pass()])
async def test_no_action_is_taken_before_the_match_has_started(
    service: Service, action: Action
) -> None:
    table = await service.create("muggins", 2)
    player = await service.join(table.match_id)
    game = await Game.start(service, "muggins", 2, b"s" * 32)
    game.table = table
    told = await refusal(game.send(action, key=player.key))
    assert "MATCH_NOT_STARTED" == told.reason


async def test_no_action_is_taken_after_the_match_is_over(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"o" * 32)
    await service.control(game.table, cancel={})
    told = await refusal(game.send(game.mirror.legal()[0], key=game.players[0].key))
    assert "MATCH_OVER" == told.reason


async def test_who_shows_no_secret_is_an_observer_and_cannot_act(service: Service) -> None:
    game = await Game.start(service, "muggins", 2, b"n" * 32)
    told = await refusal(game.send(game.mirror.legal()[0]))
    assert ("OBSERVER_CANNOT_ACT", grpc.StatusCode.PERMISSION_DENIED) == (told.reason, told.code)


async def test_a_claim_with_a_placement_is_refused_where_nothing_is_called(
    service: Service,
) -> None:
    game = await Game.start(service, "muggins", 2, b"c" * 32)
    play = game.mirror.legal()[0]
    assert isinstance(play, Place)
    key = game.players[game.mirror.turn].key
    told = await refusal(game.send(Place(play.placement, claim=5), key=key))
    assert "NO_CLAIM_WINDOW" == told.reason
