"""The words in which a match is told: a language, and the names of seats and sides."""

from collections.abc import Iterable
from dataclasses import dataclass

from muggins.i18n import line, term
from muggins_rules import RuleSet, Tile
from muggins_rules.notation import format_tile
from muggins_rules.places import Count
from muggins_rules.presets import PRESETS

__all__ = ["SEAT_NAMES", "Words", "addition", "format_count", "format_tiles", "signed"]

SEAT_NAMES = "ABCD"
"""The letter of each seat."""


@dataclass(frozen=True, slots=True)
class Words:
    """A language of the catalogue."""

    language: str = "en"

    def line(self, key: str, **values: object) -> str:
        """A line of the catalogue."""
        return line(key, self.language, **values)

    def rule_set(self, rule_set: RuleSet) -> str:
        """The name of a game; its id where it is none of the presets."""
        return term(rule_set.id, self.language) if rule_set.id in PRESETS else rule_set.id

    def side(self, side: int, rule_set: RuleSet, seats: int) -> str:
        """The letters of the seats that score together, `A` or `A+C`."""
        return "+".join(SEAT_NAMES[seat] for seat in rule_set.seats_of(side, seats))

    def scores(self, scores: Iterable[int], rule_set: RuleSet, seats: int) -> str:
        """The scores by side, `A 35  B 15`."""
        return "  ".join(
            f"{self.side(side, rule_set, seats)} {score}" for side, score in enumerate(scores)
        )


def format_count(count: Count) -> str:
    """A count with its working, `2 + 8 = 10`."""
    return addition([value for _, value in count.contributions], count.sum)


def addition(parts: Iterable[int], total: int) -> str:
    """An addition, `2 + 8 = 10`; a single part is not written twice."""
    working = " + ".join(map(str, parts))
    return str(total) if working in {"", str(total)} else f"{working} = {total}"


def signed(change: int) -> str:
    """A change with its sign, `+15`."""
    return f"{change:+d}"


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Tiles side by side."""
    return " ".join(map(format_tile, tiles))
