"""The yardstick: points at once, pips laid, less the best reply to be expected.

`policies` defines it. It is frozen: `tests/golden/greedy_choices.json` pins its choices.
"""

from typing import Final

from muggins_ai import policies
from muggins_ai.opponent import Choice
from muggins_ai.position import Position, action_of, call_earns
from muggins_rules.views import SeatView

__all__ = ["GreedyPlus", "pick_greedy_plus"]

_ENGINE: Final = "greedy_plus-1"


def pick_greedy_plus(position: Position) -> int:
    """The placement of the highest value; then the heavier tile, then the first legal action."""
    moves = list(position.moves)
    return policies.pick_greedy_plus(
        position.word,
        position.hand,
        position.unseen,
        position.held,
        position.flags,
        moves,
        len(moves),
        [0] * policies.ROOM_FOR_REPLIES,
    )


class GreedyPlus:
    """Weighs points against the next seat's; claims what it earns and calls what others forget."""

    @property
    def engine(self) -> str:
        """Names this code."""
        return _ENGINE

    def choose(self, view: SeatView, _seed: bytes, /) -> Choice:
        """The action, whatever the seed. About a quarter of a millisecond."""
        return Choice(action_of(view, pick_greedy_plus), self.engine)

    def calls(self, view: SeatView, /) -> bool:
        """True when a call earns points."""
        return call_earns(view)
