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
        case TurnStarted():
            return _with_table(state, event, _with_turn(_table(state), event.seat))
        case TileDrawn():
            return _tile_drawn(state, event)
        case SeatPassed():
            return _with_table(state, event, _with_turn(_table(state), None))
        case PointsClaimed() | MugginsCalled():
            return _with_table(state, event, _with_saying(_table(state), event))
        case ClaimWindowClosed(_, _, scores):
            return _scored(state, event, scores, _table(state)._replace(window=None))
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
    rule_set, seats, phase, scores, have_scored, number, last_out, _, events, result = state
    return MatchState(
        rule_set,
        seats,
        phase,
        scores,
        have_scored,
        number,
        last_out,
        table,
        (*events, event),
        result,
    )


def _scored(
    state: MatchState, event: Event, scores: tuple[int, ...], table: RoundState
) -> MatchState:
    after = _with_table(state, event, table)
    if scores == state.scores:
        return after
    return after._replace(scores=scores, have_scored=_scorers(state, scores))


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
    seat = event.seat
    opener, hands, boneyard, _, layout, _, _, _ = table
    layout = restored_layout(layout, event.placement, event.attach_points, count.contributions)
    hands = (*hands[:seat], hands[seat] & ~layout.laid, *hands[seat + 1 :])
    window = Window(seat, event.number, count) if state.rule_set.calling else None
    after = RoundState(opener, hands, boneyard, None, layout, None, None, window)
    return _scored(state, event, scores, after)


def _tile_drawn(state: MatchState, event: TileDrawn) -> MatchState:
    table = _table(state)
    assert event.tile is not None, "the record holds the tile"
    code = event.tile.code
    hands = list(table.hands)
    hands[event.seat] |= 1 << code
    boneyard = table.boneyard
    at = boneyard.index(code)
    after = RoundState(
        table.opener,
        tuple(hands),
        boneyard[:at] + boneyard[at + 1 :],
        table.must_lead,
        table.layout,
        table.turn,
        code,
        table.window,
    )
    return _with_table(state, event, after)


def _with_turn(table: RoundState, seat: int | None) -> RoundState:
    opener, hands, boneyard, must_lead, layout, _, _, window = table
    return RoundState(opener, hands, boneyard, must_lead, layout, seat, None, window)


def _at_rest(table: RoundState) -> RoundState:
    """The round once nobody is to act or to speak."""
    return table._replace(turn=None, drawn=None, window=None)


def _with_saying(table: RoundState, fact: PointsClaimed | MugginsCalled) -> RoundState:
    window = table.window
    assert window is not None, "claims and calls are made while a window is open"
    said = (*window.said, fact)
    return table._replace(window=Window(window.mover, window.placement, window.count, said))


def _with_events(state: MatchState, event: LotDrawn | RoundDealt) -> MatchState:
    """The state in which an event of the coming round is the next of its events."""
    goes_on = bool(state.events) and isinstance(state.events[-1], LotDrawn)
    return state._replace(events=(*state.events, event) if goes_on else (event,))


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
    return _with_events(state, event)._replace(
        phase=Phase.PLAYING, round=event.round, table=table, result=None
    )


def _round_ended(state: MatchState, event: RoundEnded) -> MatchState:
    scores = tuple([line.score for line in event.settlement])
    return state._replace(
        phase=Phase.ROUND_OVER,
        scores=scores,
        have_scored=_scorers(state, scores),
        last_out=event.went_out,
        table=_at_rest(_table(state)),
        events=(*state.events, event),
        result=None,
    )


def _match_ended(state: MatchState, event: MatchEnded) -> MatchState:
    table = state.table
    return state._replace(
        phase=Phase.OVER,
        scores=event.scores,
        table=None if table is None else _at_rest(table),
        events=(*state.events, event),
        result=event,
    )
