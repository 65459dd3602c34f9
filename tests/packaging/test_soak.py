"""The long tests are left out of `make test`, and their run ends with one line of counts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.packaging.wheel import ROOT
from tests.soak.counts import KEYS, Counts

if TYPE_CHECKING:
    from pathlib import Path


def _soak(*arguments: str, **environment: str) -> tuple[int, dict[str, int]]:
    """The exit status of a run, and the last line of its output."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak", *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    told: dict[str, int] = json.loads(done.stdout.splitlines()[-1])
    return done.returncode, told


def test_the_long_tests_are_collected_by_their_mark_alone() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0", "tests/soak"]
    for marked, most in (([], 0), (["-m", "soak"], 1_000)):
        done = subprocess.run(
            [*command, *marked], check=False, capture_output=True, text=True, cwd=ROOT
        )
        collected = [line for line in done.stdout.splitlines() if "::" in line]
        assert bool(most) == bool(collected)


def test_a_run_that_fails_or_does_not_end_tells_its_counts_too() -> None:
    for arguments, bound in ((("-k", "no_such_test"), "60"), ((), "0.2")):
        status, told = _soak(*arguments, SOAK_BOUND_S=bound)
        assert 1 == status
        assert list(KEYS) == list(told)
        assert 1 == told["failures"]


def test_counts_of_several_processes_are_added_up(tmp_path: Path) -> None:
    for _ in range(2):
        Counts(tmp_path / "counts").add(calls=2, matches=1)
    totals = Counts(tmp_path / "counts").totals()
    assert {"calls": 4, "matches": 2} == {name: n for name, n in totals.items() if n}
