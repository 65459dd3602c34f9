"""A view that someone else gives, checked against itself and the rules, and filled up.

What a seat saw of a round is decided again under the rules, in a deal that makes it so; the view of
the state that results is what the given one must agree with.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muggins_rules.deciding import close_window, decide
from muggins_rules.events import (
    ClaimWindowClosed,
    Event,
    LotDrawn,
    RoundDealt,
    RoundEnded,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.evolving import evolve_all
from muggins_rules.possible_deal import ImpossibleDeal, possible_deck
from muggins_rules.projecting import project
from muggins_rules.refusal import IllegalAction
from muggins_rules.replaying import action_behind
from muggins_rules.ruleset import RuleSet
from muggins_rules.state import MatchState, new_match
from muggins_rules.tiles import SET_CODES, Tile, tile_of
from muggins_rules.viewing import seat_view
from muggins_rules.views import Phase, SeatView

__all__ = ["InconsistentView", "completed_view"]

_TRIES: Final = 16
"""Deals that are tried: some leave nobody with what fits, where somebody must have had it."""


class InconsistentView(ValueError):  # noqa: N818 - says what it is, as IllegalAction does
    """A view contradicts itself or the rules; `field` is the part of the view that does."""

    def __init__(self, field: str) -> None:
        """Keep the field's name, as a path in the message of a view."""
        super().__init__(field)
        self.field = field


def completed_view(given: SeatView) -> SeatView:
    """The view with all that follows from its events.

    What may be absent in `given`, and then is empty: hand, legal actions, sizes, scores, attach
    points, count. The seat must be one that has something to decide or to say.

    Raises:
        InconsistentView: what is given cannot have been seen, or differs from what follows.
    """
    events = given.round_events
    deals = [at for at, fact in enumerate(events) if isinstance(fact, RoundDealt)]
    if len(deals) != 1 or any(not isinstance(fact, LotDrawn) for fact in events[: deals[0]]):
        raise InconsistentView("round_events")
    for scores in _first_scores(given):
        chance: random.Random | None = None
        for _ in range(_TRIES):
            try:
                state = _decided_again(given, deals[0], scores, chance)
            except ImpossibleDeal:
                raise InconsistentView("round_events") from None
            if state is not None:
                return _agreed(given, seat_view(state, given.seat, given.past))
            chance = chance or random.Random(0)  # noqa: S311 - any other deal will do
    raise InconsistentView("round_events")


def _first_scores(given: SeatView) -> Iterator[tuple[int, ...]]:
    """What the scores may have been before the round, the likeliest first."""
    table = given.table
    none = (0,) * table.rule_set.sides(table.seats)
    for fact in reversed(given.past[-1] if given.past else ()):
        if isinstance(fact, RoundEnded):
            yield tuple(line.score for line in fact.settlement)
            return
    dealt = next(fact for fact in given.round_events if isinstance(fact, RoundDealt))
    if dealt.round == 1:
        yield none
        return
    for fact in given.round_events:
        if isinstance(fact, TilePlayed | ClaimWindowClosed) and fact.scores is not None:
            gains = _gains(fact, given)
            if len(fact.scores) != len(gains):
                raise InconsistentView("round_events")
            yield tuple(score - gain for score, gain in zip(fact.scores, gains, strict=True))
            yield fact.scores
            return
    if table.scores and len(table.scores) != len(none):
        raise InconsistentView("table.scores")
    yield table.scores or none


def _gains(fact: Event, given: SeatView) -> tuple[int, ...]:
    """What a placement or the end of its window brought each side, where all of it counted."""
    rule_set, seats = given.table.rule_set, given.table.seats
    gains = [0] * rule_set.sides(seats)
    if isinstance(fact, TilePlayed) and fact.count is not None:
        gains[rule_set.side_of(fact.seat, seats)] += fact.count.points
    elif isinstance(fact, ClaimWindowClosed):
        for credit in fact.credits:
            gains[credit.side] += credit.points
    return tuple(gains)


def _decided_again(
    given: SeatView, dealt_at: int, scores: tuple[int, ...], chance: random.Random | None
) -> MatchState | None:
    """The state after the events in some deal that makes them; none where this deal does not."""
    told = given.round_events[dealt_at:]
    first = told[0]
    assert isinstance(first, RoundDealt), "the deal was found there"
    rule_set = given.table.rule_set
    dealt = replace(
        first,
        hand=None,
        must_lead=first.must_lead if first.opener == given.seat else _led(rule_set, told),
        deck=tuple(tile_of(code) for code in possible_deck(rule_set, given.seat, told, chance)),
    )
    if not _sizes_agree(given, first) or not _shown_as(dealt, first, given):
        raise InconsistentView("round_events")
    state = evolve_all(_before(given, first, scores), (*given.round_events[:dealt_at], dealt))
    index = 1
    while index < len(told):
        following = told[index + 1] if index + 1 < len(told) else None
        facts = _next(state, told[index], following)
        if not facts or index + len(facts) > len(told):
            return None
        if not all(_shown_as(*pair, given) for pair in zip(facts, told[index:], strict=False)):
            return None
        state = evolve_all(state, facts)
        index += len(facts)
    return state if state.phase is Phase.PLAYING else None


def _led(rule_set: RuleSet, told: Sequence[Event]) -> Tile | None:
    """The tile that had to be led, where that is the rule and it was led."""
    if not rule_set.turns.must_lead_highest_double:
        return None
    return next((fact.placement.tile for fact in told if isinstance(fact, TilePlayed)), None)


def _sizes_agree(given: SeatView, dealt: RoundDealt) -> bool:
    rule_set, seats = given.table.rule_set, given.table.seats
    size = rule_set.hand_size(seats)
    boneyard = len(SET_CODES[rule_set.deal.highest_pip]) - seats * size
    return (
        dealt.hand_sizes == (size,) * seats
        and dealt.boneyard == boneyard
        and 0 <= dealt.opener < seats
        and dealt.round >= 1
    )


def _before(given: SeatView, dealt: RoundDealt, scores: tuple[int, ...]) -> MatchState:
    """The match just before a deal."""
    state = new_match(given.table.rule_set, given.table.seats)
    scored = tuple(score != 0 for score in scores)
    return state._replace(scores=scores, have_scored=scored, round=dealt.round - 1)


def _next(state: MatchState, first: Event, following: Event | None) -> tuple[Event, ...]:
    """What the rules say to whatever led to the next fact; nothing where nothing can have."""
    table = state.table
    assert table is not None, "the round is dealt"
    if isinstance(first, TurnStarted) and table.turn is None and not table.layout.placements:
        return (TurnStarted(table.opener),)
    if isinstance(first, ClaimWindowClosed):
        return () if table.window is None else close_window(state)
    behind = action_behind(first, following)
    if behind is None:
        return ()
    try:
        return decide(state, *behind)
    except IllegalAction:
        return ()


def _shown_as(fact: Event, seen: Event, given: SeatView) -> bool:
    return project(fact, given.seat, calling=given.table.rule_set.calling) == seen


def _agreed(given: SeatView, found: SeatView) -> SeatView:
    """The found view, where the given one does not differ in anything that it tells."""
    table, told = found.table, given.table
    checks: tuple[tuple[str, object, object], ...] = (
        ("hand", tuple(sorted(given.hand)), found.hand),
        ("table.scores", told.scores, table.scores),
        ("table.seats", told.hand_sizes, table.hand_sizes),
        ("table.boneyard", told.boneyard, table.boneyard),
        ("table.attach_points", sorted(told.attach_points), sorted(table.attach_points)),
        ("table.count", told.count, table.count),
        ("table.seat_to_act", told.seat_to_act, table.seat_to_act),
        ("table.round", told.round, table.round),
        ("claim_window", told.window, table.window),
    )
    for field, stated, follows in checks:
        if stated not in _NOT_TOLD and stated != follows:
            raise InconsistentView(field)
    actions = {legal.action for legal in found.legal_actions}
    if given.legal_actions and {legal.action for legal in given.legal_actions} != actions:
        raise InconsistentView("legal_actions")
    return found


_NOT_TOLD: Final[tuple[object, ...]] = (None, 0, (), [])
