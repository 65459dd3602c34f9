"""The port through which a match asks opponents: in workers of its own, or elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from muggins_ai.opponent import Choice
from muggins_rules.views import SeatView

__all__ = ["Opponents", "OpponentsUnavailable", "Question"]


class OpponentsUnavailable(Exception):  # noqa: N818 - a state of the server, not a mistake
    """No opponent answered: it died, it took too long, too much waits, or what it ran failed."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision asked of a level, from what a seat knows and a seed.

    `caller` is whose turn it takes among all who ask: the match. `message` gives the same view as
    the bytes of a SeatView, for opponents in another process.
    """

    caller: str
    level: str
    view: SeatView
    seed: bytes
    message: Callable[[], bytes]


class Opponents(Protocol):
    """Opponents somewhere; every method belongs to the loop's thread."""

    async def choose(self, question: Question, /) -> Choice:
        """The choice of an opponent; OpponentsUnavailable when none is given."""
        ...

    async def calls(self, caller: str, level: str, view: SeatView, /) -> bool:
        """Whether an opponent calls the placement whose window is open; as for `choose`."""
        ...
