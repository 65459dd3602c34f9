"""Measured strengths of the levels, as `muggins ladder` wrote them."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from muggins_service.wire.opponents import Strength

__all__ = ["FILE", "strengths"]

FILE: Final = "strengths.json"
"""Beside this module: by level, what was measured against the level below it."""


@cache
def strengths() -> Mapping[str, tuple[Strength, ...]]:
    """By level what was measured; none where nothing was."""
    found: dict[str, tuple[Strength, ...]] = {}
    text = (files("muggins_service.opponents") / FILE).read_text(encoding="utf-8")
    for level, lines in json.loads(text).items():
        found[level] = tuple(Strength(**line) for line in lines)
    return found
