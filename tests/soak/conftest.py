"""Every test of this folder is long: marked `soak`, left out of `make test`, counted at its end."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.service.conftest import pytest_asyncio_loop_factories
from tests.soak.counts import Counts

__all__ = ["counts", "pytest_asyncio_loop_factories", "pytest_collection_modifyitems"]

_HERE: Final = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands here."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.soak)


@pytest.fixture
def counts() -> Counts:
    """To which a test adds what it did."""
    return Counts.of_this_run()
