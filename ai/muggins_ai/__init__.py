"""Opponents that see what a player in their seat sees, and the studies that measure them.

An opponent is a function of a `SeatView` and a seed: the same view and seed give the same choice
on every machine, and what the view does not hold cannot change it. `levels` is the closed table of
opponents by name. Importing the package or any player imports neither numpy nor numba; only
`compiled` and what is called in `arena` do, in the processes that ask for compiled code.
"""

from muggins_ai.levels import LEVELS, UnknownLevelError, opponent_of
from muggins_ai.opponent import Choice, Opponent

__all__ = ["LEVELS", "Choice", "Opponent", "UnknownLevelError", "opponent_of"]
