"""An opponent about as strong as the others: it picks its level from the last rounds."""

from collections.abc import Callable, Sequence
from typing import Final

from muggins_ai.opponent import Choice, Opponent
from muggins_ai.stopping import Stop, never
from muggins_rules.events import Event, RoundEnded
from muggins_rules.views import SeatView

__all__ = ["AboutEven", "balance_of", "step_for"]

ROUNDS: Final = 6
"""Rounds that count."""

POINTS_A_STEP: Final = 6
"""Raw points a round that are worth a step of the ladder, about what lies between two levels."""

FIRST_STEP: Final = 2
"""Where a match begins."""


class AboutEven:
    """Plays each decision at the level that the last rounds call for.

    The level is a function of the view's earlier rounds alone: the better the others did, the
    higher it is.
    """

    def __init__(self, ladder: Sequence[Callable[[Stop], Opponent]], stop: Stop = never) -> None:
        self._ladder = [make(stop) for make in ladder]

    @property
    def engine(self) -> str:
        """Names the rule of choosing; a choice names the level that was chosen."""
        return "about_even-1"

    def choose(self, view: SeatView, seed: bytes, /) -> Choice:
        """The choice of the level that the last rounds call for."""
        return self._opponent(view).choose(view, seed)

    def calls(self, view: SeatView, /) -> bool:
        """As that level calls."""
        return self._opponent(view).calls(view)

    def _opponent(self, view: SeatView) -> Opponent:
        return self._ladder[step_for(balance_of(view), len(self._ladder))]


def step_for(balance: int, steps: int) -> int:
    """The step of a ladder for what the seat gained beyond the others, in raw points a round."""
    wanted = FIRST_STEP - (2 * balance + POINTS_A_STEP) // (2 * POINTS_A_STEP)
    return min(max(wanted, 0), steps - 1)


def balance_of(view: SeatView) -> int:
    """Raw points a round by which the seat's side did better than the mean of the others.

    Over the last rounds of the match, 0 before there is one; rounded towards 0.
    """
    scores = [after for events in view.past if (after := _scores_after(events)) is not None]
    if not scores:
        return 0
    sides = len(scores[0])
    before = scores[-ROUNDS - 1] if len(scores) > ROUNDS else (0,) * sides
    rounds = min(len(scores), ROUNDS)
    gains = [end - start for end, start in zip(scores[-1], before, strict=True)]
    rule_set = view.table.rule_set
    side = rule_set.side_of(view.seat, view.table.seats)
    others = sum(gains) - gains[side]
    ahead = (gains[side] * (sides - 1) - others) * rule_set.scoring.points_divisor
    return int(ahead / (rounds * (sides - 1)))


def _scores_after(events: Sequence[Event]) -> tuple[int, ...] | None:
    for event in reversed(events):
        if isinstance(event, RoundEnded):
            return tuple(line.score for line in event.settlement)
    return None
