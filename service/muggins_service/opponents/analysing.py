"""Positions and matches analysed by the pool, in parts, so that others have their turns too.

A position is judged in parts of doubling size; each has a seed of its own that follows from the
request's, so that the same request gives the same answers. What is merged and when it is enough is
decided here; what a sample is, in `muggins_ai.analysis`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from muggins_ai.analysis.analyst import ENGINE, PositionPart, TileChances
from muggins_ai.analysis.positions import ReviewPosition, is_forced, positions_of
from muggins_ai.analysis.review import MatchReview, review_of
from muggins_ai.analysis.tally import MoveFigures, MoveTally, figures_of, merged
from muggins_ai.analysis.voids import VoidFact
from muggins_ai.search.settings import SearchBudget
from muggins_rules.events import Event
from muggins_rules.ruleset import RuleSet
from muggins_rules.views import SeatView
from muggins_service.opponents import worker
from muggins_service.opponents.pool import WorkerPool, WorkersBusy

__all__ = [
    "DEFAULT_REVIEW",
    "ENGINE",
    "FIXED_SEED",
    "MARGIN_S",
    "MOST",
    "WORLDS",
    "Asked",
    "Judged",
    "Limits",
    "MatchToReview",
    "Reviewed",
    "asked_of",
    "judged_position",
    "review_done",
    "reviewed_match",
    "seed_number",
]

Remaining = Callable[[], float]
"""Seconds until whoever asks stops waiting."""

Asked = tuple[SeatView, int, int, int, int]
"""The arguments of `worker.analyse`: view, samples, worlds, nodes and seed."""

FIXED_SEED: Final = b"muggins"
"""The seed of whoever gives none."""
FIRST_SAMPLES: Final = 256
WORLDS: Final = 600
"""Worlds of a belief that samples are drawn from."""
MOST: Final = SearchBudget(iterations=4_000_000, worlds=200_000, nodes=2_000_000)
"""The most that an analysis may use: playouts, samples and positions of an exact ending."""
DEFAULT_REVIEW: Final = 384
"""Samples of each position of a match unless told."""
MARGIN_S: Final = 0.05
"""What is left of a deadline for the answer."""
PART_LIMIT_S: Final = 30.0
_AT_ONCE: Final = 4
"""Positions of a review that are asked for at a time."""
_HURRIED_S: Final = 2.0
"""Less than this before the deadline, positions of a match are judged by few samples."""
_HURRIED: Final = 16
_LIKELY: Final = 2.0
"""Standard errors within which an action may be the best."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When an analysis is at its end; absent counts are those of MOST."""

    budget: SearchBudget = MOST
    enough_error: float = 0.0


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of a position so far; `last` where it stays so."""

    figures: tuple[MoveFigures, ...]
    belief: tuple[TileChances, ...]
    voids: tuple[VoidFact, ...]
    used: SearchBudget
    truncated: bool
    last: bool


@dataclass(frozen=True, slots=True)
class Reviewed:
    """How far a review is, and the review once it is done; `truncated` by the deadline."""

    done: int
    total: int
    review: MatchReview | None = None
    used: SearchBudget | None = None
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class MatchToReview:
    """A finished match in record form, whose events follow from one another."""

    rule_set: RuleSet
    seats: int
    events: tuple[Event, ...]


def seed_number(seed: bytes, *labels: int) -> int:
    """A seed of 32 bits, not 0, for a part of what was asked with a seed."""
    text = b"/".join((seed, *(str(label).encode() for label in labels)))
    return int.from_bytes(sha256(text).digest()[:4], "big") or 1


async def judged_position(
    pool: WorkerPool,
    caller: str,
    view: SeatView,
    limits: Limits,
    seed: bytes,
    remaining: Remaining,
) -> AsyncIterator[Judged]:
    """Improving answers on a completed view, until the budget, the deadline or enough precision.

    Raises:
        WorkerDied, WorkFailed: the workers cannot answer.
        WorkersBusy: not even a first answer was there in time.
    """
    loop = asyncio.get_running_loop()
    belief, voids = await pool.run(
        caller, _limit(remaining), worker.beliefs, view, WORLDS, seed_number(seed, 0)
    )
    side = view.table.rule_set.side_of(view.seat, view.table.seats)
    tallies: tuple[MoveTally, ...] = ()
    playouts = samples = nodes = part = 0
    size, took, last, truncated = FIRST_SAMPLES, 0.0, False, False
    while not last:
        part += 1
        size = min(size, _samples_left(limits.budget, samples, len(tallies)))
        began = loop.time()
        try:
            found = await pool.run(
                caller,
                _limit(remaining),
                worker.analyse,
                view,
                size,
                WORLDS,
                limits.budget.nodes,
                seed_number(seed, part),
            )
        except WorkersBusy:
            if not tallies:
                raise
            last = truncated = True
        else:
            took = loop.time() - began
            tallies = merged(tallies, found.tallies) if tallies else found.tallies
            samples += size
            playouts += found.used.iterations
            nodes = max(nodes, found.used.nodes)
            size = samples
            last = _is_enough(tallies, side, limits) or not _samples_left(
                limits.budget, samples, len(tallies)
            )
            # The next part is as large as all so far.
            truncated = not last and remaining() - MARGIN_S < 2 * took
            last = last or truncated
        used = SearchBudget(playouts, samples, nodes)
        yield Judged(figures_of(tallies, side), belief, voids, used, truncated, last)


def _limit(remaining: Remaining) -> float:
    return max(0.0, min(PART_LIMIT_S, remaining() - MARGIN_S))


def _samples_left(budget: SearchBudget, samples: int, moves: int) -> int:
    """How many more samples the budget allows, at least one at first."""
    by_playouts = budget.iterations // max(moves, 1) - samples
    left = min(budget.worlds - samples, by_playouts)
    return max(left, 0 if samples else 1)


def _is_enough(tallies: Sequence[MoveTally], side: int, limits: Limits) -> bool:
    """True when every action that may be the best is known well enough, or nothing is open."""
    if tallies[0].exact is not None:
        return True
    if not limits.enough_error:
        return False
    figures = figures_of(tallies, side)
    best = figures[0]
    floor = best.points - _LIKELY * best.error
    likely = [found for found in figures if found.points + _LIKELY * found.error >= floor]
    return all(found.error <= limits.enough_error for found in likely)


async def reviewed_match(
    pool: WorkerPool,
    caller: str,
    match: MatchToReview,
    budget: SearchBudget,
    seed: bytes,
    remaining: Remaining,
) -> AsyncIterator[Reviewed]:
    """The review of a finished match, position by position, with how far it is before.

    Where the deadline is near, the positions that are left are judged by few samples.

    Raises:
        WorkerDied, WorkFailed, WorkersBusy: the workers cannot answer.
    """
    rule_set, seats, events = match.rule_set, match.seats, match.events
    positions = await asyncio.to_thread(positions_of, rule_set, seats, events)
    parts: list[PositionPart] = []
    truncated = False
    for first in range(0, len(positions), _AT_ONCE):
        group = positions[first : first + _AT_ONCE]
        share = budget.worlds if remaining() > _HURRIED_S else min(budget.worlds, _HURRIED)
        truncated = truncated or share < budget.worlds
        found = await asyncio.gather(
            *(
                pool.run(
                    caller,
                    PART_LIMIT_S,
                    worker.analyse,
                    *asked_of(position, share, budget, seed_number(seed, position.at)),
                )
                for position in group
            )
        )
        parts += found
        yield Reviewed(len(parts), len(positions))
    yield review_done(match, positions, parts, truncated=truncated)


def asked_of(position: ReviewPosition, samples: int, budget: SearchBudget, number: int) -> Asked:
    """What is asked of a position of a match, with so many samples and a seed of its own."""
    return (
        position.view,
        _samples_of(position, samples, budget),
        min(WORLDS, budget.worlds),
        budget.nodes,
        number,
    )


def review_done(
    match: MatchToReview,
    positions: Sequence[ReviewPosition],
    parts: Sequence[PositionPart],
    *,
    truncated: bool = False,
) -> Reviewed:
    """The review of a match from what the samples tell of each of its positions."""
    judged = {
        position.at: (position, figures_of(part.tallies, part.side))
        for position, part in zip(positions, parts, strict=True)
    }
    review = review_of(match.rule_set, match.seats, match.events, judged)
    used = SearchBudget(
        sum(part.used.iterations for part in parts),
        sum(part.tallies[0].samples for part in parts),
        sum(part.used.nodes for part in parts),
    )
    return Reviewed(len(positions), len(positions), review, used, truncated)


def _samples_of(position: ReviewPosition, samples: int, budget: SearchBudget) -> int:
    moves = 1 if is_forced(position) else len(position.view.legal_actions)
    return max(1, min(samples, budget.iterations // moves))
