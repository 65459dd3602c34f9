"""What the wire says of a failure, as the typed error that a caller meets."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import TYPE_CHECKING

import grpc
import pytest
from google.rpc import error_details_pb2

from muggins.v1 import streams_pb2
from muggins_client import (
    Exhausted,
    Internal,
    Malformed,
    MugginsError,
    NotFound,
    NotImplementedByServer,
    PermissionDenied,
    Refused,
    Seat,
    StaleVersion,
    TimedOut,
    Unauthenticated,
    Unavailable,
    connect,
    placement,
    tile,
)
from muggins_client.statuses import error_of_refusal
from tests.clients.raw_server import fail, for_ever, serving

if TYPE_CHECKING:
    from tests.clients.raw_server import Context

SEAT = Seat("m-1", 0, "Ana", b"s" * 32, b"n" * 32, b"a" * 32)


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_FIELD", Malformed),
        (grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND", NotFound),
        (grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN", Refused),
        (grpc.StatusCode.ABORTED, "VERSION_STALE", StaleVersion),
        (grpc.StatusCode.UNAUTHENTICATED, "BAD_SEAT_SECRET", Unauthenticated),
        (grpc.StatusCode.PERMISSION_DENIED, "INVITE_CODE_WRONG", PermissionDenied),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", Exhausted),
        (grpc.StatusCode.UNIMPLEMENTED, "NOT_IMPLEMENTED", NotImplementedByServer),
        (grpc.StatusCode.INTERNAL, "INTERNAL", Internal),
    ],
)
async def test_each_code_has_its_class_and_keeps_the_reason(
    code: grpc.StatusCode, reason: str, kind: type[MugginsError]
) -> None:
    async def refuse(_: object, context: Context) -> None:
        await fail(context, code, reason)

    async with serving({"MatchService/GetMatch": refuse}) as (client, _):
        with pytest.raises(kind) as raised:
            await client.get_match("m-1")
    assert (reason, code) == (raised.value.reason, raised.value.code)
    assert "MatchService/GetMatch" == raised.value.method


async def test_stale_version_tells_the_current_one() -> None:
    async def refuse(_: object, context: Context) -> None:
        await fail(context, grpc.StatusCode.ABORTED, "VERSION_STALE", metadata={"version": "17"})

    async with serving({"MatchService/PassTurn": refuse}) as (client, _):
        with pytest.raises(StaleVersion) as raised:
            await client.pass_turn(SEAT, expected_version=3)
    assert 17 == raised.value.current


async def test_a_refusal_carries_its_values_and_a_sentence_in_the_callers_language() -> None:
    async def refuse(_: object, context: Context) -> None:
        sentence = error_details_pb2.LocalizedMessage(locale="fr", message="Le 3-6 ne va pas.")
        await fail(
            context,
            grpc.StatusCode.FAILED_PRECONDITION,
            "NO_MATCH",
            metadata={"tile": "3-6", "value": "5"},
            more=(sentence,),
        )

    async with serving({"MatchService/PlayTile": refuse}) as (client, _):
        with pytest.raises(Refused) as raised:
            await client.play_tile(SEAT, placement(tile(6, 3)))
    assert {"tile": "3-6", "value": "5"} == raised.value.metadata
    assert "Le 3-6 ne va pas." == raised.value.message


async def test_a_malformed_request_names_its_fields() -> None:
    async def refuse(_: object, context: Context) -> None:
        violation = error_details_pb2.BadRequest.FieldViolation(field="seats", description="2 to 4")
        await fail(
            context,
            grpc.StatusCode.INVALID_ARGUMENT,
            "MALFORMED_FIELD",
            more=(error_details_pb2.BadRequest(field_violations=[violation]),),
        )

    async with serving({"MatchService/CreateMatch": refuse}) as (client, _):
        with pytest.raises(Malformed) as raised:
            await client.create_match(seats=9)
    assert [("seats", "2 to 4")] == [tuple(problem) for problem in raised.value.fields]


async def test_draining_tells_when_to_come_back() -> None:
    async def refuse(_: object, context: Context) -> None:
        await fail(context, grpc.StatusCode.UNAVAILABLE, "DRAINING", retry_after_s=30.0)

    async with serving({"MatchService/GetMatch": refuse}) as (client, _):
        with pytest.raises(Unavailable) as raised:
            await client.get_match("m-1")
    assert ("DRAINING", 30.0) == (raised.value.reason, raised.value.retry_after_s)


async def test_unreadable_details_leave_the_code() -> None:
    async def refuse(_: object, context: Context) -> None:
        trailing = (("grpc-status-details-bin", b"\xff\xff\xff"),)
        await context.abort(grpc.StatusCode.NOT_FOUND, "gone", trailing)

    async with serving({"MatchService/GetMatch": refuse}) as (client, _):
        with pytest.raises(NotFound) as raised:
            await client.get_match("m-1")
    assert ("NOT_FOUND", "gone") == (raised.value.reason, raised.value.message)


async def test_a_server_that_never_answers_is_a_time_out_with_the_request_id() -> None:
    async def hang(*_: object) -> None:
        await for_ever()

    async with serving({"MatchService/PassTurn": hang}) as (client, calls):
        began = time.monotonic()
        with pytest.raises(TimedOut) as raised:
            await client.pass_turn(SEAT, timeout_s=0.6)
        took = time.monotonic() - began
    assert took < 2.0
    sent = {call.request.request_id for call in calls.of("MatchService/PassTurn")}
    assert {raised.value.request_id} == sent


async def test_nobody_at_the_port_is_unavailable() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with connect(f"127.0.0.1:{port}") as client:
        with pytest.raises(Unavailable):
            await client.get_match("m-1", timeout_s=3.0)
        with pytest.raises(Unavailable):
            await client.ready(0.2)


async def test_closing_the_client_ends_its_calls_with_an_error() -> None:
    async def hang(*_: object) -> None:
        await for_ever()

    async with serving({"MatchService/GetMatch": hang}) as (client, calls):
        call = asyncio.create_task(client.get_match("m-1"))
        while not calls.seen:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)
        await client.close()
        with pytest.raises(Unavailable) as raised:
            await call
        assert "CONNECTION_CLOSED" == raised.value.reason
        with pytest.raises(Unavailable):
            await client.get_match("m-1")


async def test_cancelling_a_call_is_no_error_of_the_client() -> None:
    async def hang(*_: object) -> None:
        await for_ever()

    async with serving({"MatchService/GetMatch": hang}) as (client, _):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await client.get_match("m-1")


def test_a_refused_command_raises_what_the_unary_call_raises() -> None:
    refusal = streams_pb2.Refusal(
        code=10, reason="VERSION_STALE", metadata={"version": "9"}, message="Too late."
    )
    error = error_of_refusal(refusal, "MatchService/PlayMatch", "r-1")
    assert isinstance(error, StaleVersion)
    assert (9, "r-1") == (error.current, error.request_id)


def test_a_code_from_a_later_version_is_an_internal_error() -> None:
    error = error_of_refusal(streams_pb2.Refusal(code=99), "", "")
    assert isinstance(error, Internal)
