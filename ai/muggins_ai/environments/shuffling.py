"""Random numbers and shuffles of environments, from a state of four 32-bit numbers; kernel style.

The generator is xoshiro128++ of Blackman and Vigna (2019), "Scrambled linear pseudorandom number
generators": additions, rotations and exclusive-ors of 32-bit words only, so that compiled and plain
code give the same numbers, with a period of 2**128 - 1. A state is not all zeros.
"""

from typing import Final

__all__ = ["RANDOM_SIZE", "shuffle_cards"]

RANDOM_SIZE: Final = 4
"""Integers of a state."""

WORD: Final = 0xFFFFFFFF


def rotated(value: int, places: int) -> int:
    """A 32-bit number rotated to the left."""
    return (value << places | value >> (32 - places)) & WORD


def next_number(random: list[int], at: int) -> int:
    """The next number of 32 bits; the state stands from place `at` on."""
    first = random[at]
    second = random[at + 1]
    third = random[at + 2] ^ first
    fourth = random[at + 3] ^ second
    result = (rotated(first + random[at + 3] & WORD, 7) + first) & WORD
    random[at + 1] = second ^ third
    random[at] = first ^ fourth
    random[at + 2] = third ^ (second << 9 & WORD)
    random[at + 3] = rotated(fourth, 11)
    return result


def shuffle_cards(cards: list[int], first: int, number: int, random: list[int], at: int) -> None:
    """Shuffle so many of the cards from place `first` on, by exchanges from the last down.

    A number of 32 bits is scaled to a place: no place is likelier than another by more than 2**-27.
    """
    last = number - 1
    while last > 0:
        other = next_number(random, at) * (last + 1) >> 32
        card = cards[first + other]
        cards[first + other] = cards[first + last]
        cards[first + last] = card
        last -= 1
