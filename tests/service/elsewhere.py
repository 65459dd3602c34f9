"""A server of opponents that answers as a test tells it to."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc

from muggins.v1 import opponent_service_pb2 as pb

__all__ = ["Answer", "Elsewhere", "answering", "first_action"]

Context = grpc.aio.ServicerContext[bytes, bytes]

Answer = Callable[[pb.ChooseActionRequest, Context], Awaitable[bytes]]
"""What it answers to a question."""


class Elsewhere:
    """Where such a server listens, and what it was asked."""

    def __init__(self, address: str, asked: list[pb.ChooseActionRequest]) -> None:
        self.address = address
        self.asked = asked


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[Elsewhere]:
    """A server whose ChooseAction is `answer`."""
    asked: list[pb.ChooseActionRequest] = []

    async def choose(request: bytes, context: Context) -> bytes:
        asked.append(pb.ChooseActionRequest.FromString(request))
        return await answer(asked[-1], context)

    server = grpc.aio.server()
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(choose)
    server.add_generic_rpc_handlers(
        (
            grpc.method_handlers_generic_handler(
                "muggins.v1.OpponentService", {"ChooseAction": handler}
            ),
        )
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield Elsewhere(f"127.0.0.1:{port}", asked)
    finally:
        await server.stop(0)


def first_action(request: pb.ChooseActionRequest, **fields: object) -> bytes:
    """The answer of an engine that does the first thing that it may."""
    answer = pb.ChooseActionResponse(action=request.view.legal_actions[0].action)
    answer.engine = "elsewhere-1"
    for name, value in fields.items():
        setattr(answer, name, value)
    return answer.SerializeToString()
