"""What is at stake in a position: the arrays of `evaluate.stakes`, set for each decision."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, Final

from muggins_ai.compiled import integer_array
from muggins_ai.evaluate import stakes
from muggins_ai.evaluate.equity import CERTAIN_WIN
from muggins_ai.playout import DIVISOR, SIDES, TARGET
from muggins_ai.search.settings import Aim

__all__ = ["NEAR", "StakesOfMatch"]

NEAR: Final = 100
"""Raw points to go of the leading side from which the match counts more than points."""
_SLOPE: Final = 15
"""Raw points to both sides of a score between which the worth of a point is measured."""
_LEAST_SLOPE: Final = CERTAIN_WIN // 64
"""Where so many points move the chance by less, the match is all but decided and points count."""


class StakesOfMatch:
    """The stakes of one rule set and number of seats, again and again in the same arrays."""

    def __init__(
        self,
        functions: SimpleNamespace,
        rules: Sequence[int],
        opener_value: int,
        equity_table: Any,  # noqa: ANN401 - an array
        *,
        compiled: bool,
    ) -> None:
        ints: Callable[[Sequence[int]], Any] = integer_array if compiled else list
        self._functions = functions
        self._sides = int(rules[SIDES])
        self._divisor = int(rules[DIVISOR])
        self._target = int(rules[TARGET])
        about = ints([0] * stakes.ABOUT_SIZE)
        about[stakes.OPENER] = opener_value
        self.arrays = (about, equity_table, ints([0] * 4), ints([0] * 4))

    def begin(self, scores: Sequence[int], aim: Aim) -> None:
        """Measure from these scores, by side, in the rule set's own unit."""
        about = self.arrays[0]
        to_go = [(self._target - scores[side]) * self._divisor for side in range(self._sides)]
        for side in range(self._sides):
            about[stakes.START + side] = scores[side]
        about[stakes.WORTH] = 0
        if aim is Aim.MATCH and min(to_go) <= NEAR:
            self._count_wins(to_go)

    def _count_wins(self, to_go: Sequence[int]) -> None:
        about = self.arrays[0]
        chances = self._chances(to_go)
        for side, chance in enumerate(chances):
            about[stakes.CHANCES + side] = chance
        leader = min(range(self._sides), key=lambda side: to_go[side])
        rise = self._moved(to_go, leader, -_SLOPE) - self._moved(to_go, leader, _SLOPE)
        if rise >= _LEAST_SLOPE:
            difference = 2 * _SLOPE * self._sides // (self._sides - 1)
            about[stakes.WORTH] = difference * stakes.POINT * CERTAIN_WIN // rise

    def _moved(self, to_go: Sequence[int], side: int, points: int) -> int:
        """A side's chance if it had so many points more to go, and the others as many less."""
        others = points // (self._sides - 1)
        moved = [left + points if at == side else left - others for at, left in enumerate(to_go)]
        return self._chances([max(left, 1) for left in moved])[side]

    def _chances(self, to_go: Sequence[int]) -> list[int]:
        _, table, room, found = self.arrays
        for side, left in enumerate(to_go):
            room[side] = left
        self._functions.equity(self._sides, table, room, -1, found)
        return [int(found[side]) for side in range(self._sides)]
