"""What each move of a position brought over the samples so far, and the figures that follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

__all__ = ["MoveFigures", "MoveTally", "figures_of", "merged"]


class MoveTally(NamedTuple):
    """Sums over samples of what followed a move.

    `points` by side are in the rule set's unit, less the mean of the others'; `squares` are of the
    mover's side's. `chances` to win the match by side, 0..1. The rest are numbers of samples in
    which: the mover scored with its next placement, the next seat scored in reply, the mover went
    out, the round was blocked. `exact` holds the points by side where they are known without
    sampling.
    """

    move: int
    samples: int
    points: tuple[float, ...]
    squares: float
    chances: tuple[float, ...]
    scores_next: int
    scored_on: int
    outs: int
    blocks: int
    exact: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class MoveFigures:
    """A move's worth to the side that makes it, and how sure that is.

    `points` are expected, with their standard error, in the rule set's unit; `by_side` the same
    for every side. Chances are 0..1. `loss` is what the move gives away against the best; of two
    moves the better has the lower `rank`, from 1.
    """

    move: int
    samples: int
    points: float
    error: float
    by_side: tuple[float, ...]
    win: float
    loss: float
    rank: int
    scores_next: float
    scored_on: float
    goes_out: float
    blocked: float


def merged(one: Sequence[MoveTally], other: Sequence[MoveTally]) -> tuple[MoveTally, ...]:
    """The tallies of the same moves over the samples of both.

    Raises:
        ValueError: they are of other moves.
    """
    if [tally.move for tally in one] != [tally.move for tally in other]:
        raise ValueError("tallies of other moves")
    return tuple(_added(first, second) for first, second in zip(one, other, strict=True))


def _added(one: MoveTally, other: MoveTally) -> MoveTally:
    return MoveTally(
        one.move,
        one.samples + other.samples,
        tuple(a + b for a, b in zip(one.points, other.points, strict=True)),
        one.squares + other.squares,
        tuple(a + b for a, b in zip(one.chances, other.chances, strict=True)),
        one.scores_next + other.scores_next,
        one.scored_on + other.scored_on,
        one.outs + other.outs,
        one.blocks + other.blocks,
        one.exact,
    )


def figures_of(tallies: Sequence[MoveTally], side: int) -> tuple[MoveFigures, ...]:
    """The figures of all moves of a position for the side that moves, best first.

    Of moves with equal points the one that wins the match more often comes first, then the first
    in the order given.
    """
    worth = {tally.move: _by_side(tally) for tally in tallies}
    chance = {tally.move: tally.chances[side] / tally.samples for tally in tallies}
    order = sorted(tallies, key=lambda tally: (-worth[tally.move][side], -chance[tally.move]))
    best = worth[order[0].move][side]
    return tuple(
        MoveFigures(
            tally.move,
            tally.samples,
            worth[tally.move][side],
            _error(tally, side),
            worth[tally.move],
            chance[tally.move],
            best - worth[tally.move][side],
            rank,
            tally.scores_next / tally.samples,
            tally.scored_on / tally.samples,
            tally.outs / tally.samples,
            tally.blocks / tally.samples,
        )
        for rank, tally in enumerate(order, 1)
    )


def _by_side(tally: MoveTally) -> tuple[float, ...]:
    if tally.exact is not None:
        return tally.exact
    return tuple(points / tally.samples for points in tally.points)


def _error(tally: MoveTally, side: int) -> float:
    """The standard error of the mean; 0 where the points are exact."""
    if tally.exact is not None:
        return 0.0
    count = tally.samples
    spread = tally.squares - tally.points[side] ** 2 / count
    return sqrt(max(spread, 0.0) / max(count - 1, 1) / count)
