"""Writes the Python code of the protos into `service/`, or compares it with what is there.

    python protos/generate.py            writes
    python protos/generate.py --check    compares; exits 1 and names each file that differs

The output depends on the protos and on the two generators only, which `pyproject.toml` pins
exactly. `__init__.py` files are written by hand.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
import tempfile
from pathlib import Path

import grpc_tools
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

PROTOS = Path(__file__).resolve().parent
TARGET = PROTOS.parent / "service"
PACKAGE = Path("muggins")
GENERATED = "*_pb2*.py*"


def main(argv: list[str] | None = None) -> int:
    """Generates or compares; returns the exit status."""
    parser = argparse.ArgumentParser(prog="generate.py", description="Python code of the protos")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check: bool = parser.parse_args(argv).check
    with tempfile.TemporaryDirectory() as temporary:
        fresh = Path(temporary)
        _generate(fresh)
        differing = _differences(fresh, TARGET)
        for path in differing:
            done = "differs" if check else _make_same(fresh / path, TARGET / path)
            print(f"{done}: service/{path.as_posix()}")
    if check and differing:
        print("generated code is out of date: run `make protos`", file=sys.stderr)
        return 1
    return 0


def _generate(out: Path) -> None:
    """Runs the generators over every proto of ours; service code only where there is a service."""
    sources = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.glob(f"{PACKAGE}/**/*.proto"))
    if not sources:
        sys.exit(f"no protos under {PROTOS / PACKAGE}")
    descriptors = out / "descriptors.binpb"
    _protoc(
        f"--descriptor_set_out={descriptors}", f"--python_out={out}", f"--mypy_out=quiet:{out}",
        *sources,
    )  # fmt: skip
    files = FileDescriptorSet.FromString(descriptors.read_bytes()).file
    services = sorted(file.name for file in files if file.service)
    if services:
        _protoc(f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}", *services)


def _protoc(*arguments: str) -> None:
    """Runs the bundled compiler on our protos with the plugins of this environment."""
    scripts = Path(sysconfig.get_path("scripts"))
    suffix = ".exe" if sys.platform == "win32" else ""
    command = [
        "protoc",
        f"--proto_path={PROTOS}",
        f"--proto_path={Path(grpc_tools.__file__).parent / '_proto'}",
        *(
            f"--plugin={name}={scripts / name}{suffix}"
            for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")
        ),
        *arguments,
    ]
    if status := protoc.main(command):
        sys.exit(status)


def _differences(fresh: Path, present: Path) -> list[Path]:
    """Returns the generated files that are missing, left over or of other content, sorted."""
    names = {
        path.relative_to(root)
        for root in (fresh, present)
        for path in (root / PACKAGE).rglob(GENERATED)
        if "__pycache__" not in path.parts
    }
    return sorted(name for name in names if _content(fresh / name) != _content(present / name))


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _make_same(source: Path, target: Path) -> str:
    """Makes target the same as source, or removes it where there is none; says which it did."""
    if not source.exists():
        target.unlink()
        return "removed"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())
    return "wrote"


if __name__ == "__main__":
    sys.exit(main())
