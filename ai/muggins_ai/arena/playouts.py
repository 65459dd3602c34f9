"""The playout functions, compiled or plain, with the arrays they work on."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Final

from muggins_ai import playout, policies, table_order
from muggins_ai.compiled import compiled_kernel, integer_array
from muggins_ai.round_rules import rules_of
from muggins_rules import kernel
from muggins_rules.kernel_loader import load_kernel
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import TILE_COUNT

__all__ = ["MODULES", "POLICIES", "Playouts", "can_compile", "playout_functions"]

MODULES: Final = (kernel, policies, table_order, playout)
"""The kernel-style modules a playout is made of."""

POLICIES: Final = {
    "random": policies.RANDOM,
    "greedy": policies.GREEDY,
    "greedy_plus": policies.GREEDY_PLUS,
}
"""The levels that have a policy, by name."""


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
        """Play a round on; how it ended, as `playout.play_round` tells it."""
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

    def decide(self, policy: int, record: Any, positions: int) -> int:  # noqa: ANN401 - an array
        """Decide recorded positions again; the sum of the moves."""
        return int(
            self._functions.decide_recorded(
                self.rules,
                policy,
                record,
                positions,
                self.ends,
                self.moves,
                self.replies,
                self.state,
            )
        )

    def choices(self, position: Sequence[int]) -> int:
        """The number of moves of a recorded position."""
        word, tiles = position[1], position[5]
        flags = self.rules[playout.FLAGS]
        return int(self._functions.list_moves(word, tiles, flags, self.moves))


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    return function
