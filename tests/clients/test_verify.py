"""Exports that are clean, and every kind of lie in one that is found by its name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import pytest

from muggins.v1 import events_pb2, records_pb2, tiles_pb2
from muggins_client import FindingName, Kept, verify_record
from muggins_rules import PRESETS
from muggins_rules.fair_deal import Chain
from muggins_rules.ruleset import HouseRules
from tests.clients.played import MATCH_ID, PlayedMatch, play_match

if TYPE_CHECKING:
    from collections.abc import Callable

MUGGINS = PRESETS["muggins"]
ALL_FIVES = PRESETS["all_fives"]
CALLING = replace(ALL_FIVES, calling=True)

GAMES = [
    pytest.param(replace(rule_set, calling=calling), seats, id=f"{name}-{seats}-{calling}")
    for name, rule_set in PRESETS.items()
    for seats in rule_set.seat_counts
    for calling in (False, True)
]


@pytest.fixture(scope="module")
def plain() -> PlayedMatch:
    """A match of All Fives to its target."""
    match = play_match(ALL_FIVES, seed=3)
    assert "match_ended" == match.events[-1].WhichOneof("fact")
    assert events_pb2.MATCH_END_REASON_TARGET_REACHED == match.events[-1].match_ended.reason
    return match


@pytest.fixture(scope="module")
def called() -> PlayedMatch:
    """A match with calling, cut off after some rounds."""
    return play_match(CALLING, seed=5, most_rounds=6)


class Damage(Protocol):
    """Changes one event in place."""

    def __call__(self, event: events_pb2.Event, /) -> None: ...


def names_after(match: PlayedMatch, kind: str, damage: Damage, which: int = 0) -> list[str]:
    """Findings when the `which`-th event of a kind is damaged, against what seat 0 kept."""
    record = records_pb2.MatchRecord()
    record.CopyFrom(match.record)
    events = [event for entry in record.records for event in entry.events]
    damage([event for event in events if event.WhichOneof("fact") == kind][which])
    return [finding.name for finding in verify_record(record, match.kept_by(0)).findings]


@pytest.mark.parametrize(("rule_set", "seats"), GAMES)
def test_a_match_played_by_the_rules_is_clean(rule_set: object, seats: int) -> None:
    match = play_match(rule_set, seats, seed=seats, most_rounds=4)  # type: ignore[arg-type]
    report = verify_record(match.record, match.kept_by(0))
    assert () == report.findings
    dealt = [event for event in match.events if event.WhichOneof("fact") == "round_dealt"]
    assert len(dealt) == report.rounds_checked
    assert (0,) == report.seats_with_nonce


def test_a_match_that_was_cancelled_in_a_round_is_clean() -> None:
    match = play_match(ALL_FIVES, seed=2, cancel_in_round=2)
    assert match.events[-1].match_ended.secret
    report = verify_record(match.record, match.kept_by(0))
    assert ((), 2) == (report.findings, report.rounds_checked)


def test_a_match_with_house_rules_and_a_round_limit_is_clean() -> None:
    house = HouseRules(exact_target=True, first_score_minimum=10, round_limit=3)
    match = play_match(replace(MUGGINS, id="ours", house_rules=house), 3, seed=8)
    assert () == verify_record(match.record).findings
    assert events_pb2.MATCH_END_REASON_ROUND_LIMIT == match.events[-1].match_ended.reason


def test_a_match_without_any_nonce_says_so() -> None:
    match = play_match(ALL_FIVES, seed=4, with_nonce=(), most_rounds=2)
    assert () == verify_record(match.record).seats_with_nonce


def test_without_anything_kept_the_anchor_is_the_exports_own(plain: PlayedMatch) -> None:
    report = verify_record(plain.record)
    assert report.is_clean
    assert not report.anchor_was_kept


def test_an_exchanged_match_is_found_by_the_anchor_that_was_kept(plain: PlayedMatch) -> None:
    other = play_match(ALL_FIVES, seed=9, with_nonce=(), most_rounds=2)
    kept = replace(plain.kept_by(0), nonce=b"", commitments=())
    names = {finding.name for finding in verify_record(other.record, kept).findings}
    assert {FindingName.ANCHOR_MISMATCH, FindingName.SECRET_INVALID} == names


def test_another_match_than_the_one_kept_is_named(plain: PlayedMatch) -> None:
    kept = replace(plain.kept_by(0), match_id="another")
    names = [finding.name for finding in verify_record(plain.record, kept).findings]
    assert FindingName.MATCH_MISMATCH == names[0]


def test_the_own_nonce_left_out_of_the_shuffle_is_named(plain: PlayedMatch) -> None:
    kept = Kept(MATCH_ID, plain.record.fairness_anchor, 1, b"n" * 32)
    names = [finding.name for finding in verify_record(plain.record, kept).findings]
    assert [FindingName.NONCE_MISSING] == names


def test_a_commitment_exchanged_after_joining_is_named(plain: PlayedMatch) -> None:
    kept = replace(plain.kept_by(0), commitments=(b"c" * 32, b""))
    names = [finding.name for finding in verify_record(plain.record, kept).findings]
    assert [FindingName.COMMITMENT_MISMATCH] == names


def test_a_finding_tells_its_event(plain: PlayedMatch) -> None:
    record = records_pb2.MatchRecord()
    record.CopyFrom(plain.record)
    events = [event for entry in record.records for event in entry.events]
    played = next(event for event in events if event.WhichOneof("fact") == "tile_played")
    played.tile_played.count.sum += 1
    (finding,) = verify_record(record).findings
    assert (FindingName.COUNT_MISMATCH, played.sequence) == (finding.name, finding.sequence)
    assert f"count_mismatch at {played.sequence}: TilePlayed.count" == str(finding)


def _swap(tiles: list[tiles_pb2.Tile]) -> None:
    first, last = tiles_pb2.Tile(), tiles_pb2.Tile()
    first.CopyFrom(tiles[0])
    last.CopyFrom(tiles[-1])
    tiles[0].CopyFrom(last)
    tiles[-1].CopyFrom(first)


def _other(tile: tiles_pb2.Tile) -> None:
    tile.low, tile.high = (0, 1) if (tile.low, tile.high) == (0, 0) else (0, 0)


def _set(path: str, value: object) -> Damage:
    *parents, name = path.split(".")

    def damage(event: events_pb2.Event) -> None:
        message: object = event
        for parent in parents:
            message = getattr(message, parent)
        setattr(message, name, value)

    return damage


def _add(path: str, amount: int = 1) -> Damage:
    *parents, name = path.split(".")

    def damage(event: events_pb2.Event) -> None:
        message: object = event
        for parent in parents:
            message = getattr(message, parent)
        setattr(message, name, getattr(message, name) + amount)

    return damage


def _raise_first(of: Callable[[events_pb2.Event], list[int]]) -> Damage:
    def damage(event: events_pb2.Event) -> None:
        numbers = of(event)
        numbers[0] += 5

    return damage


N = FindingName

PLAIN_LIES: list[tuple[str, Damage, FindingName]] = [
    ("match_created", _set("match_created.fairness_anchor", b"x" * 32), N.ANCHOR_MISMATCH),
    ("match_created", _set("match_created.seats", 4), N.CREATION_MISMATCH),
    ("match_created", _set("match_created.rule_set.id", "muggins"), N.CREATION_MISMATCH),
    ("seat_taken", _set("seat_taken.nonce_commitment", b"x" * 32), N.NONCE_MISMATCH),
    ("seat_taken", _set("seat_taken.nonce_commitment", b""), N.NONCE_UNCOMMITTED),
    ("nonce_revealed", _set("nonce_revealed.nonce", b"x" * 32), N.NONCE_MISMATCH),
    ("lot_drawn", lambda event: _other(event.lot_drawn.tile), N.LOT_MISMATCH),
    ("lot_drawn", _add("lot_drawn.attempt"), N.LOT_MISMATCH),
    ("round_dealt", lambda event: _swap(list(event.round_dealt.deck)), N.DECK_MISMATCH),
    ("round_dealt", lambda event: _turn_seat(event.round_dealt), N.OPENER_MISMATCH),
    ("round_dealt", _add("round_dealt.boneyard"), N.DEAL_MISMATCH),
    ("round_dealt", _add("round"), N.DEAL_MISMATCH),
    ("turn_started", lambda event: _turn_seat(event.turn_started), N.TURN_MISMATCH),
    ("tile_played", lambda event: _other(event.tile_played.placement.tile), N.ILLEGAL_ACTION),
    ("tile_played", lambda event: _turn_seat(event.tile_played), N.ILLEGAL_ACTION),
    ("tile_played", _add("tile_played.number"), N.PLACEMENT_MISMATCH),
    (
        "tile_played",
        lambda event: event.tile_played.attach_points.pop() and None,
        N.PLACEMENT_MISMATCH,
    ),
    ("tile_played", _add("tile_played.count.sum", 5), N.COUNT_MISMATCH),
    ("tile_played", _add("tile_played.count.points", 5), N.COUNT_MISMATCH),
    (
        "tile_played",
        _raise_first(lambda event: event.tile_played.scores),  # type: ignore[arg-type,return-value]
        N.SCORE_MISMATCH,
    ),
    ("tile_drawn", lambda event: _other(event.tile_drawn.tile), N.DRAW_MISMATCH),
    ("tile_drawn", _add("tile_drawn.boneyard"), N.DRAW_MISMATCH),
    ("seat_passed", lambda event: _turn_seat(event.seat_passed), N.ILLEGAL_ACTION),
    ("round_ended", lambda event: _flip(event.round_ended, "blocked"), N.ROUND_END_MISMATCH),
    ("round_ended", lambda event: event.round_ended.ClearField("went_out"), N.ROUND_END_MISMATCH),
    ("round_ended", lambda event: event.round_ended.ClearField("winning_side"), N.WINNER_MISMATCH),
    (
        "round_ended",
        lambda event: _set_pips(event.round_ended.hands[0]),
        N.SHOWN_HANDS_MISMATCH,
    ),
    (
        "round_ended",
        lambda event: _settle_more(event.round_ended.settlement[0]),
        N.SETTLEMENT_MISMATCH,
    ),
    ("round_ended", _set("round_ended.secret", b""), N.SECRET_MISSING),
    ("round_ended", _set("round_ended.secret", b"x" * 32), N.SECRET_INVALID),
    (
        "match_ended",
        lambda event: event.match_ended.ClearField("winning_side"),
        N.WINNER_MISMATCH,
    ),
    ("match_ended", _set("match_ended.reason", 2), N.MATCH_END_MISMATCH),
    (
        "match_ended",
        _raise_first(lambda event: event.match_ended.scores),  # type: ignore[arg-type,return-value]
        N.MATCH_END_MISMATCH,
    ),
]


def _turn_seat(fact: object) -> None:
    name = "opener" if hasattr(fact, "opener") else "seat"
    setattr(fact, name, 1 - getattr(fact, name))


def _flip(fact: object, name: str) -> None:
    setattr(fact, name, not getattr(fact, name))


def _set_pips(hand: events_pb2.ShownHand) -> None:
    hand.pips += 1


def _settle_more(line: events_pb2.Settlement) -> None:
    line.change += 5
    line.score += 5


@pytest.mark.parametrize(
    ("kind", "damage", "name"),
    [pytest.param(*lie, id=f"{number}-{lie[0]}") for number, lie in enumerate(PLAIN_LIES)],
)
def test_each_lie_is_found_by_its_name(
    plain: PlayedMatch, kind: str, damage: Damage, name: FindingName
) -> None:
    assert name in names_after(plain, kind, damage)


CALLED_LIES: list[tuple[str, Damage, FindingName]] = [
    ("points_claimed", lambda event: _turn_seat(event.points_claimed), N.ILLEGAL_ACTION),
    ("muggins_called", _set("muggins_called.placement_sequence", 1), N.ILLEGAL_ACTION),
    ("claim_window_closed", _add("claim_window_closed.count.sum"), N.COUNT_MISMATCH),
    (
        "claim_window_closed",
        lambda event: event.claim_window_closed.credits.add(points=5) and None,
        N.CREDIT_MISMATCH,
    ),
    (
        "claim_window_closed",
        _raise_first(lambda event: event.claim_window_closed.scores),  # type: ignore[arg-type,return-value]
        N.SCORE_MISMATCH,
    ),
]


@pytest.mark.parametrize(
    ("kind", "damage", "name"),
    [pytest.param(*lie, id=f"{number}-{lie[0]}") for number, lie in enumerate(CALLED_LIES)],
)
def test_each_lie_about_calling_is_found_by_its_name(
    called: PlayedMatch, kind: str, damage: Damage, name: FindingName
) -> None:
    assert name in names_after(called, kind, damage)


def test_a_nonce_of_a_seat_that_committed_to_none_is_named(plain: PlayedMatch) -> None:
    def damage(event: events_pb2.Event) -> None:
        event.match_started.nonces[1] = b"x" * 32

    names = names_after(plain, "match_started", damage)
    assert FindingName.NONCE_UNCOMMITTED in names
    assert FindingName.DECK_MISMATCH in names


def test_one_wrong_number_is_one_finding(plain: PlayedMatch) -> None:
    assert [N.COUNT_MISMATCH] == names_after(plain, "tile_played", _add("tile_played.count.sum"))


def test_an_event_left_out_is_named(plain: PlayedMatch) -> None:
    record = records_pb2.MatchRecord()
    record.CopyFrom(plain.record)
    entry = next(entry for entry in record.records if len(entry.events) == 2)
    del entry.events[1]
    names = [finding.name for finding in verify_record(record).findings]
    assert FindingName.SEQUENCE_GAP in names
    assert FindingName.VERSION_MISMATCH in names
    assert FindingName.EVENT_UNEXPECTED in names


def test_an_export_that_stops_early_is_named(plain: PlayedMatch) -> None:
    record = records_pb2.MatchRecord()
    record.CopyFrom(plain.record)
    del record.records[-1]
    names = [finding.name for finding in verify_record(record).findings]
    assert FindingName.END_MISSING in names


def test_a_round_that_ended_without_the_match_it_decides_is_named() -> None:
    house = HouseRules(round_limit=1)
    match = play_match(replace(MUGGINS, id="short", house_rules=house), seed=1)
    last = match.record.records[-1]
    assert ["round_ended", "match_ended"] == [e.WhichOneof("fact") for e in last.events][-2:]
    del last.events[-1]
    names = [finding.name for finding in verify_record(match.record).findings]
    assert FindingName.EVENT_MISSING in names


def test_a_tile_that_does_not_exist_is_named(plain: PlayedMatch) -> None:
    def damage(event: events_pb2.Event) -> None:
        event.tile_played.placement.tile.high = 9

    assert FindingName.EVENT_MALFORMED in names_after(plain, "tile_played", damage)


def test_a_seat_that_does_not_exist_is_named(called: PlayedMatch) -> None:
    damage = _set("muggins_called.seat", 7)
    assert FindingName.EVENT_MALFORMED in names_after(called, "muggins_called", damage)


def test_rules_that_cannot_be_played_are_named(plain: PlayedMatch) -> None:
    damage = _set("match_created.rule_set.deal.highest_pip", 0)
    assert FindingName.RULE_SET_INVALID in names_after(plain, "match_created", damage)


def test_a_format_of_a_later_version_is_not_judged(plain: PlayedMatch) -> None:
    record = records_pb2.MatchRecord()
    record.CopyFrom(plain.record)
    record.format = 2
    names = [finding.name for finding in verify_record(record).findings]
    assert [FindingName.FORMAT_UNKNOWN] == names


def test_a_chain_made_afterwards_is_found_by_what_was_kept(plain: PlayedMatch) -> None:
    """The operator re-deals with a chain it likes better, and makes all else agree with it."""
    chain = Chain.from_seed(b"z" * 32)
    record = records_pb2.MatchRecord()
    record.CopyFrom(plain.record)
    record.fairness_anchor = chain.anchor(MATCH_ID)
    for entry in record.records:
        for event in entry.events:
            if event.WhichOneof("fact") == "match_created":
                event.match_created.fairness_anchor = record.fairness_anchor
            if event.WhichOneof("fact") == "round_ended":
                event.round_ended.secret = chain.secret(event.round)
    names = [finding.name for finding in verify_record(record, plain.kept_by(0)).findings]
    assert FindingName.ANCHOR_MISMATCH in names
    assert FindingName.SECRET_INVALID in names
