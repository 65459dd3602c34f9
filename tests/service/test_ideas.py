"""Every idea of a move is true of it, in positions reached by play at random."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from muggins_rules import (
    PRESETS,
    Action,
    Draw,
    MatchState,
    Pass,
    Phase,
    Place,
    RoundChance,
    close_window,
    deal_round,
    decide,
    evolve_all,
    legal_actions,
    new_match,
    preset,
)
from muggins_rules.events import TilePlayed
from muggins_rules.tiles import Tile, tiles_of_mask
from muggins_rules.viewing import seat_view
from muggins_service.opponents.ideas import IDEAS, Idea, idea_of, shown_voids

GAMES = [
    (name, seats, calling)
    for name, rule_set in PRESETS.items()
    for seats in rule_set.seat_counts
    for calling in (False, True)
]


def _positions(
    name: str, seats: int, *, calling: bool, rounds: int = 6
) -> Iterator[tuple[MatchState, int]]:
    """The states of some rounds played at random in which a seat is on turn, and the seat."""
    random = Random(f"{name} {seats} {calling}")
    for _ in range(rounds):
        codes = list(range(28))
        chance = RoundChance(tuple(random.sample(codes, 28)), tuple(random.sample(codes, 28)))
        state = new_match(preset(name, calling=calling), seats)
        state = evolve_all(state, deal_round(state, chance))
        while state.phase is Phase.PLAYING:
            assert state.table is not None
            seat = state.table.turn
            if seat is None:
                state = evolve_all(state, close_window(state))
                continue
            yield state, seat
            action = random.choice(legal_actions(state))
            state = evolve_all(state, decide(state, seat, action))


def _hand(state: MatchState, seat: int) -> tuple[Tile, ...]:
    assert state.table is not None
    return tiles_of_mask(state.table.hands[seat])


def _played(state: MatchState, seat: int, action: Action) -> TilePlayed:
    facts = decide(state, seat, action)
    return next(fact for fact in facts if isinstance(fact, TilePlayed))


def _points(state: MatchState, seat: int, action: Action) -> int:
    count = _played(state, seat, action).count
    assert count is not None
    return count.points


def _opens(state: MatchState, seat: int, action: Action) -> set[int]:
    return {point.value for point in _played(state, seat, action).attach_points}


def _is_true(state: MatchState, seat: int, action: Action, idea: Idea) -> bool:
    """Whether an idea is true of an action, by the whole state."""
    rule_set, seats = state.rule_set, state.seats
    legal = legal_actions(state)
    if idea.key in {"draw", "pass"}:
        return legal == ((Draw(),) if idea.key == "draw" else (Pass(),))
    most = max(_points(state, seat, other) for other in legal)
    points, opens = _points(state, seat, action), _opens(state, seat, action)
    tiles = {other.placement.tile for other in legal if isinstance(other, Place)}
    tile = _played(state, seat, action).placement.tile
    following = rule_set.next_seat(seat, seats)
    side = rule_set.side_of(seat, seats)
    others = [other for other in range(seats) if other != seat]
    lacking = [
        other
        for other in others
        if idea.value is not None and not any(idea.value in held for held in _hand(state, other))
    ]
    sides = {rule_set.side_of(other, seats) for other in lacking}
    truths = {
        "only_move": len(legal) == 1,
        "go_out": len(_hand(state, seat)) == 1,
        "points_now": points == most > 0,
        "better_than_points": points < most,
        "shut_out": not any(opens & set(held) for held in _hand(state, following)),
        "keep_number": idea.value in opens and bool(sides - {side}),
        "close_number": idea.value not in opens and side in sides,
        "one_tile": len(tiles) == 1 < len(legal) and not most,
        "heavy_tile": tile.pips == max(t.pips for t in tiles) >= 9 and not most,
        "double": tile.is_double and not most,
        "no_points": not most,
    }
    return truths[idea.key]


@pytest.mark.parametrize(("name", "seats", "calling"), GAMES)
def test_an_idea_is_true_of_its_move(name: str, seats: int, *, calling: bool) -> None:
    for state, seat in _positions(name, seats, calling=calling):
        view = seat_view(state, seat)
        for action in legal_actions(state):
            idea = idea_of(view, action)
            assert _is_true(state, seat, action, idea), (idea, action)


@pytest.mark.parametrize(("name", "seats", "calling"), GAMES)
def test_what_a_draw_or_pass_showed_is_so(name: str, seats: int, *, calling: bool) -> None:
    for state, seat in _positions(name, seats, calling=calling):
        for other, lacked in enumerate(shown_voids(seat_view(state, seat))):
            held = {value for tile in _hand(state, other) for value in tile}
            if other != seat:
                assert not [value for value in held if lacked >> value & 1]


def test_every_idea_occurs() -> None:
    found: Counter[str] = Counter()
    for name, seats, calling in GAMES:
        for state, seat in _positions(name, seats, calling=calling, rounds=4):
            view = seat_view(state, seat)
            found.update(idea_of(view, action).key for action in legal_actions(state))
    assert set(IDEAS) == set(found)


def test_a_claim_with_the_placement_changes_no_idea() -> None:
    for state, seat in _positions("all_fives", 2, calling=True, rounds=1):
        view = seat_view(state, seat)
        for action in legal_actions(state):
            if isinstance(action, Place):
                assert idea_of(view, action) == idea_of(view, Place(action.placement, 15))
