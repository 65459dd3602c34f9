"""A searching seat that values every move by expectimax over information sets.

Like `searcher`, whose tables, moves and belief it uses, it keeps nothing between two decisions but
room to work in. Its budget is counted in placements; a look-ahead that costs more is made shorter.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from muggins_ai.belief import Pool
from muggins_ai.compiled import compiled_kernel
from muggins_ai.search import chances, expectimax, groups, scenarios, workspace
from muggins_ai.search.nets import SearchNets
from muggins_ai.search.searcher import Known, Searcher
from muggins_ai.search.settings import Aim
from muggins_rules.kernel import MOST_MOVES
from muggins_rules.kernel_loader import load_kernel
from muggins_rules.ruleset import RuleSet

__all__ = [
    "EXPECTIMAX_MODULES",
    "ExpectedMove",
    "ExpectimaxReport",
    "ExpectimaxSearcher",
    "ExpectimaxSetting",
]

EXPECTIMAX_MODULES: Final = (scenarios, chances, groups, expectimax)
"""The kernel-style modules of this search, beside those that they use."""

_UNIT: Final = 1024
_NO_LIMIT: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class ExpectimaxSetting:
    """How far an expectimax search looks ahead, in counts.

    `depth` placements of any seats, over so many `worlds`, while it makes no more than
    `placements`; else it looks ahead one placement less, and one is always looked ahead. A draw
    with no more than `outcomes` is gone through whole, else tiles come from so many `decks`. At a
    `temperature` of 0 the learned policy replies with the move it thinks best, else with each by
    its chance; it is in 1/1024 raw point.
    """

    depth: int
    worlds: int
    placements: int
    outcomes: int = 24
    decks: int = 4
    temperature: int = 0


class ExpectedMove(NamedTuple):
    """A move, its expected utility in raw points since the root, and that value's standard error.

    The error is that of a mean over worlds; 0 when nothing was sampled.
    """

    move: int
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class ExpectimaxReport:
    """What a search found, moves in the kernel's order, and what it used.

    `exact` tells that the worlds were the whole belief and no draw was sampled.
    """

    moves: tuple[ExpectedMove, ...]
    depth: int
    worlds: int
    placements: int
    exact: bool

    @property
    def best(self) -> int:
        """The move with the highest value; of equal ones the first."""
        return max(self.moves, key=lambda found: found.value).move


@cache
def expectimax_functions(*, compiled: bool) -> SimpleNamespace:
    """The functions of EXPECTIMAX_MODULES by name, compiled or as they are."""
    if compiled:
        return compiled_kernel(EXPECTIMAX_MODULES)
    return load_kernel(_as_it_is, EXPECTIMAX_MODULES)


class ExpectimaxSearcher(Searcher):
    """Searches for one rule set and number of seats, again and again in the same arrays."""

    def __init__(
        self, rule_set: RuleSet, seats: int, nets: SearchNets, *, compiled: bool = True
    ) -> None:
        super().__init__(rule_set, seats, nets, compiled=compiled)
        self._expectimax = expectimax_functions(compiled=compiled)
        self._scenario = (*self._work[: workspace.STATE], self._zeros(scenarios.ABOUT_SIZE))
        self._wishes = self._zeros(chances.BUDGET + 1)
        self._used = self._zeros(scenarios.USED_SIZE)
        self._room_for = (0, 0, 0)
        self._book: Any = None
        self._sums: Any = None

    def expect(
        self,
        known: Known,
        setting: ExpectimaxSetting,
        weights: Sequence[int],
        models: Sequence[int],
        seed: int,
    ) -> ExpectimaxReport:
        """Value the moves of a position in which the seat has at least one tile to place.

        `weights` are those of `belief`, `models` those of `puct`, where TREE is the learned policy.
        """
        pool = self.believer.pool(
            known.history, known.seat, known.hand, weights, setting.worlds, seed
        )
        return self.expect_in(pool, known, setting, models, seed)

    def expect_in(
        self,
        pool: Pool,
        known: Known,
        setting: ExpectimaxSetting,
        models: Sequence[int],
        seed: int,
    ) -> ExpectimaxReport:
        """Value the moves of such a position over the worlds of a pool."""
        self._set_root(known)
        self._stakes.begin(known.scores, Aim.POINTS)
        moves = self._moves()
        self._set_wishes(known, setting, models)
        for depth in range(setting.depth, 0, -1):
            limit = setting.placements if depth > 1 else _NO_LIMIT
            self._make_room_for(len(pool.weights), depth, setting)
            self._wishes[chances.DEPTH] = depth
            self._wishes[chances.BUDGET] = limit
            if self._look_ahead(pool, (seed & 0xFFFFFFFF) or 1):
                return self._report(moves, pool, depth)
        raise AssertionError("there is room to look ahead one placement")

    def _look_ahead(self, pool: Pool, seed: int) -> int:
        nets = self._nets
        return int(
            self._expectimax.expect(
                self.rules,
                self._root,
                pool.hands,
                pool.weights,
                self._wishes,
                self._stakes.arrays,
                nets.value_net,
                nets.policy_net,
                nets.value_scratch,
                nets.policy_scratch,
                seed,
                self._world,
                self._scenario,
                self._book,
                self._sums,
            )
        )

    def _report(self, moves: list[int], pool: Pool, depth: int) -> ExpectimaxReport:
        results = self._sums[scenarios.RESULTS]
        total = sum(int(weight) for weight in pool.weights)
        exact = bool(pool.exact and not self._used[scenarios.SAMPLED])
        found = []
        for index, move in enumerate(moves):
            at = groups.RESULT * index
            value = float(results[at + groups.TOTAL]) / total / _UNIT
            error = sqrt(float(results[at + groups.SQUARES])) / total / _UNIT
            found.append(ExpectedMove(move, value, 0.0 if exact else error))
        placements = int(self._used[scenarios.PLACED])
        return ExpectimaxReport(tuple(found), depth, len(pool.weights), placements, exact)

    def _set_wishes(self, known: Known, setting: ExpectimaxSetting, models: Sequence[int]) -> None:
        wishes = self._wishes
        wishes[workspace.VIEWER] = known.seat
        for place, model in enumerate(models):
            wishes[workspace.MODELS + place] = model
        wishes[chances.TEMPERATURE] = setting.temperature
        wishes[chances.OUTCOMES] = setting.outcomes
        wishes[chances.SAMPLES] = setting.decks

    def _make_room_for(self, worlds: int, depth: int, setting: ExpectimaxSetting) -> None:
        """Arrays with room for so many worlds, and for what follows within the budget."""
        step = MOST_MOVES + max(setting.outcomes, setting.decks)
        needed = (worlds + (setting.placements if depth > 1 else 0), depth + 1, step)
        if self._book is not None and all(
            has >= wanted for has, wanted in zip(self._room_for, needed, strict=True)
        ):
            return
        rows, frames, step = map(max, self._room_for, needed)
        self._room_for = (rows, frames, step)
        queue = frames * step
        self._book = (
            self._zeros(scenarios.ROW * rows),
            self._zeros(scenarios.ROW * queue),
            self._zeros(rows),
            self._zeros(groups.FRAME * frames),
            self._zeros(MOST_MOVES * frames),
            self._zeros(chances.DECK_TILES * step),
            self._used,
        )
        self._sums = (
            self._floats([0.0] * (scenarios.SUMS * rows)),
            self._floats([0.0] * queue),
            self._floats([0.0] * MOST_MOVES),
            self._floats([0.0] * frames),
            self._floats([0.0] * (groups.RESULT * MOST_MOVES)),
        )


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    return function
