"""One decision made again and again while the tiles that its seat could not see change places."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from random import Random

from muggins_rules.notation import format_action
from muggins_rules.views import PublicView, SeatView
from muggins_service.honesty.asking import Answer, acts_of, ask
from muggins_service.honesty.decisions import Decision
from muggins_service.honesty.redealing import redealt, unseen_codes

__all__ = ["Challenge", "Difference", "challenge"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How the seat's view or the choice differed at one of the deals, counted from 1."""

    deal: int
    what: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """What came of it.

    `answer` is the one on the true tiles, and `is_as_recorded` tells whether it is what was done.
    `times` deals were tried, `deals` different ones among them, of `tiles` unseen tiles.
    """

    decision: Decision
    answer: Answer
    is_as_recorded: bool
    times: int
    deals: int
    tiles: int
    differences: tuple[Difference, ...]

    @property
    def is_passed(self) -> bool:
        """True when nothing depended on a tile that the seat could not see."""
        return self.is_as_recorded and not self.differences


def challenge(decision: Decision, times: int, seed: str) -> Challenge:
    """Deal the unseen tiles anew so many times and ask each time; the same for the same seed.

    The decision can be asked for, as `ask` wants it.
    """
    game, seat = decision.table.game, decision.seat
    answer = ask(decision, game)
    chance = Random(seed)  # noqa: S311 - deals to try, repeatable by whoever doubts them
    tried = set()
    differences: list[Difference] = []
    for deal in range(1, times + 1):
        other = redealt(game, seat, chance)
        assert other.table is not None, "a decision is made in a round"
        tried.add((other.table.hands, other.table.boneyard))
        asked = ask(decision, other)
        differences += (Difference(deal, what) for what in _what_differs(answer, asked))
    return Challenge(
        decision,
        answer,
        acts_of(decision, answer) == decision.acts,
        times,
        len(tried),
        len(unseen_codes(game, seat)),
        tuple(differences),
    )


def _what_differs(first: Answer, other: Answer) -> Iterator[str]:
    for name in _fields_that_differ(first.view, other.view):
        yield f"view.{name}"
    if first.action != other.action:
        yield f"{_told(other)} instead of {_told(first)}"
    elif first != other and first.view == other.view:
        yield "what the search used"


def _fields_that_differ(
    first: SeatView | PublicView, other: SeatView | PublicView
) -> Iterator[str]:
    for field in fields(first):
        left, right = getattr(first, field.name), getattr(other, field.name)
        if isinstance(left, PublicView):
            yield from (f"{field.name}.{name}" for name in _fields_that_differ(left, right))
        elif left != right:
            yield field.name


def _told(answer: Answer) -> str:
    return "nothing" if answer.action is None else format_action(answer.action)
