"""The files of weights and the manifest that vouches for them, as training writes them."""

import json
import zlib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from muggins_ai.evaluate.weights import MANIFEST, load_manifest
from muggins_ai.train.learner import Learner

__all__ = ["read_family", "write_family", "write_net", "write_table"]

FORMAT: Final = 1


def write_net(learner: Learner, family: str, folder: Path) -> dict[str, Any]:
    """Write a network's file; what the manifest says about it."""
    small, large = learner.integers()
    content = small.astype("<i2").tobytes() + large.astype("<i4").tobytes()
    about = _written(content, f"{family}.{learner.kind}.bin", folder)
    return about | {"shape": list(learner.shape)}


def write_table(table: Sequence[int], family: str, folder: Path) -> dict[str, Any]:
    """Write an equity's file; what the manifest says about it."""
    content = np.array(table, dtype="<i4").tobytes()
    return _written(content, f"{family}.equity.bin", folder)


def _written(content: bytes, name: str, folder: Path) -> dict[str, Any]:
    (folder / name).write_bytes(zlib.compress(content, level=9))
    return {"file": name, "sha256": sha256(content).hexdigest()}


def read_family(family: str, folder: Path) -> dict[str, Any]:
    """A family's entry in the manifest of a folder, empty when there is none."""
    entry: dict[str, Any] = _families(folder).get(family, {})
    return entry


def write_family(family: str, entry: Mapping[str, Any], folder: Path) -> None:
    """Put a family's entry into the manifest of a folder, which is made when there is none."""
    families = _families(folder)
    families[family] = dict(entry)
    content = {"format": FORMAT, "families": dict(sorted(families.items()))}
    text = json.dumps(content, indent=1) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    load_manifest.cache_clear()


def _families(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    families: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["families"]
    return families
