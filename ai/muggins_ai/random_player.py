"""An opponent that makes any legal placement, all equally likely over its seeds."""

from hashlib import sha256
from typing import Final

from muggins_ai.opponent import Choice
from muggins_ai.position import Position, action_of, call_earns
from muggins_rules.views import SeatView

__all__ = ["RandomPlayer"]

_ENGINE: Final = "random-1"
_LABEL: Final = b"muggins random player 1"


class RandomPlayer:
    """Places at random; claims what it earns and calls what others forget."""

    @property
    def engine(self) -> str:
        """Names this code."""
        return _ENGINE

    def choose(self, view: SeatView, seed: bytes, /) -> Choice:
        """The action; the placement follows from the seed and the number of events so far."""
        facts = len(view.round_events)
        digest = sha256(_LABEL + facts.to_bytes(4, "big") + seed).digest()
        number = int.from_bytes(digest, "big")

        def pick(position: Position) -> int:
            return number % len(position.moves)

        return Choice(action_of(view, pick), self.engine)

    def calls(self, view: SeatView, /) -> bool:
        """True when a call earns points."""
        return call_earns(view)
