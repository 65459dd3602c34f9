"""A skip is a reason on a newcomer's machine and a failure where `CI=true`."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.packaging.wheel import ROOT

if TYPE_CHECKING:
    from pathlib import Path

KINDS = {
    "in a test": "import pytest\ndef test_a(): pytest.skip('no such part')\n",
    "by a mark": "import pytest\n@pytest.mark.skip('no such part')\ndef test_a(): pass\n",
    "of a module": "import pytest\npytest.skip('no such part', allow_module_level=True)\n",
}
XFAIL = "import pytest\n@pytest.mark.xfail(reason='known')\ndef test_a(): assert False\n"


def _run(folder: Path, test: str, *, ci: str) -> tuple[int, str]:
    """Runs one test module under the suite's own conftest; returns the status and the output."""
    (folder / "conftest.py").write_bytes((ROOT / "tests" / "conftest.py").read_bytes())
    (folder / "test_a.py").write_text(test, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    environment |= {"CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-ra"],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("kind", KINDS)
def test_ci_fails_a_skip_and_tells_its_reason(tmp_path: Path, kind: str) -> None:
    status, output = _run(tmp_path, KINDS[kind], ci="true")
    assert status in {pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED}
    assert "no such part" in output
    assert "skipped, which CI does not allow" in output


@pytest.mark.parametrize("kind", KINDS)
def test_elsewhere_a_skip_fails_nothing(tmp_path: Path, kind: str) -> None:
    status, output = _run(tmp_path, KINDS[kind], ci="")
    assert status in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
    assert "no such part" in output


def test_ci_leaves_an_expected_failure_as_it_is(tmp_path: Path) -> None:
    status, output = _run(tmp_path, XFAIL, ci="true")
    assert pytest.ExitCode.OK == status
    assert "1 xfailed" in output
