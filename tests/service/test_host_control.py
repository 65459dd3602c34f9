"""What the host alone may do: start, fill and free seats, cancel, rematch."""

from typing import Any

import grpc
import pytest

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2, views_pb2
from tests.service.server import (
    Field,
    Metadata,
    Service,
    Table,
    events_of,
    fact_of,
    host_key,
    new_id,
    refusal,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


def _control(table: Table, **control: Field) -> lobby_pb2.ControlMatchRequest:
    return lobby_pb2.ControlMatchRequest(match_id=table.match_id, request_id=new_id(), **control)


async def _refused(service: Service, table: Table, **control: Field) -> str:
    before = await service.version(table.match_id)
    call = service.call.ControlMatch(_control(table, **control), metadata=table.host)
    told = await refusal(call)
    assert before == await service.version(table.match_id)
    return told.reason


async def test_the_host_starts_a_full_match_and_only_a_full_one(service: Service) -> None:
    table = await service.create("muggins", 2)
    assert "SEATS_NOT_FILLED" == await _refused(service, table, start={})
    for _ in range(2):
        await service.join(table.match_id)
    started = await service.control(table, start={})
    facts = [fact_of(event) for event in started.events]
    assert "match_started" == facts[0]
    assert {"lot_drawn", "round_dealt", "turn_started"} <= set(facts)
    assert all(1 == event.round for event in started.events if fact_of(event) == "lot_drawn")
    assert "MATCH_NOT_OPEN" == await _refused(service, table, start={})


async def test_the_host_fills_and_frees_seats_before_the_start(service: Service) -> None:
    table = await service.create("muggins", 3)
    player = await service.join(table.match_id)
    filled = await service.control(table, fill_seat={"seat": 2, "level": "random"})
    assert "random" == filled.events[0].seat_taken.level
    reason = await _refused(service, table, fill_seat={"seat": 0, "level": "random"})
    assert "SEAT_TAKEN" == reason
    freed = await service.control(table, free_seat={"seat": 0})
    assert ["seat_left"] == [fact_of(event) for event in freed.events]
    assert events_pb2.CAUSE_HOST == freed.events[0].cause
    told = await refusal(
        service.call.GetMatch(
            lobby_pb2.GetMatchRequest(match_id=table.match_id), metadata=player.key
        )
    )
    assert "BAD_SEAT_SECRET" == told.reason
    again = await service.control(table, free_seat={"seat": 0})
    assert (freed.version, 0) == (again.version, len(again.events))


@pytest.mark.parametrize(
    ("control", "reason"),
    [
        ({"fill_seat": {"seat": 2, "level": "greedy"}}, "SEAT_UNKNOWN"),
        ({"fill_seat": {"seat": 1, "level": "genius"}}, "LEVEL_UNKNOWN"),
        ({"free_seat": {"seat": 3}}, "SEAT_UNKNOWN"),
        ({"rematch": {}}, "MATCH_NOT_FINISHED"),
        ({}, "MALFORMED_FIELD"),
    ],
)
async def test_a_control_that_cannot_be_is_refused_by_name(
    service: Service, control: dict[str, Any], reason: str
) -> None:
    table = await service.create("muggins", 2)
    assert reason == await _refused(service, table, **control)


async def test_seats_are_neither_filled_nor_freed_in_play(service: Service) -> None:
    table, _ = await service.started()
    assert "MATCH_NOT_OPEN" == await _refused(service, table, free_seat={"seat": 0})
    fill = {"seat": 0, "level": "greedy"}
    assert "MATCH_NOT_OPEN" == await _refused(service, table, fill_seat=fill)


async def test_a_cancelled_match_has_no_winner_and_shows_the_hands(service: Service) -> None:
    table, _ = await service.started()
    ended = (await service.control(table, cancel={})).events[-1].match_ended
    assert events_pb2.MATCH_END_REASON_CANCELLED == ended.reason
    assert not ended.HasField("winning_side")
    assert [7, 7] == [len(hand.tiles) for hand in ended.hands]
    assert 32 == len(ended.secret)
    view = await service.public_view(table.match_id)
    assert views_pb2.MATCH_STATE_ABANDONED == view.state
    assert ended == view.ended
    assert "MATCH_OVER" == await _refused(service, table, cancel={})
    assert "MATCH_OVER" == await _refused(service, table, start={})


async def test_a_match_cancelled_before_its_start_has_no_hands_to_show(service: Service) -> None:
    table = await service.create("muggins", 2)
    ended = (await service.control(table, cancel={})).events[-1].match_ended
    assert [] == list(ended.hands)
    assert b"" == ended.secret


@pytest.mark.parametrize("key", [(), host_key(b"x" * 32), (("muggins-host-secret", "nonsense"),)])
async def test_a_wrong_host_secret_changes_nothing(service: Service, key: Metadata) -> None:
    table = await service.create("muggins", 2)
    told = await refusal(service.call.ControlMatch(_control(table, cancel={}), metadata=key))
    assert ("BAD_HOST_SECRET", grpc.StatusCode.UNAUTHENTICATED) == (told.reason, told.code)
    assert table.created.version == await service.version(table.match_id)


async def test_a_players_secret_is_no_host_secret(service: Service) -> None:
    table = await service.create("muggins", 2)
    player = await service.join(table.match_id)
    call = service.call.ControlMatch(_control(table, cancel={}), metadata=host_key(player.secret))
    assert "BAD_HOST_SECRET" == (await refusal(call)).reason


async def test_a_rematch_links_both_matches_and_seats_the_opponents(service: Service) -> None:
    table = await service.create("muggins", 3, fills={1: "random"}, private=True, hints=True)
    player = await service.join(table.match_id, invite_code=table.created.invite_code)
    await service.control(table, cancel={})
    stream = service.observe(table.match_id, await service.version(table.match_id))
    made = await service.control(table, rematch={})
    assert ["rematch_created"] == [fact_of(event) for event in made.events]
    assert made.rematch_id == made.events[0].rematch_created.match_id
    told = await events_of(stream)
    assert made.rematch_id == told[-1].rematch_created.match_id
    old = await service.public_view(table.match_id)
    new = await service.public_view(made.rematch_id)
    assert (made.rematch_id, table.match_id) == (old.rematch_id, new.rematch_of)
    assert (old.rule_set, old.options) == (new.rule_set, new.options)
    assert old.fairness_anchor != new.fairness_anchor
    assert ["", "random", ""] == [seat.level for seat in new.seats]
    assert views_pb2.MATCH_STATE_OPEN == new.state
    again = await service.control(table, rematch={})
    assert (made.rematch_id, made.version) == (again.rematch_id, again.version)
    following = Table(made.rematch_id, table.host_secret, table.created)
    await service.control(following, fill_seat={"seat": 0, "level": "greedy"})
    joined = await service.join(
        made.rematch_id, invite_code=table.created.invite_code, seat_secret=player.secret
    )
    assert 2 == joined.seat


async def test_a_record_is_exported_when_the_match_is_over_and_not_before(
    service: Service,
) -> None:
    table, players = await service.started()
    request = moves_pb2.ExportMatchRequest(match_id=table.match_id)
    told = await refusal(service.call.ExportMatch(request, metadata=players[0].key))
    expected = ("MATCH_NOT_FINISHED", grpc.StatusCode.FAILED_PRECONDITION)
    assert expected == (told.reason, told.code)
    await service.control(table, cancel={})
    answer = await service.call.ExportMatch(request)
    record = answer.record
    assert table.match_id == record.match_id
    assert table.created.fairness_anchor == record.fairness_anchor
    events = [event for part in record.records for event in part.events]
    assert list(range(1, len(events) + 1)) == [event.sequence for event in events]
    dealt = [event.round_dealt for event in events if event.HasField("round_dealt")]
    assert 28 == len(dealt[0].deck)
    raw = answer.SerializeToString()
    for secret in (table.host_secret, *(player.secret for player in players)):
        assert secret not in raw


async def test_who_leaves_shows_a_seat_secret(service: Service) -> None:
    table = await service.create("muggins", 2)
    request = lobby_pb2.LeaveMatchRequest(match_id=table.match_id)
    told = await refusal(service.call.LeaveMatch(request))
    assert ("MISSING_SEAT_SECRET", grpc.StatusCode.UNAUTHENTICATED) == (told.reason, told.code)
