"""Seats and sides as text: seats are `A` to `D`, a side is named by its first seat, `side A`."""

from typing import Final

from muggins_rules.notation.errors import NotationReason
from muggins_rules.notation.reader import Kind, Reader

__all__ = ["SEAT_NAMES", "format_side", "format_winner", "read_seat", "read_side", "read_winner"]

SEAT_NAMES: Final = "ABCD"
"""The letter of each seat."""


def format_side(side: int) -> str:
    """A side as text."""
    return f"side {SEAT_NAMES[side]}"


def format_winner(side: int | None) -> str:
    """The side that wins, if any, as text."""
    return "no winner" if side is None else f"{format_side(side)} wins"


def read_seat(reader: Reader) -> int:
    """The seat that has to come next."""
    if not reader.at(Kind.WORD) or len(reader.token.text) > 1:
        raise reader.unexpected("a seat")
    token = reader.take(Kind.WORD, "a seat")
    seat = SEAT_NAMES[: reader.seats].find(token.text)
    if seat < 0:
        raise reader.error(NotationReason.NO_SUCH_SEAT, token)
    return seat


def read_side(reader: Reader) -> int:
    """The side that has to come next."""
    reader.word("side")
    return read_seat(reader)


def read_winner(reader: Reader) -> int | None:
    """The side that wins, or that none does, which has to come next."""
    if reader.skip_word("no"):
        reader.word("winner")
        return None
    side = read_side(reader)
    reader.word("wins")
    return side
