"""What follows from an action: `decide` checks it and tells the facts, changing nothing."""

from typing import assert_never

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
from muggins_rules.state import MatchState, RoundState, Window
from muggins_rules.tiles import TILES
from muggins_rules.turn import drawable, ends_round, fitting, is_blocked, outcome_of
from muggins_rules.views import Phase

__all__ = ["close_window", "decide"]


def decide(
    state: MatchState, seat: int, action: Action, *, window_may_close: bool = True
) -> tuple[Event, ...]:
    """The facts that follow from a seat's action; IllegalAction when it is refused.

    Under calling, `window_may_close` tells that the open claim window has lasted its minimum
    time: only then does the next seat's action close it. When closing it ends the match, the
    action that closed it does nothing more.
    """
    _check_phase(state)
    table = state.table
    assert table is not None, "a round is in play"
    if isinstance(action, Claim | Call):
        return _decide_saying(state, table, seat, action)
    if isinstance(action, Place) and action.claim is not None and not state.rule_set.calling:
        raise IllegalAction(Refusal.NO_CLAIM_WINDOW)
    if table.window is None:
        return _decide_turn(state, table, seat, action)
    if table.turn is None or (seat == table.turn and not window_may_close):
        raise IllegalAction(Refusal.CLAIM_WINDOW_OPEN)
    if seat != table.turn:
        raise IllegalAction(Refusal.NOT_YOUR_TURN)
    closing = close_window(state)
    after = evolve_all(state, closing)
    if after.phase is Phase.OVER:
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


def _check_phase(state: MatchState) -> None:
    match state.phase:
        case Phase.PLAYING:
            return
        case Phase.NOT_STARTED:
            raise IllegalAction(Refusal.MATCH_NOT_STARTED)
        case Phase.OVER:
            raise IllegalAction(Refusal.MATCH_OVER)
        case Phase.ROUND_OVER:
            raise IllegalAction(Refusal.ROUND_OVER)
        case _:
            assert_never(state.phase)


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
            fact = PointsClaimed(seat, points)
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
    if seat != table.turn:
        raise IllegalAction(Refusal.NOT_YOUR_TURN)
    match action:
        case Place(placement):
            check_placement(state.rule_set, table, seat, placement)
            return _decide_place(state, table, seat, action)
        case Draw(until_playable):
            _check_nothing_to_play(table, seat)
            if not drawable(state.rule_set, table):
                raise IllegalAction(Refusal.BONEYARD_EMPTY)
            return _drawn(state, table, seat, until_playable=until_playable)
        case Pass():
            _check_nothing_to_play(table, seat)
            if drawable(state.rule_set, table):
                raise IllegalAction(Refusal.MUST_DRAW)
            passed = SeatPassed(seat)
            return (passed, *_after_turn(evolve(state, passed), seat))
        case _:
            assert_never(action)


def _check_nothing_to_play(table: RoundState, seat: int) -> None:
    if fitting(table, seat):
        drawn = table.drawn
        raise IllegalAction(Refusal.MUST_PLAY if drawn is None else Refusal.MUST_PLAY_DRAWN)


def _drawn(
    state: MatchState, table: RoundState, seat: int, *, until_playable: bool
) -> tuple[Event, ...]:
    available = drawable(state.rule_set, table)
    left = len(table.boneyard)
    facts: list[Event] = []
    for code in table.boneyard[:available]:
        left -= 1
        facts.append(TileDrawn(seat, TILES[code], left))
        if not until_playable or kernel.legal_tiles(table.layout.word, 1 << code):
            break
    return tuple(facts)


def _decide_place(
    state: MatchState, table: RoundState, seat: int, action: Place
) -> tuple[Event, ...]:
    rule_set, placement = state.rule_set, action.placement
    layout = lay_tile(table.layout, placement, rule_set.layout.spinner)
    count = outcome_of(state, seat, layout)
    scores = state.scores
    side = rule_set.side_of(seat, state.seats)
    if count.points and not rule_set.calling:
        scores = (*scores[:side], scores[side] + count.points, *scores[side + 1 :])
    played = TilePlayed(
        seat, len(layout.placements), placement, layout.attach_points, count, scores
    )
    said = () if action.claim is None else (PointsClaimed(seat, action.claim),)
    if scores[side] >= rule_set.target(state.seats):
        return (played, match_won(evolve(state, played), side))
    if not ends_round(rule_set, table, seat, placement.tile, layout):
        return (played, *said, TurnStarted(rule_set.next_seat(seat, state.seats)))
    after = evolve_all(state, (played, *said))
    return (played, *said, *_after_turn(after, seat))


def _after_turn(state: MatchState, seat: int) -> tuple[Event, ...]:
    """What follows a turn: the end of the round, or the next seat's turn."""
    table = state.table
    assert table is not None, "a round is in play"
    went_out = not table.hands[seat]
    if not went_out and not is_blocked(state.rule_set, table):
        return (TurnStarted(state.rule_set.next_seat(seat, state.seats)),)
    if table.window is not None:
        return _closed_if_settled(state)
    return round_end(state, seat if went_out else None)
