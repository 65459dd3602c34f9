"""The lobby as a list, as a stream, and as a search for an open seat."""

import asyncio
from typing import Any

import grpc
import pytest

from muggins.v1 import lobby_pb2, views_pb2
from tests.service.server import Field, Service, new_id, new_secret, refusal

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _list(service: Service, **fields: Field) -> lobby_pb2.ListMatchesResponse:
    return await service.call.ListMatches(lobby_pb2.ListMatchesRequest(**fields))


def _ids(answer: lobby_pb2.ListMatchesResponse | lobby_pb2.WatchMatchesResponse) -> list[str]:
    return [match.match_id for match in answer.matches]


async def test_pages_bring_every_match_once_and_the_newest_first(service: Service) -> None:
    made = [(await service.create("five_up", 3)).match_id for _ in range(7)]
    found: list[str] = []
    token = ""
    for _ in range(10):
        page = await _list(service, page_size=3, page_token=token, rule_set_id="five_up")
        assert 3 >= len(page.matches)
        found += _ids(page)
        token = page.next_page_token
        if not token:
            break
    assert made[::-1] == found


async def test_a_page_is_not_disturbed_by_matches_made_meanwhile(service: Service) -> None:
    made = [(await service.create("sniff", 2)).match_id for _ in range(4)]
    first = await _list(service, page_size=2, rule_set_id="sniff")
    await service.create("sniff", 2)
    second = await _list(
        service, page_size=2, page_token=first.next_page_token, rule_set_id="sniff"
    )
    assert made[::-1] == _ids(first) + _ids(second)


async def test_a_token_belongs_to_its_filter(service: Service) -> None:
    for _ in range(2):
        await service.create("sniff_us", 2)
    token = (await _list(service, page_size=1, rule_set_id="sniff_us")).next_page_token
    for wrong in ({"page_token": token}, {"page_token": "nonsense"}):
        told = await refusal(_list(service, **wrong))
        assert ("MALFORMED_FIELD", ("page_token",)) == (told.reason, told.fields)


async def test_filters_keep_what_they_say(service: Service) -> None:
    open_table = await service.create("all_fives", 4, fills={0: "greedy"})
    full = await service.create("all_fives", 4, fills=dict.fromkeys(range(4), "greedy"))
    playing, _ = await service.started("all_fives", 2)
    over, _ = await service.started("all_fives", 2)
    await service.control(over, cancel={})
    private = await service.create("all_fives", 2, private=True)
    everything = _ids(await _list(service, rule_set_id="all_fives"))
    assert {open_table.match_id, full.match_id, playing.match_id, over.match_id} <= set(everything)
    assert private.match_id not in everything
    for state, expected in (
        (views_pb2.MATCH_STATE_OPEN, [full, open_table]),
        (views_pb2.MATCH_STATE_PLAYING, [playing]),
        (views_pb2.MATCH_STATE_FINISHED, []),
        (views_pb2.MATCH_STATE_ABANDONED, [over]),
    ):
        found = _ids(await _list(service, rule_set_id="all_fives", state=state))
        assert [table.match_id for table in expected] == found
    seats = await _list(service, rule_set_id="all_fives", open_seats_only=True)
    assert [open_table.match_id] == _ids(seats)


async def test_a_summary_tells_what_a_player_decides_by(service: Service) -> None:
    table = await service.create("five_up_debit", 2, fills={1: "random"}, hints=True)
    summary = (await _list(service, rule_set_id="five_up_debit")).matches[0]
    view = await service.public_view(table.match_id)
    assert table.created.rule_set == summary.rule_set
    assert list(view.seats) == list(summary.seats)
    assert view.options == summary.options
    assert table.created.fairness_anchor == summary.fairness_anchor
    assert summary.created.ToMicroseconds() > 0


async def test_a_page_size_beyond_the_limit_is_cut_to_it(service: Service) -> None:
    page = await _list(service, page_size=2**31)
    assert 200 >= len(page.matches)


async def _next(
    call: "grpc.aio.UnaryStreamCall[Any, lobby_pb2.WatchMatchesResponse]",
) -> lobby_pb2.WatchMatchesResponse:
    frame = await asyncio.wait_for(call.read(), 10)
    assert isinstance(frame, lobby_pb2.WatchMatchesResponse)
    return frame


async def test_a_watched_lobby_begins_with_all_and_goes_on_with_changes(
    service: Service,
) -> None:
    there = await service.create("all_fives_us", 3)
    request = lobby_pb2.WatchMatchesRequest(rule_set_id="all_fives_us", open_seats_only=True)
    call = service.call.WatchMatches(request)
    first = await _next(call)
    assert first.snapshot
    assert [there.match_id] == _ids(first)
    made = await service.create("all_fives_us", 2)
    await service.create("sniff", 2)
    await service.create("all_fives_us", 2, private=True)
    frame = await _next(call)
    assert ([made.match_id], False) == (_ids(frame), frame.snapshot)
    await service.join(made.match_id)
    frame = await _next(call)
    assert "Ana" == frame.matches[0].seats[0].name
    await service.control(made, fill_seat={"seat": 1, "level": "greedy"})
    frame = await _next(call)
    assert ([], [made.match_id]) == (_ids(frame), list(frame.removed_match_ids))
    call.cancel()


async def test_a_watched_lobby_beats_when_nothing_happens(service: Service) -> None:
    request = lobby_pb2.WatchMatchesRequest(rule_set_id="latin_american")
    request.heartbeat.FromMilliseconds(200)
    call = service.call.WatchMatches(request)
    assert (await _next(call)).snapshot
    beat = await _next(call)
    call.cancel()
    assert ([], [], False) == (_ids(beat), list(beat.removed_match_ids), beat.snapshot)
    assert beat.time.ToMicroseconds() > 0


def _find(**fields: Field) -> lobby_pb2.FindMatchRequest:
    return lobby_pb2.FindMatchRequest(
        **{
            "request_id": new_id(),
            "preset": lobby_pb2.PresetChoice(rule_set_id="latin_american"),
            "seats": 2,
            "name": "Ana",
            "seat_secret": new_secret(),
            "host_secret": new_secret(),
            **fields,
        }
    )


async def test_two_who_look_for_the_same_game_meet_and_begin(service: Service) -> None:
    made = await service.call.FindMatch(_find())
    found = await service.call.FindMatch(_find(name="Bea"))
    assert (True, False) == (made.created, found.created)
    assert (made.match_id, 0, 1) == (found.match_id, made.seat, found.seat)
    assert views_pb2.MATCH_STATE_PLAYING == found.view.table.state
    assert 7 == len(found.view.hand)


async def test_who_look_for_a_game_at_the_same_time_meet(service: Service) -> None:
    answers = await asyncio.gather(*(service.call.FindMatch(_find(seats=4)) for _ in range(8)))
    by_match: dict[str, list[int]] = {}
    for answer in answers:
        by_match.setdefault(answer.match_id, []).append(answer.seat)
    assert [[0, 1, 2, 3]] * 2 == [sorted(seats) for seats in by_match.values()]
    assert 2 == sum(answer.created for answer in answers)


async def test_another_game_or_a_private_match_is_not_found(service: Service) -> None:
    private = await service.create("sniff", 3, private=True)
    calling = await service.create("sniff", 3, calling=True)
    preset = lobby_pb2.PresetChoice(rule_set_id="sniff")
    found = await service.call.FindMatch(_find(preset=preset, seats=3))
    assert found.created
    assert found.match_id not in {private.match_id, calling.match_id}
    preset.calling = True
    assert (
        calling.match_id == (await service.call.FindMatch(_find(preset=preset, seats=3))).match_id
    )


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"preset": None}, "MALFORMED_FIELD"),
        ({"preset": {"rule_set_id": "chess"}}, "RULE_SET_UNKNOWN"),
        ({"seats": 3}, "UNSUPPORTED_SEATS"),
        ({"name": ""}, "NAME_NOT_ALLOWED"),
        ({"seat_secret": b""}, "MALFORMED_FIELD"),
        ({"host_secret": b""}, "MALFORMED_FIELD"),
    ],
)
async def test_a_search_that_cannot_be_is_refused_by_name(
    service: Service, fields: dict[str, Any], reason: str
) -> None:
    assert reason == (await refusal(service.call.FindMatch(_find(**fields)))).reason
