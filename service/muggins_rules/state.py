"""The state of a match between two events."""

from dataclasses import dataclass
from typing import NamedTuple

from muggins_rules.events import Event, MatchEnded, MugginsCalled, PointsClaimed
from muggins_rules.layout import EMPTY_LAYOUT, TableLayout
from muggins_rules.places import Count
from muggins_rules.rule_set_check import check_rule_set
from muggins_rules.ruleset import RuleSet
from muggins_rules.views import Phase

__all__ = ["MatchState", "RoundState", "Window", "new_match"]


@dataclass(frozen=True, slots=True)
class Window:
    """An open claim window: the placement it is about and what was said since, in order."""

    mover: int
    placement: int
    count: Count
    said: tuple[PointsClaimed | MugginsCalled, ...] = ()

    @property
    def claimed(self) -> int | None:
        """What the mover announced; absent while it has not."""
        for fact in self.said:
            if isinstance(fact, PointsClaimed):
                return fact.points
        return None

    @property
    def called(self) -> bool:
        """True once an opponent has called."""
        return any(isinstance(fact, MugginsCalled) for fact in self.said)


class RoundState(NamedTuple):
    """A round in play.

    `hands` are 28-bit masks by seat: bit `tile.code` set means held. `boneyard` is the codes not
    yet drawn, next first, the reserve included. `turn` is absent before the first turn and once
    nobody is to act. `drawn` is the code of the last tile drawn in this turn.
    """

    opener: int
    hands: tuple[int, ...]
    boneyard: tuple[int, ...]
    must_lead: int | None
    layout: TableLayout = EMPTY_LAYOUT
    turn: int | None = None
    drawn: int | None = None
    window: Window | None = None


class MatchState(NamedTuple):
    """A match: its rule set, where it stands, and the round on the table.

    `scores` and `have_scored` are by side. `round` is the number of the current or last round,
    0 before the first. `last_out` is who went out last, absent after a block. `events` are those
    of the current or last round in record form.
    """

    rule_set: RuleSet
    seats: int
    phase: Phase
    scores: tuple[int, ...]
    have_scored: tuple[bool, ...]
    round: int = 0
    last_out: int | None = None
    table: RoundState | None = None
    events: tuple[Event, ...] = ()
    result: MatchEnded | None = None


def new_match(rule_set: RuleSet, seats: int) -> MatchState:
    """A match before its first round.

    Raises:
        InvalidRuleSet: the parameters do not fit together.
        ValueError: the rule set does not offer that number of seats.
    """
    check_rule_set(rule_set)
    if seats not in rule_set.seat_counts:
        message = f"{rule_set.id} is not played with {seats} seats"
        raise ValueError(message)
    sides = rule_set.sides(seats)
    return MatchState(rule_set, seats, Phase.NOT_STARTED, (0,) * sides, (False,) * sides)
