"""Match equity of a family, fitted to rounds of its policy against itself, and how well it holds.

Rounds do not know the score, so a match is rounds drawn one after another. Half of the rounds make
the equity: for two sides by value iteration over what both have to go, for more by the likelihood
of matches played. Matches of the other half, which it has not seen, tell how often those that it
gives a chance do win.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from muggins_ai import playout
from muggins_ai.compiled import integer_array
from muggins_ai.evaluate import public
from muggins_ai.evaluate.equity import CERTAIN_WIN, FURTHEST, GRID, equity
from muggins_ai.evaluate.weights import UNIT, policy_scratch
from muggins_ai.round_rules import rules_of
from muggins_ai.search import steps
from muggins_ai.train.rounds import GAIN_ROW
from muggins_rules import kernel
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import SET_CODES

__all__ = ["Calibration", "EquityFit", "FitSize", "fit_equity"]

_TEMPERATURE: Final = UNIT // 2
_ENDLESS: Final = 1 << 40
_SWEEPS: Final = 60
_ENOUGH: Final = 5e-4
_MOST_ROUNDS: Final = 2000
_AHEAD: Final = (10, 20, 40, 80, 160, 320)
_NEWTON_STEPS: Final = 25
_BINS: Final = 10

Chances = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FitSize:
    """How much is played: rounds for each half, and matches to fit and to check."""

    rounds: int = 6000
    matches: int = 20000


@dataclass(frozen=True, slots=True)
class Calibration:
    """A range of predicted chances: how many, their mean, and the share that won."""

    number: int
    predicted: float
    won: float


@dataclass(frozen=True, slots=True)
class EquityFit:
    """What `equity.equity` reads, with the check of it; `brier` is for a side's chance."""

    table: list[int]
    calibration: list[Calibration]
    brier: float
    brier_even: float


def fit_equity(
    functions: SimpleNamespace,
    rule_set: RuleSet,
    seats: int,
    net: Any,
    seed: int,
    size: FitSize,
) -> EquityFit:
    """Fit the equity of a table to its policy, and check it on rounds not used."""
    state = integer_array([(seed * 2246822519 + 97) % 0xFFFFFFFF + 1])
    rules = rules_of(rule_set, seats)
    sides, target = rules[playout.SIDES], rule_set.target(seats) * rules[playout.DIVISOR]
    halves = [_play(functions, rule_set, seats, net, state, size.rounds) for _ in range(2)]
    if sides == 2:  # noqa: PLR2004 - a table is for two
        table = _table(functions, halves[0], size.rounds)
    else:
        table = _form(_matches(functions, sides, target, halves[0], state, size))
    return _checked(table, _matches(functions, sides, target, halves[1], state, size))


def _play(
    functions: SimpleNamespace,
    rule_set: RuleSet,
    seats: int,
    net: Any,
    state: Any,
    rounds: int,
) -> Any:
    rules = rules_of(rule_set, seats)
    rules[playout.TARGET] = _ENDLESS
    rules[playout.EXACT_TARGET] = rules[playout.FIRST_MINIMUM] = 0
    gains = integer_array([0] * (GAIN_ROW * rounds))
    room = (public.PUBLIC_SIZE, 28, kernel.MOST_MOVES, kernel.MOST_MOVES)
    functions.play_gains(
        integer_array(rules),
        rounds,
        integer_array(SET_CODES[rule_set.deal.highest_pip]),
        _TEMPERATURE,
        net,
        policy_scratch(compiled=True),
        tuple(integer_array([0] * number) for number in (steps.META_SIZE, 4, 4, 4)),
        *(integer_array([0] * number) for number in room),
        state,
        gains,
    )
    return gains


def _table(functions: SimpleNamespace, gains: Any, rounds: int) -> list[int]:
    """The chances of two sides, by value iteration from an even start."""
    table = np.full(FURTHEST * FURTHEST, 0.5)
    before = np.zeros_like(table)
    for _ in range(_SWEEPS):
        if functions.improve_table(gains, rounds, table, before) < _ENOUGH:
            break
    return [round(chance * CERTAIN_WIN) for chance in table.tolist()]


@dataclass(frozen=True, slots=True)
class _Matches:
    """Where matches began and who won them."""

    sides: int
    to_go: npt.NDArray[np.int64]
    openers: npt.NDArray[np.int64]
    winners: npt.NDArray[np.int64]


def _matches(
    functions: SimpleNamespace,
    sides: int,
    target: int,
    gains: Any,
    state: Any,
    size: FitSize,
) -> _Matches:
    """Matches from scores at random, as they come up: 0 to the target, and as far below 0."""
    furthest = min(target // GRID * 5 // 4, FURTHEST)
    to_go = np.zeros((size.matches, sides), dtype=np.int64)
    openers = np.zeros(size.matches, dtype=np.int64)
    winners = np.zeros(size.matches, dtype=np.int64)
    left = integer_array([0] * sides)
    for index in range(size.matches):
        for side in range(sides):
            state[0] = functions.random_after(state[0])
            to_go[index, side] = left[side] = 1 + (int(state[0]) * furthest >> 32)
        state[0] = functions.random_after(state[0])
        openers[index] = int(state[0]) * sides >> 32
        winners[index] = functions.play_match(
            sides, gains, size.rounds, left, openers[index], _MOST_ROUNDS, state
        )
    return _Matches(sides, to_go * GRID, openers, winners)


def _form(matches: _Matches) -> list[int]:
    """The numbers of the fitted form that make the winners likeliest."""
    best: tuple[float, list[int]] | None = None
    for ahead in _AHEAD:
        slope, bonus, loss = _newton(matches, ahead)
        form = [round(slope * 1024), round(bonus * 1024), ahead]
        if best is None or loss < best[0]:
            best = loss, form
    assert best is not None, "there are forms to choose from"
    return best[1]


def _newton(matches: _Matches, ahead: int) -> tuple[float, float, float]:
    """Slope and bonus by Newton's method on the mean log loss, and that loss."""
    sides = matches.sides
    root = np.sqrt(matches.to_go.min(axis=1) + ahead)
    opens = np.arange(sides)[None, :] == matches.openers[:, None]
    features = np.stack([-matches.to_go / root[:, None], opens / root[:, None]], axis=2)
    rows = np.arange(len(matches.winners))
    weights = np.array([0.1, 0.0])
    loss = 0.0
    for _ in range(_NEWTON_STEPS):
        chances = _softmax(features @ weights)
        mean = np.einsum("ns,nsf->nf", chances, features)
        gradient = (mean - features[rows, matches.winners]).mean(axis=0)
        spread = features - mean[:, None, :]
        curvature = np.einsum("ns,nsf,nsg->fg", chances, spread, spread) / len(rows)
        weights = weights - np.linalg.solve(curvature, gradient)
        loss = float(-np.log(_softmax(features @ weights)[rows, matches.winners]).mean())
    return float(weights[0]), float(weights[1]), loss


def _softmax(logits: Chances) -> Chances:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Chances = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _checked(table: list[int], matches: _Matches) -> EquityFit:
    predicted: list[float] = []
    won: list[bool] = []
    out = [0] * matches.sides
    starts = zip(
        matches.to_go.tolist(), matches.openers.tolist(), matches.winners.tolist(), strict=True
    )
    for to_go, opener, winner in starts:
        equity(matches.sides, table, to_go, opener, out)
        predicted += [chance / CERTAIN_WIN for chance in out]
        won += [side == winner for side in range(matches.sides)]
    even = 1 / matches.sides
    return EquityFit(
        table,
        _calibration(predicted, won),
        _mean([(p - w) ** 2 for p, w in zip(predicted, won, strict=True)]),
        _mean([(even - w) ** 2 for w in won]),
    )


def _calibration(predicted: Sequence[float], won: Sequence[bool]) -> list[Calibration]:
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for chance, result in zip(predicted, won, strict=True):
        bins[min(int(chance * _BINS), _BINS - 1)].append((chance, result))
    return [
        Calibration(
            len(found),
            round(_mean([chance for chance, _ in found]), 4),
            round(_mean([float(result) for _, result in found]), 4),
        )
        for found in bins
        if found
    ]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
