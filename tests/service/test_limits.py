"""What one caller may use up, and that others are served meanwhile."""

from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from google.rpc.error_details_pb2 import QuotaFailure
from google.rpc.status_pb2 import Status

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2, streams_pb2
from muggins_service.config import Config, config_from
from muggins_service.doors.accounts import account_of_peer
from muggins_service.doors.buckets import Buckets
from muggins_service.doors.doors import Doors
from muggins_service.doors.scopes import Scope
from muggins_service.doors.settings import caller_limits
from tests.service.doors_kit import bearer, make_key, until
from tests.service.server import (
    SETTINGS,
    Metadata,
    new_id,
    new_secret,
    refusal,
    refusal_of_stream,
    running,
)

INFO = lobby_pb2.GetServerInfoRequest()
LISTED = lobby_pb2.ListMatchesRequest()


def _keyed(tmp_path: Path) -> Config:
    """The settings of a server that asks for keys."""
    path = tmp_path / "keys"
    path.write_text(make_key("shop", Scope.BACKEND)[1])
    return replace(SETTINGS, auth="keys", keys_file=str(path))


SHOP = make_key("shop", Scope.BACKEND)[0]


def _quota(error: grpc.aio.AioRpcError) -> tuple[str, str]:
    """Whose limit it was, and which."""
    details = dict(error.trailing_metadata() or ())["grpc-status-details-bin"]
    assert isinstance(details, bytes)
    for detail in Status.FromString(details).details:
        failure = QuotaFailure()
        if detail.Unpack(failure):
            (violation,) = failure.violations
            return violation.subject, violation.description
    raise AssertionError("no quota is told")


# --- rates ---


async def test_calls_beyond_the_rate_are_refused_with_the_time_to_wait() -> None:
    async with running(calls_per_second=0.01, calls_burst=2) as service:
        for _ in range(2):
            await service.call.GetServerInfo(INFO)
        call = service.call.GetServerInfo(INFO)
        told = await refusal(call)
        assert ("RATE_LIMITED", grpc.StatusCode.RESOURCE_EXHAUSTED) == (told.reason, told.code)
        assert told.retry_after_s is not None
        assert 90 < told.retry_after_s <= 100
        assert 90 < int(told.metadata["seconds"]) <= 100
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call
        assert ("address:127.0.0.1", "too many calls") == _quota(caught.value)


async def test_each_principal_has_a_budget_of_its_own(tmp_path: Path) -> None:
    async with running(_keyed(tmp_path), calls_per_second=0.01) as service:
        for player in ("ana", "bea"):
            key = bearer(SHOP, acting_for=player)
            await service.call.ListMatches(LISTED, metadata=key)
            assert (
                "RATE_LIMITED"
                == (await refusal(service.call.ListMatches(LISTED, metadata=key))).reason
            )


async def test_strangers_pay_by_their_address(tmp_path: Path) -> None:
    async with running(_keyed(tmp_path), calls_per_second=0.01) as service:
        told = [(await refusal(service.call.ListMatches(LISTED))).reason for _ in range(2)]
        assert ["MISSING_CREDENTIALS", "RATE_LIMITED"] == told
        # Who has a key is not held up by them.
        await service.call.ListMatches(LISTED, metadata=bearer(SHOP))


def _creating(host: bytes | None = None) -> lobby_pb2.CreateMatchRequest:
    return lobby_pb2.CreateMatchRequest(
        request_id=new_id(),
        preset=lobby_pb2.PresetChoice(rule_set_id="muggins"),
        seats=2,
        host_secret=host or new_secret(),
    )


async def test_new_matches_have_a_rate_of_their_own() -> None:
    async with running(new_matches_per_minute=1.0) as service:
        await service.call.CreateMatch(_creating())
        finding = lobby_pb2.FindMatchRequest(
            preset=lobby_pb2.PresetChoice(rule_set_id="muggins"),
            seats=2,
            name="Ana",
            seat_secret=new_secret(),
            host_secret=new_secret(),
        )
        assert "RATE_LIMITED" == (await refusal(service.call.FindMatch(finding))).reason
        await service.call.ListMatches(LISTED)


async def test_hints_have_a_rate_of_their_own() -> None:
    async with running(advice_per_minute=1.0) as service:
        hint = moves_pb2.GetHintRequest(match_id="x", step=events_pb2.HINT_STEP_IDEA)
        told = [(await refusal(service.call.GetHint(hint))).reason for _ in range(2)]
        assert ["MATCH_NOT_FOUND", "RATE_LIMITED"] == told
        await service.call.ListMatches(LISTED)


async def test_commands_on_a_stream_are_calls_too() -> None:
    async with running(calls_per_second=0.01, calls_burst=10) as service:
        _, players = await service.started()
        attach = streams_pb2.PlayMatchRequest(
            attach=streams_pb2.Attach(match_id=players[0].match_id)
        )
        command = streams_pb2.PlayMatchRequest(command=streams_pb2.Command(request_id="1"))
        command.command.action.pass_turn.SetInParent()
        call = service.call.PlayMatch(metadata=players[0].key, timeout=20)
        await call.write(attach)
        reasons: list[str] = []
        for _ in range(12):
            await call.write(command)
        while len(reasons) < 12:
            frame = await call.read()
            assert isinstance(frame, streams_pb2.PlayMatchResponse)
            if frame.HasField("result"):
                reasons.append(frame.result.refusal.reason)
        call.cancel()
        assert {"RATE_LIMITED"} < set(reasons)
        assert "RATE_LIMITED" == reasons[-1]


# --- streams ---


async def test_open_streams_are_limited_and_calls_go_on() -> None:
    async with running(streams_per_caller=2) as service:
        table = await service.create()
        open_now = [service.observe(table.match_id) for _ in range(2)]
        for call in open_now:
            assert isinstance(await call.read(), streams_pb2.ObserveMatchResponse)
        third = service.observe(table.match_id)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await third.read()
        assert ("address:127.0.0.1", "at most 2 open streams") == _quota(caught.value)
        watch = service.call.WatchMatches(lobby_pb2.WatchMatchesRequest(), timeout=20)
        told = await refusal_of_stream(watch)
        assert ("TOO_MANY_STREAMS", {"limit": "2"}) == (told.reason, told.metadata)
        await service.join(table.match_id)
        open_now[0].cancel()

        async def taken() -> bool:
            again = service.observe(table.match_id)
            try:
                return isinstance(await again.read(), streams_pb2.ObserveMatchResponse)
            except grpc.aio.AioRpcError:
                return False

        await until(taken)


async def test_a_thousand_streams_that_ended_are_not_remembered() -> None:
    async with running(streams_per_caller=50) as service:
        table = await service.create()
        for _ in range(20):
            calls = [service.observe(table.match_id) for _ in range(50)]
            for call in calls:
                await call.read()
                call.cancel()

            async def none_left() -> bool:
                return not service.app.doors.limiter._streams

            await until(none_left)


# --- matches ---


async def test_matches_that_are_not_over_are_limited() -> None:
    async with running(matches_per_caller=2) as service:
        tables = [await service.create() for _ in range(2)]
        call = service.call.CreateMatch(_creating())
        told = await refusal(call)
        expected = ("TOO_MANY_MATCHES", grpc.StatusCode.RESOURCE_EXHAUSTED, {"limit": "2"})
        assert expected == (told.reason, told.code, told.metadata)
        # Sitting down at another's table is not making one.
        await service.join(tables[0].match_id)
        await service.control(tables[1], cancel={})
        await service.create()
        rematch = lobby_pb2.ControlMatchRequest(
            match_id=tables[1].match_id, rematch=lobby_pb2.Rematch()
        )
        told = await refusal(service.call.ControlMatch(rematch, metadata=tables[1].host))
        assert "TOO_MANY_MATCHES" == told.reason


async def test_matches_made_at_the_same_moment_are_counted_each() -> None:
    async with running(matches_per_caller=3) as service:
        calls = [service.call.CreateMatch(_creating()) for _ in range(20)]
        made = 0
        for call in calls:
            try:
                await call
            except grpc.aio.AioRpcError:
                continue
            made += 1
        assert 3 == made


async def test_a_principal_has_matches_of_its_own(tmp_path: Path) -> None:
    async with running(_keyed(tmp_path), matches_per_caller=1) as service:
        for player in ("ana", "bea"):
            key = bearer(SHOP, acting_for=player)
            await service.call.CreateMatch(_creating(), metadata=key)
            told = await refusal(service.call.CreateMatch(_creating(), metadata=key))
            assert "TOO_MANY_MATCHES" == told.reason


# --- what is told, and what it costs ---


async def test_the_server_tells_its_limits() -> None:
    config = replace(SETTINGS, calls_per_second=7.5, new_matches_per_minute=6.0)
    config = replace(config, advice_per_minute=5.0, streams_per_caller=4, matches_per_caller=3)
    async with running(config) as service:
        limits = (await service.call.GetServerInfo(INFO)).limits
        assert (7.5, 6.0, 5.0) == (
            limits.max_calls_per_second,
            limits.max_new_matches_per_minute,
            limits.max_advice_per_minute,
        )
        assert (4, 3) == (limits.max_streams_per_caller, limits.max_matches_per_caller)


def test_limits_left_to_the_server_hold_for_known_callers_alone() -> None:
    assert {0} == set(caller_limits(Config()))
    known = config_from({"auth": "keys", "keys_file": "keys"}, {})
    assert (100, 0, 60, 60, 100, 100) == tuple(caller_limits(known))
    chosen = config_from({"auth": "keys", "keys_file": "keys", "calls_per_second": 0}, {})
    assert 0 == caller_limits(chosen).calls_per_second


def test_without_doors_nothing_is_asked_of_a_call() -> None:
    guard = Doors(Config()).guard
    assert guard.admission("muggins.v1.MatchService", "PlayTile") is None
    assert guard.admission("muggins.v1.MatchService", "ObserveMatch") is None


def test_a_bucket_fills_with_time_and_never_over_its_brim() -> None:
    now = 0.0
    buckets = Buckets(2.0, 3, lambda: now)
    assert [0, 0, 0] == [buckets.take("a") for _ in range(3)]
    assert 0.5 == pytest.approx(buckets.take("a"))
    assert 0 == buckets.take("b")
    now = 0.5
    assert 0 == buckets.take("a")
    assert buckets.take("a") > 0
    now = 1_000.0
    assert [0, 0, 0] == [buckets.take("a") for _ in range(3)]
    assert buckets.take("a") > 0


def test_idle_buckets_are_dropped_and_busy_ones_bounded() -> None:
    now = 0.0
    buckets = Buckets(1.0, 1, lambda: now, most=1_000)
    for number in range(5_000):
        buckets.take(str(number))
        assert len(buckets) <= 1_000
    now = 10.0
    buckets.take("new")
    assert 1 == len(buckets)


@pytest.mark.parametrize(
    ("peer", "account"),
    [
        ("ipv4:10.1.2.3:5000", "address:10.1.2.3"),
        ("ipv6:%5B::1%5D:5000", "address:::"),
        ("ipv6:[2001:db8:1:2:3:4:5:6]:5000", "address:2001:db8:1:2::"),
        ("ipv6:[2001:db8:1:2:ffff::]:1", "address:2001:db8:1:2::"),
        ("ipv6:[::ffff:10.1.2.3]:1", "address:10.1.2.3"),
        ("ipv6:%5Bfe80::1%25eth0%5D:1", "address:fe80::"),
        ("unix:/tmp/socket", "address:unknown"),
        ("", "address:unknown"),
    ],
)
def test_an_account_is_an_address_without_its_port(peer: str, account: str) -> None:
    assert account == account_of_peer(peer)


async def test_metadata_beyond_the_bound_are_refused_and_the_server_goes_on() -> None:
    async with running() as service:
        large: Metadata = (("x-large", "x" * 20_000),)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await service.call.GetServerInfo(INFO, metadata=large, timeout=20)
        assert grpc.StatusCode.RESOURCE_EXHAUSTED is caught.value.code()
        fits: Metadata = (("x-large", "x" * 7_000),)
        await service.call.GetServerInfo(INFO, metadata=fits, timeout=20)


async def test_unknown_methods_and_missing_scopes_are_calls_too(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    lab, line = make_key("lab", Scope.ANALYST)
    path.write_text(line)
    config = replace(SETTINGS, auth="keys", keys_file=str(path), calls_per_second=0.01)
    async with running(config) as service:
        unknown: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
        unknown = service.channel.unary_unary("/muggins.v1.MatchService/Cheat")
        told = [(await refusal(unknown(b"", timeout=20))).reason for _ in range(2)]
        assert ["NOT_IMPLEMENTED", "RATE_LIMITED"] == told
        calls = [service.call.ListMatches(LISTED, metadata=bearer(lab)) for _ in range(2)]
        told = [(await refusal(call)).reason for call in calls]
        assert ["SCOPE_MISSING", "RATE_LIMITED"] == told


async def test_a_backend_that_calls_for_nobody_has_no_limit(tmp_path: Path) -> None:
    async with running(_keyed(tmp_path), calls_per_second=0.01, calls_burst=1) as service:
        for _ in range(5):
            await service.call.ListMatches(LISTED, metadata=bearer(SHOP))
