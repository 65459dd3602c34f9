"""The wheel of this source tree, built once per process and unpacked as an installer would."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = {
    "muggins": ROOT / "service" / "muggins",
    "muggins_ai": ROOT / "ai" / "muggins_ai",
    "muggins_cli": ROOT / "service" / "muggins_cli",
    "muggins_client": ROOT / "clients" / "python" / "muggins_client",
    "muggins_rules": ROOT / "service" / "muggins_rules",
    "muggins_service": ROOT / "service" / "muggins_service",
}


class Wheel(NamedTuple):
    """An unpacked wheel."""

    installed: Path  # the folder that would be site-packages
    files: frozenset[str]  # paths in that folder, with forward slashes
    metadata: Path  # the dist-info folder


def build_wheel(folder: Path) -> Wheel:
    """Builds the wheel into folder, without network, and unpacks it beside itself."""
    _output(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        folder,
    )
    (archive,) = folder.glob("*.whl")
    installed = folder / "site-packages"
    with zipfile.ZipFile(archive) as wheel:
        wheel.extractall(installed)
        files = frozenset(wheel.namelist())
    (metadata,) = installed.glob("*.dist-info")
    return Wheel(installed, files, metadata)


def source_files() -> frozenset[str]:
    """Returns every file of every package as it should stand in the wheel, caches excepted."""
    return frozenset(
        f"{package}/{path.relative_to(source).as_posix()}"
        for package, source in PACKAGES.items()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )


def run_isolated(wheel: Wheel, program: str) -> str:
    """Runs program where only the standard library and the unpacked wheel can be imported."""
    preamble = f"import sys; sys.path.insert(0, {str(wheel.installed)!r})\n"
    command = [sys.executable, "-I", "-S", "-B", "-c", preamble + program]
    return _output(command, wheel.installed.parent)


def run_outside(folder: Path, program: str) -> str:
    """Runs program in this environment from folder, which is not the repository."""
    return _output([sys.executable, "-I", "-B", "-c", program], folder)


def _output(command: Sequence[str | Path], folder: Path) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
