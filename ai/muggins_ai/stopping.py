"""How a decision is told that nobody waits for it any more."""

from collections.abc import Callable

__all__ = ["DecisionStopped", "Stop", "never"]

Stop = Callable[[], bool]
"""Asked now and then while a decision is made; True: give up."""


class DecisionStopped(Exception):  # noqa: N818 - what was asked for, not a mistake
    """A decision was given up because `Stop` said so. Nothing was decided."""


def never() -> bool:
    """A decision that is made to its end."""
    return False
