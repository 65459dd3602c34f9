"""ResultsService: notices as a stream, dead letters listed and tried again, and who may ask."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import grpc

from muggins.v1 import events_pb2, lobby_pb2, results_pb2, results_service_pb2_grpc, streams_pb2
from muggins.v1 import results_service_pb2 as pb
from muggins_service.doors.scopes import Scope
from tests.service.doors_kit import bearer, make_key, until
from tests.service.receiver import Came, receiving, status, webhook_settings
from tests.service.server import CALL_S, Field, Service, refusal, refusal_of_stream, running

if TYPE_CHECKING:
    from muggins.v1.results_service_pb2_grpc import ResultsServiceAsyncStub


@asynccontextmanager
async def telling(**settings: Field) -> "AsyncIterator[tuple[Service, ResultsServiceAsyncStub]]":
    """A server and the stub of its ResultsService on the operator's port."""
    async with (
        running(admin_port=-1, **settings) as service,
        grpc.aio.insecure_channel(f"127.0.0.1:{service.app.admin.port}") as channel,
    ):
        yield service, results_service_pb2_grpc.ResultsServiceStub(channel)


async def next_frame(
    stream: "grpc.aio.UnaryStreamCall[pb.WatchResultsRequest, pb.WatchResultsResponse]",
) -> pb.WatchResultsResponse:
    """The next frame of a stream that goes on."""
    frame = await stream.read()
    assert isinstance(frame, pb.WatchResultsResponse)
    return frame


async def cancel(service: Service) -> str:
    """A match that was started and cancelled."""
    table, _ = await service.started()
    await service.control(table, cancel=lobby_pb2.CancelMatch())
    return table.match_id


async def test_a_stream_goes_on_after_its_cursor_and_ends_with_a_go_away() -> None:
    async with telling() as (service, results):
        first = await cancel(service)
        cursor, told = 0, list[results_pb2.MatchNotice]()
        stream = results.WatchResults(pb.WatchResultsRequest(after=0), timeout=CALL_S)
        async for frame in stream:
            told += frame.notices
            cursor = frame.cursor
            if told:
                break
        stream.cancel()
        second = await cancel(service)
        last = pb.WatchResultsResponse()
        request = pb.WatchResultsRequest(after=cursor)
        async for frame in results.WatchResults(request, timeout=CALL_S):
            told += frame.notices
            if len(told) == 4:
                service.app.telling.end_all()
            last = frame
    assert [first, first, second, second] == [notice.match_id for notice in told]
    assert 4 == len({notice.id for notice in told})
    assert streams_pb2.GO_AWAY_REASON_DRAINING == last.go_away.reason
    assert 4 == last.cursor


async def test_without_a_cursor_only_what_comes_is_told_and_silence_is_a_heartbeat() -> None:
    async with telling() as (service, results):
        await cancel(service)
        request = pb.WatchResultsRequest()
        request.heartbeat.FromMilliseconds(200)
        stream = results.WatchResults(request, timeout=CALL_S)
        frames = [await next_frame(stream), await next_frame(stream)]
        match_id = await cancel(service)
        told: list[str] = []
        while len(told) < 2:
            frame = await next_frame(stream)
            told += [notice.match_id for notice in frame.notices]
        stream.cancel()
    assert [(2, 0), (2, 0)] == [(frame.cursor, len(frame.notices)) for frame in frames]
    assert [match_id] * 2 == told


async def test_what_is_no_longer_kept_is_told_as_a_gap() -> None:
    async with telling(results_kept_s=0.2) as (service, results):
        await cancel(service)
        outbox = service.app.store.outbox

        async def expired() -> bool:
            return outbox.lost_cursor() == 2

        await until(expired)
        gaps = [
            (
                await next_frame(
                    results.WatchResults(pb.WatchResultsRequest(after=after), timeout=CALL_S)
                )
            ).gap
            for after in (1, 2, 99)
        ]
    assert [True, False, True] == gaps


async def test_dead_letters_are_listed_by_pages_and_tried_again(tmp_path: Path) -> None:
    refusing = True

    def answer(_: Came) -> bytes:
        return status(500 if refusing else 200)

    async with receiving(answer) as receiver:
        settings = webhook_settings(tmp_path, receiver.url) | {"webhook_attempts": 2}
        async with telling(**settings) as (service, results):
            match_id = await cancel(service)

            async def both() -> bool:
                found = await results.ListDeadLetters(pb.ListDeadLettersRequest())
                return len(found.dead_letters) == 2

            await until(both)
            page = await results.ListDeadLetters(pb.ListDeadLettersRequest(page_size=1))
            request = pb.ListDeadLettersRequest(page_size=1, page_token=page.next_page_token)
            rest = await results.ListDeadLetters(request)
            (start,), (end,) = page.dead_letters, rest.dead_letters
            refusing = False
            asked = pb.RetryDeadLetterRequest(notice_id=end.notice.id, destination=end.destination)
            await results.RetryDeadLetter(asked, timeout=CALL_S)
            await receiver.until(lambda: len(receiver.came) == 5)
            left = await results.ListDeadLetters(pb.ListDeadLettersRequest())
            gone = await refusal(results.RetryDeadLetter(asked, timeout=CALL_S))
    assert (match_id, 2, "status 500") == (start.notice.match_id, start.attempts, start.failure)
    assert "" == rest.next_page_token
    assert start.destination.startswith(f"http://127.0.0.1:{receiver.port}#")
    assert end.notice.id == receiver.ids[-1]
    assert [start.notice.id] == [letter.notice.id for letter in left.dead_letters]
    assert ("DEAD_LETTER_NOT_FOUND", grpc.StatusCode.NOT_FOUND) == (gone.reason, gone.code)


async def test_a_token_that_is_none_is_refused() -> None:
    async with telling() as (_, results):
        for token in ("?", "YWJj", "MTIz"):
            told = await refusal(
                results.ListDeadLetters(pb.ListDeadLettersRequest(page_token=token))
            )
            assert ("MALFORMED_FIELD", ("page_token",)) == (told.reason, told.fields)


async def test_results_are_for_backends_and_operators_and_on_the_common_port_only_with_keys(
    tmp_path: Path,
) -> None:
    keys = {scope: make_key(scope.value, scope, key_id=scope.value) for scope in Scope}
    file = tmp_path / "keys"
    file.write_text("".join(line for _, line in keys.values()))
    request = pb.WatchResultsRequest(after=0)
    async with running(auth="keys", keys_file=str(file)) as service:
        results = results_service_pb2_grpc.ResultsServiceStub(service.channel)
        for scope, (key, _) in keys.items():
            stream = results.WatchResults(request, metadata=bearer(key), timeout=CALL_S)
            if scope in {Scope.BACKEND, Scope.ADMIN}:
                assert 0 == (await next_frame(stream)).cursor
                stream.cancel()
            else:
                assert "SCOPE_MISSING" == (await refusal_of_stream(stream)).reason
        stranger = await refusal_of_stream(results.WatchResults(request, timeout=CALL_S))
        assert "MISSING_CREDENTIALS" == stranger.reason
    async with running() as service:
        results = results_service_pb2_grpc.ResultsServiceStub(service.channel)
        told = await refusal_of_stream(results.WatchResults(request, timeout=CALL_S))
        assert grpc.StatusCode.UNIMPLEMENTED == told.code


async def test_a_notice_names_the_principals_whom_the_operator_credits(tmp_path: Path) -> None:
    host, ana = (make_key(name, Scope.PLAYER, key_id=name) for name in ("host", "ana"))
    file = tmp_path / "keys"
    file.write_text(host[1] + ana[1])
    async with receiving() as receiver:
        settings = webhook_settings(tmp_path, receiver.url)
        async with running(auth="keys", keys_file=str(file), **settings) as service:
            created = await service.call.CreateMatch(
                lobby_pb2.CreateMatchRequest(
                    preset=lobby_pb2.PresetChoice(rule_set_id="muggins"),
                    seats=2,
                    host_secret=b"h" * 32,
                    fills=[lobby_pb2.SeatFill(seat=1, level="random")],
                    options=events_pb2.MatchOptions(starts_when_full=True),
                ),
                metadata=bearer(host[0]),
                timeout=CALL_S,
            )
            await service.call.JoinMatch(
                lobby_pb2.JoinMatchRequest(
                    match_id=created.match_id, name="A", seat_secret=b"s" * 32
                ),
                metadata=bearer(ana[0]),
                timeout=CALL_S,
            )
            await receiver.until(lambda: len(receiver.came) == 1)
    notice = receiver.came[0].notice
    assert "host" == notice["host_principal"]
    assert ["ana", ""] == [seat["principal"] for seat in notice["seats"]]
