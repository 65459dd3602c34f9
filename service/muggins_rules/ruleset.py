"""A rule set as a value: every parameter in which the games of the family differ."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

__all__ = [
    "RULES_VERSION",
    "Deal",
    "HouseRules",
    "Layout",
    "OpenerRule",
    "RuleSet",
    "Scoring",
    "SettlementRule",
    "SpinnerRule",
    "Turns",
]

RULES_VERSION: Final = 1
"""Version of the rules as this package plays them."""

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 4
PAIRS_SEATS: Final = 4


class SpinnerRule(StrEnum):
    """Which doubles branch, and how the branching double is laid and counted."""

    NONE = "none"
    FIRST_DOUBLE = "first_double"
    EVERY_DOUBLE = "every_double"
    SNIFF = "sniff"
    """The first double branches; its player lays it crosswise or endwise."""
    SNIFF_US = "sniff_us"
    """The first double branches; its free sides go on counting."""

    @property
    def branches(self) -> bool:
        """True when some double grows branches."""
        return self is not SpinnerRule.NONE

    @property
    def every_double(self) -> bool:
        """True when each double grows branches, not the first alone."""
        return self is SpinnerRule.EVERY_DOUBLE

    @property
    def chooses_orientation(self) -> bool:
        """True when the first double may be laid endwise."""
        return self is SpinnerRule.SNIFF

    @property
    def free_sides_count(self) -> bool:
        """True when the spinner's free short sides are counted."""
        return self is SpinnerRule.SNIFF_US


class OpenerRule(StrEnum):
    """Who opens a round that nobody has earned the right to open."""

    LOT = "lot"
    HIGHEST_DOUBLE = "highest_double"


class SettlementRule(StrEnum):
    """What the tiles left in the hands are worth at the end of a round."""

    GAIN = "gain"
    """The winning side gains the pips of all its opponents, rounded once on the sum."""
    DEBIT = "debit"
    """Each side loses the pips of its own hands, rounded once per side."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Material and hands. Tuples are by number of seats: two, three, four; 0: not offered."""

    highest_pip: int = 6
    hand_size_by_seats: tuple[int, int, int] = (7, 5, 5)
    boneyard_reserve: int = 0
    """Tiles that stay in the boneyard and can never be drawn, 0..2."""


@dataclass(frozen=True, slots=True)
class Turns:
    """Direction of play and who opens; whoever went out opens the next round in every game."""

    anticlockwise: bool = False
    first_opener: OpenerRule = OpenerRule.LOT
    opener_after_block: OpenerRule = OpenerRule.LOT
    must_lead_highest_double: bool = False
    """A round opened by the holder of the highest double must be opened with that double."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The shape of the line."""

    spinner: SpinnerRule = SpinnerRule.NONE


@dataclass(frozen=True, slots=True)
class Scoring:
    """Points, settlement and target. `target_by_seats` is in the rule set's own unit."""

    going_out: SettlementRule = SettlementRule.GAIN
    blocked: SettlementRule = SettlementRule.GAIN
    points_divisor: int = 1
    """5 where one point is given for each five, else 1."""
    pairs: bool = False
    """Four seats play as two pairs."""
    target_by_seats: tuple[int, int, int] = (250, 200, 200)


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Switches that no preset sets."""

    exact_target: bool = False
    """A gain that would take a side beyond the target does not count."""
    first_score_minimum: int = 0
    """A side's first score of the match counts only from this many points; 0: no minimum."""
    blocked_tie_shares: bool = False
    """Three seats, blocked, two tied for the lowest hand: they share the third's pips."""
    round_limit: int = 0
    """The match ends after this many rounds, the highest score winning; 0: no limit."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Everything that tells one game of the family from another.

    The value is what is played; `id` is only its name. `check_rule_set` tells whether the
    parameters fit together, and everything else assumes that they do.
    """

    id: str
    deal: Deal = field(default_factory=Deal)
    turns: Turns = field(default_factory=Turns)
    layout: Layout = field(default_factory=Layout)
    scoring: Scoring = field(default_factory=Scoring)
    calling: bool = False
    house_rules: HouseRules = field(default_factory=HouseRules)
    rules_version: int = RULES_VERSION

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """The numbers of seats this game is played with, ascending."""
        sizes = enumerate(self.deal.hand_size_by_seats, start=FEWEST_SEATS)
        return tuple(seats for seats, size in sizes if size)

    def hand_size(self, seats: int) -> int:
        """Tiles dealt to each of so many seats; 0 where that number is not offered."""
        return self.deal.hand_size_by_seats[seats - FEWEST_SEATS]

    def target(self, seats: int) -> int:
        """Points that win the match with so many seats."""
        return self.scoring.target_by_seats[seats - FEWEST_SEATS]

    def in_pairs(self, seats: int) -> bool:
        """True when so many seats play as two pairs, partners opposite."""
        return self.scoring.pairs and seats == PAIRS_SEATS

    def sides(self, seats: int) -> int:
        """Number of scoring units with so many seats."""
        return 2 if self.in_pairs(seats) else seats

    def side_of(self, seat: int, seats: int) -> int:
        """The side a seat scores for."""
        return seat % 2 if seats == PAIRS_SEATS and self.scoring.pairs else seat

    def seats_of(self, side: int, seats: int) -> tuple[int, ...]:
        """The seats that score for a side, ascending."""
        return (side, side + 2) if self.in_pairs(seats) else (side,)

    def next_seat(self, seat: int, seats: int) -> int:
        """The seat whose turn follows that of `seat`."""
        return (seat + (seats - 1 if self.turns.anticlockwise else 1)) % seats
