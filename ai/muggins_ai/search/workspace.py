"""The arrays that searches work in and the settings they read: which value is at which place."""

from typing import Final

__all__ = [
    "DECK",
    "MODELS",
    "MODEL_UNIT",
    "MOVES",
    "PATH_EDGES",
    "PATH_SIDES",
    "PUBLIC",
    "REPLIES",
    "SETTINGS",
    "STATE",
    "TREE",
    "VALUES",
    "VIEWER",
    "WEIGHTS",
    "Ints",
    "Net",
    "Root",
    "Scratch",
    "Work",
]

Ints = list[int]
Net = tuple[Ints, Ints, Ints, Ints]
Scratch = tuple[Ints, Ints, Ints]
Root = tuple[Ints, Ints, Ints, Ints]
"""meta, scores, scored, public: what the searching seat knows when it is to place."""
Work = tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints]
"""public, deck, moves, replies, weights, values, edges of the path, movers of the path, state."""

PUBLIC: Final = 0
DECK: Final = 1
MOVES: Final = 2
REPLIES: Final = 3
WEIGHTS: Final = 4
VALUES: Final = 5
PATH_EDGES: Final = 6
PATH_SIDES: Final = 7
STATE: Final = 8
"""Places of the arrays in `work`; what `state` holds is each search's own."""

VIEWER: Final = 0
"""The searching seat."""
MODELS: Final = 1
"""By seat four weights that sum to MODEL_UNIT: tree, greedy, greedy_plus, random."""
MODEL_UNIT: Final = 1024
SETTINGS: Final = MODELS + 16

TREE: Final = 0
"""The model that chooses as the searching seat does; the next two are policies by number."""
