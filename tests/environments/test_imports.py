"""Nobody loads the packages of researchers but who asks for an environment."""

import subprocess
import sys

import pytest

PACKAGES = {"gymnasium", "numba", "numpy", "open_spiel", "pettingzoo", "pyspiel"}
"""As the names of modules; what loads one of these fails."""


@pytest.mark.parametrize(
    "modules",
    [
        "muggins_ai, muggins_ai.arena.__main__, muggins_ai.belief",
        "muggins_ai.environments",
        "muggins_service.main",
        "muggins_cli.main",
    ],
)
def test_importing_it_loads_none_of_them(modules: str) -> None:
    script = f"import sys, {modules}\nsys.exit(bool({PACKAGES!r} & sys.modules.keys()))"
    assert 0 == subprocess.run([sys.executable, "-c", script], check=False).returncode
