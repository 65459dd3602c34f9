"""Every decision of a record made once more, and compared with what was done."""

from dataclasses import dataclass
from enum import StrEnum, unique

from muggins_rules.actions import Action
from muggins_rules.events import TileDrawn
from muggins_rules.notation import format_action
from muggins_rules.replaying import action_behind
from muggins_service.honesty.asking import (
    acts_of,
    ask,
    has_seed,
    installed_engine,
    is_known,
    needs_compiler,
)
from muggins_service.honesty.decisions import Decision

__all__ = ["Outcome", "Verdict", "recompute", "told_act"]


@unique
class Verdict(StrEnum):
    """What came of making a decision once more."""

    AGREES = "agrees"
    """The engine named chooses what was done."""
    DIFFERS = "differs"
    """It chooses otherwise."""
    OTHER_ENGINE = "other_engine"
    """Not made again: another engine than the one named is installed, or no such level."""
    NO_COMPILER = "no_compiler"
    """Not made again: the level needs numba, which is not installed."""
    NO_SEED = "no_seed"
    """Not made again: the round's secret is not in the record, or is none."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict; `detail` tells what was done and what was chosen, or which engine is here."""

    decision: Decision
    verdict: Verdict
    detail: str = ""


def recompute(decision: Decision) -> Outcome:
    """Make a decision once more from its seat's own view, and compare.

    The longest searches take about a second.
    """
    obstacle = _obstacle_to(decision)
    if obstacle is not None:
        return obstacle
    answer = ask(decision, decision.table.game)
    if answer.engine != decision.engine:
        return Outcome(decision, Verdict.OTHER_ENGINE, answer.engine)
    if acts_of(decision, answer) == decision.acts:
        return Outcome(decision, Verdict.AGREES)
    return Outcome(
        decision, Verdict.DIFFERS, f"{told_act(decision)} instead of {_told(answer.action)}"
    )


def _obstacle_to(decision: Decision) -> Outcome | None:
    """Why a decision cannot be made again here; none where it can, as far as is known before."""
    if not decision.can_be_asked_for:
        return Outcome(decision, Verdict.DIFFERS, "no opponent was to act for the seat")
    if not is_known(decision.level):
        return Outcome(decision, Verdict.OTHER_ENGINE)
    if needs_compiler(decision.level):
        return Outcome(decision, Verdict.NO_COMPILER)
    other = installed_engine(decision)
    if other is not None:
        return Outcome(decision, Verdict.OTHER_ENGINE, other)
    if not has_seed(decision):
        return Outcome(decision, Verdict.NO_SEED)
    return None


def told_act(decision: Decision) -> str:
    """What was done, in the notation of actions; a run of draws is told as so many tiles."""
    first, *others = decision.acts
    drawn = sum(isinstance(act, TileDrawn) for act in decision.acts)
    if drawn:
        return f"draw {drawn}"
    behind = action_behind(first, others[0] if others else None)
    assert behind is not None, "an act has an action behind it"
    return _told(behind[1])


def _told(action: Action | None) -> str:
    return "nothing" if action is None else format_action(action)
