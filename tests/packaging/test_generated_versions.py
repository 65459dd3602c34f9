"""The lower bounds of the runtime equal the versions the checked-in code was generated for."""

from __future__ import annotations

import re
import tomllib

from tests.packaging.wheel import ROOT

GENERATED = ROOT / "service" / "muggins" / "v1"


def _lower_bound(distribution: str) -> str:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    requirements: list[str] = tomllib.loads(text)["project"]["dependencies"]
    (bound,) = (
        requirement.removeprefix(f"{distribution}>=")
        for requirement in requirements
        if requirement.startswith(f"{distribution}>=")
    )
    return bound


def _versions_in(pattern: str, glob: str) -> set[str]:
    return {
        match.group(1)
        for path in GENERATED.glob(glob)
        for match in re.finditer(pattern, path.read_text(encoding="utf-8"))
    }


def test_grpcio() -> None:
    found = _versions_in(r"GRPC_GENERATED_VERSION = '([\d.]+)'", "*_pb2_grpc.py")
    assert {_lower_bound("grpcio")} == found


def test_protobuf() -> None:
    found = _versions_in(r"# Protobuf Python Version: ([\d.]+)", "*_pb2.py")
    assert {_lower_bound("protobuf")} == found
