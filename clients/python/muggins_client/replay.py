"""A match played again by the rules, event by event, beside what was told of it.

`decide` and `deal_round` say what has to follow; what a viewer was shown of it is compared field
by field. The replay goes on with what the rules say, so that one wrong number is one finding.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Final, NamedTuple

from muggins_client.findings import Finding, FindingName
from muggins_rules import (
    Count,
    IllegalAction,
    MatchState,
    Phase,
    RoundChance,
    close_window,
    deal_round,
    decide,
    evolve,
)
from muggins_rules.ending import end_match
from muggins_rules.events import (
    ClaimWindowClosed,
    Event,
    LotDrawn,
    MatchEnded,
    RoundDealt,
    RoundEnded,
    SeatPassed,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.replaying import ENDED_OUTSIDE_THE_RULES, action_behind, told_winner

__all__ = ["Replay", "Seen"]

_NAMES: Final = {
    (LotDrawn, "seat"): FindingName.LOT_MISMATCH,
    (LotDrawn, "tile"): FindingName.LOT_MISMATCH,
    (LotDrawn, "attempt"): FindingName.LOT_MISMATCH,
    (RoundDealt, "opener"): FindingName.OPENER_MISMATCH,
    (RoundDealt, "deck"): FindingName.DECK_MISMATCH,
    (RoundDealt, "hand"): FindingName.HAND_MISMATCH,
    (RoundDealt, "round"): FindingName.DEAL_MISMATCH,
    (RoundDealt, "hand_sizes"): FindingName.DEAL_MISMATCH,
    (RoundDealt, "boneyard"): FindingName.DEAL_MISMATCH,
    (RoundDealt, "must_lead"): FindingName.DEAL_MISMATCH,
    (TurnStarted, "seat"): FindingName.TURN_MISMATCH,
    (TilePlayed, "seat"): FindingName.TURN_MISMATCH,
    (TilePlayed, "number"): FindingName.PLACEMENT_MISMATCH,
    (TilePlayed, "placement"): FindingName.PLACEMENT_MISMATCH,
    (TilePlayed, "attach_points"): FindingName.PLACEMENT_MISMATCH,
    (TilePlayed, "count"): FindingName.COUNT_MISMATCH,
    (TilePlayed, "scores"): FindingName.SCORE_MISMATCH,
    (TileDrawn, "seat"): FindingName.TURN_MISMATCH,
    (TileDrawn, "tile"): FindingName.DRAW_MISMATCH,
    (TileDrawn, "boneyard"): FindingName.DRAW_MISMATCH,
    (SeatPassed, "seat"): FindingName.TURN_MISMATCH,
    (ClaimWindowClosed, "count"): FindingName.COUNT_MISMATCH,
    (ClaimWindowClosed, "credits"): FindingName.CREDIT_MISMATCH,
    (ClaimWindowClosed, "scores"): FindingName.SCORE_MISMATCH,
    (RoundEnded, "blocked"): FindingName.ROUND_END_MISMATCH,
    (RoundEnded, "went_out"): FindingName.ROUND_END_MISMATCH,
    (RoundEnded, "winning_side"): FindingName.WINNER_MISMATCH,
    (RoundEnded, "hands"): FindingName.SHOWN_HANDS_MISMATCH,
    (RoundEnded, "settlement"): FindingName.SETTLEMENT_MISMATCH,
    (MatchEnded, "winning_side"): FindingName.WINNER_MISMATCH,
    (MatchEnded, "reason"): FindingName.MATCH_END_MISMATCH,
    (MatchEnded, "scores"): FindingName.MATCH_END_MISMATCH,
    (MatchEnded, "hands"): FindingName.SHOWN_HANDS_MISMATCH,
}
"""By kind of event and field. Facts that name their own action cannot differ from it."""


class Seen(NamedTuple):
    """An event as it was told, with its sequence."""

    sequence: int
    event: Event


class Replay:
    """The state of a match by the rules, and what has to come next."""

    def __init__(self, state: MatchState, shown: Callable[[Event], Event]) -> None:
        """`shown` is what the viewer whose events are compared is shown of an event."""
        self.state = state
        self.is_broken = False
        """True once events and rules have parted; nothing more is compared then."""
        self._shown = shown
        self._expected: deque[Event] = deque()

    def deal(self, chance: RoundChance, sequence: int) -> Iterator[Finding]:
        """Begin the next round from its chance; `sequence` is that of its first event."""
        if self.is_broken:
            return
        if self._expected or self.state.phase not in {Phase.NOT_STARTED, Phase.ROUND_OVER}:
            yield self._broken(FindingName.EVENT_MISSING, sequence, "the match went on elsewhere")
            return
        self._expected.extend(deal_round(self.state, chance))

    def see(self, seen: Seen, following: Event | None) -> Iterator[Finding]:
        """Compare an event with what has to come; `following` is the one told after it."""
        if self.is_broken:
            return
        sequence, event = seen
        if getattr(event, "seat", 0) >= self.state.seats:
            yield self._broken(FindingName.EVENT_MALFORMED, sequence, "seat")
            return
        if _ends_outside_the_rules(event):
            self._expected.clear()
        if not self._expected:
            try:
                self._expected.extend(self._caused_by(event, following))
            except IllegalAction as illegal:
                yield self._broken(FindingName.ILLEGAL_ACTION, sequence, illegal.refusal)
                return
        if not self._expected:
            yield self._broken(FindingName.EVENT_UNEXPECTED, sequence, type(event).__name__)
            return
        expected = self._expected.popleft()
        shown = self._shown(expected)
        if type(shown) is not type(event):
            detail = f"{type(event).__name__} instead of {type(shown).__name__}"
            yield self._broken(FindingName.EVENT_UNEXPECTED, sequence, detail)
            return
        for name, detail in _differences(_in_order(shown), _in_order(event)):
            yield Finding(name, sequence, detail)
        self.state = evolve(self.state, expected)

    def finish(self) -> Iterator[Finding]:
        """What is wrong when nothing more comes."""
        if not self.is_broken and self._expected:
            detail = f"{type(self._expected[0]).__name__} has to follow"
            yield self._broken(FindingName.EVENT_MISSING, 0, detail)

    def _broken(self, name: FindingName, sequence: int, detail: str) -> Finding:
        self.is_broken = True
        return Finding(name, sequence, detail)

    def _caused_by(self, event: Event, following: Event | None) -> tuple[Event, ...]:
        """What the action behind an event makes happen; nothing where there is none behind it."""
        state = self.state
        match event:
            case ClaimWindowClosed():
                has_window = state.table is not None and state.table.window is not None
                return close_window(state) if has_window else ()
            case MatchEnded(_, reason, scores, hands):
                if reason not in ENDED_OUTSIDE_THE_RULES or state.phase is Phase.OVER:
                    return ()
                winner = told_winner(event, state.rule_set.sides(state.seats))
                ended = end_match(state, reason, winner)
                if state.phase is not Phase.PLAYING and not hands:
                    ended = replace(ended, hands=())
                if state.phase is Phase.NOT_STARTED and not scores:
                    ended = replace(ended, scores=())
                return (ended,)
            case _:
                behind = action_behind(event, following)
                return () if behind is None else decide(state, *behind)


def _ends_outside_the_rules(event: Event) -> bool:
    return isinstance(event, MatchEnded) and event.reason in ENDED_OUTSIDE_THE_RULES


def _differences(expected: Event, told: Event) -> Iterator[tuple[FindingName, str]]:
    kind = type(expected)
    for field in fields(expected):
        right, wrong = getattr(expected, field.name), getattr(told, field.name)
        if right != wrong:
            name = _NAMES.get((kind, field.name), FindingName.EVENT_UNEXPECTED)
            yield name, f"{kind.__name__}.{field.name}"


def _in_order(event: Event) -> Event:
    """The event with every list whose order means nothing in ascending order."""
    match event:
        case TilePlayed():
            return replace(
                event,
                attach_points=tuple(sorted(event.attach_points)),
                count=None if event.count is None else _count_in_order(event.count),
            )
        case ClaimWindowClosed():
            return replace(event, count=_count_in_order(event.count))
        case RoundDealt() if event.hand is not None:
            return replace(event, hand=tuple(sorted(event.hand)))
        case _:
            return event


def _count_in_order(count: Count) -> Count:
    return Count(count.sum, tuple(sorted(count.contributions)), count.points)
