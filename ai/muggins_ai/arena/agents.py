"""What plays in the arena: agents, each of one seat in one match, and what they are told.

An agent that honours the game gets a `Sight`, which holds what a player in its seat knows, and
after each round the hands as they are shown at its end. Only an `AllSeeing` agent is told more.
"""

from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol, runtime_checkable

from muggins_ai import belief
from muggins_ai.compiled import integer_array
from muggins_ai.policies import ROOM_FOR_REPLIES
from muggins_ai.search.expectimax_searcher import ExpectimaxSearcher
from muggins_ai.search.nets import search_nets
from muggins_ai.search.searcher import Known, Searcher, search_functions
from muggins_ai.search.settings import PolicySetting
from muggins_rules.kernel import MOST_MOVES
from muggins_rules.layout import kernel_flags
from muggins_rules.ruleset import RuleSet

__all__ = [
    "Agent",
    "AllSeeing",
    "FirstPolicyAgent",
    "NetworkAgent",
    "ShownRound",
    "Sight",
    "Workshop",
    "mixed_seed",
]


class Sight(NamedTuple):
    """What a seat sees when it has a choice of placements.

    `word` is the kernel's word of the table, `moves` are the legal moves in the table's order.
    `unseen` is the mask of tiles neither in the hand nor on the table, `next_held` the number of
    tiles that the next seat holds.
    """

    known: Known
    word: int
    moves: tuple[int, ...]
    unseen: int
    next_held: int


class ShownRound(NamedTuple):
    """A round that was settled, as a seat saw it, with all hands at its end, masks by seat."""

    history: tuple[int, ...]
    seat: int
    hands: tuple[int, ...]


class Agent(Protocol):
    """A player of one seat in one match."""

    def choose(self, sight: Sight, seed: int, /) -> int:
        """One of the moves of a sight; `seed` is 32 bits, not 0."""
        ...

    def round_ended(self, shown: ShownRound, /) -> None:
        """Learn from a round."""
        ...


@runtime_checkable
class AllSeeing(Protocol):
    """An agent that is shown every hand before it chooses: no player, but a bound for players."""

    def see_hands(self, hands: tuple[int, ...], /) -> None:
        """Be shown all hands, masks by seat."""
        ...


class Workshop:
    """What agents at one kind of table work with; nothing of a match stays in it."""

    def __init__(self, rule_set: RuleSet, seats: int, *, compiled: bool = True) -> None:
        self.rule_set = rule_set
        self.seats = seats
        self.compiled = compiled

    @cached_property
    def functions(self) -> SimpleNamespace:
        """The kernel-style functions of a decision, by name."""
        return search_functions(compiled=self.compiled)

    @cached_property
    def searcher(self) -> Searcher:
        """The searcher that all agents share, one decision after another.

        Raises:
            WeightsError: the family of the table has no weights.
        """
        return self.new_searcher()

    def new_searcher(self) -> Searcher:
        """A searcher of its own.

        Raises:
            WeightsError: the family of the table has no weights.
        """
        nets = search_nets(self.rule_set, self.seats, compiled=self.compiled)
        return Searcher(self.rule_set, self.seats, nets, compiled=self.compiled)

    @cached_property
    def expectimax(self) -> ExpectimaxSearcher:
        """The searcher that looks ahead by expectimax, likewise shared.

        Raises:
            WeightsError: the family of the table has no weights.
        """
        nets = search_nets(self.rule_set, self.seats, compiled=self.compiled)
        return ExpectimaxSearcher(self.rule_set, self.seats, nets, compiled=self.compiled)

    def network(self) -> belief.PolicyNet:
        """The learned policy of the table's family, for beliefs."""
        return belief.family_network(self.rule_set, self.seats, compiled=self.compiled)

    def integers(self, values: list[int]) -> Any:  # noqa: ANN401 - a list, or an array of numpy
        """Integers in the form the functions take."""
        return integer_array(values) if self.compiled else values


class FirstPolicyAgent:
    """Plays one of the first opponents' policies, whose numbers `policies` gives."""

    def __init__(self, workshop: Workshop, policy: int) -> None:
        self._functions = workshop.functions
        self._policy = policy
        self._flags = kernel_flags(workshop.rule_set)
        self._moves = workshop.integers([0] * MOST_MOVES)
        self._replies = workshop.integers([0] * ROOM_FOR_REPLIES)

    def choose(self, sight: Sight, seed: int, /) -> int:
        """The policy's move."""
        for index, move in enumerate(sight.moves):
            self._moves[index] = move
        chosen = self._functions.pick(
            self._policy,
            sight.word,
            sight.known.hand,
            sight.unseen,
            sight.next_held,
            self._flags,
            self._moves,
            len(sight.moves),
            self._replies,
            seed,
        )
        return sight.moves[int(chosen)]

    def round_ended(self, _shown: ShownRound, /) -> None:
        """Nothing: the policy never changes."""


class NetworkAgent:
    """Plays the learned policy without search."""

    def __init__(self, workshop: Workshop, setting: PolicySetting) -> None:
        self._searcher = workshop.searcher
        self._temperature = setting.temperature

    def choose(self, sight: Sight, seed: int, /) -> int:
        """The policy's move."""
        # At the lowest temperature no two logits share a weight, unless both are hopeless.
        weights = self._searcher.policy_weights(sight.known, self._temperature or 1)
        if self._temperature == 0:
            return max(weights, key=lambda found: found[1])[0]
        left = mixed_seed(seed) * sum(weight for _, weight in weights) >> 32
        for move, weight in weights:
            if left < weight:
                return move
            left -= weight
        raise AssertionError("the chances of the moves sum to their total")

    def round_ended(self, _shown: ShownRound, /) -> None:
        """Nothing: the policy never changes."""


def mixed_seed(seed: int) -> int:
    """Another number of 32 bits, so that streams from neighbouring seeds are unrelated."""
    mixed = (seed ^ seed >> 16) * 0x45D9F3B & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 16) * 0x45D9F3B & 0xFFFFFFFF
    return mixed ^ mixed >> 16
