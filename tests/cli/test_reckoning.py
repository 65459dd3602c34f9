"""The settlement of a round as additions, with the rounding."""

import pytest

from muggins_cli.reckoning import tell_hands, tell_settlement
from muggins_cli.words import Words
from muggins_rules import PRESETS, Tile
from muggins_rules.events import RoundEnded, Settlement, ShownHand


def ended(hands: list[list[Tile]], *settlement: Settlement, out: int | None = 0) -> RoundEnded:
    shown = tuple(
        ShownHand(seat, tuple(hand), sum(tile.pips for tile in hand))
        for seat, hand in enumerate(hands)
    )
    return RoundEnded(out is None, out, None, shown, settlement)


def told(fact: RoundEnded, rules: str, seats: int, language: str = "en") -> list[str]:
    return list(tell_settlement(fact, PRESETS[rules], seats, Words(language)))


def test_hands_are_added_up_tile_by_tile() -> None:
    fact = ended([[], [Tile(3, 5), Tile(4, 4)], [Tile(0, 0)]])
    assert ["B  3-5 4-4   8 + 8 = 16", "C  0-0   0"] == list(tell_hands(fact.hands))


def test_the_winner_gains_the_rounded_sum_of_the_other_hands() -> None:
    hands = [[], [Tile(6, 6)], [Tile(0, 1)]]
    fact = ended(hands, Settlement(0, 13, 15, 15, 40), Settlement(1, 0, 0, 0, 5))
    assert ["12 + 1 = 13, rounded to 15: A +15"] == told(fact, "all_fives_us", 3)


def test_a_debit_is_the_rounded_sum_of_the_own_hand() -> None:
    hands = [[], [Tile(6, 6), Tile(0, 5)]]
    fact = ended(hands, Settlement(0, 0, 0, 0, 40), Settlement(1, 17, 15, -15, -15))
    assert ["17, rounded to 15: B -15"] == told(fact, "muggins", 2)


def test_in_five_up_the_rounded_sum_is_divided_by_five() -> None:
    fact = ended([[], [Tile(6, 6), Tile(0, 5)]], Settlement(0, 17, 15, 3, 9))
    assert ["17, rounded to 15, 15 / 5 = 3: A +3"] == told(fact, "five_up", 2)


def test_a_pair_gains_from_both_opponents_and_not_from_the_partner() -> None:
    hands = [[], [Tile(1, 1)], [Tile(5, 5)], [Tile(2, 3)]]
    fact = ended(hands, Settlement(0, 7, 5, 5, 5), Settlement(1, 0, 0, 0, 0))
    assert ["2 + 5 = 7, rounded to 5: A+C +5"] == told(fact, "all_fives", 4)


def test_nothing_is_settled_after_a_tie() -> None:
    fact = ended([[Tile(0, 1)], [Tile(0, 1)]], Settlement(0, 0, 0, 0, 5), out=None)
    assert ["Nobody gains or pays"] == told(fact, "all_fives", 2)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("pt-BR", "17, arredondado para 15: A +15"),
        ("fr", "17, arrondi à 15\N{NO-BREAK SPACE}: A +15"),
        ("es", "17, redondeado a 15: A +15"),
    ],
)
def test_a_settlement_is_told_in_the_language_asked_for(language: str, expected: str) -> None:
    fact = ended([[], [Tile(6, 6), Tile(0, 5)]], Settlement(0, 17, 15, 15, 15))
    assert [expected] == told(fact, "all_fives", 2, language)
