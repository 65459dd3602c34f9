"""Analysis of positions at one kind of table, again and again in the same arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from muggins_ai.analysis import rollouts
from muggins_ai.analysis.tally import MoveTally
from muggins_ai.analysis.voids import VoidFact, voids_of
from muggins_ai.belief import Pool
from muggins_ai.compiled import compiled_kernel
from muggins_ai.evaluate import public
from muggins_ai.evaluate.equity import CERTAIN_WIN
from muggins_ai.playout import DIVISOR
from muggins_ai.search import workspace
from muggins_ai.search.nets import search_nets
from muggins_ai.search.searcher import MODULES, Known, Searcher, SearchReport
from muggins_ai.search.settings import Aim, SearchBudget
from muggins_ai.search_player import known_of
from muggins_ai.stopping import DecisionStopped, Stop, never
from muggins_rules.actions import Place
from muggins_rules.kernel_loader import load_kernel
from muggins_rules.layout import move_word
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import codes_of_mask
from muggins_rules.views import SeatView

__all__ = ["ENGINE", "Analyst", "PositionPart", "TileChances", "analyst_of"]

ENGINE: Final = "analysis-1"
"""Names the way of judging; what was learned is named beside it."""

_TEMPERATURE: Final = 0
"""All seats play on by the learned policy's best moves."""
_SLICE: Final = 64
"""Samples between two looks at whether to stop."""
_KEPT: Final = 8
_TWO: Final = 2


class TileChances(NamedTuple):
    """Where an unseen tile may be: the chance of each seat, and that of the boneyard; sum 1."""

    code: int
    by_seat: tuple[float, ...]
    boneyard: float


@dataclass(frozen=True, slots=True)
class PositionPart:
    """What some samples tell of a position; the tallies of parts can be merged.

    `tallies` are in the kernel's order of moves, or the one of NO_MOVE for a seat that draws or
    passes; `side` is the side that moves. `used` counts playouts as iterations.
    """

    side: int
    tallies: tuple[MoveTally, ...]
    used: SearchBudget


class Analyst(Searcher):
    """Judges positions of one rule set and number of seats."""

    def __init__(self, rule_set: RuleSet, seats: int, *, compiled: bool = True) -> None:
        # Points are those of the round alone, without a bonus for opening the next.
        nets = search_nets(rule_set, seats, compiled=compiled)._replace(opener_value=0)
        super().__init__(rule_set, seats, nets, compiled=compiled)
        self._sides = rule_set.sides(seats)
        self._rollouts = _functions(compiled=compiled)
        self._after = self._world_arrays()
        self._seen = self._public()
        self._results = self._zeros(4), self._zeros(4)

    def analyse(
        self,
        view: SeatView,
        samples: int,
        worlds: int,
        nodes: int,
        seed: int,
        stop: Stop = never,
    ) -> PositionPart:
        """Play out so many samples of every move of a seat on turn.

        The belief has at most `worlds` worlds, an exact ending at most `nodes` positions.

        Raises:
            DecisionStopped: `stop` said so.
        """
        known = known_of(view)
        self._set_root(known)
        self._stakes.begin(known.scores, Aim.POINTS)
        # The opening tile may have to be led, which only the view's legal actions tell.
        legal = {
            move_word(allowed.action.placement)
            for allowed in view.legal_actions
            if isinstance(allowed.action, Place)
        }
        places = [move for move in self._moves() if move in legal]
        moves = places or [rollouts.NO_MOVE]
        pool = self._believed(view, known, worlds, seed)
        solved = self._solved(places, pool, nodes)
        sums = self._sums_of(pool)
        self._work[workspace.STATE][0] = (seed & 0xFFFFFFFF) or 1
        listed = self._ints(moves)
        tally = self._zeros(rollouts.TALLY * len(moves))
        done = 0
        while done < samples:
            if stop():
                raise DecisionStopped
            number = min(_SLICE, samples - done)
            self._play(pool, sums, listed, number, tally)
            done += number
        visited = 0 if solved is None else solved.used.nodes
        used = SearchBudget(done * len(moves), len(pool.weights), visited)
        side = view.table.rule_set.side_of(view.seat, self._seats)
        return PositionPart(side, self._tallies(moves, tally, done, solved, side), used)

    def tile_beliefs(self, view: SeatView, worlds: int, seed: int) -> tuple[TileChances, ...]:
        """Where each unseen tile may be, by all that the seat has seen."""
        known = known_of(view)
        self._set_root(known)
        pool = self._believed(view, known, worlds, seed)
        total = int(pool.weights.sum())
        unseen = int(self._root[3][public.OFF_TABLE]) & ~known.hand
        found = []
        for code in codes_of_mask(unseen):
            by_seat = [
                0.0
                if seat == view.seat
                else float((pool.hands[seat::4] >> code & 1) @ pool.weights) / total
                for seat in range(self._seats)
            ]
            found.append(TileChances(code, tuple(by_seat), max(0.0, 1.0 - sum(by_seat))))
        return tuple(found)

    def voids(self, view: SeatView, worlds: int, seed: int) -> tuple[VoidFact, ...]:
        """What draws and passes of the others proved, the most telling first."""
        return voids_of(self.believer, view, worlds, seed)

    def _believed(self, view: SeatView, known: Known, worlds: int, seed: int) -> Pool:
        weights = self.believer.learned(view)
        return self.believer.pool(known.history, known.seat, known.hand, weights, worlds, seed)

    def _solved(self, moves: list[int], pool: Pool, nodes: int) -> SearchReport | None:
        """The exact ending, where the other hand is known and nothing is left to draw."""
        known_hands = len(pool.weights) == 1 and pool.exact and self._nothing_to_draw()
        return self._solve(moves, pool, nodes) if moves and nodes and known_hands else None

    def _play(self, pool: Pool, sums: Any, moves: Any, number: int, tally: Any) -> None:  # noqa: ANN401 - arrays
        self._rollouts.play_samples(
            self.rules,
            self._root,
            pool.hands,
            sums,
            moves,
            len(moves),
            number,
            _TEMPERATURE,
            self._nets.equity_table,
            self._nets.policy_net,
            self._nets.policy_scratch,
            self._world,
            self._after,
            self._seen,
            self._work,
            self._results,
            tally,
        )

    def _tallies(
        self,
        moves: Sequence[int],
        tally: Any,  # noqa: ANN401 - an array
        samples: int,
        solved: SearchReport | None,
        side: int,
    ) -> tuple[MoveTally, ...]:
        divisor = int(self.rules[DIVISOR])
        unit = (self._sides - 1) * divisor
        exact = {} if solved is None else {found.move: found.value for found in solved.moves}
        found = []
        for index, move in enumerate(moves):
            row = [int(n) for n in tally[rollouts.TALLY * index : rollouts.TALLY * (index + 1)]]
            known = None
            if move in exact:
                worth = exact[move] / divisor
                known = (worth, -worth) if side == 0 else (-worth, worth)
            found.append(
                MoveTally(
                    move,
                    samples,
                    tuple(row[rollouts.POINTS + at] / unit for at in range(self._sides)),
                    row[rollouts.SQUARES] / unit**2,
                    tuple(row[rollouts.CHANCES + at] / CERTAIN_WIN for at in range(self._sides)),
                    row[rollouts.SCORES_NEXT],
                    row[rollouts.SCORED_ON],
                    row[rollouts.OUTS],
                    row[rollouts.BLOCKS],
                    known,
                )
            )
        return tuple(found)


@lru_cache(_KEPT)
def analyst_of(rule_set: RuleSet, seats: int) -> Analyst:
    """The analyst of a table, compiled, kept for the next question."""
    return Analyst(rule_set, seats)


@cache
def _functions(*, compiled: bool) -> SimpleNamespace:
    modules = (*MODULES, rollouts)
    return compiled_kernel(modules) if compiled else load_kernel(lambda found: found, modules)
