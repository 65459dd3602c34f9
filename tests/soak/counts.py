"""What the long tests count, gathered over processes by a file to which each adds lines."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final, Self

__all__ = ["COUNTS_FILE", "KEYS", "Counts"]

COUNTS_FILE: Final = "SOAK_COUNTS"
"""The environment variable that names the file."""

KEYS: Final = (
    "kills",
    "acknowledged",
    "lost",
    "doubled",
    "calls",
    "matches",
    "matches_audited",
    "streams",
    "deals",
    "failures",
)
"""What is counted. Kills are processes killed; acknowledged, lost and doubled are moves."""


class Counts:
    """Counts of one run."""

    def __init__(self, path: Path | None) -> None:
        """Without a path nothing is kept: the test was run alone."""
        self._path = path

    @classmethod
    def of_this_run(cls) -> Self:
        """The counts of the run that the environment names."""
        named = os.environ.get(COUNTS_FILE)
        return cls(Path(named) if named else None)

    def add(self, **counts: int) -> None:
        """Add to some counts; a name that is none of KEYS is a mistake of the test."""
        assert set(counts) <= set(KEYS), set(counts) - set(KEYS)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(counts) + "\n")

    def totals(self) -> dict[str, int]:
        """Every count, 0 where nothing was added."""
        totals: dict[str, int] = dict.fromkeys(KEYS, 0)
        if self._path is None or not self._path.exists():
            return totals
        for line in self._path.read_text(encoding="utf-8").splitlines():
            for name, count in json.loads(line).items():
                totals[name] += count
        return totals
