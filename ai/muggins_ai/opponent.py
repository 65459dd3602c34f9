"""What an opponent is: a choice from a seat's view, and a call on another side's placement."""

from dataclasses import dataclass
from typing import Protocol

from muggins_ai.search.settings import SearchBudget
from muggins_rules.actions import Action
from muggins_rules.views import SeatView

__all__ = ["Choice", "Opponent"]


@dataclass(frozen=True, slots=True)
class Choice:
    """An action, and who thought of it.

    `engine` names the code and parameters that chose. `fallback` is True when the action is not
    the engine's own, since it gave none in time. `used` is what a search used of its budget.
    """

    action: Action
    engine: str
    fallback: bool = False
    used: SearchBudget | None = None


class Opponent(Protocol):
    """A player of a seat. It keeps nothing between two questions."""

    @property
    def engine(self) -> str:
        """Names the code and parameters; another name whenever some choice may differ."""
        ...

    def choose(self, view: SeatView, seed: bytes, /) -> Choice:
        """The action of a seat that is on turn, or that may still claim points.

        Under calling a placement carries its claim.
        """
        ...

    def calls(self, view: SeatView, /) -> bool:
        """Whether to call "Muggins!" on the placement whose claim window is open."""
        ...
