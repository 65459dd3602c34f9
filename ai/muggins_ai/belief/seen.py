"""A seat's view as a history: the events of a round as that seat saw them, turn by turn."""

from collections.abc import Sequence
from typing import NamedTuple

from muggins_ai.belief.history import (
    HISTORY,
    NO_TILE,
    PASSED,
    UNFINISHED,
    add_turn,
    begin_history,
)
from muggins_rules import kernel
from muggins_rules.events import (
    Event,
    LotDrawn,
    RoundDealt,
    RoundEnded,
    SeatPassed,
    TileDrawn,
    TilePlayed,
)
from muggins_rules.layout import kernel_flags, move_word
from muggins_rules.opening import highest_double
from muggins_rules.ruleset import OpenerRule, RuleSet
from muggins_rules.tiles import mask_of
from muggins_rules.views import SeatView

__all__ = ["FinishedRound", "finished_rounds", "history_of", "history_of_round"]


class FinishedRound(NamedTuple):
    """A round that was settled: its history, and the hands shown at its end, masks by seat."""

    history: list[int]
    shown: tuple[int, ...]


def history_of(view: SeatView) -> list[int]:
    """The history of the view's round."""
    before = view.past[-1] if view.past else None
    return history_of_round(view.table.rule_set, view.seat, view.round_events, before)


def finished_rounds(view: SeatView) -> list[FinishedRound]:
    """The earlier rounds that the view holds whole, oldest first."""
    found = []
    for number, events in enumerate(view.past):
        ended = _end_of(events)
        if ended is None or _deal_of(events) is None:
            continue
        before = view.past[number - 1] if number else None
        shown = [0] * view.table.seats
        for hand in ended.hands:
            shown[hand.seat] = mask_of(hand.tiles)
        history = history_of_round(view.table.rule_set, view.seat, events, before)
        found.append(FinishedRound(history, tuple(shown)))
    return found


def history_of_round(
    rule_set: RuleSet, viewer: int, events: Sequence[Event], before: Sequence[Event] | None
) -> list[int]:
    """The history of a round as `viewer` saw it; `before` is the round before, where known."""
    history = [0] * HISTORY
    highest, forced = _opening(rule_set, viewer, events, before)
    begin_history(history, highest, forced)
    flags = kernel_flags(rule_set)
    word = kernel.EMPTY_TABLE
    taken = 0
    drawer = -1
    for fact in events:
        if isinstance(fact, TileDrawn):
            taken += 1
            drawer = fact.seat
        elif isinstance(fact, TilePlayed):
            move = move_word(fact.placement)
            add_turn(history, fact.seat, word, move, taken)
            word = kernel.lay(word, move, flags)
            taken = 0
        elif isinstance(fact, SeatPassed):
            add_turn(history, fact.seat, word, PASSED, taken)
            taken = 0
    if taken:
        add_turn(history, drawer, word, UNFINISHED, taken)
    return history


def _opening(
    rule_set: RuleSet, viewer: int, events: Sequence[Event], before: Sequence[Event] | None
) -> tuple[int, int]:
    """The highest tile in the order of openers that a dealt hand may hold, and if it was forced."""
    dealt = _deal_of(events)
    if dealt is None or not _by_highest_double(rule_set, dealt, events, before):
        return NO_TILE, 0
    if dealt.must_lead is not None:
        return dealt.must_lead.code, 1
    if not rule_set.turns.must_lead_highest_double:
        if dealt.opener == viewer and dealt.hand:
            return highest_double([tuple(tile.code for tile in dealt.hand)])[1], 0
        return NO_TILE, 0
    first = next((fact for fact in events if isinstance(fact, TilePlayed)), None)
    return (NO_TILE, 0) if first is None else (first.placement.tile.code, 1)


def _by_highest_double(
    rule_set: RuleSet,
    dealt: RoundDealt,
    events: Sequence[Event],
    before: Sequence[Event] | None,
) -> bool:
    """True when the highest double is known to have decided who opened."""
    if dealt.must_lead is not None:
        return True
    if any(isinstance(fact, LotDrawn) for fact in events):
        return False
    turns = rule_set.turns
    if dealt.round == 1:
        return turns.first_opener is OpenerRule.HIGHEST_DOUBLE
    if turns.opener_after_block is not OpenerRule.HIGHEST_DOUBLE or before is None:
        return False
    ended = _end_of(before)
    last = _deal_of(before)
    follows = last is not None and last.round + 1 == dealt.round
    return follows and ended is not None and ended.went_out is None


def _deal_of(events: Sequence[Event]) -> RoundDealt | None:
    return next((fact for fact in events if isinstance(fact, RoundDealt)), None)


def _end_of(events: Sequence[Event]) -> RoundEnded | None:
    return next((fact for fact in reversed(events) if isinstance(fact, RoundEnded)), None)
