"""How facts change the state: `evolve` takes each stored event as it is and consults no rule."""

from collections.abc import Iterable
from typing import assert_never

from muggins_rules.events import (
    ClaimWindowClosed,
    Event,
    LotDrawn,
    MatchEnded,
    MugginsCalled,
    PointsClaimed,
    RoundDealt,
    RoundEnded,
    SeatPassed,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.layout import restored_layout
from muggins_rules.state import MatchState, RoundState, Window
from muggins_rules.tiles import mask_of
from muggins_rules.views import Phase

__all__ = ["evolve", "evolve_all"]


def evolve_all(state: MatchState, events: Iterable[Event]) -> MatchState:
    """The state after several events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: MatchState, event: Event) -> MatchState:
    """The state after an event in record form."""
    match event:
        case TilePlayed():
            return _tile_played(state, event)
        case TurnStarted(seat):
            table = _table(state)
            return _with_table(
                state,
                event,
                RoundState(
                    table.opener,
                    table.hands,
                    table.boneyard,
                    table.must_lead,
                    table.layout,
                    seat,
                    None,
                    table.window,
                ),
            )
        case TileDrawn():
            return _tile_drawn(state, event)
        case SeatPassed():
            return _with_table(state, event, _without_turn(_table(state)))
        case PointsClaimed() | MugginsCalled():
            return _with_table(state, event, _with_saying(_table(state), event))
        case ClaimWindowClosed(_, _, scores):
            table = _without_window(_table(state))
            return _scored(state, event, scores, table)
        case LotDrawn():
            return _with_events(state, event)
        case RoundDealt():
            return _round_dealt(state, event)
        case RoundEnded():
            return _round_ended(state, event)
        case MatchEnded():
            return _match_ended(state, event)
        case _:
            assert_never(event)


def _table(state: MatchState) -> RoundState:
    assert state.table is not None, "the event belongs to a round"
    return state.table


def _with_table(state: MatchState, event: Event, table: RoundState) -> MatchState:
    return MatchState(
        state.rule_set,
        state.seats,
        state.phase,
        state.scores,
        state.have_scored,
        state.round,
        state.last_out,
        table,
        (*state.events, event),
        state.result,
    )


def _scored(
    state: MatchState, event: Event, scores: tuple[int, ...], table: RoundState
) -> MatchState:
    have_scored = state.have_scored
    if scores != state.scores:
        have_scored = _scorers(state, scores)
    return MatchState(
        state.rule_set,
        state.seats,
        state.phase,
        scores,
        have_scored,
        state.round,
        state.last_out,
        table,
        (*state.events, event),
        state.result,
    )


def _scorers(state: MatchState, scores: tuple[int, ...]) -> tuple[bool, ...]:
    """Which sides have ever gained, the latest change included."""
    return tuple(
        before or score > old
        for before, score, old in zip(state.have_scored, scores, state.scores, strict=True)
    )


def _tile_played(state: MatchState, event: TilePlayed) -> MatchState:
    table = _table(state)
    count, scores = event.count, event.scores
    assert count is not None, "the record holds the count"
    assert scores is not None, "the record holds the scores"
    hands = list(table.hands)
    hands[event.seat] ^= 1 << event.placement.tile.code
    layout = restored_layout(
        table.layout, event.placement, event.attach_points, count.contributions
    )
    window = Window(event.seat, event.number, count) if state.rule_set.calling else None
    after = RoundState(table.opener, tuple(hands), table.boneyard, None, layout, None, None, window)
    return _scored(state, event, scores, after)


def _tile_drawn(state: MatchState, event: TileDrawn) -> MatchState:
    table = _table(state)
    assert event.tile is not None, "the record holds the tile"
    code = event.tile.code
    hands = list(table.hands)
    hands[event.seat] |= 1 << code
    boneyard = tuple(other for other in table.boneyard if other != code)
    after = RoundState(
        table.opener,
        tuple(hands),
        boneyard,
        table.must_lead,
        table.layout,
        table.turn,
        code,
        table.window,
    )
    return _with_table(state, event, after)


def _without_turn(table: RoundState) -> RoundState:
    return RoundState(
        table.opener,
        table.hands,
        table.boneyard,
        table.must_lead,
        table.layout,
        None,
        None,
        table.window,
    )


def _with_saying(table: RoundState, fact: PointsClaimed | MugginsCalled) -> RoundState:
    window = table.window
    assert window is not None, "claims and calls are made while a window is open"
    window = Window(window.mover, window.placement, window.count, (*window.said, fact))
    return RoundState(
        table.opener,
        table.hands,
        table.boneyard,
        table.must_lead,
        table.layout,
        table.turn,
        table.drawn,
        window,
    )


def _without_window(table: RoundState) -> RoundState:
    return RoundState(
        table.opener,
        table.hands,
        table.boneyard,
        table.must_lead,
        table.layout,
        table.turn,
        table.drawn,
        None,
    )


def _with_events(state: MatchState, event: LotDrawn | RoundDealt) -> MatchState:
    """The state in which an event of the coming round is the next of its events."""
    goes_on = bool(state.events) and isinstance(state.events[-1], LotDrawn)
    return MatchState(
        state.rule_set,
        state.seats,
        state.phase,
        state.scores,
        state.have_scored,
        state.round,
        state.last_out,
        state.table,
        (*state.events, event) if goes_on else (event,),
        state.result,
    )


def _round_dealt(state: MatchState, event: RoundDealt) -> MatchState:
    assert event.deck is not None, "the record holds the deck"
    hands = []
    dealt = 0
    for size in event.hand_sizes:
        hands.append(mask_of(event.deck[dealt : dealt + size]))
        dealt += size
    table = RoundState(
        event.opener,
        tuple(hands),
        tuple(tile.code for tile in event.deck[dealt:]),
        None if event.must_lead is None else event.must_lead.code,
    )
    started = _with_events(state, event)
    return MatchState(
        state.rule_set,
        state.seats,
        Phase.PLAYING,
        state.scores,
        state.have_scored,
        event.round,
        state.last_out,
        table,
        started.events,
    )


def _round_ended(state: MatchState, event: RoundEnded) -> MatchState:
    scores = tuple(line.score for line in event.settlement)
    return MatchState(
        state.rule_set,
        state.seats,
        Phase.ROUND_OVER,
        scores,
        _scorers(state, scores),
        state.round,
        event.went_out,
        _without_turn(_without_window(_table(state))),
        (*state.events, event),
    )


def _match_ended(state: MatchState, event: MatchEnded) -> MatchState:
    table = state.table
    return MatchState(
        state.rule_set,
        state.seats,
        Phase.OVER,
        event.scores,
        state.have_scored,
        state.round,
        state.last_out,
        None if table is None else _without_turn(_without_window(table)),
        (*state.events, event),
        event,
    )
