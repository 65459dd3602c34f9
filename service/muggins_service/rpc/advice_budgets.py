"""Budgets of requests as the workers take them, within what this server allows."""

from dataclasses import replace
from typing import Final

from muggins_ai.levels import LADDER, LEVELS
from muggins_ai.search.settings import SearchBudget
from muggins_service.errors import malformed_field
from muggins_service.opponents.analysing import DEFAULT_REVIEW, MOST
from muggins_service.wire.opponents import Budget

__all__ = ["MOST_DECISION", "analysis_budget", "decision_budget", "review_budget", "wire_budget"]

MOST_DECISION: Final = SearchBudget(iterations=100_000, worlds=10_000, nodes=5_000_000)
"""The largest budget of a decision."""


def wire_budget(used: SearchBudget | None) -> Budget | None:
    """A budget as an answer tells it."""
    return None if used is None else Budget(used.iterations, used.worlds, used.nodes)


def _bounded(budget: Budget, most: SearchBudget) -> SearchBudget:
    """A budget's counts, those of `most` where it bounds nothing; MALFORMED_FIELD beyond them."""
    asked = SearchBudget(budget.iterations, budget.samples, budget.nodes)
    if asked.iterations > most.iterations or asked.worlds > most.worlds or asked.nodes > most.nodes:
        raise malformed_field(
            "budget",
            f"At most {most.iterations} iterations, {most.worlds} samples and {most.nodes} nodes.",
        )
    return SearchBudget(
        asked.iterations or most.iterations,
        asked.worlds or most.worlds,
        asked.nodes or most.nodes,
    )


def decision_budget(budget: Budget) -> SearchBudget:
    """What is not bounded is as the strongest level has it."""
    bounded = _bounded(budget, MOST_DECISION)
    usual = LEVELS[LADDER[-1]].budget
    assert usual is not None, "the strongest level searches"
    return SearchBudget(
        bounded.iterations if budget.iterations else usual.iterations,
        bounded.worlds if budget.samples else usual.worlds,
        bounded.nodes if budget.nodes else usual.nodes,
    )


def analysis_budget(budget: Budget | None) -> SearchBudget:
    """The budget of a position, as much as the server allows where none is given."""
    return MOST if budget is None else _bounded(budget, MOST)


def review_budget(budget: Budget | None) -> SearchBudget:
    """For each position of a match; samples are few unless asked for."""
    bounded = analysis_budget(budget)
    return (
        bounded
        if budget is not None and budget.samples
        else replace(bounded, worlds=DEFAULT_REVIEW)
    )
