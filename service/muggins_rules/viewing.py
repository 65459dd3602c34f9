"""Views of a match, built up from what each viewer may know."""

from muggins_rules.events import ClaimWindowClosed, Event, TilePlayed
from muggins_rules.legal import legal_outcomes
from muggins_rules.places import Count
from muggins_rules.projecting import project
from muggins_rules.state import MatchState, RoundState
from muggins_rules.tiles import tiles_of_mask
from muggins_rules.views import OpenWindow, Phase, PublicView, SeatView, Viewer

__all__ = ["public_view", "seat_view", "seen_events", "view"]


def view(
    state: MatchState, viewer: Viewer, past: tuple[tuple[Event, ...], ...] = ()
) -> SeatView | PublicView:
    """The view of a seat or of the public; `past` is given to a seat as it stands."""
    return public_view(state) if viewer is None else seat_view(state, viewer, past)


def seen_events(state: MatchState, viewer: Viewer) -> tuple[Event, ...]:
    """The current round's facts as a viewer saw them."""
    calling = state.rule_set.calling
    return tuple(project(event, viewer, calling=calling) for event in state.events)


def public_view(state: MatchState) -> PublicView:
    """What everyone sees."""
    return _table_view(state, seen_events(state, None))


def seat_view(state: MatchState, seat: int, past: tuple[tuple[Event, ...], ...] = ()) -> SeatView:
    """What the player in a seat knows."""
    table = state.table
    on_turn = table is not None and table.turn == seat
    window = None if table is None else table.window
    side_of, seats = state.rule_set.side_of, state.seats
    return SeatView(
        _table_view(state, ()),
        seat,
        () if table is None else tiles_of_mask(table.hands[seat]),
        legal_outcomes(state) if on_turn else (),
        window is not None and window.mover == seat and window.claimed is None,
        window is not None and side_of(seat, seats) != side_of(window.mover, seats),
        seen_events(state, seat),
        past,
    )


def _table_view(state: MatchState, round_events: tuple[Event, ...]) -> PublicView:
    table = state.table
    on_table = table is not None and state.phase is Phase.PLAYING
    return PublicView(
        state.rule_set,
        state.seats,
        state.phase,
        state.round,
        state.scores,
        table.turn if on_table and table is not None else None,
        tuple(hand.bit_count() for hand in table.hands) if table is not None else (),
        0 if table is None else len(table.boneyard),
        () if table is None else table.layout.attach_points,
        None if table is None else _shown_count(state, table),
        None if table is None else _shown_window(table),
        round_events,
    )


def _shown_count(state: MatchState, table: RoundState) -> Count | None:
    """The count of the table, with the points of its last placement; hidden while claimable."""
    if not table.layout.placements or table.window is not None:
        return None
    if state.rule_set.calling:
        told = [fact.count for fact in state.events if isinstance(fact, ClaimWindowClosed)]
        return told[-1] if told else None
    return _last_count(state)


def _last_count(state: MatchState) -> Count | None:
    for fact in reversed(state.events):
        if isinstance(fact, TilePlayed):
            return fact.count
    return None


def _shown_window(table: RoundState) -> OpenWindow | None:
    window = table.window
    if window is None:
        return None
    return OpenWindow(window.mover, window.placement, window.claimed, window.called)
