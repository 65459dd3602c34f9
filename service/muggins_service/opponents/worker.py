"""What an opponent worker runs: a level's choice from a view, and nothing of the service.

The module is the entry of spawned processes, so it imports only what a choice needs.
"""

import os
import signal
import threading
from multiprocessing import parent_process

from muggins_ai.levels import opponent_of
from muggins_ai.opponent import Choice
from muggins_ai.warm import warm_up
from muggins_rules.views import SeatView

__all__ = ["calls", "choose", "prepare", "ready"]

NICENESS = 10


def prepare() -> None:
    """Make the process a polite neighbour that leaves interrupts to its parent and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the parent's end: one that was killed cannot tell its workers to stop."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def ready(*, warm: bool) -> bool:
    """True once the process runs and, when `warm`, every opponent can move without delay."""
    if warm:
        warm_up()
    return True


def choose(level: str, view: SeatView, seed: bytes) -> Choice:
    """The choice of an opponent of that level."""
    return opponent_of(level).choose(view, seed)


def calls(level: str, view: SeatView) -> bool:
    """Whether an opponent of that level calls the placement whose window is open."""
    return opponent_of(level).calls(view)
