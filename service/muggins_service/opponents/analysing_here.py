"""Positions and matches analysed by this process alone, as a server's workers would.

The parts, samples and seeds are those of `analysing`, so that the same budget gives the same
numbers; only nobody waits and no deadline hurries.
"""

from collections.abc import Iterator

from muggins_ai.analysis.analyst import PositionPart
from muggins_ai.analysis.positions import ReviewPosition, positions_of
from muggins_ai.analysis.tally import figures_of
from muggins_ai.search.settings import SearchBudget
from muggins_service.opponents import worker
from muggins_service.opponents.analysing import (
    WORLDS,
    Judged,
    MatchToReview,
    Reviewed,
    asked_of,
    review_done,
    seed_number,
)

__all__ = ["judged_here", "reviewed_here"]


def reviewed_here(match: MatchToReview, budget: SearchBudget, seed: bytes) -> Iterator[Reviewed]:
    """The review of a finished match, position by position, with how far it is before."""
    positions = positions_of(match.rule_set, match.seats, match.events)
    parts: list[PositionPart] = []
    for position in positions:
        number = seed_number(seed, position.at)
        parts.append(worker.analyse(*asked_of(position, budget.worlds, budget, number)))
        yield Reviewed(len(parts), len(positions))
    yield review_done(match, positions, parts)


def judged_here(position: ReviewPosition, budget: SearchBudget, number: int) -> Judged:
    """One position as a review judges it with that seed, and where the unseen tiles may be."""
    part = worker.analyse(*asked_of(position, budget.worlds, budget, number))
    worlds = min(WORLDS, budget.worlds)
    belief, voids = worker.beliefs(position.view, worlds, number)
    used = SearchBudget(part.used.iterations, part.tallies[0].samples, part.used.nodes)
    figures = figures_of(part.tallies, part.side)
    return Judged(figures, belief, voids, used, truncated=False, last=True)
