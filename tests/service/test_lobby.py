"""Making, finding and joining matches."""

from typing import Any

import grpc
import pytest

from muggins.v1 import events_pb2, lobby_pb2, rule_sets_pb2, views_pb2
from muggins_rules import PRESETS
from muggins_rules.fair_deal import Chain
from muggins_service.config import Config
from tests.service.server import Field, Service, fact_of, new_id, new_secret, refusal, running

pytestmark = pytest.mark.asyncio(loop_scope="module")


def _request(**fields: Field) -> lobby_pb2.CreateMatchRequest:
    return lobby_pb2.CreateMatchRequest(
        **{
            "request_id": new_id(),
            "preset": lobby_pb2.PresetChoice(rule_set_id="muggins"),
            "seats": 2,
            "host_secret": new_secret(),
            **fields,
        }
    )


async def test_the_whole_rule_set_is_seen_before_anyone_sits_down(service: Service) -> None:
    presets = (await service.call.ListRuleSets(lobby_pb2.ListRuleSetsRequest())).rule_sets
    assert list(PRESETS) == [rules.id for rules in presets]
    by_id = {rules.id: rules for rules in presets}
    for name, rules in PRESETS.items():
        table = await service.create(name, rules.seat_counts[0])
        view = await service.public_view(table.match_id)
        assert by_id[name] == table.created.rule_set == view.rule_set


async def test_a_new_match_begins_with_its_anchor_and_options(service: Service) -> None:
    table = await service.create("all_fives", 4, calling=True, fills={2: "greedy"}, hints=True)
    events = table.created.events
    assert ["match_created", "seat_taken"] == [fact_of(event) for event in events]
    created = events[0].match_created
    assert table.created.fairness_anchor == created.fairness_anchor
    assert 32 == len(created.fairness_anchor)
    assert created.rule_set.calling
    assert created.options.hints
    assert "greedy_plus" == created.options.takeover_level
    assert 600_000 == created.options.claim_window.ToMicroseconds()
    assert (2, "greedy", "") == (
        events[1].seat_taken.seat,
        events[1].seat_taken.level,
        events[1].seat_taken.name,
    )
    assert {events_pb2.CAUSE_HOST} == {event.cause for event in events}
    view = await service.public_view(table.match_id)
    assert views_pb2.MATCH_STATE_OPEN == view.state
    assert created.fairness_anchor == view.fairness_anchor
    assert [1, 1, 3, 1] == [seat.occupant for seat in view.seats]


async def test_a_custom_rule_set_can_be_played(service: Service) -> None:
    presets = (await service.call.ListRuleSets(lobby_pb2.ListRuleSetsRequest())).rule_sets
    custom = rule_sets_pb2.RuleSet()
    custom.CopyFrom(presets[0])
    custom.id = "house"
    custom.calling = True
    request = _request(custom=custom, fills=[{"seat": 0, "level": "greedy"}])
    request.ClearField("preset")
    request.custom.CopyFrom(custom)
    created = await service.call.CreateMatch(request)
    assert custom == created.rule_set


@pytest.mark.parametrize(
    ("fields", "reason", "code"),
    [
        ({"preset": {"rule_set_id": "chess"}}, "RULE_SET_UNKNOWN", grpc.StatusCode.NOT_FOUND),
        ({"preset": None}, "MALFORMED_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
        ({"seats": 5}, "UNSUPPORTED_SEATS", grpc.StatusCode.INVALID_ARGUMENT),
        ({"seats": 0}, "UNSUPPORTED_SEATS", grpc.StatusCode.INVALID_ARGUMENT),
        ({"host_secret": b"short"}, "MALFORMED_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
        ({"request_id": "ä"}, "MALFORMED_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
        ({"request_id": "x" * 65}, "MALFORMED_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
        (
            {"fills": [{"seat": 0, "level": "genius"}]},
            "LEVEL_UNKNOWN",
            grpc.StatusCode.NOT_FOUND,
        ),
        (
            {"fills": [{"seat": 2, "level": "greedy"}]},
            "SEAT_UNKNOWN",
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
        (
            {"fills": [{"seat": 1, "level": "greedy"}] * 2},
            "SEAT_TAKEN",
            grpc.StatusCode.FAILED_PRECONDITION,
        ),
        (
            {"options": {"takeover_level": "genius"}},
            "LEVEL_UNKNOWN",
            grpc.StatusCode.NOT_FOUND,
        ),
        (
            {"options": {"turn_limit": {"nanos": 5_000}}},
            "MALFORMED_FIELD",
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
        (
            {"options": {"observer_delay_moves": 1_000}},
            "MALFORMED_FIELD",
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
        ({"test_seed": b"1"}, "MALFORMED_FIELD", grpc.StatusCode.INVALID_ARGUMENT),
    ],
)
async def test_a_match_that_cannot_be_is_refused_by_name(
    service: Service, fields: dict[str, Any], reason: str, code: grpc.StatusCode
) -> None:
    before = len(service.app.registry)
    told = await refusal(service.call.CreateMatch(_request(**fields)))
    assert (reason, code) == (told.reason, told.code)
    assert before == len(service.app.registry)


async def test_every_problem_of_a_custom_rule_set_is_named(service: Service) -> None:
    presets = (await service.call.ListRuleSets(lobby_pb2.ListRuleSetsRequest())).rule_sets
    request = _request()
    request.custom.CopyFrom(presets[0])
    request.custom.deal.highest_pip = 9
    request.custom.deal.boneyard_reserve = 7
    told = await refusal(service.call.CreateMatch(request))
    assert "RULE_SET_INVALID" == told.reason
    assert {"custom.deal.highest_pip", "custom.deal.boneyard_reserve"} <= set(told.fields)


async def test_a_test_seed_makes_the_deals_repeatable_and_is_marked(service: Service) -> None:
    tables = [await service.create("muggins", 2, seed=b"t" * 32) for _ in range(2)]
    assert tables[0].match_id != tables[1].match_id
    chain = Chain.from_seed(b"t" * 32, 4_096)
    for table in tables:
        assert chain.anchor(table.match_id) == table.created.fairness_anchor
        assert table.created.events[0].match_created.seeded_for_test
        assert (await service.public_view(table.match_id)).seeded_for_test
    assert not (await service.public_view((await service.create()).match_id)).seeded_for_test


async def test_a_test_seed_is_refused_where_the_server_does_not_allow_it() -> None:
    async with running(Config(port=0, store="memory", warm=False)) as strict:
        told = await refusal(strict.call.CreateMatch(_request(test_seed=b"t" * 32)))
        expected = ("TEST_SEED_NOT_ALLOWED", grpc.StatusCode.FAILED_PRECONDITION)
        assert expected == (told.reason, told.code)
        info = await strict.call.GetServerInfo(lobby_pb2.GetServerInfoRequest())
        assert not info.features.test_seeds


async def test_players_take_the_lowest_open_seat_or_the_one_they_name(service: Service) -> None:
    table = await service.create("muggins", 4, fills={0: "greedy"})
    first = await service.join(table.match_id)
    named = await service.join(table.match_id, seat=3)
    last = await service.join(table.match_id)
    assert [1, 3, 2] == [first.seat, named.seat, last.seat]


async def test_a_view_comes_with_the_seat(service: Service) -> None:
    table = await service.create("muggins", 2)
    player = await service.join(table.match_id, name=" Zoë ")
    view = player.joined.view
    assert player.joined.version == view.table.version
    assert player.seat == view.seat
    assert "Zoë" == view.table.seats[0].name
    assert view == (await service.seat_view(player))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"seat": 0}, "SEAT_TAKEN"),
        ({"seat": 2}, "SEAT_UNKNOWN"),
        ({"name": ""}, "NAME_NOT_ALLOWED"),
        ({"name": "x" * 41}, "NAME_NOT_ALLOWED"),
        ({"name": "a\nb"}, "NAME_NOT_ALLOWED"),
        ({"seat_secret": b"short"}, "MALFORMED_FIELD"),
        ({"nonce_commitment": b"short"}, "MALFORMED_FIELD"),
    ],
)
async def test_a_join_that_cannot_be_is_refused_by_name(
    service: Service, fields: dict[str, Any], reason: str
) -> None:
    table = await service.create("muggins", 2, fills={0: "greedy"})
    request = lobby_pb2.JoinMatchRequest(
        **{"match_id": table.match_id, "name": "Ana", "seat_secret": new_secret(), **fields}
    )
    told = await refusal(service.call.JoinMatch(request))
    assert reason == told.reason
    assert table.created.version == await service.version(table.match_id)


async def test_a_full_match_and_a_started_match_take_nobody(service: Service) -> None:
    full = await service.create("muggins", 2, fills={0: "greedy", 1: "greedy"})
    started, _ = await service.started()
    for table, reason in ((full, "MATCH_FULL"), (started, "MATCH_NOT_OPEN")):
        request = lobby_pb2.JoinMatchRequest(
            match_id=table.match_id, name="Ana", seat_secret=new_secret()
        )
        told = await refusal(service.call.JoinMatch(request))
        assert (reason, grpc.StatusCode.FAILED_PRECONDITION) == (told.reason, told.code)


async def test_a_secret_that_holds_a_seat_takes_no_other(service: Service) -> None:
    table = await service.create("muggins", 3)
    player = await service.join(table.match_id)
    request = lobby_pb2.JoinMatchRequest(
        match_id=table.match_id, name="Ana", seat_secret=player.secret, seat=2
    )
    told = await refusal(service.call.JoinMatch(request))
    assert ("SEAT_NOT_YOURS", grpc.StatusCode.PERMISSION_DENIED) == (told.reason, told.code)


async def test_a_private_match_is_joined_with_its_invite_code_only(service: Service) -> None:
    table = await service.create("muggins", 3, private=True)
    code = table.created.invite_code
    assert code
    assert (await service.public_view(table.match_id)).private
    for wrong in ("", "WRONG"):
        request = lobby_pb2.JoinMatchRequest(
            match_id=table.match_id, name="Ana", seat_secret=new_secret(), invite_code=wrong
        )
        told = await refusal(service.call.JoinMatch(request))
        expected = ("INVITE_CODE_WRONG", grpc.StatusCode.PERMISSION_DENIED)
        assert expected == (told.reason, told.code)
    player = await service.join(table.match_id, invite_code=code)
    again = await service.join(table.match_id, seat_secret=player.secret)
    assert player.seat == again.seat
    assert not (await service.create("muggins", 2)).created.invite_code
