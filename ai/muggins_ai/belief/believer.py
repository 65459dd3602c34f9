"""What one seat believes at one kind of table: the kernel functions with the arrays they use."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from muggins_ai.belief import (
    adaptation,
    constraints,
    hands,
    history,
    likelihood,
    pool,
    posterior,
    weighing,
    worlds,
)
from muggins_ai.belief.likelihood import ASK_NETWORK, ASK_PLUS, MIXED, NETWORK
from muggins_ai.belief.seen import finished_rounds, history_of
from muggins_ai.compiled import compiled_kernel, integer_array
from muggins_ai.evaluate.families import family_of
from muggins_ai.evaluate.public import PUBLIC_SIZE
from muggins_ai.evaluate.weights import NetShape, net_of, policy_net, policy_scratch
from muggins_ai.policies import ROOM_FOR_REPLIES
from muggins_ai.round_rules import rules_of
from muggins_rules.kernel import MOST_MOVES
from muggins_rules.kernel_loader import load_kernel
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import TILE_COUNT, codes_of_mask, mask_of
from muggins_rules.views import SeatView

__all__ = [
    "DEALS_ONLY",
    "MODULES",
    "POINTS_ONLY",
    "WORK_SIZES",
    "Believer",
    "NoNetworkError",
    "PolicyNet",
    "Pool",
    "belief_functions",
    "build_pool",
    "family_network",
    "learned_weights",
    "no_network",
]

MODULES: Final = (
    history,
    constraints,
    worlds,
    posterior,
    hands,
    likelihood,
    weighing,
    pool,
    adaptation,
)
"""The kernel-style modules of belief."""

MOST_SEATS: Final = 4

DEALS_ONLY: Final = (0,) * (MIXED * MOST_SEATS)
"""Weights by which nothing is inferred from choices."""
POINTS_ONLY: Final = (0, 950, 0, 0, 50) * MOST_SEATS
"""Weights that suit any opponent a little: what plays of fixed strength infer by."""

WORK_SIZES: Final = (
    weighing.META_SIZE,
    *((TILE_COUNT,) * 10),
    1,
    *((TILE_COUNT,) * 2),
    posterior.MOST_STATES,
    *((posterior.MOST_VECTORS,) * 3),
    TILE_COUNT,
    TILE_COUNT,
    MOST_SEATS,
    MOST_SEATS,
    MOST_MOVES,
    ROOM_FOR_REPLIES,
    MOST_MOVES,
    MIXED,
    posterior.MOST_STATES,
    PUBLIC_SIZE,
)
"""How many integers each array of `work` has, in order; all are zero at first."""


class NoNetworkError(ValueError):
    """Weights ask for the learned policy, and there is none."""


class PolicyNet(NamedTuple):
    """The learned policy of a family of rule sets, as `evaluate` gives it."""

    net: Any
    scratch: Any


class Pool(NamedTuple):
    """Worlds with weights.

    `hands` is an int64 array of 4 x worlds masks: the hands by seat of each world, the viewer's
    own among them, unused seats 0. `weights` are positive, of int64. `exact` is True where the
    pool is the whole posterior over the other hand. `hand_count` is the number of hands that the
    other seat can have, or 0 where they were not counted, as with three seats or four.
    """

    hands: Any
    weights: Any
    exact: bool
    hand_count: int


def no_network(*, compiled: bool) -> PolicyNet:
    """What stands for a learned policy that nobody asks, of the types of a real one."""
    nothing = net_of([0, 0], [0, 0], NetShape(1, 1, 1), compiled=compiled)
    return PolicyNet(nothing, policy_scratch(compiled=compiled))


def family_network(rule_set: RuleSet, seats: int, *, compiled: bool) -> PolicyNet:
    """The learned policy of a table's family, or of the nearest.

    Raises:
        WeightsError: there are no weights for it.
    """
    family = family_of(rule_set, seats).id
    return PolicyNet(policy_net(family, compiled=compiled), policy_scratch(compiled=compiled))


@cache
def belief_functions(*, compiled: bool) -> SimpleNamespace:
    """The functions of MODULES by name, compiled or as they are."""
    return compiled_kernel(MODULES) if compiled else load_kernel(_as_it_is, MODULES)


class Believer:
    """What a seat believes, again and again in the same arrays, for one rule set and seat count."""

    def __init__(
        self,
        rule_set: RuleSet,
        seats: int,
        network: PolicyNet | None = None,
        *,
        compiled: bool = True,
    ) -> None:
        make: Callable[[Sequence[int]], Any] = integer_array if compiled else list
        self._make = make
        self._functions = belief_functions(compiled=compiled)
        self._seats = seats
        self._has_network = network is not None
        self.rules = make(rules_of(rule_set, seats))
        self.work = tuple(make([0] * size) for size in WORK_SIZES)
        self._room = make([]), make([])
        self.net, self.scratch = network or no_network(compiled=compiled)

    def pool(
        self,
        turns: Sequence[int],
        viewer: int,
        hand: int,
        weights: Sequence[int],
        budget: int,
        seed: int,
    ) -> Pool:
        """At most `budget` worlds for a viewer with a hand, after the turns of a history.

        Raises:
            NoNetworkError: a weight asks for a network that is not there.
            ValueError: no deal makes these turns.
        """
        if not self._has_network and any(weights[NETWORK::MIXED]):
            raise NoNetworkError("weights ask for a learned policy that is not there")
        if budget > len(self._room[1]):
            self._room = self._make([0] * (weighing.WORLD * budget)), self._make([0] * budget)
        hands, kept = self._room
        used = history.FIRST_TURN + history.TURN * int(turns[history.TURN_COUNT])
        found = int(
            self._functions.fill_pool(
                self.rules,
                self._make(turns[:used]),
                viewer,
                hand,
                self._make(weights),
                self.net,
                self.scratch,
                budget,
                seed,
                self.work,
                hands,
                kept,
            )
        )
        if found == 0:
            raise ValueError("no deal makes these turns")
        meta, law = self.work[constraints.META], self.work[posterior.LAW]
        counted = int(law[posterior.HANDS]) if meta[weighing.LISTABLE] else 0
        exact = bool(meta[weighing.EXACT])
        # Copies, since the next pool is made in the same room.
        masks, shares = hands[: weighing.WORLD * found].copy(), kept[:found].copy()
        return Pool(masks, shares, exact, counted)

    def tile_chances(self, turns: Sequence[int], viewer: int, hand: int) -> dict[int, Fraction]:
        """By tile code, the chance that the one other seat holds it, from the deal alone.

        Empty with more seats, and where the law over its hand cannot be listed.
        """
        functions, work = self._functions, self.work
        functions.prepare_belief(self.rules, self._make(turns), viewer, hand, 1, work)
        if not work[constraints.META][weighing.LISTABLE]:
            return {}
        law = work[posterior.LAW]
        groups = range(int(law[posterior.GROUPS]))
        classes = [int(work[posterior.CLASS_TILES][group]) for group in groups]
        expected = [Fraction(0) for _ in groups]
        total = 0
        for vector in range(int(law[posterior.VECTORS])):
            counts = int(work[posterior.LAW_COUNTS][vector])
            deals = int(work[posterior.LAW_WEIGHTS][vector]) * int(
                work[posterior.LAW_HANDS][vector]
            )
            total += deals
            for group in groups:
                expected[group] += deals * posterior.count_of_class(counts, group)
        return {
            code: expected[group] / total / classes[group].bit_count()
            for group in groups
            for code in codes_of_mask(classes[group])
        }

    def learned(self, view: SeatView) -> tuple[int, ...]:
        """The weights of each other seat's policies, as the view's earlier rounds teach them."""
        costs = self._make([0] * (MIXED * MOST_SEATS))
        asked = ASK_PLUS | (ASK_NETWORK if self._has_network else 0)
        for finished in finished_rounds(view):
            self._functions.add_evidence(
                self.rules,
                self._make(finished.history),
                view.seat,
                self._make(finished.shown),
                costs,
                asked,
                self.net,
                self.scratch,
                self.work,
            )
        return self.mixed(view.seat, costs)

    def mixed(self, viewer: int, costs: Any) -> tuple[int, ...]:  # noqa: ANN401 - an array
        """The weights that follow from the costs of policies, as `adaptation` keeps them."""
        weights = self._make([0] * (MIXED * MOST_SEATS))
        self._functions.mix_policies(self._seats, viewer, int(self._has_network), costs, weights)
        return tuple(int(weight) for weight in weights)


def build_pool(
    view: SeatView,
    budget_worlds: int,
    seed: int,
    weights: Sequence[int] = POINTS_ONLY,
    network: PolicyNet | None = None,
) -> Pool:
    """The pool of a view: see `Pool`. Compiled: for workers only.

    `weights` has MIXED whole numbers for each of four seats: POINTS_ONLY, DEALS_ONLY or what
    `learned_weights` gives.

    Raises:
        NoNetworkError: a weight asks for a network that is not there.
        ValueError: no deal makes what the view tells.
    """
    believer = Believer(view.table.rule_set, view.table.seats, network)
    return believer.pool(
        history_of(view), view.seat, mask_of(view.hand), weights, budget_worlds, seed
    )


def learned_weights(view: SeatView, network: PolicyNet | None = None) -> tuple[int, ...]:
    """The weights of each other seat's policies, as the view's earlier rounds teach them.

    MIXED whole numbers for each of four seats, whose sum is `adaptation.WEIGHT_ONE` for each other
    seat and 0 for the rest; a function of the view alone. Compiled: for workers only.
    """
    return Believer(view.table.rule_set, view.table.seats, network).learned(view)


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    return function
