"""The opponents by name: a closed table, weakest first."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from muggins_ai.greedy import Greedy
from muggins_ai.greedy_plus import GreedyPlus
from muggins_ai.opponent import Opponent
from muggins_ai.random_player import RandomPlayer

__all__ = ["LEVELS", "UnknownLevelError", "opponent_of"]

_FACTORIES: Final[dict[str, Callable[[], Opponent]]] = {
    "random": RandomPlayer,
    "greedy": Greedy,
    "greedy_plus": GreedyPlus,
}

LEVELS: Final = MappingProxyType(_FACTORIES)
"""What makes an opponent of each level."""


class UnknownLevelError(ValueError):
    """No opponent has that name."""


def opponent_of(level: str) -> Opponent:
    """A new opponent of a level.

    Raises:
        UnknownLevelError: the name is not in LEVELS.
    """
    factory = LEVELS.get(level)
    if factory is None:
        message = f"no level is called {level!r}; there are {', '.join(LEVELS)}"
        raise UnknownLevelError(message)
    return factory()
