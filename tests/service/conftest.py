"""Fixtures of the tests that talk to a running server."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

import pytest
import pytest_asyncio

from tests.service.server import Service, running

LoopFactory = Callable[[], asyncio.AbstractEventLoop]


def pytest_asyncio_loop_factories(
    config: pytest.Config,  # noqa: ARG001 - the hook's own name
    item: pytest.Item,  # noqa: ARG001 - the hook's own name
) -> Mapping[str, LoopFactory]:
    """The loop on which the service runs, where the platform has it."""
    try:
        import uvloop
    except ModuleNotFoundError:
        return {"asyncio": asyncio.new_event_loop}
    return {"uvloop": uvloop.new_event_loop}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service() -> AsyncIterator[Service]:
    """One server for all tests of a module."""
    async with running() as started:
        yield started
