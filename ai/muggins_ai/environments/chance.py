"""The chance of an environment: decks and lots of a seed, one after another."""

from collections.abc import Sequence
from typing import Self

from muggins_ai.environments.shuffling import RANDOM_SIZE, shuffle_cards
from muggins_rules.opening import RoundChance
from muggins_rules.tiles import SET_CODES

__all__ = ["Shuffler", "is_order", "random_state"]


def random_state(seed: int) -> list[int]:
    """The generator's state that a seed begins with, by numpy's `SeedSequence`.

    Raises:
        ValueError: the seed is negative.
    """
    import numpy as np  # noqa: PLC0415 - absent where no environment is asked for

    if seed < 0:
        message = f"a seed is a whole number from 0, not {seed}"
        raise ValueError(message)
    return [int(word) for word in np.random.SeedSequence(seed).generate_state(RANDOM_SIZE)]


def is_order(codes: Sequence[int], highest_pip: int) -> bool:
    """True when the codes are all those of a set, in some order."""
    return tuple(sorted(codes)) == SET_CODES[highest_pip]


class Shuffler:
    """Gives the chance of one round after another."""

    def __init__(self, state: Sequence[int], highest_pip: int) -> None:
        self._state = list(state)
        self._codes = SET_CODES[highest_pip]

    @classmethod
    def seeded(cls, seed: int, highest_pip: int) -> Self:
        """The shuffler of a seed."""
        return cls(random_state(seed), highest_pip)

    def next(self) -> RoundChance:
        """The chance of the next round: the deck is shuffled first, then the lot."""
        return RoundChance(self._shuffled(), self._shuffled())

    def _shuffled(self) -> tuple[int, ...]:
        cards = list(self._codes)
        shuffle_cards(cards, 0, len(cards), self._state, 0)
        return tuple(cards)
