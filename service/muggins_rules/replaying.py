"""A match decided again from its facts: whether they follow from one another under the rules."""

from collections.abc import Sequence

from muggins_rules.actions import Action, Call, Claim, Draw, Pass, Place
from muggins_rules.deciding import close_window, decide
from muggins_rules.ending import end_match
from muggins_rules.events import (
    ClaimWindowClosed,
    EndReason,
    Event,
    LotDrawn,
    MatchEnded,
    MugginsCalled,
    PointsClaimed,
    RoundDealt,
    SeatPassed,
    TileDrawn,
    TilePlayed,
)
from muggins_rules.evolving import evolve_all
from muggins_rules.opening import RoundChance, deal_round
from muggins_rules.refusal import IllegalAction
from muggins_rules.ruleset import RuleSet
from muggins_rules.state import MatchState, new_match
from muggins_rules.tiles import SET_CODES
from muggins_rules.views import Phase

__all__ = [
    "ENDED_OUTSIDE_THE_RULES",
    "InconsistentEvents",
    "action_behind",
    "replayed",
    "told_winner",
]

ENDED_OUTSIDE_THE_RULES = frozenset(
    {
        EndReason.CANCELLED,
        EndReason.ABANDONED,
        EndReason.EXPIRED,
        EndReason.RESIGNED,
        EndReason.AGREED,
    }
)
"""Why a match can end without an action of the game."""


def told_winner(ended: MatchEnded, sides: int) -> int | None:
    """The side that may win by an end outside the rules: one that others have resigned to."""
    side = ended.winning_side
    resigned = ended.reason is EndReason.RESIGNED
    return side if resigned and side is not None and 0 <= side < sides else None


class InconsistentEvents(ValueError):  # noqa: N818 - says what they are, as IllegalAction does
    """Facts that do not follow from one another; `index` is that of the first that does not."""

    def __init__(self, index: int) -> None:
        """Keep the index."""
        super().__init__(f"event {index} does not follow from those before it")
        self.index = index


def replayed(rule_set: RuleSet, seats: int, events: Sequence[Event]) -> MatchState:
    """The state after facts in record form, each decided again.

    The facts may stop in the middle of what one action brings about only at its end: a history
    is a whole number of actions.

    Raises:
        InconsistentEvents: a fact is not what the rules say.
    """
    state = new_match(rule_set, seats)
    index = 0
    while index < len(events):
        told = events[index:]
        try:
            decided = _decided(state, told)
        except IllegalAction:
            raise InconsistentEvents(index) from None
        for offset, fact in enumerate(decided):
            if offset >= len(told) or told[offset] != fact:
                raise InconsistentEvents(index + offset)
        if not decided:
            raise InconsistentEvents(index)
        state = evolve_all(state, decided)
        index += len(decided)
    return state


def action_behind(event: Event, following: Event | None) -> tuple[int, Action] | None:
    """The seat and the action whose first fact is `event`; none where it follows by itself.

    `following` is the fact after it, which may be the claim that came with a placement.
    """
    match event:
        case TilePlayed(seat, _, placement):
            claim = None
            if isinstance(following, PointsClaimed) and following.seat == seat:
                claim = following.points
            return seat, Place(placement, claim)
        case TileDrawn(seat):
            return seat, Draw()
        case SeatPassed(seat):
            return seat, Pass()
        case PointsClaimed(seat, points):
            return seat, Claim(points)
        case MugginsCalled(seat, placement):
            return seat, Call(placement)
        case _:
            return None


def _decided(state: MatchState, told: Sequence[Event]) -> tuple[Event, ...]:
    """What the rules say to whatever led to the next facts; nothing where nothing can have."""
    first = told[0]
    following = told[1] if len(told) > 1 else None
    match first:
        case LotDrawn() | RoundDealt():
            return _dealt_again(state, told)
        case MatchEnded(_, reason) if reason in ENDED_OUTSIDE_THE_RULES:
            winner = told_winner(first, state.rule_set.sides(state.seats))
            return () if state.phase is Phase.OVER else (end_match(state, reason, winner),)
        case ClaimWindowClosed():
            table = state.table
            return () if table is None or table.window is None else close_window(state)
        case _:
            behind = action_behind(first, following)
            return () if behind is None else decide(state, *behind)


def _dealt_again(state: MatchState, told: Sequence[Event]) -> tuple[Event, ...]:
    if state.phase not in {Phase.NOT_STARTED, Phase.ROUND_OVER}:
        return ()
    lot: list[int] = []
    for fact in told:
        if isinstance(fact, LotDrawn):
            lot.append(fact.tile.code)
            continue
        if not isinstance(fact, RoundDealt) or fact.deck is None:
            return ()
        codes = SET_CODES[state.rule_set.deal.highest_pip]
        rest = [code for code in codes if code not in lot]
        deck = tuple(tile.code for tile in fact.deck)
        if tuple(sorted(deck)) != codes or len(set(lot)) != len(lot):
            return ()
        return deal_round(state, RoundChance(deck, (*lot, *rest)))
    return ()
