"""What holds in every position that legal play reaches, whatever the rule set."""

import copy
import pickle
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from muggins_rules import (
    PUBLIC,
    Action,
    Call,
    Claim,
    Draw,
    End,
    IllegalAction,
    MatchState,
    Orientation,
    Pass,
    Phase,
    Place,
    Placement,
    Port,
    Refusal,
    SeatView,
    Tile,
    Viewer,
    decide,
    evolve_all,
    kernel,
    legal_actions,
    legal_outcomes,
    project,
    view,
)
from muggins_rules.events import (
    ClaimWindowClosed,
    Event,
    MatchEnded,
    RoundDealt,
    RoundEnded,
    TileDrawn,
    TilePlayed,
)
from muggins_rules.layout import contributions_of, kernel_flags, move_word, value_at
from muggins_rules.placing import orientations
from muggins_rules.tiles import SET_CODES, TILES, codes_of_mask, mask_of
from tests.strategies import Play, plays

PORTS = tuple(Port)
ENDS = (None, *(End(tile, port) for tile in TILES for port in PORTS))
WAYS = (None, Orientation.CROSSWISE, Orientation.ENDWISE)
NO_TILES = (Tile(0, 7), Tile(5, 3), Tile(-1, 2))


@given(plays())
def test_the_set_is_always_parted_among_hands_boneyard_and_table(play: Play) -> None:
    whole = list(SET_CODES[play.start.rule_set.deal.highest_pip])
    for state in play.states:
        if state.table is not None:
            held = [code for hand in state.table.hands for code in codes_of_mask(hand)]
            laid = [placement.tile.code for placement in state.table.layout.placements]
            assert whole == sorted([*held, *state.table.boneyard, *laid])
            assert mask_of(TILES[code] for code in laid) == state.table.layout.laid


@given(plays())
def test_neighbours_agree_and_no_end_is_used_twice(play: Play) -> None:
    for state in play.states:
        if state.table is None:
            continue
        joined = [p.at for p in state.table.layout.placements[1:]]
        assert len(set(joined)) == len(joined)
        for placement in state.table.layout.placements[1:]:
            assert placement.at is not None
            assert value_at(*placement.at) in placement.tile


@given(plays())
def test_somebody_can_act_until_the_round_is_over_or_a_window_waits(play: Play) -> None:
    for state in play.states:
        if state.phase is Phase.PLAYING:
            assert state.table is not None
            assert legal_actions(state) or state.table.window is not None
        else:
            assert () == legal_actions(state)


@given(plays())
def test_every_legal_action_is_accepted(play: Play) -> None:
    for state in play.states[-8:]:
        for action in legal_actions(state):
            assert state.table is not None
            assert state.table.turn is not None
            assert decide(state, state.table.turn, action)


@settings(max_examples=60)
@given(plays())
def test_every_other_action_is_refused_by_name_and_changes_nothing(play: Play) -> None:
    state = play.last
    before = copy.deepcopy(state)
    turn = None if state.table is None else state.table.turn
    allowed = set(legal_actions(state))
    for action in every_turn_action():
        refusal = refusal_of(state, turn or 0, action)
        accepted = turn is not None and (action in allowed or is_plain_crosswise(state, action))
        assert accepted == (refusal is None), (action, refusal)
    for seat in range(state.seats):
        for action in (*allowed, Draw(), Pass()):
            if seat != turn:
                assert refusal_of(state, seat, action) is not None
    assert before == state


@given(plays())
def test_claims_and_calls_are_accepted_just_where_the_view_says_so(play: Play) -> None:
    for state in play.states[-8:]:
        for seat in range(state.seats):
            seen = view(state, seat)
            assert isinstance(seen, SeatView)
            window = seen.table.window
            number = 1 if window is None else window.placement
            assert seen.may_claim == (refusal_of(state, seat, Claim(5)) is None)
            assert seen.may_call == (refusal_of(state, seat, Call(number)) is None)
            assert refusal_of(state, seat, Call(number + 1)) is not None


@given(plays())
def test_replay_of_the_record_equals_live_play(play: Play) -> None:
    stored = pickle.loads(pickle.dumps(play.events))  # noqa: S301 - our own bytes, just written
    assert play.last == evolve_all(play.start, stored)


@given(plays())
def test_a_replayed_match_goes_on_as_the_live_one(play: Play) -> None:
    stored = [copy.deepcopy(event) for event in play.events]
    replayed = evolve_all(play.start, stored)
    if play.last.table is not None and play.last.table.turn is not None:
        seat = play.last.table.turn
        assert legal_outcomes(play.last) == legal_outcomes(replayed)
        for action in legal_actions(play.last):
            assert decide(play.last, seat, action) == decide(replayed, seat, action)


@given(plays(), st.randoms(use_true_random=False), st.data())
def test_unseen_tiles_may_be_swapped_and_no_viewer_sees_a_difference(
    play: Play, random: Random, data: st.DataObject
) -> None:
    start, state = last_round(play)
    assume(state.table is not None)
    viewer: Viewer = data.draw(st.sampled_from([PUBLIC, *range(state.seats)]))
    unseen = [tile for tile in deck_of(state) if tile not in seen_tiles(state, viewer)]
    mixed = list(unseen)
    random.shuffle(mixed)
    swap = dict(zip(unseen, mixed, strict=True))
    other = evolve_all(start, [swapped(event, swap) for event in state.events])
    calling = state.rule_set.calling
    assert [project(event, viewer, calling=calling) for event in state.events] == [
        project(event, viewer, calling=calling) for event in other.events
    ]
    assert view(state, viewer) == view(other, viewer)


@given(plays(), st.data())
def test_while_a_window_is_open_no_view_depends_on_the_count(
    play: Play, data: st.DataObject
) -> None:
    start, state = last_round(play)
    assume(state.table is not None and state.table.window is not None)
    viewer: Viewer = data.draw(st.sampled_from([PUBLIC, *range(state.seats)]))
    last = max(i for i, event in enumerate(state.events) if isinstance(event, TilePlayed))
    played = state.events[last]
    assert isinstance(played, TilePlayed)
    assert played.count is not None
    told = replace(played, count=played.count._replace(points=played.count.points + 5))
    other = evolve_all(start, [*state.events[:last], told, *state.events[last + 1 :]])
    assert state != other
    assert view(state, viewer) == view(other, viewer)
    assert project(played, viewer, calling=True) == project(told, viewer, calling=True)


@given(plays())
def test_the_word_of_the_layout_equals_the_folded_moves_of_the_kernel(play: Play) -> None:
    flags = kernel_flags(play.start.rule_set)
    for state in play.states:
        if state.table is not None:
            word = kernel.EMPTY_TABLE
            for placement in state.table.layout.placements:
                word = kernel.lay(word, move_word(placement), flags)
            assert word == state.table.layout.word


@given(plays())
def test_contributions_add_up_to_the_count_and_follow_from_the_attach_points(play: Play) -> None:
    free_sides = play.start.rule_set.layout.spinner.free_sides_count
    for state in play.states:
        if state.table is not None:
            layout = state.table.layout
            assert layout.count == sum(value for _, value in layout.contributions)
            assert layout.contributions == contributions_of(
                layout.attach_points, endwise=layout.endwise, free_sides_count=free_sides
            )


@given(plays())
def test_an_outcome_that_is_announced_is_what_happens(play: Play) -> None:
    for step in play.steps:
        played = next((event for event in step.events if isinstance(event, TilePlayed)), None)
        if not isinstance(step.action, Place) or played is None:
            continue  # also when closing the window before it ended the match
        told = {legal.action: legal.outcome for legal in legal_outcomes(step.before)}
        placed = Place(step.action.placement)
        if step.before.rule_set.calling:
            assert told[placed] is None
        else:
            assert told[placed] == played.count


@given(plays())
def test_scores_change_by_what_the_facts_tell(play: Play) -> None:
    scores = play.start.scores
    for event in play.events:
        match event:
            case TilePlayed(seat=seat, count=count, scores=told):
                assert count is not None
                if not play.start.rule_set.calling:
                    scores = added(play.start, scores, seat, count.points)
                assert scores == told
            case ClaimWindowClosed(_, credited, told):
                for credit in credited:
                    scores = added(play.start, scores, credit.seat, credit.points)
                assert scores == told
            case RoundEnded():
                scores = tuple(
                    score + line.change
                    for score, line in zip(scores, event.settlement, strict=True)
                )
                assert scores == tuple(line.score for line in event.settlement)
            case MatchEnded():
                assert scores == event.scores
            case _:
                pass
    assert scores == play.last.scores


def every_turn_action() -> Iterator[Action]:
    yield from (Draw(), Pass())
    for tile in (*TILES, *NO_TILES):
        for at in ENDS:
            for way in WAYS:
                yield Place(Placement(tile, at, way))


def refusal_of(state: MatchState, seat: int, action: Action) -> Refusal | None:
    try:
        decide(state, seat, action)
    except IllegalAction as illegal:
        return illegal.refusal
    return None


def is_plain_crosswise(state: MatchState, action: Action) -> bool:
    """A legal placement of a double without a choice, whose `crosswise` is said though implied."""
    if not isinstance(action, Place) or state.table is None:
        return False
    tile, at, way = action.placement
    if way is not Orientation.CROSSWISE or tile.low != tile.high:
        return False
    plain = Place(Placement(tile, at))
    rule = state.rule_set.layout.spinner
    return len(orientations(state.table.layout, tile, rule)) == 1 and plain in legal_actions(state)


def last_round(play: Play) -> tuple[MatchState, MatchState]:
    """The state before the current round began, and the last state."""
    deals = [step.before for step in play.steps if step.action is None and deals_of(step.events)]
    return (deals[-1] if deals else play.start), play.last


def deals_of(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, RoundDealt) for event in events)


def deck_of(state: MatchState) -> tuple[Tile, ...]:
    return next(
        event.deck for event in state.events if isinstance(event, RoundDealt) and event.deck
    )


def seen_tiles(state: MatchState, viewer: Viewer) -> set[Tile]:
    """The tiles of the deck whose place the viewer has been shown."""
    seen: set[Tile] = set()
    for event in state.events:
        match project(event, viewer, calling=state.rule_set.calling):
            case RoundDealt(hand=hand):
                seen |= set(hand or ())
            case TileDrawn(tile=tile) if tile is not None:
                seen.add(tile)
            case TilePlayed(placement=placement):
                seen.add(placement.tile)
            case RoundEnded(hands=hands) | MatchEnded(hands=hands):
                seen |= {tile for hand in hands for tile in hand.tiles}
            case _:
                pass
    return seen


def swapped(event: Event, swap: dict[Tile, Tile]) -> Event:
    """The record of an event in a world where unseen tiles have changed places."""

    def moved(tile: Tile) -> Tile:
        return swap.get(tile, tile)

    if isinstance(event, RoundDealt) and event.deck is not None:
        lead = event.must_lead
        return replace(
            event,
            deck=tuple(map(moved, event.deck)),
            must_lead=None if lead is None else moved(lead),
        )
    if isinstance(event, TileDrawn) and event.tile is not None:
        return replace(event, tile=moved(event.tile))
    return event


def added(state: MatchState, scores: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
    gaining = state.rule_set.side_of(seat, state.seats)
    return tuple(score + points * (side == gaining) for side, score in enumerate(scores))
