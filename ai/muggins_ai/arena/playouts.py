"""The playout functions, compiled or plain, with the arrays they work on."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Final

from muggins_ai import playout, policies, table_order
from muggins_ai.arena import contest
from muggins_ai.compiled import compiled_kernel, integer_array
from muggins_ai.evaluate import inputs, policy, public, scoring
from muggins_ai.evaluate.families import family_of
from muggins_ai.evaluate.weights import policy_net, policy_scratch
from muggins_ai.round_rules import rules_of
from muggins_ai.search import steps
from muggins_rules import kernel
from muggins_rules.kernel_loader import load_kernel
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import TILE_COUNT

__all__ = ["MODULES", "POLICIES", "Playouts", "can_compile", "playout_functions"]

MODULES: Final = (
    kernel,
    policies,
    table_order,
    playout,
    steps,
    inputs,
    scoring,
    public,
    policy,
    contest,
)
"""The kernel-style modules a playout is made of."""

POLICIES: Final = {
    "random": policies.RANDOM,
    "greedy": policies.GREEDY,
    "greedy_plus": policies.GREEDY_PLUS,
    "network": contest.NETWORK,
}
"""The levels that have a policy, by name; `network` is the learned policy alone, at its best."""


def can_compile() -> bool:
    """True where numba is installed."""
    return find_spec("numba") is not None


def playout_functions(*, compiled: bool) -> SimpleNamespace:
    """The functions of MODULES by name."""
    return compiled_kernel(MODULES) if compiled else load_kernel(_as_it_is, MODULES)


class Playouts:
    """Plays rounds of one rule set and number of seats, again and again in the same arrays."""

    def __init__(
        self,
        functions: SimpleNamespace,
        rule_set: RuleSet,
        seats: int,
        *,
        compiled: bool,
        random_state: int = 1,
    ) -> None:
        make: Callable[[Sequence[int]], Any] = integer_array if compiled else list
        self._make = make
        self._functions = functions
        self.rules = make(rules_of(rule_set, seats))
        self.scores = make([0] * rule_set.sides(seats))
        self.scored = make([0] * rule_set.sides(seats))
        self.hands = make([0] * seats)
        self.ends = make([0] * (table_order.MOST_ENDS + 1))
        self.moves = make([0] * kernel.MOST_MOVES)
        self.replies = make([0] * policies.ROOM_FOR_REPLIES)
        self.state = make([random_state, 0])
        self.record = make([0] * (playout.RECORDED * playout.LARGEST_ROUND))
        self._deck = make([0] * TILE_COUNT)
        self._no_record = make([])
        self._world = (
            make([0] * steps.META_SIZE),
            make([0] * 4),
            make([0] * 4),
            make([0] * 4),
        )
        self._public = make([0] * public.PUBLIC_SIZE)
        self._logits = make([0] * kernel.MOST_MOVES)
        self._family = family_of(rule_set, seats).id
        self._compiled = compiled
        self._net: tuple[Any, Any] | None = None

    @property
    def plies(self) -> int:
        """Placements made since the arrays exist."""
        return int(self.state[playout.PLIES])

    def array(self, values: Sequence[int]) -> Any:  # noqa: ANN401 - a list, or an array of numpy
        """Integers in the form the functions take."""
        return self._make(values)

    def play_round(
        self,
        seat_policies: Any,  # noqa: ANN401 - as `array` makes it
        deck: Any,  # noqa: ANN401 - as `array` makes it
        opener: int,
        lead: int = -1,
        *,
        recorded: bool = False,
    ) -> int:
        """Play a round on; how it ended, as `playout.play_round` tells it.

        A round with the network in it is not recorded.
        """
        if contest.NETWORK in seat_policies and not recorded:
            return self._contest_round(seat_policies, deck, opener, lead)
        return int(
            self._functions.play_round(
                self.rules,
                seat_policies,
                deck,
                opener,
                lead,
                self.scores,
                self.scored,
                self.hands,
                self.ends,
                self.moves,
                self.replies,
                self.state,
                self.record if recorded else self._no_record,
            )
        )

    def play_rounds(self, seat_policies: Any, decks: Any, rounds: int) -> int:  # noqa: ANN401
        """Play unconnected rounds from so many decks in a row; the placements made."""
        return int(
            self._functions.play_rounds(
                self.rules,
                seat_policies,
                decks,
                rounds,
                self._deck,
                self.scores,
                self.scored,
                self.hands,
                self.ends,
                self.moves,
                self.replies,
                self.state,
                self._no_record,
            )
        )

    def decide(self, chooser: int, record: Any, positions: int) -> int:  # noqa: ANN401 - an array
        """Decide recorded positions again; the sum of the moves."""
        if chooser == contest.NETWORK:
            return int(
                self._functions.decide_by_network(
                    self.rules,
                    record,
                    positions,
                    *self._network(),
                    self._public,
                    self.moves,
                    self._logits,
                )
            )
        return int(
            self._functions.decide_recorded(
                self.rules,
                chooser,
                record,
                positions,
                self.ends,
                self.moves,
                self.replies,
                self.state,
            )
        )

    def _contest_round(self, seat_policies: Any, deck: Any, opener: int, lead: int) -> int:  # noqa: ANN401 - as `array` makes them
        """Play a round on in which the network has a seat."""
        scores, scored = self._world[steps.SCORES], self._world[steps.SCORED]
        for side in range(len(self.scores)):
            scores[side], scored[side] = self.scores[side], self.scored[side]
        ended = self._functions.contest_round(
            self.rules,
            seat_policies,
            0,
            *self._network(),
            deck,
            opener,
            lead,
            self._world,
            self._public,
            self.ends,
            self.moves,
            self.replies,
            self._logits,
            self.state,
        )
        for side in range(len(self.scores)):
            self.scores[side], self.scored[side] = scores[side], scored[side]
        return int(ended)

    def _network(self) -> tuple[Any, Any]:
        """The learned policy and its scratch, read when first asked for."""
        if self._net is None:
            net = policy_net(self._family, compiled=self._compiled)
            self._net = net, policy_scratch(compiled=self._compiled)
        return self._net

    def choices(self, position: Sequence[int]) -> int:
        """The number of moves of a recorded position."""
        word, tiles = position[1], position[5]
        flags = self.rules[playout.FLAGS]
        return int(self._functions.list_moves(word, tiles, flags, self.moves))


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    return function
