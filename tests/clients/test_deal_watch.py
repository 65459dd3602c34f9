"""Deals checked while the match is played, by what a seat or the public is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from muggins.v1 import events_pb2, views_pb2
from muggins_client import DealWatch, EventsSeen, FindingName, Kept, PresenceSeen, SnapshotSeen
from muggins_rules import PRESETS
from tests.clients.played import MATCH_ID, PlayedMatch, play_match

ALL_FIVES = PRESETS["all_fives"]
GAMES = [
    pytest.param(replace(PRESETS[name], calling=calling), seats, id=f"{name}-{seats}-{calling}")
    for name, seats in (("muggins", 3), ("all_fives", 2), ("sniff", 4), ("latin_american", 4))
    for calling in (False, True)
]


@pytest.fixture(scope="module")
def match() -> PlayedMatch:
    return play_match(ALL_FIVES, seed=3, most_rounds=4)


def watch_of(match: PlayedMatch, seat: int | None) -> DealWatch:
    if seat is None:
        return DealWatch(MATCH_ID, match.record.fairness_anchor)
    return DealWatch.of_kept(replace(match.kept_by(seat), commitments=()))


def seen(*events: events_pb2.Event) -> EventsSeen:
    return EventsSeen(events, ())


def first(events: list[events_pb2.Event], kind: str) -> events_pb2.Event:
    return next(event for event in events if event.WhichOneof("fact") == kind)


@pytest.mark.parametrize("viewer", [None, 0, 1])
@pytest.mark.parametrize(("rule_set", "seats"), GAMES)
def test_every_viewer_finds_a_fair_match_clean(
    rule_set: object, seats: int, viewer: int | None
) -> None:
    match = play_match(rule_set, seats, seed=seats, most_rounds=3)  # type: ignore[arg-type]
    watch = watch_of(match, viewer)
    for event in match.seen_by(viewer):
        watch.see(seen(event))
    assert () == watch.findings
    assert 3 == watch.rounds_checked


def test_a_round_is_judged_when_its_secret_is_out(match: PlayedMatch) -> None:
    watch = watch_of(match, 0)
    checked = []
    for event in match.seen_by(0):
        watch.see(seen(event))
        if event.WhichOneof("fact") in {"turn_started", "round_ended"}:
            checked.append(watch.rounds_checked)
    assert 0 == checked[0]
    assert sorted(checked) == checked
    assert 4 == checked[-1]


def test_another_hand_than_the_secret_gives_is_named(match: PlayedMatch) -> None:
    events = match.seen_by(0)
    hand = first(events, "round_dealt").round_dealt.hand
    hand[0].low, hand[0].high = next(
        (low, 6) for low in range(7) if all((t.low, t.high) != (low, 6) for t in hand)
    )
    assert FindingName.HAND_MISMATCH in {f.name for f in watch_of(match, 0).see(seen(*events))}


def test_another_draw_than_the_secret_gives_is_named(match: PlayedMatch) -> None:
    events = match.seen_by(1)
    drawn = next(
        event.tile_drawn
        for event in events
        if event.WhichOneof("fact") == "tile_drawn" and event.tile_drawn.HasField("tile")
    )
    drawn.tile.low, drawn.tile.high = (0, 0) if drawn.tile.high else (1, 1)
    assert FindingName.DRAW_MISMATCH in {f.name for f in watch_of(match, 1).see(seen(*events))}


def test_a_hidden_tile_shown_to_the_wrong_seat_is_noticed(match: PlayedMatch) -> None:
    events = match.seen_by(0)
    for event in events:
        if event.WhichOneof("fact") == "tile_drawn" and not event.tile_drawn.HasField("tile"):
            fact = match.facts[event.sequence]
            event.tile_drawn.tile.low, event.tile_drawn.tile.high = fact.tile  # type: ignore[union-attr,misc]
            break
    assert FindingName.DRAW_MISMATCH in {f.name for f in watch_of(match, 0).see(seen(*events))}


def test_another_anchor_than_at_joining_is_named(match: PlayedMatch) -> None:
    watch = DealWatch.of_kept(replace(match.kept_by(0), anchor=b"x" * 32))
    names = {finding.name for finding in watch.see(seen(*match.seen_by(0)))}
    assert {FindingName.ANCHOR_MISMATCH, FindingName.SECRET_INVALID} == names


def test_what_is_kept_grows_with_the_events(match: PlayedMatch) -> None:
    watch = watch_of(match, 0)
    watch.see(seen(*match.seen_by(0)))
    assert match.kept_by(0).commitments == watch.kept.commitments
    assert match.nonces == watch.kept.nonces
    assert watch.kept == Kept.from_json(watch.kept.to_json())


def snapshot_at(match: PlayedMatch, seat: int, version: int) -> SnapshotSeen:
    """What a seat's snapshot tells of the rounds up to a version."""
    rounds: list[list[events_pb2.Event]] = []
    before = ""
    for event in match.seen_by(seat)[:version]:
        kind = event.WhichOneof("fact") or ""
        if not event.round:
            continue
        if kind in {"lot_drawn", "round_dealt"} and before != "lot_drawn":
            rounds.append([])
        rounds[-1].append(event)
        before = kind
    table = views_pb2.PublicView(
        version=version,
        rule_set=match.record.rule_set,
        seats=[views_pb2.SeatInfo(seat=number) for number in range(match.record.seats)],
        fairness_anchor=match.record.fairness_anchor,
    )
    *past, current = rounds
    view = views_pb2.SeatView(
        table=table,
        seat=seat,
        round_events=current,
        past=[views_pb2.RoundSummary(events=events) for events in past],
    )
    return SnapshotSeen(view, gap=True)


def test_another_process_goes_on_from_what_was_kept_and_a_snapshot(match: PlayedMatch) -> None:
    before = watch_of(match, 0)
    events = match.seen_by(0)
    middle = next(
        event.sequence
        for event in events
        if event.WhichOneof("fact") == "tile_played" and event.round == 3
    )
    before.see(seen(*events[:middle]))
    after = DealWatch.of_kept(Kept.from_json(before.kept.to_json()))
    after.see(snapshot_at(match, 0, middle))
    after.see(seen(*events[middle:]))
    assert () == after.findings
    assert 4 == after.rounds_checked


def test_without_the_nonces_nothing_is_claimed(match: PlayedMatch) -> None:
    watch = watch_of(match, 0)
    middle = len(match.events) // 2
    watch.see(snapshot_at(match, 0, middle))
    watch.see(seen(*match.seen_by(0)[middle:]))
    assert () == watch.findings
    assert 0 == watch.rounds_checked


def test_presence_changes_nothing(match: PlayedMatch) -> None:
    assert () == watch_of(match, None).see(PresenceSeen((), 3))
