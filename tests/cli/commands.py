"""The `muggins` command and a server of it as processes of their own."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

from muggins_cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["muggins", "muggins_here", "served", "started"]

_COMMAND = (sys.executable, "-m", "muggins_cli.main")
_LONGEST_S = 60
_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("MUGGINS_")},
    "COLUMNS": "100",
    "LC_ALL": "C.UTF-8",
    "PYTHONIOENCODING": "utf-8",
}


def muggins(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a command printed, and its exit status."""
    return subprocess.run(
        [*_COMMAND, *map(str, arguments)],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**_ENVIRONMENT, **environment},
        timeout=_LONGEST_S,
    )


def muggins_here(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The same in this process, where machine code is loaded once for all commands."""
    given = list(map(str, arguments))
    out, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    columns, os.environ["COLUMNS"] = os.environ.get("COLUMNS"), "80"
    try:
        with redirect_stdout(out), redirect_stderr(errors):
            try:
                status = main(given)
            except SystemExit as ended:
                status = int(ended.code or 0)
    finally:
        del os.environ["COLUMNS"]
        if columns is not None:
            os.environ["COLUMNS"] = columns
    texts = []
    for stream in (out, errors):
        stream.seek(0)
        texts.append(stream.read())
    return subprocess.CompletedProcess(given, status, *texts)


@contextmanager
def started(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A command that runs; it is killed if it is still there at the end."""
    process = subprocess.Popen(
        [*_COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=_ENVIRONMENT,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(_LONGEST_S)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


@contextmanager
def served() -> Iterator[str]:
    """The address of a server that ends with the block."""
    flags = [
        "--port",
        "0",
        "--store",
        "memory",
        "--drain-wait-s",
        "0",
        "--test-seeds",
        "--log-level",
        "error",
        "--rematch-wait-s",
        "0.1",
    ]
    with started("serve", "--no-warm", *flags) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        yield address
        server.send_signal(signal.SIGTERM)
        server.wait(_LONGEST_S)
