"""What the README tells a newcomer to do works."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from muggins_ai.levels import LEVELS
from muggins_cli.main import COMMANDS
from tests.packaging.markdown import code_blocks, page, spans
from tests.packaging.wheel import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

README_PORT = 50051
STARTS_WITHIN_S = 60
PLAYS_WITHIN_S = 120


@contextmanager
def _server() -> Iterator[int]:
    """A server in a process of its own, by its port; it has to stop when it is asked to."""
    command = [sys.executable, "-m", "muggins_cli.main", "serve", "--port", "0", "--no-warm"]
    command += [
        "--store",
        "memory",
        "--drain-wait-s",
        "0",
        "--rematch-wait-s",
        "0",
        "--log-level",
        "warning",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            told = re.search(r":(\d+)$", server.stdout.readline().strip())
            assert told is not None, "the first line ends with the address"
            yield int(told[1])
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(STARTS_WITHIN_S)
    assert server.returncode == 0


def test_the_python_example_plays_a_match_to_its_end(tmp_path: Path) -> None:
    (example,) = code_blocks(page("README.md"), "python")
    assert example.count(f":{README_PORT}") == 1
    script = tmp_path / "example.py"
    with _server() as port:
        script.write_text(example.replace(f":{README_PORT}", f":{port}"), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, script],
            check=False,
            capture_output=True,
            text=True,
            timeout=PLAYS_WITHIN_S,
            cwd=tmp_path,
        )
    assert done.stderr == ""
    *moves, last = done.stdout.splitlines()
    assert moves
    target = 61
    assert max(map(int, last.removeprefix("score ").split())) >= target


def test_the_excerpt_is_from_the_demo_that_it_names(tmp_path: Path) -> None:
    (excerpt,) = code_blocks(page("README.md"), "text")
    named = re.search(r"`muggins (demo [^`]+)`", page("README.md"))
    assert named is not None
    plain = ["--no-color", "--language", "en"]
    done = subprocess.run(
        [sys.executable, "-m", "muggins_cli.main", *named[1].split(), *plain],
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=PLAYS_WITHIN_S,
        cwd=tmp_path,
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    assert excerpt in done.stdout


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_make_target_that_is_named_is_in_the_makefile(name: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    code = "\n".join((*spans(page(name)), *code_blocks(page(name), "")))
    named = set(re.findall(r"^(?:\w+=\"[^\"]*\" )?make ([a-z-]+)", code, re.MULTILINE))
    assert named
    assert named <= targets


def test_every_command_that_is_named_exists() -> None:
    named = set(re.findall(r"`muggins ([a-z]+)", page("README.md") + page("CHANGELOG.md")))
    assert named
    assert named <= set(COMMANDS)


def test_the_opponents_that_are_named_are_those_there_are() -> None:
    sentence = re.search(r"^Opponents are (.*?);", page("README.md"), re.DOTALL | re.MULTILINE)
    assert sentence is not None
    assert tuple(LEVELS) == spans(sentence[1])
