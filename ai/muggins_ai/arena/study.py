"""What a study measures and what it finds; a set of mirrored matches is its unit.

A set has as many matches as there are sides, and A plays each side once, against B on all the
others; with two sides that is a pair. Sets are independent, so the intervals are taken over them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from muggins_ai.arena.intervals import Estimate, rate, ratio
from muggins_rules.ruleset import RuleSet

__all__ = [
    "ROUND_CAP",
    "MirrorStudy",
    "SetResult",
    "StudyResult",
    "check_study",
    "share_of_win",
    "summed_up",
]

ROUND_CAP: Final = 400
"""Rounds after which a match is cut, since scores can sink without end; all sides share it."""


@dataclass(frozen=True, slots=True)
class MirrorStudy:
    """What is measured: agent `a` against agent `b`, in `pairs` sets of mirrored matches.

    With `single_rounds` a set has rounds instead of matches, each from scores of 0; who scores
    more in a round wins it.
    """

    a: str
    b: str
    rule_set: RuleSet
    seats: int
    pairs: int
    seed: str
    single_rounds: bool = False


class SetResult(NamedTuple):
    """A set from A's point of view.

    `won` is the mean share of a win over the matches, `points` the sum of A's points less the mean
    of the other sides', in the rule set's own unit; `cut` counts matches that ROUND_CAP ended.
    Decisions are placements with a choice, with their CPU time.
    """

    won: float
    points: float
    rounds: int
    cut: int
    decisions_a: int = 0
    cpu_ns_a: int = 0
    decisions_b: int = 0
    cpu_ns_b: int = 0


@dataclass(frozen=True, slots=True)
class StudyResult:
    """How A fared: share of matches won, and points a round in the rule set's own unit.

    Points are A's less the mean of the other sides'. CPU is per placement that had a choice.
    `cut` counts matches that ROUND_CAP ended.
    """

    win_rate: Estimate
    points_per_round: Estimate
    pairs: int
    rounds: int
    cut: int
    cpu_ms_per_decision_a: float
    cpu_ms_per_decision_b: float


def check_study(study: MirrorStudy) -> None:
    """Refuse what cannot be studied.

    Raises:
        ValueError: the rule set is not played with so many seats, or there are no pairs.
    """
    if study.seats not in study.rule_set.seat_counts:
        offered = ", ".join(map(str, study.rule_set.seat_counts))
        message = f"{study.rule_set.id} is played with {offered} seats, not {study.seats}"
        raise ValueError(message)
    if study.pairs < 1:
        raise ValueError("a study needs pairs, at least 1")


def share_of_win(scores: Sequence[int], side: int, *, cut: bool) -> float:
    """A side's part of a win: all for the highest score, an equal part of one that nobody has."""
    most = max(scores)
    if cut or scores.count(most) > 1:
        return 1 / len(scores)
    return float(scores[side] == most)


def summed_up(
    sets: Sequence[SetResult], cpu_ms_a: float | None = None, cpu_ms_b: float | None = None
) -> StudyResult:
    """What the sets of a study say; CPU from the sets unless it was measured apart."""
    return StudyResult(
        rate([found.won for found in sets]),
        ratio([found.points for found in sets], [found.rounds for found in sets]),
        len(sets),
        sum(found.rounds for found in sets),
        sum(found.cut for found in sets),
        _ms_each([(found.cpu_ns_a, found.decisions_a) for found in sets], cpu_ms_a),
        _ms_each([(found.cpu_ns_b, found.decisions_b) for found in sets], cpu_ms_b),
    )


def _ms_each(spent: Sequence[tuple[int, int]], measured: float | None) -> float:
    if measured is not None:
        return measured
    decisions = sum(number for _, number in spent)
    return sum(ns for ns, _ in spent) / decisions / 1e6 if decisions else 0.0
