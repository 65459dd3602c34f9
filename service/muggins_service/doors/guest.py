"""The caller whose call is under way, for whoever works on it."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, NamedTuple

__all__ = ["GUEST", "NOBODY", "Guest", "spends_nothing"]


def spends_nothing() -> None:
    """What a command costs where there is no limit."""


class Guest(NamedTuple):
    """A caller that was let in.

    `principal` is the player it is or acts for, empty where nobody is asked who he is. `account`
    is whose limits count. `spend` takes one more call from them, and raises RATE_LIMITED.
    """

    principal: str = ""
    account: str = ""
    spend: Callable[[], None] = spends_nothing


NOBODY: Final = Guest()

GUEST: Final[ContextVar[Guest]] = ContextVar("GUEST", default=NOBODY)
"""gRPC runs each call in a task of its own, so that this is the caller of that call alone."""
