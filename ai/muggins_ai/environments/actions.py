"""Actions of the rules by their numbers, and their text."""

from collections.abc import Iterable
from typing import Final, assert_never

from muggins_ai.environments.numbering import ACTIONS, DRAW, PASS, number_of_move
from muggins_rules.actions import Action, Call, Claim, Draw, Pass, Place
from muggins_rules.layout import move_word
from muggins_rules.notation import format_tile
from muggins_rules.tiles import TILES

__all__ = ["format_number", "number_of", "numbered_actions"]

_PLACES: Final = ("opens", "half {low}", "half {high}", "double {low}", "double {high}")


def number_of(action: Action) -> int:
    """The number of an action; claims and calls have none."""
    match action:
        case Place(placement):
            return number_of_move(move_word(placement))
        case Draw():
            return DRAW
        case Pass():
            return PASS
        case Claim() | Call():
            raise AssertionError("environments play without calling")
        case _:
            assert_never(action)


def numbered_actions(actions: Iterable[Action]) -> dict[int, Action]:
    """Actions by number, ascending; of placements at equal places the first stands for all."""
    found: dict[int, Action] = {}
    for action in actions:
        found.setdefault(number_of(action), action)
    return dict(sorted(found.items()))


def format_number(number: int) -> str:
    """An action as text, such as `4-6 half 4`.

    Raises:
        ValueError: there is no such number.
    """
    if not 0 <= number < ACTIONS:
        message = f"actions have the numbers 0 to {ACTIONS - 1}, not {number}"
        raise ValueError(message)
    if number == DRAW:
        return "draw"
    if number == PASS:
        return "pass"
    tile = TILES[number // 10]
    place = _PLACES[number % 10 // 2].format(low=tile.low, high=tile.high)
    return f"{format_tile(tile)} {place}{' endwise' if number & 1 else ''}"
