"""A searching seat: the kernel functions of belief, values and search with their arrays.

It keeps nothing between two decisions but room to work in: what is decided depends on the position,
the budget and the seed alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from muggins_ai import belief, playout, policies, table_order
from muggins_ai.belief.history import FIRST_TURN, MOVE, PASSED, SEAT, TAKEN, TURN, TURN_COUNT
from muggins_ai.compiled import compiled_kernel, float_array, integer_array
from muggins_ai.evaluate import equity, inputs, policy, public, scoring, stakes, value
from muggins_ai.round_rules import rules_of, set_mask
from muggins_ai.search import choice, puct, solve, steps, tree, utility, workspace
from muggins_ai.search.nets import SearchNets
from muggins_ai.search.settings import Aim, SearchBudget
from muggins_ai.search.stakes_of_match import StakesOfMatch
from muggins_ai.stopping import DecisionStopped, Stop, never
from muggins_rules import kernel
from muggins_rules.kernel_loader import load_kernel
from muggins_rules.ruleset import RuleSet

__all__ = ["Known", "MoveReport", "SearchReport", "Searcher"]

MODULES: Final = (
    kernel,
    policies,
    table_order,
    playout,
    steps,
    inputs,
    scoring,
    public,
    value,
    policy,
    equity,
    stakes,
    tree,
    utility,
    choice,
    puct,
    solve,
    *belief.MODULES,
)
"""The kernel-style modules a decision is made of."""

SLICE: Final = 500
"""Iterations between two looks at whether to stop: half a millisecond or so."""


class Known(NamedTuple):
    """What a seat knows when it is to place.

    `history` is that of `belief`, `hand` a mask, `pending` the mask of the tile that it has just
    drawn, or 0. `scores` and `scored` are by side.
    """

    history: Sequence[int]
    seat: int
    hand: int
    pending: int
    scores: Sequence[int]
    scored: Sequence[int]


class MoveReport(NamedTuple):
    """A move: how often the search made it, and its mean utility in raw points since the root."""

    move: int
    visits: int
    value: float


@dataclass(frozen=True, slots=True)
class SearchReport:
    """What a search found, moves in the kernel's order, and what it used."""

    moves: tuple[MoveReport, ...]
    used: SearchBudget
    exact: bool

    @property
    def best(self) -> int:
        """The move to make: the highest value of an exact ending, else the most visited."""
        if self.exact:
            return max(self.moves, key=lambda found: found.value).move
        return max(self.moves, key=lambda found: (found.visits, found.value)).move


@cache
def search_functions(*, compiled: bool) -> SimpleNamespace:
    """The functions of MODULES by name, compiled or as they are."""
    return compiled_kernel(MODULES) if compiled else load_kernel(_as_it_is, MODULES)


class Searcher:
    """Searches for one rule set and number of seats, again and again in the same arrays."""

    def __init__(
        self, rule_set: RuleSet, seats: int, nets: SearchNets, *, compiled: bool = True
    ) -> None:
        self._ints: Callable[[Sequence[int]], Any] = integer_array if compiled else list
        self._floats: Callable[[Sequence[float]], Any] = float_array if compiled else list
        self._functions = search_functions(compiled=compiled)
        self._nets = nets
        self._tiles = set_mask(rule_set.deal.highest_pip)
        self._seats = seats
        self._two_sides = rule_set.sides(seats) == 2  # noqa: PLR2004 - exact endings need them
        self.rules = self._ints(rules_of(rule_set, seats))
        self.believer = belief.Believer(
            rule_set,
            seats,
            belief.PolicyNet(nets.policy_net, nets.policy_scratch),
            compiled=compiled,
        )
        self._world = self._world_arrays()
        self._root = (self._zeros(steps.META_SIZE), self._zeros(4), self._zeros(4), self._public())
        self._work = (
            self._public(),
            self._zeros(28),
            self._zeros(kernel.MOST_MOVES),
            self._zeros(policies.ROOM_FOR_REPLIES),
            self._zeros(kernel.MOST_MOVES),
            self._zeros(4),
            self._zeros(puct.MOST_PATH),
            self._zeros(puct.MOST_PATH),
            self._zeros(puct.STATE_SIZE),
        )
        self._settings = self._zeros(workspace.SETTINGS)
        self._stakes = StakesOfMatch(
            self._functions, self.rules, nets.opener_value, nets.equity_table, compiled=compiled
        )
        self._tree: Any = None
        self._room = 0
        self._saved = self._zeros(solve.SAVED)
        self._solve_moves = self._zeros(solve.MOVES)
        self._frames = self._zeros(solve.FRAMES)

    def decide(
        self,
        known: Known,
        budget: SearchBudget,
        weights: Sequence[int],
        models: Sequence[int],
        seed: int,
        aim: Aim = Aim.POINTS,
        stop: Stop = never,
    ) -> SearchReport:
        """Search a position in which the seat has at least one tile to place.

        `weights` are those of `belief`, `models` those of `workspace`: four for each of four
        seats. `stop` is asked after every SLICE of iterations.

        Raises:
            DecisionStopped: `stop` said so.
        """
        self._set_root(known)
        self._stakes.begin(known.scores, aim)
        moves = self._moves()
        if len(moves) == 1:
            only = MoveReport(moves[0], 0, 0.0)
            return SearchReport((only,), SearchBudget(0, 0, 0), exact=False)
        pool = self.believer.pool(
            known.history, known.seat, known.hand, weights, budget.worlds, seed
        )
        worlds = len(pool.weights)
        if budget.nodes and worlds == 1 and pool.exact and self._nothing_to_draw():
            solved = self._solve(moves, pool, budget.nodes)
            if solved is not None:
                return solved
        return self._search(known, moves, pool, budget, models, seed, stop)

    def policy_weights(self, known: Known, temperature: int) -> list[tuple[int, int]]:
        """The moves and their chances by the learned policy alone, as whole numbers."""
        self._set_root(known)
        moves = self._moves()
        weights = self._work[workspace.WEIGHTS]
        self._functions.move_weights(
            self.rules,
            self._root[3],
            known.seat,
            known.hand,
            self._work[workspace.MOVES],
            len(moves),
            temperature,
            self._nets.policy_net,
            self._nets.policy_scratch,
            weights,
        )
        return [(move, int(weights[index])) for index, move in enumerate(moves)]

    def _set_root(self, known: Known) -> None:
        meta, scores, scored, table = self._root
        self._know(known.history, table)
        for place in range(steps.META_SIZE):
            meta[place] = 0
        meta[steps.TABLE] = table[public.WORD]
        meta[steps.TURN] = known.seat
        meta[steps.END] = table[public.DRAWABLE]
        meta[steps.PENDING] = known.pending
        for side in range(4):
            scores[side] = known.scores[side] if side < len(known.scores) else 0
            scored[side] = known.scored[side] if side < len(known.scored) else 0
        self._hand = known.pending or known.hand

    def _know(self, history: Sequence[int], table: Any) -> None:  # noqa: ANN401 - an array
        """What everybody knows after the turns of a history."""
        functions, rules = self._functions, self.rules
        functions.begin_public(rules, self._tiles, table)
        flags = int(rules[playout.FLAGS])
        for number in range(history[TURN_COUNT]):
            at = FIRST_TURN + TURN * number
            seat, move, taken = history[at + SEAT], history[at + MOVE], history[at + TAKEN]
            if taken:
                functions.note_draws(table, seat, taken, 0 if move == PASSED else 1)
            if move == PASSED:
                functions.note_pass(table, seat)
            elif move >= 0:
                functions.note_placement(table, seat, move, flags)

    def _moves(self) -> list[int]:
        flags = int(self.rules[playout.FLAGS])
        table, moves = self._root[3], self._work[workspace.MOVES]
        found = self._functions.list_moves(int(table[public.WORD]), self._hand, flags, moves)
        return [int(move) for move in moves[: int(found)]]

    def _nothing_to_draw(self) -> bool:
        drawable = self._root[3][public.DRAWABLE] == 0
        return bool(self._two_sides and self._seats == 2 and drawable)  # noqa: PLR2004 - known hands

    def _solve(self, moves: list[int], pool: belief.Pool, nodes: int) -> SearchReport | None:
        """The exact values of the moves when both hands are known; none when it takes too long."""
        functions, world, rules = self._functions, self._world, self.rules
        mover = int(self._root[0][steps.TURN])
        found = []
        visited = 0
        for move in moves:
            self._enter(pool)
            functions.place(rules, world, move)
            functions.settle_turn(rules, world, self._work[workspace.DECK], mover)
            value = functions.solve(
                rules,
                world,
                self._stakes.arrays,
                nodes,
                self._work[workspace.DECK],
                self._work[workspace.VALUES],
                self._saved,
                self._solve_moves,
                self._frames,
            )
            visited += int(self._frames[solve.NODES_VISITED])
            if self._frames[solve.BUDGET_SPENT]:
                return None
            worth = int(value) if mover == 0 else -int(value)
            found.append(MoveReport(move, 0, worth / stakes.POINT))
        return SearchReport(tuple(found), SearchBudget(0, 1, visited), exact=True)

    def _enter(self, pool: belief.Pool) -> None:
        """Make the world the one that a pool of one world holds."""
        meta, hands, scores, scored = self._world
        for place in range(steps.META_SIZE):
            meta[place] = self._root[0][place]
        for place in range(4):
            hands[place] = pool.hands[place]
            scores[place] = self._root[1][place]
            scored[place] = self._root[2][place]

    def _search(
        self,
        known: Known,
        moves: list[int],
        pool: belief.Pool,
        budget: SearchBudget,
        models: Sequence[int],
        seed: int,
        stop: Stop,
    ) -> SearchReport:
        self._make_room(budget.iterations)
        settings = self._settings
        settings[workspace.VIEWER] = known.seat
        for place, model in enumerate(models):
            settings[workspace.MODELS + place] = model
        self._work[workspace.STATE][0] = (seed & 0xFFFFFFFF) or 1
        functions = self._functions
        functions.clear(self._tree)
        sums = self._sums_of(pool)
        done, whole = 0, True
        while done < budget.iterations and whole:
            if stop():
                raise DecisionStopped
            wanted = min(SLICE, budget.iterations - done)
            made = functions.search(
                self.rules,
                self._root,
                pool.hands,
                sums,
                settings,
                self._stakes.arrays,
                self._nets.value_net,
                self._nets.policy_net,
                self._nets.value_scratch,
                self._nets.policy_scratch,
                self._world,
                self._work,
                self._tree,
                wanted,
            )
            done += int(made)
            whole = made == wanted
        used = SearchBudget(done, len(sums), 0)
        return SearchReport(tuple(self._reports(moves)), used, exact=False)

    def _sums_of(self, pool: belief.Pool) -> Any:  # noqa: ANN401 - an array
        """The running sums of the weights, by which worlds are drawn."""
        return self._ints(list(accumulate(int(weight) for weight in pool.weights)))

    def _reports(self, moves: list[int]) -> list[MoveReport]:
        edges, floats = self._tree[tree.EDGES], self._tree[tree.FLOATS]
        found = []
        for move in moves:
            edge = int(self._functions.edge_of(self._tree, 0, move))
            if edge == tree.NOTHING:
                found.append(MoveReport(move, 0, 0.0))
                continue
            visits = int(edges[tree.EDGE_SIZE * edge + tree.VISITS])
            total = float(floats[tree.EDGE_FLOATS * edge + tree.VALUE])
            found.append(MoveReport(move, visits, 40.0 * total / visits if visits else 0.0))
        return found

    def _make_room(self, iterations: int) -> None:
        """Arrays of a tree with room for so many iterations."""
        if self._tree is not None and self._room >= iterations:
            return
        nodes = iterations + 8
        edges = 12 * iterations + 28 * puct.MOST_PATH + 64
        self._room = iterations
        self._tree = (
            self._zeros(3),
            self._zeros(tree.NODE_SIZE * nodes),
            self._zeros(tree.EDGE_SIZE * edges),
            self._zeros(tree.FOLLOWER_SIZE * (nodes + 8)),
            self._floats([0.0] * (tree.EDGE_FLOATS * edges)),
        )

    def _world_arrays(self) -> Any:  # noqa: ANN401 - a tuple of arrays
        return (self._zeros(steps.META_SIZE), self._zeros(4), self._zeros(4), self._zeros(4))

    def _public(self) -> Any:  # noqa: ANN401 - an array
        return self._zeros(public.PUBLIC_SIZE)

    def _zeros(self, size: int) -> Any:  # noqa: ANN401 - an array
        return self._ints([0] * size)


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    return function
