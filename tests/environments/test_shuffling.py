"""The generator's numbers, and shuffles without a favourite order."""

from collections import Counter
from itertools import permutations

import pytest

from muggins_ai.environments.chance import Shuffler, random_state
from muggins_ai.environments.shuffling import next_number, shuffle_cards
from muggins_rules.tiles import SET_CODES


def test_the_generator_gives_the_reference_numbers() -> None:
    """Those of the authors' xoshiro128++ from the state 1, 2, 3, 4."""
    state = [1, 2, 3, 4]
    expected = [641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732]
    assert expected == [next_number(state, 0) for _ in expected]


def test_every_order_is_as_likely() -> None:
    state = random_state(1)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        cards = [9, 0, 1, 2, 3, 9]
        shuffle_cards(cards, 1, 4, state, 0)
        assert [9, 9] == [cards[0], cards[-1]]
        found[tuple(cards[1:5])] += 1
    assert set(permutations(range(4))) == found.keys()
    # Chi-squared of 23 degrees of freedom; its mean is 23, and it is beyond 55 once in 5000 times.
    assert sum((number - 1000) ** 2 / 1000 for number in found.values()) < 55


def test_a_seed_gives_its_decks_and_no_other_does() -> None:
    first, again, other = (Shuffler.seeded(seed, 6) for seed in (3, 3, 4))
    chances = [first.next(), first.next()]
    assert chances == [again.next(), again.next()]
    assert len({*chances, other.next()}) == 3
    assert all(tuple(sorted(order)) == SET_CODES[6] for chance in chances for order in chance)


def test_a_seed_is_not_negative() -> None:
    with pytest.raises(ValueError, match="from 0, not -1"):
        random_state(-1)
