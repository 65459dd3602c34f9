"""What every call sends, and what is sent again when an answer is lost."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import TYPE_CHECKING

import grpc
import pytest

from muggins.v1 import (
    actions_pb2,
    analysis_pb2,
    events_pb2,
    lobby_pb2,
    moves_pb2,
    opponent_service_pb2,
    records_pb2,
    rule_sets_pb2,
    rules_service_pb2,
    views_pb2,
)
from muggins_client import (
    Host,
    Malformed,
    ProtocolViolation,
    Seat,
    SeatKeys,
    Unavailable,
    connect,
    draw,
    pass_turn,
    placement,
    tile,
)
from muggins_client.keys import encode_key
from muggins_rules.fair_deal import commit_nonce
from tests.clients.raw_server import SERVICES, fail, raw_server, serving
from tests.proxy import proxy_to

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from muggins_client import MugginsClient
    from tests.clients.raw_server import Context

SEAT = Seat("m-1", 0, "Ana", b"s" * 32, b"n" * 32, b"")
HOST = Host("m-1", b"h" * 32, b"a" * 32)


async def call_everything(client: MugginsClient) -> None:
    """Each unary rpc at least once."""
    await client.get_server_info()
    await client.list_rule_sets()
    await client.create_match("muggins", fills={1: "greedy"})
    await client.get_match("m-1")
    await client.get_seat_view(SEAT)
    await client.list_matches()
    await client.join_match("m-1", "Ana")
    await client.rejoin(SEAT)
    await client.find_match("muggins", "Ana")
    await client.reveal_nonce(SEAT)
    await client.set_seat_options(SEAT, draws_by_itself=True)
    await client.leave_match(SEAT)
    await client.resign_match(SEAT)
    await client.agree_to_end(SEAT)
    await client.host.start(HOST)
    await client.host.fill_seat(HOST, 1, "greedy")
    await client.host.free_seat(HOST, 1)
    await client.host.cancel(HOST)
    await client.host.rematch(HOST)
    await client.play_tile(SEAT, placement(tile(3, 6)), claim=5)
    await client.draw_tile(SEAT, until_playable=True)
    await client.pass_turn(SEAT)
    await client.claim_points(SEAT, 10)
    await client.call_muggins(SEAT, 12)
    await client.get_hint(SEAT, events_pb2.HINT_STEP_TILE)
    await client.export_match("m-1")
    await client.opponents.list_levels()
    await client.opponents.choose_action(views_pb2.SeatView(), "greedy")
    await client.opponents.choose_action(views_pb2.SeatView(), analysis_pb2.Budget(nodes=1))
    await client.rules.check_rule_set(rule_sets_pb2.RuleSet())
    await client.rules.start_round(rules_service_pb2.StartRoundRequest())
    await client.rules.apply(rules_service_pb2.ApplyRequest())
    await client.rules.view(rules_service_pb2.ViewRequest())


async def test_every_unary_rpc_has_a_method_and_a_deadline() -> None:
    async with serving({}) as (client, calls):
        await call_everything(client)
    unary = {
        f"{service.name}/{method.name}"
        for service in SERVICES
        for method in service.methods
        if not method.server_streaming
    }
    assert unary == {call.method for call in calls.seen}
    assert all(call.time_left_s is not None and call.time_left_s < 61 for call in calls.seen)


async def test_every_mutation_carries_a_fresh_request_id() -> None:
    async with serving({}) as (client, calls):
        await call_everything(client)
    sent = [call.request for call in calls.seen if hasattr(call.request, "request_id")]
    ids = [request.request_id for request in sent]
    assert {4} == {uuid.UUID(request_id).version for request_id in ids}
    assert len(ids) == len(set(ids))


async def test_calls_for_a_seat_show_its_secret_and_the_language() -> None:
    async with (
        raw_server({}) as (port, calls),
        connect(f"127.0.0.1:{port}", language="pt-BR") as client,
    ):
        await client.pass_turn(SEAT)
        await client.get_match("m-1")
        await client.host.start(HOST)
    played, read, controlled = (call.metadata for call in calls.seen)
    assert encode_key(b"s" * 32) == played["muggins-seat-secret"]
    assert "m-1" == played["muggins-match-id"]
    assert "pt-BR" == played["accept-language"]
    assert "muggins-seat-secret" not in read
    assert encode_key(b"h" * 32) == controlled["muggins-host-secret"]


async def test_joining_keeps_what_deals_are_checked_against() -> None:
    async def join(*_: object) -> lobby_pb2.JoinMatchResponse:
        view = views_pb2.SeatView(table=views_pb2.PublicView(fairness_anchor=b"a" * 32))
        return lobby_pb2.JoinMatchResponse(version=4, seat=1, view=view)

    async with serving({"MatchService/JoinMatch": join}) as (client, calls):
        joined = await client.join_match("m-1", "Ana")
    (call,) = calls.seen
    assert joined.seat.secret == call.request.seat_secret
    assert commit_nonce(joined.seat.nonce) == call.request.nonce_commitment
    assert (1, b"a" * 32, 4) == (joined.seat.seat, joined.seat.anchor, joined.version)


async def test_the_same_keys_ask_for_the_same_seat() -> None:
    keys = SeatKeys()
    async with serving({}) as (client, calls):
        await client.join_match("m-1", "Ana", keys=keys, request_id="r-1")
        await client.join_match("m-1", "Ana", keys=keys, request_id="r-1")
    first, second = (call.request for call in calls.seen)
    assert first == second


async def test_a_player_may_take_no_part_in_the_shuffle() -> None:
    async with serving({}) as (client, calls):
        joined = await client.join_match("m-1", "Ana", keys=SeatKeys(nonce=b""))
    assert b"" == calls.seen[0].request.nonce_commitment == joined.seat.nonce


async def test_coming_back_to_another_anchor_is_noticed() -> None:
    async def join(*_: object) -> lobby_pb2.JoinMatchResponse:
        view = views_pb2.SeatView(table=views_pb2.PublicView(fairness_anchor=b"b" * 32))
        return lobby_pb2.JoinMatchResponse(view=view)

    async with serving({"MatchService/JoinMatch": join}) as (client, _):
        with pytest.raises(ProtocolViolation, match="ANCHOR_CHANGED"):
            await client.rejoin(SEAT)


async def test_a_listed_action_is_sent_by_its_own_rpc() -> None:
    async with serving({}) as (client, calls):
        await client.act(SEAT, draw(until_playable=True), expected_version=3)
        await client.act(SEAT, pass_turn())
    drawn, passed = calls.seen
    assert ("MatchService/DrawTile", True, 3) == (
        drawn.method,
        drawn.request.until_playable,
        drawn.request.expected_version,
    )
    assert "MatchService/PassTurn" == passed.method
    assert not passed.request.HasField("expected_version")


async def test_an_action_of_no_kind_is_malformed() -> None:
    async with serving({}) as (client, _):
        with pytest.raises(Malformed):
            await client.act(SEAT, actions_pb2.Action())


async def test_a_lost_answer_is_asked_for_again_under_the_same_id() -> None:
    done: set[str] = set()

    async def once(request: moves_pb2.PassTurnRequest, _: object) -> moves_pb2.PassTurnResponse:
        done.add(request.request_id)
        return moves_pb2.PassTurnResponse(version=len(done))

    async with (
        raw_server({"MatchService/PassTurn": once}) as (port, calls),
        proxy_to(port) as proxy,
        connect(f"127.0.0.1:{proxy.port}") as client,
    ):
        await client.get_server_info()
        proxy.hold_answers()
        call = asyncio.create_task(client.pass_turn(SEAT))
        while not calls.of("MatchService/PassTurn"):  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)
        proxy.cut()
        answer = await call
    assert 1 == answer.version
    assert 2 == len(calls.of("MatchService/PassTurn"))


async def test_a_silent_connection_is_replaced_within_the_deadline() -> None:
    async with (
        raw_server({}) as (port, calls),
        proxy_to(port) as proxy,
        connect(f"127.0.0.1:{proxy.port}") as client,
    ):
        await client.get_server_info()
        proxy.stall()
        began = time.monotonic()
        await client.pass_turn(SEAT, timeout_s=4.0)
        took = time.monotonic() - began
    assert took < 4.0
    assert 2 == proxy.links
    assert 1 == len({call.request.request_id for call in calls.of("MatchService/PassTurn")})


async def test_the_server_is_given_the_time_it_asks_for() -> None:
    times: list[float] = []

    async def refuse_once(_: object, context: Context) -> lobby_pb2.GetMatchResponse:
        times.append(time.monotonic())
        if len(times) == 1:
            # The header keeps gRPC's own retries out: they know nothing of RetryInfo.
            await context.send_initial_metadata(())
            await fail(context, grpc.StatusCode.UNAVAILABLE, "DRAINING", retry_after_s=0.5)
        return lobby_pb2.GetMatchResponse()

    async with serving({"MatchService/GetMatch": refuse_once}) as (client, _):
        await client.get_match("m-1")
    first, second = times
    assert second - first >= 0.5


async def test_waiting_longer_than_the_deadline_is_given_up_at_once() -> None:
    async def refuse(_: object, context: Context) -> None:
        await context.send_initial_metadata(())
        await fail(context, grpc.StatusCode.UNAVAILABLE, "DRAINING", retry_after_s=60)

    async with serving({"MatchService/GetMatch": refuse}) as (client, _):
        began = time.monotonic()
        with pytest.raises(Unavailable):
            await client.get_match("m-1")
    assert time.monotonic() - began < 2


async def test_pages_are_read_to_the_last_one() -> None:
    async def page(
        request: lobby_pb2.ListMatchesRequest, _: object
    ) -> lobby_pb2.ListMatchesResponse:
        number = int(request.page_token or 0)
        return lobby_pb2.ListMatchesResponse(
            matches=[views_pb2.MatchSummary(match_id=f"m-{number}")],
            next_page_token=str(number + 1) if number < 2 else "",
        )

    async with serving({"MatchService/ListMatches": page}) as (client, _):
        ids = [summary.match_id async for summary in client.all_matches()]
    assert ["m-0", "m-1", "m-2"] == ids


async def test_an_analysis_is_read_to_its_end() -> None:
    async def analyze(*_: object) -> AsyncIterator[opponent_service_pb2.AnalyzeMatchResponse]:
        for done in range(3):
            progress = opponent_service_pb2.ReviewProgress(done=done, total=3)
            yield opponent_service_pb2.AnalyzeMatchResponse(progress=progress)

    async with serving({"OpponentService/AnalyzeMatch": analyze}) as (client, calls):
        parts = [
            part.progress.done
            async for part in client.opponents.analyze_match(records_pb2.MatchRecord())
        ]
    assert [0, 1, 2] == parts
    assert calls.seen[0].time_left_s is not None


def test_call_credentials_are_not_sent_in_the_clear() -> None:
    with pytest.raises(ValueError, match="TLS"):
        connect(call_credentials=grpc.access_token_call_credentials("token"))
