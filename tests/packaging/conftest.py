"""The wheel as a fixture."""

from __future__ import annotations

import pytest

from tests.packaging.wheel import Wheel, build_wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Wheel:
    """The wheel of this source tree, unpacked."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))
