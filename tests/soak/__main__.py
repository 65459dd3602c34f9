"""The long tests within 20 minutes: `python -m tests.soak`, which `make soak` runs.

Arguments go to pytest, as in `-k proxy`. The last line of standard output is one JSON object of
counts, whatever happened; the exit status is 0 where nothing failed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Final

from tests.soak.counts import COUNTS_FILE, Counts

BOUND_S: Final = float(os.environ.get("SOAK_BOUND_S", "1170"))
"""How long the tests may take: 20 minutes with what it takes to end them."""

END_S: Final = 10.0

_SIDE_BY_SIDE: Final = ("-n", "2", "--dist", "worksteal")


def main(arguments: list[str]) -> int:
    """Run, report; the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        path, report = Path(folder) / "counts", Path(folder) / "report.xml"
        counts = Counts(path)
        status = _run([f"--junitxml={report}", *arguments], path)
        failed = _failures(report)
        if status != 0 and not failed:
            failed = 1
        counts.add(failures=failed)
        totals = counts.totals()
    sys.stdout.write(json.dumps(totals) + "\n")
    return int(bool(totals["failures"]))


def _run(arguments: list[str], path: Path) -> int:
    """Run pytest in a group of its own, so that nothing it started is left; its exit status."""
    command = [sys.executable, "-m", "pytest", "-m", "soak", *_SIDE_BY_SIDE, "tests/soak"]
    environment = {**os.environ, COUNTS_FILE: str(path)}
    process = subprocess.Popen([*command, *arguments], env=environment, start_new_session=True)
    try:
        return process.wait(BOUND_S)
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"the tests took more than {BOUND_S:g} seconds and were ended\n")
        return 1
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, name)
            process.wait(END_S)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def _failures(report: Path) -> int:
    """How many tests failed, or could not be run."""
    if not report.exists():
        return 0
    suites = ET.parse(report).getroot().iter("testsuite")  # noqa: S314 - our own pytest wrote it
    return sum(int(s.get("failures", "0")) + int(s.get("errors", "0")) for s in suites)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
