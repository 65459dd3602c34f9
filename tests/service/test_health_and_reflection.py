"""What a tool finds without our protos: health, and every method by reflection."""

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from tests.service.server import Field, Service, new_secret, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

SERVICES = [
    "",
    "muggins.v1.MatchService",
    "muggins.v1.OpponentService",
    "muggins.v1.RulesService",
]


async def _check(service: Service, name: str) -> health_pb2.HealthCheckResponse:
    stub = health_pb2_grpc.HealthStub(service.channel)
    request = health_pb2.HealthCheckRequest(service=name)
    answer = await stub.Check(request)  # type: ignore[attr-defined]
    assert isinstance(answer, health_pb2.HealthCheckResponse)
    return answer


@pytest.mark.parametrize("name", SERVICES)
async def test_every_service_is_told_to_be_serving(service: Service, name: str) -> None:
    answer = await _check(service, name)
    assert health_pb2.HealthCheckResponse.SERVING == answer.status


async def test_an_unknown_service_has_no_health(service: Service) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await _check(service, "nothing")
    assert grpc.StatusCode.NOT_FOUND is caught.value.code()


async def test_who_watches_health_is_told_of_the_drain() -> None:
    async with running() as service:
        stub = health_pb2_grpc.HealthStub(service.channel)
        watch = stub.Watch(health_pb2.HealthCheckRequest())  # type: ignore[attr-defined]
        states = [(await watch.read()).status]
        await service.app.health.shut_down()
        states.append((await watch.read()).status)
        watch.cancel()
        status = health_pb2.HealthCheckResponse
        assert [status.SERVING, status.NOT_SERVING] == states


class Reflected:
    """The descriptors that a server gives, in a pool of their own."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.pool = DescriptorPool()
        self._ask_for: grpc.aio.StreamStreamMultiCallable[
            reflection_pb2.ServerReflectionRequest, reflection_pb2.ServerReflectionResponse
        ] = channel.stream_stream(
            f"/{reflection.SERVICE_NAME}/ServerReflectionInfo",
            request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )
        self._files: set[str] = set()

    async def _ask(self, **question: Field) -> reflection_pb2.ServerReflectionResponse:
        request = reflection_pb2.ServerReflectionRequest(**question)
        call = self._ask_for(iter([request]))
        answers = [answer async for answer in call]
        return answers[0]

    async def services(self) -> list[str]:
        """The names of all services."""
        answer = await self._ask(list_services="")
        return [service.name for service in answer.list_services_response.service]

    async def load(self, **question: Field) -> None:
        """Take in the files that a question is answered with, and all that they import."""
        answer = await self._ask(**question)
        for raw in answer.file_descriptor_response.file_descriptor_proto:
            file = FileDescriptorProto.FromString(raw)
            if file.name in self._files:
                continue
            self._files.add(file.name)
            for imported in file.dependency:
                if imported not in self._files:
                    await self.load(file_by_filename=imported)
            self.pool.Add(file)

    async def call(self, channel: grpc.aio.Channel, name: str, text: dict[str, object]) -> Message:
        """Call a method by its full name, with a request from plain values."""
        service_name, _, method_name = name.rpartition(".")
        method = self.pool.FindServiceByName(service_name).FindMethodByName(method_name)
        request = GetMessageClass(method.input_type)(**text)
        answer = GetMessageClass(method.output_type)
        rpc: grpc.aio.UnaryUnaryMultiCallable[Message, Message] = channel.unary_unary(
            f"/{service_name}/{method_name}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=answer.FromString,
        )
        return await rpc(request)


async def test_reflection_lists_every_service(service: Service) -> None:
    names = await Reflected(service.channel).services()
    expected = {*SERVICES[1:], "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}
    assert expected == set(names)


async def test_a_client_without_our_protos_makes_a_match_by_reflection(service: Service) -> None:
    reflected = Reflected(service.channel)
    await reflected.load(file_containing_symbol="muggins.v1.MatchService")
    created = await reflected.call(
        service.channel,
        "muggins.v1.MatchService.CreateMatch",
        {
            "preset": {"rule_set_id": "five_up", "calling": True},
            "seats": 3,
            "host_secret": new_secret(),
            "fills": [{"seat": 1, "level": "greedy"}],
        },
    )
    match_id = created.match_id  # type: ignore[attr-defined]
    assert "five_up" == (await service.public_view(match_id)).rule_set.id
    shown = await reflected.call(
        service.channel, "muggins.v1.MatchService.GetMatch", {"match_id": match_id}
    )
    assert "greedy" == shown.table.seats[1].level  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", SERVICES[1:])
async def test_reflection_describes_every_method_of_a_service(service: Service, name: str) -> None:
    reflected = Reflected(service.channel)
    await reflected.load(file_containing_symbol=name)
    methods = reflected.pool.FindServiceByName(name).methods
    assert methods
    for method in methods:
        assert method.input_type.full_name.startswith("muggins.v1.")
        assert method.output_type.full_name.startswith("muggins.v1.")
