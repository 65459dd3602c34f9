"""Views that others give: what follows from the events is filled in, what cannot be is refused."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from muggins_rules.actions import Draw, Pass, Place
from muggins_rules.events import RoundDealt, SeatPassed, TileDrawn, TilePlayed
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import RuleSet
from muggins_rules.seen_view import InconsistentView, completed_view
from muggins_rules.tiles import tile_of
from muggins_rules.viewing import seat_view
from muggins_rules.views import PublicView, SeatView
from tests.ai.tables import TABLES, Table, random_states


def bare(view: SeatView) -> SeatView:
    """The view with nothing but its events."""
    table = view.table
    empty = PublicView(
        table.rule_set, table.seats, table.phase, 0, (), None, (), 0, (), None, None, ()
    )
    return replace(view, table=empty, hand=(), legal_actions=())


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_view_is_what_follows_from_its_events(table: Table) -> None:
    """Round by round, every seat on turn; scores come from the round before, or from the events."""
    seen = 0
    for state in random_states(table, "seen", rounds=3):
        assert state.table is not None
        seat = state.table.turn
        assert seat is not None
        view = seat_view(state, seat)
        assert view == completed_view(view)
        if state.round == 1:
            assert view == completed_view(bare(view))
        seen += 1
    assert seen > 10


def some_view(rule_set: RuleSet = PRESETS["muggins"], seats: int = 2) -> SeatView:
    """A view in the middle of a round in which the other seat has drawn."""
    for state in random_states(Table(rule_set, seats), "forged", rounds=40):
        assert state.table is not None
        seat = state.table.turn
        assert seat is not None
        view = seat_view(state, seat)
        drew = any(isinstance(f, TileDrawn) and f.seat != seat for f in view.round_events)
        own = any(isinstance(f, TileDrawn) and f.seat == seat for f in view.round_events)
        if drew and own and len(view.legal_actions) > 1:
            return view
    raise AssertionError("some round has such a position")


def _hand(view: SeatView) -> SeatView:
    other = next(tile for tile in map(tile_of, range(28)) if tile not in view.hand)
    return replace(view, hand=(*view.hand[1:], other))


def _table(**changed: object) -> Callable[[SeatView], SeatView]:
    return lambda view: replace(view, table=replace(view.table, **changed))  # type: ignore[arg-type]


FORGED: dict[str, tuple[Callable[[SeatView], SeatView], str]] = {
    "a tile it does not have": (_hand, "hand"),
    "other scores": (_table(scores=(995, 5)), "table.scores"),
    "other sizes": (_table(hand_sizes=(1, 1)), "table.seats"),
    "another boneyard": (_table(boneyard=27), "table.boneyard"),
    "another round": (_table(round=9), "table.round"),
    "an action too few": (
        lambda view: replace(view, legal_actions=view.legal_actions[1:]),
        "legal_actions",
    ),
    "no deal": (
        lambda view: replace(view, round_events=view.round_events[1:]),
        "round_events",
    ),
    "no events": (lambda view: replace(view, round_events=()), "round_events"),
}


@pytest.mark.parametrize("forged", FORGED)
def test_what_does_not_follow_is_refused_by_the_name_of_its_field(forged: str) -> None:
    change, field = FORGED[forged]
    with pytest.raises(InconsistentView) as refused:
        completed_view(change(some_view()))
    assert field == refused.value.field


def test_events_of_which_one_is_left_out_or_changed_are_refused() -> None:
    view = some_view()
    events = view.round_events
    for at, fact in enumerate(events):
        if isinstance(fact, TilePlayed | TileDrawn | SeatPassed):
            with pytest.raises(InconsistentView, match="round_events"):
                completed_view(replace(view, round_events=events[:at] + events[at + 1 :]))
        if isinstance(fact, TilePlayed):
            moved = replace(fact, seat=1 - fact.seat)
            with pytest.raises(InconsistentView, match="round_events"):
                completed_view(replace(view, round_events=(*events[:at], moved, *events[at + 1 :])))


def test_a_tile_in_two_places_is_refused() -> None:
    view = some_view()
    events = list(view.round_events)
    at = next(at for at, fact in enumerate(events) if isinstance(fact, RoundDealt))
    dealt = events[at]
    assert isinstance(dealt, RoundDealt)
    assert dealt.hand is not None
    played = next(
        fact.placement.tile
        for fact in events
        if isinstance(fact, TilePlayed) and fact.seat != view.seat
    )
    events[at] = replace(dealt, hand=tuple(sorted((*dealt.hand[1:], played))))
    with pytest.raises(InconsistentView, match="round_events"):
        completed_view(replace(view, hand=(), round_events=tuple(events)))


def test_random_changes_of_a_view_are_refused_or_lead_to_a_lawful_view() -> None:
    chance = random.Random("mutations")
    view = some_view(PRESETS["all_fives"])
    events = view.round_events
    for _ in range(200):
        changed = list(events)
        a, b = chance.randrange(len(changed)), chance.randrange(len(changed))
        changed[a], changed[b] = changed[b], changed[a]
        try:
            found = completed_view(replace(bare(view), round_events=tuple(changed)))
        except InconsistentView:
            continue
        assert all(isinstance(legal.action, Place | Draw | Pass) for legal in found.legal_actions)
