"""Agents that search: with what is known and inferred, or, as a bound, with every hand in sight."""

from collections.abc import Sequence
from typing import Any, Final, assert_never

from muggins_ai import belief
from muggins_ai.arena.agents import ShownRound, Sight, Workshop, mixed_seed
from muggins_ai.belief.likelihood import ASK_NETWORK, ASK_PLUS, MIXED
from muggins_ai.search.expectimax_searcher import ExpectimaxSetting
from muggins_ai.search.settings import Inference, SearchBudget, SearchSetting, models_of

__all__ = ["ExpectimaxAgent", "OracleAgent", "SearchAgent"]

_SEATS: Final = 4


class SearchAgent:
    """Searches with what its seat knows."""

    def __init__(self, workshop: Workshop, seat: int, setting: SearchSetting) -> None:
        self._workshop = workshop
        self._searcher = workshop.searcher
        self._seat = seat
        self._setting = setting
        self._costs = workshop.integers([0] * (MIXED * _SEATS))
        self._weights, self._models = self._inferring()

    def choose(self, sight: Sight, seed: int, /) -> int:
        """The best move that the search finds."""
        budget = self._setting.budget
        report = self._searcher.decide(
            sight.known, budget, self._weights, self._models, mixed_seed(seed), self._setting.aim
        )
        return report.best

    def round_ended(self, shown: ShownRound, /) -> None:
        """Judge the choices of the others by the hands that they had."""
        if self._setting.inference is not Inference.ADAPTIVE:
            return
        believer = self._searcher.believer
        self._workshop.functions.add_evidence(
            believer.rules,
            self._workshop.integers(list(shown.history)),
            self._seat,
            self._workshop.integers(list(shown.hands)),
            self._costs,
            ASK_PLUS | ASK_NETWORK,
            believer.net,
            believer.scratch,
            believer.work,
        )
        self._weights, self._models = self._inferring()

    def _inferring(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The weights of the belief, and the opponents' models in the tree."""
        match self._setting.inference:
            case Inference.NONE:
                return belief.DEALS_ONLY, models_of(belief.DEALS_ONLY)
            case Inference.POINTS:
                return belief.POINTS_ONLY, models_of(belief.DEALS_ONLY)
            case Inference.ADAPTIVE:
                learned = self._searcher.believer.mixed(self._seat, self._costs)
                return learned, models_of(learned)
            case other:
                assert_never(other)


class ExpectimaxAgent:
    """Looks ahead by expectimax, with what draws and passes prove; others play as the network."""

    def __init__(self, workshop: Workshop, setting: ExpectimaxSetting) -> None:
        self._searcher = workshop.expectimax
        self._setting = setting
        self._models = models_of(belief.DEALS_ONLY)

    def choose(self, sight: Sight, seed: int, /) -> int:
        """The move of the highest expected utility."""
        report = self._searcher.expect(
            sight.known, self._setting, belief.DEALS_ONLY, self._models, mixed_seed(seed)
        )
        return report.best

    def round_ended(self, _shown: ShownRound, /) -> None:
        """Nothing: it infers nothing from choices."""


class OracleAgent:
    """Sees all hands, though not the order of the boneyard, and searches that one world.

    No player: what it wins bounds what inference can win, and a player as strong as it is has
    seen what it should not.
    """

    def __init__(self, workshop: Workshop, budget: SearchBudget) -> None:
        self._truth = _Truth(workshop)
        self._searcher = workshop.new_searcher()
        self._searcher.believer = self._truth
        self._budget = budget
        self._models = models_of(belief.DEALS_ONLY)

    def see_hands(self, hands: tuple[int, ...], /) -> None:
        """Be shown all hands, masks by seat."""
        self._truth.hands = hands

    def choose(self, sight: Sight, seed: int, /) -> int:
        """The best move in the world as it is, against players who see it too."""
        report = self._searcher.decide(
            sight.known, self._budget, belief.DEALS_ONLY, self._models, mixed_seed(seed)
        )
        return report.best

    def round_ended(self, _shown: ShownRound, /) -> None:
        """Nothing: there is nothing to learn for who sees all."""


class _Truth(belief.Believer):
    """Believes in the hands that it was shown, and in nothing else."""

    def __init__(self, workshop: Workshop) -> None:
        super().__init__(
            workshop.rule_set, workshop.seats, workshop.network(), compiled=workshop.compiled
        )
        self._integers = workshop.integers
        self.hands: tuple[int, ...] = ()

    def pool(
        self,
        turns: Sequence[int],  # noqa: ARG002 - the truth needs no evidence
        viewer: int,  # noqa: ARG002 - as above
        hand: int,  # noqa: ARG002 - as above
        weights: Sequence[int],  # noqa: ARG002 - as above
        budget: int,  # noqa: ARG002 - as above
        seed: int,  # noqa: ARG002 - as above
    ) -> belief.Pool:
        """One world, the true one."""
        masks: Any = self._integers([*self.hands, *[0] * (_SEATS - len(self.hands))])
        return belief.Pool(masks, self._integers([1]), exact=True, hand_count=1)
