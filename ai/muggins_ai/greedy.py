"""An opponent that takes the most points at once."""

from typing import Final

from muggins_ai import policies
from muggins_ai.opponent import Choice
from muggins_ai.position import Position, action_of, call_earns
from muggins_rules.views import SeatView

__all__ = ["Greedy", "pick_greedy"]

_ENGINE: Final = "greedy-1"


def pick_greedy(position: Position) -> int:
    """The placement with the most points; then the heavier tile, then the first legal action."""
    moves = list(position.moves)
    return policies.pick_greedy(position.word, position.flags, moves, len(moves))


class Greedy:
    """Takes the most points at once; claims what it earns and calls what others forget."""

    @property
    def engine(self) -> str:
        """Names this code."""
        return _ENGINE

    def choose(self, view: SeatView, _seed: bytes, /) -> Choice:
        """The action, whatever the seed."""
        return Choice(action_of(view, pick_greedy), self.engine)

    def calls(self, view: SeatView, /) -> bool:
        """True when a call earns points."""
        return call_earns(view)
