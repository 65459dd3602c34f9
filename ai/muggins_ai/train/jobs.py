"""The training of a family from nothing to its entry in the manifest."""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from muggins_ai.arena.intervals import Estimate
from muggins_ai.evaluate.families import FAMILIES
from muggins_ai.evaluate.weights import UNIT, Net, policy_net
from muggins_ai.train.equity_fit import FitSize, fit_equity
from muggins_ai.train.files import write_net, write_table
from muggins_ai.train.trainer import Progress, Schedule, Trainer, training_functions
from muggins_ai.train.trial import PolicyTrial
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import RuleSet

__all__ = ["BATCHES_A_MINUTE", "FIRST_FAMILIES", "Job", "UnknownFamilyError", "do_job", "jobs_of"]

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
"""Batches that count as a minute, about what one core of 2025 does with two seats."""
_HELD_OUT: Final = 40
_REPORTS: Final = 200
_PAIRS: Final = 1000
_SETS_OF_MORE: Final = 300

Tell = Callable[[str, float], None]
"""Told the family, and how much of its training is done."""


class UnknownFamilyError(ValueError):
    """No family has that name."""


@dataclass(frozen=True, slots=True)
class Job:
    """One family to train; with `keep_weights` only what follows from them is made again."""

    family: str
    rule_set: RuleSet
    seats: int
    seed: int
    schedule: Schedule
    folder: Path
    keep_weights: bool = False


def jobs_of(
    families: Sequence[str],
    minutes: float,
    seed: int,
    folder: Path,
    *,
    keep_weights: bool = False,
) -> list[Job]:
    """Jobs for the families named, or for all.

    Raises:
        UnknownFamilyError: there is no such family.
    """
    keys = {name: key for key, name in FAMILIES.items()}
    names = families or [*FIRST_FAMILIES, *(name for name in keys if name not in FIRST_FAMILIES)]
    schedule = Schedule(max(1, round(minutes * BATCHES_A_MINUTE)))
    found = []
    for name in names:
        if name not in keys:
            message = f"no family is called {name!r}; there are {', '.join(keys)}"
            raise UnknownFamilyError(message)
        rule_set = PRESETS[name.rpartition("-")[0]]
        found.append(Job(name, rule_set, keys[name].seats, seed, schedule, folder, keep_weights))
    return found


def do_job(job: Job, known: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """Do a job, write its files, and give the family's entry; `known` is the one there was."""
    functions = training_functions()
    if job.keep_weights:
        net = policy_net(job.family, compiled=True, folder=job.folder)
        return known | _checked(functions, job, net)
    entry, net = _trained(functions, job, tell)
    return entry | _checked(functions, job, net)


def _trained(functions: SimpleNamespace, job: Job, tell: Tell) -> tuple[dict[str, Any], Net]:
    schedule = job.schedule
    started = time.process_time()
    trainer = Trainer(functions, job.rule_set, job.seats, job.seed, schedule.rounds)

    def report(progress: Progress) -> None:
        tell(job.family, progress.batch / schedule.batches)

    trainer.train(schedule, report, max(1, schedule.batches // _REPORTS))
    value_fit, policy_fit = trainer.held_out(_HELD_OUT, schedule.last_temperature)
    entry = {
        "seats": job.seats,
        "sides": job.rule_set.sides(job.seats),
        "opener_value": round(trainer.opener_value * UNIT),
        "value": write_net(trainer.value, job.family, job.folder),
        "policy": write_net(trainer.policy, job.family, job.folder),
        "trained": {
            "command": command_of(job),
            "seed": job.seed,
            **asdict(schedule),
            "cpu_seconds": round(time.process_time() - started),
        },
        "held_out": {
            "value_variance_explained": round(value_fit, 4),
            "policy_variance_explained": round(policy_fit, 4),
        },
    }
    return entry, trainer.policy.net()


def _checked(functions: SimpleNamespace, job: Job, net: Net) -> dict[str, Any]:
    """The equity of the family, and how its policy alone fares against greedy_plus."""
    fit = fit_equity(functions, job.rule_set, job.seats, net, job.seed, FitSize())
    sides = job.rule_set.sides(job.seats)
    trial = PolicyTrial(functions, job.rule_set, job.seats, net, job.seed).play(
        _PAIRS if sides == 2 else _SETS_OF_MORE  # noqa: PLR2004 - two sides
    )
    return {
        "equity": write_table(fit.table, job.family, job.folder)
        | {
            "brier": round(fit.brier, 4),
            "brier_of_even_chances": round(fit.brier_even, 4),
            "calibration": [[c.number, c.predicted, c.won] for c in fit.calibration],
        },
        "policy_against_greedy_plus": {
            "mirrored_sets": trial.sets,
            "win_rate": _interval(trial.win_rate),
            "raw_points_per_round": _interval(trial.points_per_round),
        },
    }


def command_of(job: Job) -> str:
    """What makes the same weights again."""
    minutes = job.schedule.batches / BATCHES_A_MINUTE
    return f"muggins train --families {job.family} --minutes {minutes:g} --seed {job.seed}"


def _interval(estimate: Estimate) -> list[float]:
    """An estimate and its 95 % interval."""
    return [round(number, 4) for number in estimate]
