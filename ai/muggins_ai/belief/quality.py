"""How much a belief knows: `python -m muggins_ai.belief.quality`.

Rounds are played by one policy in all seats; before each choice of a seat, its belief about the
others' hands is compared with the truth, by the number of the others' placements it has seen:

    hidden     bits that the deal, draws and passes leave hidden: -log2 of the true hand's chance
               (two seats, where the law can be listed)
    gained     bits that the likelihood of choices adds: log2 of how much likelier it makes the
               true world; below 0 it misleads
    brier      mean square error of the chance that a seat holds a tile, with the likelihood
    plain      the same by the deals alone
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from math import log2, sqrt
from statistics import fmean, stdev
from types import MappingProxyType
from typing import Final, NamedTuple

from muggins_ai.belief import constraints, likelihood, posterior, weighing, worlds
from muggins_ai.belief.believer import (
    DEALS_ONLY,
    POINTS_ONLY,
    Believer,
    Pool,
    belief_functions,
    family_network,
)
from muggins_ai.belief.studied import OPPONENTS, StudiedRounds, Truth
from muggins_ai.belief.tables import COST_ONE, HALVED_ONE
from muggins_ai.compiled import integer_array
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import RuleSet

__all__ = ["LIKELIHOODS", "QualityLine", "QualityStudy", "main", "run_quality"]

LIKELIHOODS: Final = MappingProxyType(
    {
        "points": POINTS_ONLY,
        "mixture": (0, 500, 200, 200, 100) * 4,
        "network": (950, 0, 0, 0, 50) * 4,
        "network_mixture": (500, 0, 200, 200, 100) * 4,
        "greedy": (0, 0, 970, 0, 30) * 4,
        "greedy_plus": (0, 0, 0, 970, 30) * 4,
    }
)
"""Weights of the policies by name: what choices are explained by."""

_NORMAL: Final = 1.96


class QualityStudy(NamedTuple):
    """What is measured."""

    rule_set: RuleSet
    seats: int
    opponent: str
    likelihood: str
    rounds: int
    worlds: int
    seed: str


class QualityLine(NamedTuple):
    """The belief after so many placements of the other seats; `error` is of `gained`, at 95 %.

    `drawn` tells whether another seat had kept tiles that it drew.
    """

    moves_seen: int
    drawn: bool
    positions: int
    hidden: float | None
    gained: float
    error: float
    brier: float
    plain: float


class _Sample(NamedTuple):
    hidden: float | None
    gained: float
    brier: float
    plain: float


def run_quality(study: QualityStudy) -> list[QualityLine]:
    """Play the rounds and measure; compiled."""
    asks = any(LIKELIHOODS[study.likelihood][likelihood.NETWORK :: likelihood.MIXED])
    network = family_network(study.rule_set, study.seats, compiled=True) if asks else None
    believer = Believer(study.rule_set, study.seats, network)
    rounds = StudiedRounds(study.rule_set, study.seats, study.opponent, study.seed)
    samples: dict[tuple[int, bool], list[_Sample]] = defaultdict(list)
    for number in range(study.rounds):
        for truth in rounds.positions(number):
            samples[truth.seen, truth.drawn].append(_measure(study, believer, truth, number))
    return [
        _line(seen, found, drawn=drawn) for (seen, drawn), found in sorted(samples.items()) if seen
    ]


def _line(seen: int, samples: list[_Sample], *, drawn: bool) -> QualityLine:
    hidden = [sample.hidden for sample in samples if sample.hidden is not None]
    gained = [sample.gained for sample in samples]
    error = _NORMAL * stdev(gained) / sqrt(len(gained)) if len(gained) > 1 else 0.0
    return QualityLine(
        seen,
        drawn,
        len(samples),
        fmean(hidden) if hidden else None,
        fmean(gained),
        error,
        fmean(sample.brier for sample in samples),
        fmean(sample.plain for sample in samples),
    )


def _measure(study: QualityStudy, believer: Believer, truth: Truth, number: int) -> _Sample:
    viewer, hand = truth.viewer, truth.hands[truth.viewer]
    weights = LIKELIHOODS[study.likelihood]
    plain = believer.pool(truth.turns, viewer, hand, DEALS_ONLY, study.worlds, number)
    believed = believer.pool(truth.turns, viewer, hand, weights, study.worlds, number)
    if believed.exact:
        gained = _true_share(truth, believed) - _true_share(truth, plain)
    else:
        gained = _true_log2(believer, truth, weights) - _log2_likelihood(believer, believed)
    return _Sample(
        _hidden_bits(believer, truth),
        gained,
        _brier(study, truth, believed),
        _brier(study, truth, plain),
    )


def _true_share(truth: Truth, believed: Pool) -> float:
    """log2 of the true hand's part in a whole posterior."""
    other = 1 - truth.viewer
    true = believed.hands[other :: weighing.WORLD] == truth.hands[other]
    return log2(int(believed.weights[true].sum()) / int(believed.weights.sum()))


def _log2_likelihood(believer: Believer, believed: Pool) -> float:
    """log2 of the mean likelihood over the worlds of a sample."""
    meta = believer.work[constraints.META]
    total = int(believed.weights.sum()) << int(meta[weighing.SHIFT])
    if meta[weighing.LEAST_COST] == meta[weighing.MOST_COST]:
        total *= HALVED_ONE
    least = int(meta[weighing.LEAST_COST]) * likelihood.POWER / 10 / COST_ONE
    return log2(total / HALVED_ONE / len(believed.weights)) - least


def _true_log2(believer: Believer, truth: Truth, weights: Sequence[int]) -> float:
    """log2 of the likelihood of the choices in the true world."""
    at = 0
    for seat, tiles in enumerate(truth.slots):
        if seat == truth.viewer:
            continue
        for code in tiles:
            believer.work[worlds.TILE_AT][at] = code
            at += 1
    cost = belief_functions(compiled=True).world_cost(
        believer.rules,
        truth.turns,
        truth.viewer,
        integer_array(weights),
        believer.net,
        believer.scratch,
        believer.work,
    )
    return -int(cost) * likelihood.POWER / 10 / COST_ONE


def _hidden_bits(believer: Believer, truth: Truth) -> float | None:
    """-log2 of the true hand's chance by the deals; absent where no law is listed."""
    law, work = believer.work[posterior.LAW], believer.work
    if not work[constraints.META][weighing.LISTABLE]:
        return None
    hand = truth.hands[1 - truth.viewer]
    counts = 0
    for group in range(int(law[posterior.GROUPS])):
        held = (int(work[posterior.CLASS_TILES][group]) & hand).bit_count()
        counts |= held << posterior.COUNT_BITS * group
    vectors = [
        int(counted) for counted in work[posterior.LAW_COUNTS][: int(law[posterior.VECTORS])]
    ]
    weight = int(work[posterior.LAW_WEIGHTS][vectors.index(counts)])
    return log2(int(law[posterior.TOTAL]) / weight)


def _brier(study: QualityStudy, truth: Truth, believed: Pool) -> float:
    """The mean square error of the chances that each other seat holds each unseen tile."""
    total = int(believed.weights.sum())
    errors = []
    for seat in range(study.seats):
        if seat == truth.viewer:
            continue
        column = believed.hands[seat :: weighing.WORLD]
        for code in range(28):
            held = column >> code & 1
            chance = float((held * believed.weights).sum()) / total
            if chance or truth.hands[seat] >> code & 1:
                errors.append((chance - (truth.hands[seat] >> code & 1)) ** 2)
    return fmean(errors)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a study, print its table, and give the exit status."""
    options = _parser().parse_args(arguments)
    rule_set = PRESETS[options.rules]
    study = QualityStudy(
        rule_set,
        options.seats,
        options.opponent,
        options.likelihood,
        options.rounds,
        options.worlds,
        options.seed,
    )
    lines = run_quality(study)
    if options.json:
        fields = {**vars(options), "lines": [line._asdict() for line in lines]}
        sys.stdout.write(f"{json.dumps(fields)}\n")
        return 0
    sys.stdout.write(" seen  drawn  positions  hidden  gained           brier  plain\n")
    for line in lines:
        hidden = "      -" if line.hidden is None else f"{line.hidden:7.2f}"
        sys.stdout.write(
            f"{line.moves_seen:5}  {'yes' if line.drawn else 'no':>5}  {line.positions:9}"
            f" {hidden}  {line.gained:6.3f} ± {line.error:5.3f}"
            f"  {line.brier:5.3f}  {line.plain:5.3f}\n"
        )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m muggins_ai.belief.quality",
        description="Measure what a seat's belief knows about the hidden hands.",
    )
    parser.add_argument("--rules", choices=PRESETS, default="muggins", help="rule set")
    parser.add_argument("--seats", type=int, default=2, help="number of seats")
    parser.add_argument("--opponent", choices=OPPONENTS, default="greedy_plus", help="who plays")
    parser.add_argument(
        "--likelihood", choices=LIKELIHOODS, default="points", help="what choices are explained by"
    )
    parser.add_argument("--rounds", type=int, default=1000, help="rounds to play")
    parser.add_argument("--worlds", type=int, default=4000, help="most worlds of a pool")
    parser.add_argument("--seed", required=True, help="any text; decks and lots follow from it")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    return parser


if __name__ == "__main__":
    sys.exit(main())
