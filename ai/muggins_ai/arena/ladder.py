"""Each level against the next, family by family, by sequential tests over mirrored matches.

The raw results are lines of JSON in a file that only grows. The first line names the engine and the
seed, which is drawn when the file is begun: after the engine is final. Each other line holds the
sets of one chunk; a ladder goes on where its file ends, and the same sets are played by
`muggins arena` from the seed.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

from muggins_ai.arena.running import Chunk, play_chunk, pool_of
from muggins_ai.arena.sequential import SequentialTest, Verdict
from muggins_ai.arena.study import MirrorStudy, SetResult, StudyResult, summed_up
from muggins_rules.presets import PRESETS

__all__ = [
    "CHUNK",
    "FAMILIES",
    "Ladder",
    "LadderPlan",
    "OtherLadderError",
    "Rung",
    "Step",
    "Table",
    "climb",
    "engine_digest",
]

CHUNK: Final = 8
"""Sets between two looks of a sequential test."""

_FORMAT: Final = 1


class Table(NamedTuple):
    """A preset's id and a number of seats."""

    rules: str
    seats: int


FAMILIES: Final = (
    Table("muggins", 2),
    Table("muggins", 3),
    Table("muggins", 4),
    Table("all_fives", 2),
    Table("all_fives", 4),
    Table("five_up", 2),
    Table("sniff", 2),
    Table("latin_american", 4),
)
"""The tables that a ladder is climbed at unless told; four seats of All Fives play as pairs."""


class OtherLadderError(ValueError):
    """The file is not of this engine, or not of this plan."""


@dataclass(frozen=True, slots=True)
class LadderPlan:
    """What a ladder measures: levels, weakest first, and the tests between neighbours.

    A test is open when `most_sets` have been played without a verdict.
    """

    levels: tuple[str, ...]
    margin: float = 0.05
    alpha: float = 0.05
    beta: float = 0.05
    most_sets: int = 400


class Rung(NamedTuple):
    """A level and the one below it, at a table."""

    table: Table
    upper: str
    lower: str


@dataclass(slots=True)
class Step:
    """What was played at a rung."""

    rung: Rung
    sets: list[SetResult] = field(default_factory=list)

    @property
    def fair(self) -> float:
        """The share of wins of an equal."""
        return 1 / PRESETS[self.rung.table.rules].sides(self.rung.table.seats)

    def verdict(self, plan: LadderPlan) -> Verdict:
        """What the test says so far."""
        test = SequentialTest(self.fair, plan.margin, plan.alpha, plan.beta)
        return test.verdict([found.won for found in self.sets])

    def is_done(self, plan: LadderPlan) -> bool:
        """True when no more sets are to be played."""
        return len(self.sets) >= plan.most_sets or self.verdict(plan) is not Verdict.OPEN

    def result(self) -> StudyResult:
        """What the sets say together."""
        return summed_up(self.sets)


class Ladder:
    """The file of a ladder: read when it is opened, and written line by line."""

    def __init__(self, path: Path, plan: LadderPlan, engine: str, seed: str) -> None:
        """Go on with a file, or begin it with a seed.

        Raises:
            OtherLadderError: the file was begun with another engine or plan.
        """
        self.path = path
        self.plan = plan
        self.engine = engine
        self.seed = seed
        self._steps: dict[Rung, Step] = {}
        lines = _whole_lines(path)
        if lines:
            self._resume(lines)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        self._write({"format": _FORMAT, "engine": engine, "seed": seed, "plan": asdict(plan)})

    def steps(self, tables: Sequence[Table]) -> list[Step]:
        """The steps at some tables, from the lowest rung of the first."""
        rungs = [
            Rung(table, upper, lower)
            for table in tables
            for lower, upper in zip(self.plan.levels, self.plan.levels[1:], strict=False)
        ]
        return [self._steps.setdefault(rung, Step(rung)) for rung in rungs]

    def next_chunk(self, step: Step) -> Chunk:
        """The sets that a step plays next."""
        first = len(step.sets)
        study = study_of(step.rung, self.plan.most_sets, self.seed)
        return Chunk(study, first, min(CHUNK, self.plan.most_sets - first))

    def add(self, step: Step, sets: Sequence[SetResult]) -> None:
        """Write and keep the sets that a step has played."""
        rung = step.rung
        fields = {
            "rules": rung.table.rules,
            "seats": rung.table.seats,
            "a": rung.upper,
            "b": rung.lower,
            "first": len(step.sets),
            "sets": [list(found) for found in sets],
        }
        self._write(fields)
        step.sets.extend(sets)

    def _resume(self, lines: Sequence[Mapping[str, Any]]) -> None:
        begun = lines[0]
        if begun.get("format") != _FORMAT or begun["engine"] != self.engine:
            raise OtherLadderError(
                f"{self.path} was begun with another engine; name a new file, with a new seed"
            )
        if begun["plan"] != json.loads(json.dumps(asdict(self.plan))):
            raise OtherLadderError(f"{self.path} was begun with another plan: {begun['plan']}")
        self.seed = begun["seed"]
        for line in lines[1:]:
            rung = Rung(Table(line["rules"], line["seats"]), line["a"], line["b"])
            step = self._steps.setdefault(rung, Step(rung))
            if line["first"] != len(step.sets):
                raise OtherLadderError(f"{self.path} does not hold the sets of {rung} in order")
            step.sets.extend(SetResult(*found) for found in line["sets"])

    def _write(self, fields: Mapping[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as report:
            report.write(f"{json.dumps(fields)}\n")


def study_of(rung: Rung, pairs: int, seed: str) -> MirrorStudy:
    """The study that a rung is a part of."""
    rule_set = PRESETS[rung.table.rules]
    return MirrorStudy(rung.upper, rung.lower, rule_set, rung.table.seats, pairs, seed)


def climb(
    ladder: Ladder,
    tables: Sequence[Table],
    processes: int,
    seconds: float,
    told: Callable[[Step], None] | None = None,
) -> None:
    """Play until every test is done or the time is up; `told` hears of each step's new sets.

    Steps take turns. Each is tested after each chunk, so what it plays does not depend on the time.
    """
    plan, ends = ladder.plan, monotonic() + seconds
    waiting = [step for step in ladder.steps(tables) if not step.is_done(plan)]
    playing: dict[Future[tuple[SetResult, ...]], Step] = {}
    pool = pool_of(processes)
    try:
        while True:
            while waiting and len(playing) < processes and monotonic() < ends:
                _start(pool, ladder, waiting.pop(0), playing)
            if not playing:
                return
            finished, _ = wait(playing, return_when=FIRST_COMPLETED)
            for future in finished:
                step = playing.pop(future)
                ladder.add(step, future.result())
                if told is not None:
                    told(step)
                if not step.is_done(plan):
                    waiting.append(step)
    finally:
        pool.shutdown(cancel_futures=True)


def _start(
    pool: ProcessPoolExecutor,
    ladder: Ladder,
    step: Step,
    playing: dict[Future[tuple[SetResult, ...]], Step],
) -> None:
    playing[pool.submit(play_chunk, ladder.next_chunk(step))] = step


def engine_digest() -> str:
    """Names all code and weights that what is played could depend on."""
    parts: list[str] = []
    for package in ("muggins_rules", "muggins_ai"):
        parts += sorted(_digests(package, files(package)))
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


def _digests(name: str, folder: Traversable) -> list[str]:
    found: list[str] = []
    for entry in folder.iterdir():
        path = f"{name}/{entry.name}"
        if entry.is_dir():
            found += [] if entry.name in _NOT_PLAYED else _digests(path, entry)
        elif entry.name.endswith((".py", ".bin", ".json")):
            found.append(f"{path} {sha256(entry.read_bytes()).hexdigest()}")
    return found


_NOT_PLAYED: Final = frozenset({"__pycache__", "analysis", "environments", "train"})
"""Folders that no choice of an agent depends on."""


def _whole_lines(path: Path) -> list[Mapping[str, Any]]:
    """The lines of a file; one that was cut off while it was written is cut away."""
    if not path.exists():
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) != len(content):
        path.write_bytes(whole)
    return [json.loads(line) for line in whole.splitlines()]
