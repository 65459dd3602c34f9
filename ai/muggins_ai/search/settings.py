"""What an opponent is allowed to do: the faculties that tell levels apart, as plain values."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from muggins_ai.belief.likelihood import GREEDY, GREEDY_PLUS, MIXED, UNIFORM
from muggins_ai.search.workspace import MODEL_UNIT

__all__ = ["Aim", "Inference", "PolicySetting", "SearchBudget", "SearchSetting", "models_of"]


class Inference(Enum):
    """What is inferred about hidden tiles beyond what draws and passes prove."""

    NONE = "none"
    POINTS = "points"
    """From choices, as if everybody liked points: the same against everybody."""
    ADAPTIVE = "adaptive"
    """From choices, by policies that are learned from the hands shown in earlier rounds."""


class Aim(Enum):
    """What the search makes the most of."""

    POINTS = "points"
    """The points of the round."""
    MATCH = "match"
    """The chance to win the match, once some side is near the target."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """What a decision may use, in counts.

    `iterations` of the tree search, `worlds` in its belief, `nodes` for an exact ending (0: never).
    """

    iterations: int
    worlds: int
    nodes: int


@dataclass(frozen=True, slots=True)
class PolicySetting:
    """The learned policy alone, without belief and search.

    At a temperature of 0 it makes the move it thinks best, else it draws one; the temperature is
    in 1/1024 raw point.
    """

    temperature: int = 0


@dataclass(frozen=True, slots=True)
class SearchSetting:
    """Belief and search within a budget."""

    budget: SearchBudget
    inference: Inference
    aim: Aim = Aim.POINTS


_SEATS: Final = 4


def models_of(weights: tuple[int, ...]) -> tuple[int, ...]:
    """The opponents' models in the tree that go with the weights of the belief.

    By seat the weights of tree, greedy, greedy_plus and random in MODEL_UNIT parts: whoever plays
    like the network or for points in some other way chooses in the tree.
    """
    models: list[int] = []
    for seat in range(_SEATS):
        of_seat = weights[MIXED * seat : MIXED * (seat + 1)]
        total = sum(of_seat)
        if not total:
            models += [MODEL_UNIT, 0, 0, 0]
            continue
        others = [
            of_seat[policy] * MODEL_UNIT // total for policy in (GREEDY, GREEDY_PLUS, UNIFORM)
        ]
        models += [MODEL_UNIT - sum(others), *others]
    return tuple(models)
