"""The files of weights and the manifest that vouches for them, as training writes them."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from muggins_ai.evaluate.weights import MANIFEST, load_manifest
from muggins_ai.train.learner import Learner

__all__ = ["write_family", "write_net"]

FORMAT: Final = 1


def write_net(learner: Learner, family: str, folder: Path) -> dict[str, Any]:
    """Write a network's file; what the manifest says about it."""
    small, large = learner.integers()
    content = small.astype("<i2").tobytes() + large.astype("<i4").tobytes()
    name = f"{family}.{learner.kind}.bin"
    (folder / name).write_bytes(content)
    return {
        "file": name,
        "sha256": sha256(content).hexdigest(),
        "shape": list(learner.shape),
    }


def write_family(family: str, entry: Mapping[str, Any], folder: Path) -> None:
    """Put a family's entry into the manifest of a folder, which is made when there is none."""
    path = folder / MANIFEST
    families: dict[str, Any] = {}
    if path.is_file():
        families = dict(json.loads(path.read_text(encoding="utf-8"))["families"])
    families[family] = dict(entry)
    content = {"format": FORMAT, "families": dict(sorted(families.items()))}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    load_manifest.cache_clear()
