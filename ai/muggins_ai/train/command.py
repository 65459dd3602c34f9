"""The command that trains families and writes their weights."""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, TextIO

from muggins_ai.evaluate.families import FAMILIES, FamilyKey
from muggins_ai.evaluate.weights import DATA, UNIT
from muggins_ai.train.files import write_family, write_net
from muggins_ai.train.trainer import Progress, Schedule, Trainer, training_functions
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import RuleSet

__all__ = ["FIRST_FAMILIES", "Job", "add_arguments", "jobs_of", "main", "run"]

FIRST_FAMILIES: Final = (
    "muggins-2",
    "all_fives-2",
    "all_fives-4",
    "muggins-3",
    "five_up-2",
    "sniff-2",
    "latin_american-4",
    "muggins-4",
)
"""The families whose strength is reported, trained before the others."""

BATCHES_A_MINUTE: Final = 1800
"""Batches that count as a minute of training, about what one core of 2025 does with two seats."""
_HELD_OUT: Final = 40
_REPORTS: Final = 200


@dataclass(frozen=True, slots=True)
class Job:
    """One family to train."""

    family: str
    rule_set: RuleSet
    seats: int
    seed: int
    schedule: Schedule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what can be said about a training."""
    parser.add_argument(
        "--families", nargs="+", default=[], metavar="FAMILY", help="such as muggins-2; default all"
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=2.0,
        help="length for each family, in nominal minutes of one core: a fixed number of rounds",
    )
    parser.add_argument("--seed", type=int, default=1, help="all chance follows from it")
    parser.add_argument("--out", type=Path, default=DATA, help="folder of the weights")


def run(options: argparse.Namespace) -> int:
    """Train, write and tell about it; the exit status."""
    jobs = jobs_of(options.families, options.minutes, options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    functions = training_functions()
    for number, job in enumerate(jobs, start=1):
        _train(functions, job, options.out, _Bar(sys.stderr, job, number, len(jobs)))
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and train; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m muggins_ai.train", description=__doc__)
    add_arguments(parser)
    options = parser.parse_args(arguments)
    try:
        return run(options)
    except ValueError as error:
        parser.error(str(error))


def jobs_of(families: Sequence[str], minutes: float, seed: int) -> list[Job]:
    """The families by name, or all of them, as jobs.

    Raises:
        ValueError: there is no such family, or no time for it.
    """
    keys = {name: key for key, name in FAMILIES.items()}
    names = families or [*FIRST_FAMILIES, *(name for name in keys if name not in FIRST_FAMILIES)]
    batches = round(minutes * BATCHES_A_MINUTE)
    if batches < 1:
        raise ValueError("a training needs minutes")
    found = []
    for name in names:
        if name not in keys:
            raise ValueError(f"no family is called {name}; there are {', '.join(keys)}")
        found.append(_job(name, keys[name], seed, Schedule(batches)))
    return found


def _job(name: str, key: FamilyKey, seed: int, schedule: Schedule) -> Job:
    return Job(name, PRESETS[name.rpartition("-")[0]], key.seats, seed, schedule)


def _train(functions: SimpleNamespace, job: Job, folder: Path, bar: "_Bar") -> None:
    started = time.process_time()
    trainer = Trainer(functions, job.rule_set, job.seats, job.seed, job.schedule.rounds)
    trainer.train(job.schedule, bar.show, max(1, job.schedule.batches // _REPORTS))
    value_fit, policy_fit = trainer.held_out(_HELD_OUT, job.schedule.last_temperature)
    seconds = time.process_time() - started
    entry: dict[str, Any] = {
        "seats": job.seats,
        "sides": job.rule_set.sides(job.seats),
        "opener_value": round(trainer.opener_value * UNIT),
        "value": write_net(trainer.value, job.family, folder),
        "policy": write_net(trainer.policy, job.family, folder),
        "trained": {
            "seed": job.seed,
            "batches": job.schedule.batches,
            "rounds": job.schedule.batches * job.schedule.rounds,
            "temperature": job.schedule.temperature,
            "last_temperature": job.schedule.last_temperature,
            "cpu_seconds": round(seconds),
        },
        "held_out": {
            "value_variance_explained": round(value_fit, 4),
            "policy_variance_explained": round(policy_fit, 4),
        },
    }
    write_family(job.family, entry, folder)
    bar.close(f"value {value_fit:.3f}, policy {policy_fit:.3f}, {seconds:.0f} s of CPU")


class _Bar:
    """A line that tells how far a training is and how long it will take."""

    def __init__(self, stream: TextIO, job: Job, number: int, jobs: int) -> None:
        self._stream = stream
        self._batches = job.schedule.batches
        self._name = f"{number}/{jobs} {job.family}"
        self._left = jobs - number
        self._started = time.monotonic()

    def show(self, progress: Progress) -> None:
        """Tell where the training stands."""
        done = progress.batch / self._batches
        spent = time.monotonic() - self._started
        left = spent / done - spent + self._left * spent / done
        filled = "#" * round(30 * done)
        self._write(
            f"{self._name} [{filled:<30}] {done:4.0%}, {left / 60:.1f} min left; explained: "
            f"value {progress.value_fit:.3f}, policy {progress.policy_fit:.3f}",
            end="",
        )

    def close(self, text: str) -> None:
        """End the line."""
        self._write(f"{self._name}: {text}", end="\n")

    def _write(self, text: str, end: str) -> None:
        if self._stream.isatty() or end:
            start = "\r\x1b[K" if self._stream.isatty() else ""
            self._stream.write(f"{start}{text}{end}")
            self._stream.flush()
