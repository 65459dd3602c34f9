"""What an opponent worker runs: choices and analysis from views, and nothing of the service.

The module is the entry of spawned processes, so it imports only what they need.
"""

import os
import signal
import threading
from multiprocessing import parent_process
from typing import Any

from muggins_ai.analysis.analyst import PositionPart, TileChances, analyst_of
from muggins_ai.analysis.voids import VoidFact
from muggins_ai.levels import opponent_of, strongest_within
from muggins_ai.opponent import Choice
from muggins_ai.search.settings import SearchBudget
from muggins_ai.warm import warm_up
from muggins_rules.seen_view import InconsistentView, completed_view
from muggins_rules.views import SeatView

__all__ = [
    "analyse",
    "beliefs",
    "calls",
    "choose",
    "choose_seen",
    "completed",
    "decides",
    "prepare",
    "ready",
    "told_to_stop",
]

NICENESS = 19

_flag: Any = None


def prepare(flag: Any) -> None:  # noqa: ANN401 - a byte of shared memory
    """Make the process a polite neighbour that leaves interrupts to its parent and ends with it.

    `flag` is 1 while nobody waits for what the process does.
    """
    global _flag  # noqa: PLW0603 - a process has one
    _flag = flag
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the parent's end: one that was killed cannot tell its workers to stop."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def told_to_stop() -> bool:
    """True when nobody waits for what the process does."""
    return _flag is not None and bool(_flag.value)


def ready(*, warm: bool) -> int:
    """The number of the process, once every opponent can move without delay when `warm`."""
    if warm:
        warm_up()
    return os.getpid()


def choose(level: str, view: SeatView, seed: bytes) -> Choice:
    """The choice of an opponent of that level; DecisionStopped when it was told to stop."""
    return opponent_of(level, told_to_stop).choose(view, seed)


def choose_seen(
    strength: str | SearchBudget, view: SeatView, seed: bytes
) -> Choice | InconsistentView | None:
    """The choice of a level or within a budget for a view of someone else's.

    None where the seat has nothing to decide.
    """
    found = completed(view)
    if isinstance(found, InconsistentView):
        return found
    if not decides(found):
        return None
    if isinstance(strength, str):
        opponent = opponent_of(strength, told_to_stop)
    else:
        opponent = strongest_within(strength, told_to_stop)
    return opponent.choose(found, seed)


def decides(view: SeatView) -> bool:
    """True when the seat has something to decide."""
    return bool(view.legal_actions) or view.may_claim


def completed(view: SeatView) -> SeatView | InconsistentView:
    """A view of someone else's, filled up, or what is wrong with it."""
    try:
        return completed_view(view)
    except InconsistentView as inconsistent:
        return inconsistent


def analyse(view: SeatView, samples: int, worlds: int, nodes: int, seed: int) -> PositionPart:
    """So many samples of every move of a position; DecisionStopped when it was told to stop."""
    analyst = analyst_of(view.table.rule_set, view.table.seats)
    return analyst.analyse(view, samples, worlds, nodes, seed, told_to_stop)


def beliefs(
    view: SeatView, worlds: int, seed: int
) -> tuple[tuple[TileChances, ...], tuple[VoidFact, ...]]:
    """Where the unseen tiles may be, and which draws and passes tell of it."""
    analyst = analyst_of(view.table.rule_set, view.table.seats)
    return analyst.tile_beliefs(view, worlds, seed), analyst.voids(view, worlds, seed)


def calls(level: str, view: SeatView) -> bool:
    """Whether an opponent of that level calls the placement whose window is open."""
    return opponent_of(level, told_to_stop).calls(view)
