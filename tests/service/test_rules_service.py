"""RulesService over gRPC: a match hosted elsewhere is played by the rules alone."""

from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import grpc
import pytest

from muggins.v1 import (
    actions_pb2,
    events_pb2,
    rule_sets_pb2,
    rules_service_pb2,
    rules_service_pb2_grpc,
    tiles_pb2,
)
from muggins_rules import RuleSet, preset
from muggins_rules.fair_deal import shuffled_deck
from muggins_rules.tiles import TILES
from muggins_service.wire.rule_sets import rule_set_bytes
from muggins_service.wire.rules_answers import new_events_answer
from tests.golden.players import fair_chance, heaviest, play
from tests.service.server import CALL_S, Refused, Service, fact_of, refusal

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAIR = rules_service_pb2.FairDeal(secret=b"\x07" * 32, match_id="hosted-elsewhere")


class Hosted:
    """A match whose host keeps nothing but its events."""

    def __init__(self, service: Service, rule_set: RuleSet, seats: int) -> None:
        self.stub = rules_service_pb2_grpc.RulesServiceStub(service.channel)
        self.rule_set = rule_sets_pb2.RuleSet.FromString(rule_set_bytes(rule_set))
        self.seats = seats
        self.events: list[events_pb2.Event] = []

    @property
    def _common(self) -> dict[str, Any]:
        return {"rule_set": self.rule_set, "seats": self.seats, "events": self.events}

    @property
    def last(self) -> str:
        """The kind of the last event."""
        return fact_of(self.events[-1])

    @property
    def turn(self) -> int:
        """The seat whose turn was told last."""
        turns = [e.turn_started.seat for e in self.events if fact_of(e) == "turn_started"]
        return turns[-1]

    async def deal(self, **chance: Any) -> None:  # noqa: ANN401 - fields of the message
        """Begin the next round."""
        request = rules_service_pb2.StartRoundRequest(**self._common, **(chance or {"fair": FAIR}))
        self.events += (await self.stub.StartRound(request, timeout=CALL_S)).events

    async def apply(self, **step: Any) -> list[events_pb2.Event]:  # noqa: ANN401 - as above
        """Ask what a step makes happen, and keep it."""
        request = rules_service_pb2.ApplyRequest(**self._common, **step)
        new = list((await self.stub.Apply(request, timeout=CALL_S)).events)
        self.events += new
        return new

    def applying(self, **step: Any) -> Awaitable[object]:  # noqa: ANN401 - as above
        """The call alone, for a step that is refused."""
        return self.stub.Apply(rules_service_pb2.ApplyRequest(**self._common, **step))

    async def legal(self) -> list[actions_pb2.Action]:
        """What the seat on turn may do."""
        request = rules_service_pb2.ViewRequest(**self._common, seat=self.turn)
        view = await self.stub.View(request, timeout=CALL_S)
        return [legal.action for legal in view.seat.legal_actions]


async def _round(hosted: Hosted, random: Random) -> None:
    await hosted.deal()
    while hosted.last not in {"round_ended", "match_ended"}:
        legal = await hosted.legal()
        if legal:
            await hosted.apply(seat=hosted.turn, action=random.choice(legal))
        else:
            await hosted.apply(close_claim_window=rules_service_pb2.CloseClaimWindow())


@pytest.mark.parametrize(
    ("name", "seats", "calling"),
    [("five_up", 3, False), ("sniff", 4, False), ("latin_american", 2, True)],
)
async def test_a_round_is_played_from_events_to_events(
    service: Service, name: str, seats: int, *, calling: bool
) -> None:
    hosted = Hosted(service, preset(name, calling=calling), seats)
    await _round(hosted, Random(3))
    assert list(range(1, len(hosted.events) + 1)) == [e.sequence for e in hosted.events]
    dealt = next(e.round_dealt for e in hosted.events if fact_of(e) == "round_dealt")
    deck = shuffled_deck(FAIR.secret, FAIR.match_id, 1, (b"",) * seats, 6)
    assert [TILES[code] for code in deck] == [(tile.low, tile.high) for tile in dealt.deck]
    await hosted.deal()
    assert "turn_started" == hosted.last
    assert 2 == hosted.events[-1].round


async def test_a_view_hides_what_the_events_tell(service: Service) -> None:
    hosted = Hosted(service, preset("muggins"), 2)
    await hosted.deal()
    public = await hosted.stub.View(
        rules_service_pb2.ViewRequest(rule_set=hosted.rule_set, seats=2, events=hosted.events)
    )
    assert "table" == public.WhichOneof("view")
    dealt = [e.round_dealt for e in public.table.round_events if fact_of(e) == "round_dealt"]
    assert [([], [])] == [(list(fact.deck), list(fact.hand)) for fact in dealt]


async def test_a_run_of_draws_without_a_fit_ends_with_the_pass(service: Service) -> None:
    """The deck: A leads the double blank and B, as the whole boneyard, has no blank."""
    rule_set = preset("all_fives")
    blanks = [code for code, tile in enumerate(TILES) if tile.low == 0]
    others = [code for code in range(len(TILES)) if code not in blanks]
    deck = [*blanks, *others]
    hosted = Hosted(service, rule_set, 2)
    tiles = [tiles_pb2.Tile(low=TILES[code].low, high=TILES[code].high) for code in deck]
    lot = [tiles[-1], *tiles[:-1]]
    await hosted.deal(explicit=rules_service_pb2.ExplicitDeal(deck=tiles, lot_tiles=lot))
    assert 0 == hosted.turn
    opening = next(a for a in await hosted.legal() if a.place.tile.high == 0)
    await hosted.apply(seat=0, action=opening)
    drawn = await hosted.apply(
        seat=1, action=actions_pb2.Action(draw=actions_pb2.Draw(until_playable=True))
    )
    assert [*["tile_drawn"] * 14, "seat_passed", "turn_started"] == [fact_of(e) for e in drawn]


async def test_steps_against_the_rules_are_refused_by_name(service: Service) -> None:
    hosted = Hosted(service, preset("muggins"), 2)
    passing = actions_pb2.Action(pass_turn=actions_pb2.Pass())
    told = [await refusal(hosted.applying(seat=0, action=passing))]
    await hosted.deal()
    told += [
        await refusal(hosted.applying(seat=1 - hosted.turn, action=passing)),
        await refusal(hosted.applying(seat=hosted.turn, action=passing)),
        await refusal(hosted.applying(seat=2, action=passing)),
        await refusal(hosted.applying(close_claim_window=rules_service_pb2.CloseClaimWindow())),
        await refusal(hosted.deal()),
    ]
    assert [
        "MATCH_NOT_STARTED",
        "NOT_YOUR_TURN",
        "MUST_PLAY",
        "SEAT_UNKNOWN",
        "NO_CLAIM_WINDOW",
        "ROUND_NOT_OVER",
    ] == [each.reason for each in told]


async def test_the_first_event_that_does_not_follow_is_named(service: Service) -> None:
    hosted = Hosted(service, preset("muggins"), 2)
    await hosted.deal()
    await hosted.apply(seat=hosted.turn, action=(await hosted.legal())[0])
    placed = next(e for e in hosted.events if fact_of(e) == "tile_played")
    placed.tile_played.count.sum += 5
    told: Refused = await refusal(
        hosted.applying(seat=0, action=actions_pb2.Action(pass_turn=actions_pb2.Pass()))
    )
    assert ("EVENTS_INCONSISTENT", grpc.StatusCode.INVALID_ARGUMENT) == (told.reason, told.code)
    assert {"sequence": str(placed.sequence)} == dict(told.metadata)


async def test_the_problems_of_a_rule_set_are_told_in_the_callers_language(
    service: Service,
) -> None:
    hosted = Hosted(service, preset("muggins"), 2)
    hosted.rule_set.id = "house"
    hosted.rule_set.scoring.points_divisor = 3
    request = rules_service_pb2.CheckRuleSetRequest(rule_set=hosted.rule_set)
    sentences = []
    for language in ("en", "fr"):
        metadata = (("accept-language", language),)
        problems = (await hosted.stub.CheckRuleSet(request, metadata=metadata)).problems
        assert ["scoring.points_divisor"] == [problem.field for problem in problems]
        sentences.append(problems[0].message)
    assert sentences[0] != sentences[1]


async def test_a_long_match_is_taken_as_a_whole(service: Service) -> None:
    """Longer than the requests of other services may be."""
    muggins = preset("muggins")
    scoring = replace(muggins.scoring, target_by_seats=(10_000, 10_000, 10_000))
    rule_set = replace(muggins, id="long", scoring=scoring)
    facts = play(rule_set, 4, heaviest, partial(fair_chance, "long"), rounds=40).events
    hosted = Hosted(service, rule_set, 4)
    answers = (new_events_answer(facts[:i], facts[i : i + 1]) for i in range(len(facts)))
    hosted.events += rules_service_pb2.ApplyResponse.FromString(b"".join(answers)).events
    assert sum(event.ByteSize() for event in hosted.events) > 64 * 1024
    await hosted.deal()
    assert await hosted.legal()
