"""`muggins opponents`: opponents and rules alone, as a process."""

import json
import signal
import time

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from muggins.v1 import (
    lobby_pb2,
    match_service_pb2_grpc,
    opponent_service_pb2,
    opponent_service_pb2_grpc,
    rules_service_pb2,
    rules_service_pb2_grpc,
)
from muggins_ai.levels import available_levels
from muggins_rules import PRESETS
from tests.clients.wire import wire_rule_set
from tests.service.process import serve, serving

OPPONENTS = "muggins.v1.OpponentService"
RULES = "muggins.v1.RulesService"


async def _health(channel: grpc.aio.Channel, service: str) -> health_pb2.HealthCheckResponse:
    stub = health_pb2_grpc.HealthStub(channel)
    request = health_pb2.HealthCheckRequest(service=service)
    answer = await stub.Check(request)  # type: ignore[attr-defined]
    assert isinstance(answer, health_pb2.HealthCheckResponse)
    return answer


async def test_opponents_and_rules_are_served_and_nothing_else() -> None:
    async with serving(command="opponents") as server, server.channel() as channel:
        for service in ("", OPPONENTS, RULES):
            answer = await _health(channel, service)
            assert health_pb2.HealthCheckResponse.SERVING == answer.status
        with pytest.raises(grpc.aio.AioRpcError) as unknown:
            await _health(channel, "muggins.v1.MatchService")
        assert grpc.StatusCode.NOT_FOUND is unknown.value.code()
        levels = await opponent_service_pb2_grpc.OpponentServiceStub(channel).ListLevels(
            opponent_service_pb2.ListLevelsRequest()
        )
        assert set(available_levels()) == {info.level for info in levels.levels}
        checked = await rules_service_pb2_grpc.RulesServiceStub(channel).CheckRuleSet(
            rules_service_pb2.CheckRuleSetRequest(rule_set=wire_rule_set(PRESETS["sniff"]))
        )
        assert not checked.problems
        with pytest.raises(grpc.aio.AioRpcError) as absent:
            await match_service_pb2_grpc.MatchServiceStub(channel).GetServerInfo(
                lobby_pb2.GetServerInfoRequest()
            )
        assert grpc.StatusCode.UNIMPLEMENTED is absent.value.code()


async def test_reflection_names_the_services() -> None:
    async with serving(command="opponents") as server, server.channel() as channel:
        ask: grpc.aio.StreamStreamMultiCallable[
            reflection_pb2.ServerReflectionRequest, reflection_pb2.ServerReflectionResponse
        ] = channel.stream_stream(
            f"/{reflection.SERVICE_NAME}/ServerReflectionInfo",
            request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )
        call = ask(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
        answers = [answer async for answer in call]
        names = {found.name for found in answers[0].list_services_response.service}
        assert {OPPONENTS, RULES} <= names
        assert "muggins.v1.MatchService" not in names


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_drains_the_opponents_and_ends_the_process_with_0(
    sent: signal.Signals,
) -> None:
    async with serving(command="opponents") as server:
        server.process.send_signal(sent)
        signalled = time.monotonic()
        status, errors = await server.ended()
        assert 0 == status
        assert time.monotonic() - signalled < 5
        events = [json.loads(line)["event"] for line in errors.splitlines()]
        assert ["serving", "draining", "stopped"] == events


async def test_the_command_says_how_matches_use_it() -> None:
    async with serving(command="opponents") as server:
        assert server.process.stdout is not None
        told = (await server.process.stdout.readline()).decode()
        assert f"muggins serve --opponents-address {server.address}" in told


async def test_a_setting_of_matches_is_no_setting_of_opponents() -> None:
    process = await serve("--max-matches", "3", command="opponents")
    _, errors = await process.communicate()
    assert 2 == process.returncode
    assert "--max-matches" in errors.decode()
