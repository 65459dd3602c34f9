"""Counts and scores as text: the sum with its working, `2 + 8 = 10`, and `score 15:-5`."""

from collections.abc import Iterable
from typing import NamedTuple

from muggins_rules.notation.errors import NotationReason
from muggins_rules.notation.reader import Reader, Token
from muggins_rules.notation.tiles import format_tiles, read_tiles
from muggins_rules.places import Contribution, Count

__all__ = [
    "Working",
    "check_number",
    "format_scores",
    "format_sources",
    "format_working",
    "read_scores",
    "read_sources",
    "read_working",
]

_NOTHING = "nothing"


class Working(NamedTuple):
    """The numbers of a count, as long as it is not said which tiles they are from."""

    values: tuple[int, ...]
    sum: int
    points: int


def format_working(count: Count) -> str:
    """The numbers of a count: what is added up, the sum and its points."""
    values = " + ".join(str(value) for _, value in count.contributions)
    return f"{values or _NOTHING} = {count.sum}, points {count.points}"


def format_sources(count: Count) -> str:
    """The tiles of a count, in the order in which its working adds them up."""
    return f"from {format_tiles(tile for tile, _ in count.contributions)}".rstrip()


def read_working(reader: Reader) -> Working:
    """The numbers of a count, which have to come next and to add up."""
    values = []
    if not reader.skip_word(_NOTHING):
        values.append(reader.number())
        while reader.skip_sign("+"):
            values.append(reader.number())
    reader.sign("=")
    token = reader.token
    total = reader.number()
    if total != sum(values):
        raise reader.error(NotationReason.DOES_NOT_ADD_UP, token, f"the sum is {sum(values)}")
    reader.sign(",")
    reader.word("points")
    return Working(tuple(values), total, reader.number())


def read_sources(reader: Reader, working: Working) -> Count:
    """The tiles of a count, which have to come next, and the count of both."""
    token = reader.token
    reader.word("from")
    tiles = read_tiles(reader)
    check_number(reader, token, len(tiles), len(working.values))
    contributions = tuple(map(Contribution, tiles, working.values))
    return Count(working.sum, contributions, working.points)


def format_scores(scores: Iterable[int]) -> str:
    """The scores side by side."""
    return f"score {':'.join(map(str, scores))}"


def read_scores(reader: Reader) -> tuple[int, ...]:
    """The scores that have to come next, after their word."""
    scores = [reader.number()]
    while reader.skip_sign(":"):
        scores.append(reader.number())
    return tuple(scores)


def check_number(reader: Reader, token: Token, listed: int, told: int) -> None:
    """NotationError at `token` unless as many tiles are listed as the text tells."""
    if listed != told:
        raise reader.error(NotationReason.DOES_NOT_ADD_UP, token, f"{listed} tiles, not {told}")
