"""What follows from an action: `decide` checks it and tells the facts, changing nothing."""

from typing import Final, Literal, assert_never

from muggins_rules import kernel
from muggins_rules.actions import Action, Call, Claim, Draw, Pass, Place
from muggins_rules.ending import match_won, round_end, window_end
from muggins_rules.events import (
    Event,
    MatchEnded,
    MugginsCalled,
    PointsClaimed,
    SeatPassed,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.evolving import evolve, evolve_all
from muggins_rules.layout import lay_tile
from muggins_rules.placing import check_placement
from muggins_rules.refusal import IllegalAction, Refusal
from muggins_rules.ruleset import MOST_SEATS
from muggins_rules.state import MatchState, RoundState, Window
from muggins_rules.tiles import TILES
from muggins_rules.turn import drawable, ends_round, fitting, is_blocked, outcome_of
from muggins_rules.views import Phase

__all__ = ["close_window", "decide"]

_PLAYING: Final = Phase.PLAYING
_TURN_STARTED: Final = tuple(map(TurnStarted, range(MOST_SEATS)))
"""The fact by seat, made once and shared."""


def decide(
    state: MatchState, seat: int, action: Action, *, window_may_close: bool = True
) -> tuple[Event, ...]:
    """The facts that follow from a seat's action; IllegalAction when it is refused.

    Under calling, `window_may_close` tells that the open claim window has lasted its minimum
    time: only then does the next seat's action close it. When closing it ends the match, the
    action that closed it does nothing more; it has to be lawful all the same.
    """
    if state.phase is not _PLAYING:
        raise IllegalAction(_not_playing(state.phase))
    table = state.table
    assert table is not None, "a round is in play"
    if isinstance(action, Place):
        if action.claim is not None and not state.rule_set.calling:
            raise IllegalAction(Refusal.NO_CLAIM_WINDOW)
    elif isinstance(action, Claim | Call):
        return _decide_saying(state, table, seat, action)
    if table.window is None:
        return _decide_turn(state, table, seat, action)
    if table.turn is None or (seat == table.turn and not window_may_close):
        raise IllegalAction(Refusal.CLAIM_WINDOW_OPEN)
    if seat != table.turn:
        raise IllegalAction(Refusal.NOT_YOUR_TURN)
    closing = close_window(state)
    after = evolve_all(state, closing)
    if after.phase is Phase.OVER:
        _check_turn(state, table, seat, action)
        return closing
    assert after.table is not None, "the round goes on"
    return closing + _decide_turn(after, after.table, seat, action)


def close_window(state: MatchState) -> tuple[Event, ...]:
    """The facts that follow when the open claim window closes, by its time-out or an action."""
    table = state.table
    assert table is not None, "a round is in play"
    assert table.window is not None, "a window is open"
    closing = window_end(state, table.window)
    if isinstance(closing[-1], MatchEnded):
        return closing
    if table.turn is not None:
        return closing
    return closing + round_end(evolve_all(state, closing), _went_out(table))


def _went_out(table: RoundState) -> int | None:
    for seat, hand in enumerate(table.hands):
        if not hand:
            return seat
    return None


def _not_playing(phase: Literal[Phase.NOT_STARTED, Phase.ROUND_OVER, Phase.OVER]) -> Refusal:
    match phase:
        case Phase.NOT_STARTED:
            return Refusal.MATCH_NOT_STARTED
        case Phase.OVER:
            return Refusal.MATCH_OVER
        case Phase.ROUND_OVER:
            return Refusal.ROUND_OVER
        case _:
            assert_never(phase)


def _decide_saying(
    state: MatchState, table: RoundState, seat: int, action: Claim | Call
) -> tuple[Event, ...]:
    window = table.window
    if window is None:
        raise IllegalAction(Refusal.NO_CLAIM_WINDOW)
    fact: PointsClaimed | MugginsCalled
    match action:
        case Claim(points):
            if seat != window.mover:
                raise IllegalAction(Refusal.NOT_THE_MOVER)
            if window.claimed is not None:
                raise IllegalAction(Refusal.ALREADY_CLAIMED)
            fact = _claimed(seat, points)
        case Call(placement):
            side_of = state.rule_set.side_of
            if side_of(seat, state.seats) == side_of(window.mover, state.seats):
                raise IllegalAction(Refusal.CANNOT_CALL_OWN_SIDE)
            if placement != window.placement:
                raise IllegalAction(Refusal.WRONG_PLACEMENT)
            fact = MugginsCalled(seat, placement)
        case _:
            assert_never(action)
    return (fact, *_closed_if_settled(evolve(state, fact)))


def _claimed(seat: int, points: int) -> PointsClaimed:
    assert points >= 0, "a claim is a whole number from 0"
    return PointsClaimed(seat, points)


def _closed_if_settled(state: MatchState) -> tuple[Event, ...]:
    """The end of a round that waits only for its window, once nothing is open in it."""
    table = state.table
    assert table is not None, "a round is in play"
    window = table.window
    if table.turn is None and window is not None and not _is_open(window):
        return close_window(state)
    return ()


def _is_open(window: Window) -> bool:
    """True while some points of the placement are neither claimed nor called."""
    if window.called:
        return False
    earned, claimed = window.count.points, window.claimed or 0
    return earned > 0 and claimed != earned


def _decide_turn(
    state: MatchState, table: RoundState, seat: int, action: Place | Draw | Pass
) -> tuple[Event, ...]:
    _check_turn(state, table, seat, action)
    match action:
        case Place():
            return _decide_place(state, table, seat, action)
        case Draw():
            if not action.until_playable:
                return _drawn(table, seat, 1)
            available = drawable(state.rule_set, table)
            return _drawn_or_passed(state, table, seat, _drawn(table, seat, available))
        case Pass():
            passed = SeatPassed(seat)
            return (passed, *_after_turn(evolve(state, passed), seat))
        case _:
            assert_never(action)


def _check_turn(
    state: MatchState, table: RoundState, seat: int, action: Place | Draw | Pass
) -> None:
    """Raise IllegalAction unless the seat is on turn and may do that."""
    if seat != table.turn:
        raise IllegalAction(Refusal.NOT_YOUR_TURN)
    match action:
        case Place():
            check_placement(state.rule_set, table, seat, action.placement)
        case Draw():
            _check_nothing_to_play(table, seat)
            if not drawable(state.rule_set, table):
                raise IllegalAction(Refusal.BONEYARD_EMPTY)
        case Pass():
            _check_nothing_to_play(table, seat)
            if drawable(state.rule_set, table):
                raise IllegalAction(Refusal.MUST_DRAW)
        case _:
            assert_never(action)


def _check_nothing_to_play(table: RoundState, seat: int) -> None:
    if fitting(table, seat):
        drawn = table.drawn
        raise IllegalAction(Refusal.MUST_PLAY if drawn is None else Refusal.MUST_PLAY_DRAWN)


def _drawn_or_passed(
    state: MatchState, table: RoundState, seat: int, drawn: tuple[TileDrawn, ...]
) -> tuple[Event, ...]:
    """A run of draws, and the pass that follows when none of its tiles fits."""
    last = drawn[-1].tile
    assert last is not None, "the record holds the tile"
    if kernel.legal_tiles(table.layout.word, 1 << last.code):
        return drawn
    passed = SeatPassed(seat)
    return (*drawn, passed, *_after_turn(evolve_all(state, (*drawn, passed)), seat))


def _drawn(table: RoundState, seat: int, most: int) -> tuple[TileDrawn, ...]:
    """The tiles drawn, so many at most, until one fits."""
    left = len(table.boneyard)
    facts: list[TileDrawn] = []
    for code in table.boneyard[:most]:
        left -= 1
        facts.append(TileDrawn(seat, TILES[code], left))
        if len(facts) < most and kernel.legal_tiles(table.layout.word, 1 << code):
            break
    return tuple(facts)


def _decide_place(
    state: MatchState, table: RoundState, seat: int, action: Place
) -> tuple[Event, ...]:
    rule_set, placement, scores = state.rule_set, action.placement, state.scores
    layout = lay_tile(table.layout, placement, rule_set.layout.spinner)
    count = outcome_of(state, seat, layout)
    won_by = None
    if count.points and not rule_set.calling:
        side = rule_set.side_of(seat, state.seats)
        score = scores[side] + count.points
        scores = (*scores[:side], score, *scores[side + 1 :])
        won_by = side if score >= rule_set.target(state.seats) else None
    played = TilePlayed(
        seat, len(layout.placements), placement, layout.attach_points, count, scores
    )
    if won_by is not None:
        return (played, match_won(evolve(state, played), won_by))
    facts: tuple[Event, ...] = (played,)
    if action.claim is not None:
        facts = (played, _claimed(seat, action.claim))
    if ends_round(rule_set, table, seat, layout):
        return facts + _after_turn(evolve_all(state, facts), seat)
    return (*facts, _TURN_STARTED[rule_set.next_seat(seat, state.seats)])


def _after_turn(state: MatchState, seat: int) -> tuple[Event, ...]:
    """What follows a turn: the end of the round, or the next seat's turn."""
    table = state.table
    assert table is not None, "a round is in play"
    went_out = not table.hands[seat]
    if not went_out and not is_blocked(state.rule_set, table):
        return (_TURN_STARTED[state.rule_set.next_seat(seat, state.seats)],)
    if table.window is not None:
        return _closed_if_settled(state)
    return round_end(state, seat if went_out else None)
