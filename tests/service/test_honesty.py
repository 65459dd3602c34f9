"""Opponents asked again from the records of their matches: what they decided, and nothing else."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from random import Random

import grpc
import pytest
import pytest_asyncio

from muggins.v1 import events_pb2, records_pb2
from muggins_ai import opponent_of
from muggins_ai.opponent import Choice
from muggins_rules import Place, legal_actions
from muggins_rules.events import PointsClaimed, TileDrawn, TilePlayed
from muggins_rules.state import MatchState
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from muggins_service.honesty import asking
from muggins_service.honesty.challenging import challenge
from muggins_service.honesty.decisions import Decision
from muggins_service.honesty.recomputing import Outcome, Verdict, recompute
from muggins_service.honesty.redealing import redealt, unseen_codes
from muggins_service.opponents.questions import choosing_view
from muggins_service.table.facts import Cause
from muggins_service.table.state import Table
from tests.service.finished import (
    altered,
    decisions_of,
    exported,
    leave,
    play_first,
    played,
    stopped,
)
from tests.service.server import Player, Service, fact_of, refused_by, running

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEED = b"h" * 32

CALLED_AT_ONCE = bytes([4]) * 32
"""Seat A opens a game of Muggins, and its first legal placement earns points."""

MATCHES = [
    pytest.param("muggins", ("strongest", "about_even"), False, 3, id="two seats"),
    pytest.param(
        "latin_american", ("expert", "regular", "skilled", "casual"), False, 3, id="pairs"
    ),
    pytest.param("five_up", ("about_even", "random", "beginner"), False, 3, id="three seats"),
    pytest.param(
        "sniff", ("skilled", "greedy_plus", "random", "about_even"), True, 3, id="calling"
    ),
    pytest.param("all_fives_us", ("greedy", "greedy_plus"), True, 0, id="to its end"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service() -> AsyncIterator[Service]:
    """A server whose strongest opponents answer without delay."""
    async with running(warm=True, claim_minimum_s=1.0, claim_window_s=2.0) as started:
        yield started


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def greedy(service: Service) -> records_pb2.MatchRecord:
    """A match between `greedy` opponents from the test seed."""
    return await played(service, "muggins", ("greedy", "greedy"), seed=SEED, rounds=2)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def learned(service: Service) -> records_pb2.MatchRecord:
    """A match of levels that search and learn, into its fourth round, from a test seed."""
    levels = ("strongest", "about_even", "skilled")
    return await played(service, "sniff", levels, seed=b"l" * 32, rounds=3)


def outcomes_of(record: records_pb2.MatchRecord) -> list[Outcome]:
    decisions = decisions_of(record)
    assert decisions.broken_at is None
    return [recompute(decision) for decision in decisions.made]


def differing(record: records_pb2.MatchRecord) -> list[int]:
    return [
        outcome.decision.sequence
        for outcome in outcomes_of(record)
        if outcome.verdict is not Verdict.AGREES
    ]


def copy_of(record: records_pb2.MatchRecord) -> records_pb2.MatchRecord:
    copied = records_pb2.MatchRecord()
    copied.CopyFrom(record)
    return copied


def events_in(record: records_pb2.MatchRecord) -> list[events_pb2.Event]:
    return [event for part in record.records for event in part.events]


def with_alternatives(record: records_pb2.MatchRecord) -> list[Decision]:
    """Decisions for a placement where another tile could have been played."""
    return [
        decision
        for decision in decisions_of(record).made
        if isinstance(decision.acts[0], TilePlayed) and len(legal_actions(decision.table.game)) > 1
    ]


def another(decision: Decision) -> Place:
    """Another legal placement than the one that was made."""
    made = decision.acts[0]
    assert isinstance(made, TilePlayed)
    for action in legal_actions(decision.table.game):
        if isinstance(action, Place) and action.placement != made.placement:
            return action
    raise AssertionError("there are several placements")


# --- recomputing ---


@pytest.mark.parametrize(("name", "levels", "calling", "rounds"), MATCHES)
async def test_every_decision_of_a_match_is_made_again(
    service: Service, *, name: str, levels: tuple[str, ...], calling: bool, rounds: int
) -> None:
    record = await played(service, name, levels, calling=calling, rounds=rounds)
    decisions = decisions_of(record)
    named = [
        event.sequence
        for event in events_in(record)
        if event.engine and event.cause != events_pb2.CAUSE_FALLBACK
    ]
    assert named == [sequence for made in decisions.made for sequence in made.sequences]
    assert set(levels) == {decision.level for decision in decisions.made}
    assert {Verdict.AGREES} == {outcome.verdict for outcome in outcomes_of(record)}
    assert 0 == decisions.timeouts == decisions.unnamed


async def test_a_stand_in_is_asked_again_as_any_opponent(service: Service) -> None:
    table = await service.create(
        "all_fives", 4, fills={1: "casual", 3: "regular"}, starts_when_full=True,
        takeover_level="strongest",
    )  # fmt: skip
    players = [await service.join(table.match_id, name=name) for name in ("Ana", "Bo")]
    for player in players:
        await leave(service, player)
    record = await stopped(service, table, 2)
    decided = Counter(decision.level for decision in decisions_of(record).made)
    assert {"casual", "regular", "strongest"} == decided.keys()
    causes = {event.cause for event in events_in(record) if event.engine}
    assert {events_pb2.CAUSE_OPPONENT, events_pb2.CAUSE_TAKEOVER} <= causes
    assert [] == differing(record)


async def _place(service: Service, player: Player) -> None:
    """Play the first tile that can be played, without a claim, as soon as it is the seat's turn."""
    while True:
        view = await service.seat_view(player)
        try:
            if view.legal_actions and await play_first(service, player):
                return
        except grpc.aio.AioRpcError as error:
            # The claim window of the tile before has to last its minimum.
            if refused_by(error).reason != "CLAIM_WINDOW_OPEN":
                raise
        await asyncio.sleep(0.02)


async def test_a_call_is_made_again(service: Service) -> None:
    table = await service.create(
        "muggins", 2, calling=True, fills={1: "about_even"}, starts_when_full=True,
        claim_window={"nanos": 500_000_000}, seed=CALLED_AT_ONCE,
    )  # fmt: skip
    player = await service.join(table.match_id)
    while not any(
        fact_of(event) == "muggins_called"
        for event in (await service.public_view(table.match_id)).round_events
    ):
        await _place(service, player)
        await asyncio.sleep(0.5)
    await service.control(table, cancel={})
    record = await exported(service, table.match_id)
    assert any(decision.is_call for decision in decisions_of(record).made)
    assert [] == differing(record)


async def test_a_claim_that_is_made_for_a_player_who_left_is_made_again(service: Service) -> None:
    table = await service.create(
        "muggins", 2, calling=True, fills={1: "greedy"}, starts_when_full=True,
        takeover_level="skilled",
    )  # fmt: skip
    player = await service.join(table.match_id)
    await _place(service, player)
    await leave(service, player)
    record = await stopped(service, table, 1)
    made = decisions_of(record).made
    (claimed,) = (decision for decision in made if isinstance(decision.acts[0], PointsClaimed))
    assert (player.seat, "skilled") == (claimed.seat, claimed.level)
    assert [] == differing(record)


async def test_a_run_of_draws_is_one_decision(service: Service) -> None:
    record = await played(service, "muggins", ("random", "greedy"), rounds=4)
    drawn = [made for made in decisions_of(record).made if isinstance(made.acts[0], TileDrawn)]
    assert any(len(made.sequences) > 1 for made in drawn)
    assert [] == differing(record)


async def test_what_a_timer_does_is_only_counted(service: Service) -> None:
    table = await service.create(
        "latin_american", 2, fills={1: "greedy"}, starts_when_full=True, turn_limit={"seconds": 1}
    )
    await service.join(table.match_id)
    causes = set()
    async for frame in service.observe(table.match_id, 0):
        causes |= {event.cause for event in frame.events.events}
        if {events_pb2.CAUSE_TIMEOUT, events_pb2.CAUSE_OPPONENT} <= causes:
            break
    await service.control(table, cancel={})
    record = await exported(service, table.match_id)
    decisions = decisions_of(record)
    timed_out = [
        part
        for part in record.records
        if any(event.cause == events_pb2.CAUSE_TIMEOUT for event in part.events)
    ]
    assert len(timed_out) == decisions.timeouts
    assert {1} == {decision.seat for decision in decisions.made}


async def test_one_move_that_was_changed_is_the_one_that_differs(
    greedy: records_pb2.MatchRecord,
) -> None:
    for decision in with_alternatives(greedy)[2::5]:
        changed = altered(greedy, decision, another(decision), SEED)
        (differs,) = (
            outcome for outcome in outcomes_of(changed) if outcome.verdict is not Verdict.AGREES
        )
        assert (Verdict.DIFFERS, decision.sequence) == (differs.verdict, differs.decision.sequence)
        assert " instead of play " in differs.detail


async def test_a_claim_that_was_changed_differs(service: Service) -> None:
    record = await played(
        service, "all_fives", ("greedy", "greedy"), calling=True, seed=SEED, rounds=1
    )
    decision = with_alternatives(record)[1]
    placed = decision.acts[0]
    assert isinstance(placed, TilePlayed)
    assert placed.count is not None
    overstated = Place(placed.placement, placed.count.points + 5)
    assert [decision.sequence] == differing(altered(record, decision, overstated, SEED))


async def test_another_secret_or_history_gives_other_decisions(
    learned: records_pb2.MatchRecord,
) -> None:
    """What is compared does depend on the seed and on the rounds that were learned from."""
    agreed = Counter(outcome.verdict for outcome in outcomes_of(learned))
    assert {Verdict.AGREES} == agreed.keys()
    reseeded, forgetful = copy_of(learned), copy_of(learned)
    for event in events_in(reseeded):
        if event.round_ended.secret:
            event.round_ended.secret = b"\x01" * 32
    for event in events_in(forgetful):
        event.round = 0 if event.round == 1 and not event.HasField("round_dealt") else event.round
    for changed in (reseeded, forgetful):
        assert {Verdict.AGREES} < {outcome.verdict for outcome in outcomes_of(changed)}


async def test_a_missing_secret_is_told_apart(learned: records_pb2.MatchRecord) -> None:
    record = copy_of(learned)
    for event in events_in(record):
        if event.HasField("round_ended"):
            event.round_ended.secret = b""
    assert Verdict.NO_SEED in {outcome.verdict for outcome in outcomes_of(record)}


async def test_an_engine_that_is_not_installed_is_told_apart(
    learned: records_pb2.MatchRecord,
) -> None:
    record = copy_of(learned)
    for event in events_in(record):
        event.engine = "search-1-000000000000" if event.engine else ""
    assert {Verdict.OTHER_ENGINE} == {outcome.verdict for outcome in outcomes_of(record)}
    assert opponent_of("strongest").engine in {outcome.detail for outcome in outcomes_of(record)}


async def test_another_installed_engine_than_the_levels_own_is_told_apart(
    greedy: records_pb2.MatchRecord,
) -> None:
    record = copy_of(greedy)
    for event in events_in(record):
        event.engine = "greedy_plus-1" if event.engine else ""
    assert {Verdict.OTHER_ENGINE} == {outcome.verdict for outcome in outcomes_of(record)}


async def test_a_level_that_is_unknown_here_is_told_apart(greedy: records_pb2.MatchRecord) -> None:
    record = copy_of(greedy)
    for event in events_in(record):
        if event.HasField("seat_taken"):
            event.seat_taken.level = "grand"
    assert {Verdict.OTHER_ENGINE} == {outcome.verdict for outcome in outcomes_of(record)}


async def test_without_numba_the_levels_that_need_it_are_told_apart(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await played(service, "muggins", ("regular", "greedy"), rounds=1)
    monkeypatch.setattr("muggins_ai.levels.find_spec", lambda _: None)
    verdicts = {(one.decision.level, one.verdict) for one in outcomes_of(record)}
    assert {("regular", Verdict.NO_COMPILER), ("greedy", Verdict.AGREES)} == verdicts


@pytest.mark.parametrize(
    ("cause", "engine", "counts"),
    [
        (Cause.FALLBACK, "fallback", (1, 0, 0)),
        (Cause.TIMEOUT, "greedy-1", (0, 1, 0)),
        (Cause.OPPONENT, "", (0, 0, 1)),
        (Cause.PLAYER, "", (0, 0, 1)),
    ],
)
async def test_what_no_engine_claims_is_counted(
    greedy: records_pb2.MatchRecord, cause: Cause, engine: str, counts: tuple[int, int, int]
) -> None:
    record = copy_of(greedy)
    event = next(event for event in events_in(record) if fact_of(event) == "tile_played")
    event.cause = events_pb2.Cause.ValueType(cause)
    event.engine = engine
    decisions = decisions_of(record)
    assert counts == (decisions.fallbacks, decisions.timeouts, decisions.unnamed)
    assert len(decisions_of(greedy).made) - 1 == len(decisions.made)


async def test_a_decision_in_the_seat_of_a_player_differs(greedy: records_pb2.MatchRecord) -> None:
    record = copy_of(greedy)
    for event in events_in(record):
        if event.HasField("seat_taken") and event.seat_taken.seat == 1:
            event.seat_taken.level = ""
    verdicts = {(one.decision.seat, one.verdict) for one in outcomes_of(record)}
    assert {(0, Verdict.AGREES), (1, Verdict.DIFFERS)} == verdicts


# --- records that are none ---


def _second_match(record: records_pb2.MatchRecord) -> None:
    last = record.records[-1].events[-1]
    last.match_created.CopyFrom(record.records[0].events[0].match_created)


def _unlawful(record: records_pb2.MatchRecord) -> None:
    played_first = next(event for event in events_in(record) if fact_of(event) == "tile_played")
    played_first.tile_played.seat = 1 - played_first.tile_played.seat


def _no_such_seat(record: records_pb2.MatchRecord) -> None:
    taken = next(event for event in events_in(record) if fact_of(event) == "seat_taken")
    taken.seat_taken.seat = 9


def _no_creation(record: records_pb2.MatchRecord) -> None:
    record.records[0].events[0].CopyFrom(record.records[-1].events[-1])


def _called_before_the_deal(record: records_pb2.MatchRecord) -> None:
    called = record.records[0].events.add(sequence=999, cause=events_pb2.CAUSE_OPPONENT, engine="x")
    called.muggins_called.seat = 0


def _no_such_table(record: records_pb2.MatchRecord) -> None:
    record.records[0].events[0].match_created.seats = 9


@pytest.mark.parametrize(
    "spoil",
    [
        _second_match,
        _unlawful,
        _no_such_seat,
        _no_creation,
        _called_before_the_deal,
        _no_such_table,
    ],
)
async def test_nothing_is_read_beyond_what_cannot_be(
    greedy: records_pb2.MatchRecord, spoil: Callable[[records_pb2.MatchRecord], None]
) -> None:
    record = copy_of(greedy)
    spoil(record)
    decisions = decisions_of(record)
    assert decisions.broken_at is not None
    assert all(max(made.sequences) < decisions.broken_at for made in decisions.made)


async def test_a_record_that_was_cut_off_is_read_as_far_as_it_goes(
    greedy: records_pb2.MatchRecord,
) -> None:
    whole = decisions_of(greedy).made
    for left in range(1, len(greedy.records)):
        record = copy_of(greedy)
        del record.records[left:]
        decisions = decisions_of(record)
        assert [made.sequence for made in decisions.made] == [
            made.sequence for made in whole if made.sequence <= record.records[-1].version
        ]


# --- challenges ---


async def test_unseen_tiles_change_no_decision(learned: records_pb2.MatchRecord) -> None:
    challenged = set()
    for decision in decisions_of(learned).made[::4]:
        result = challenge(decision, 5, "a")
        assert result.is_passed
        assert result.tiles <= 1 or 1 < result.deals
        challenged.add(decision.level)
    assert {"strongest", "about_even", "skilled"} == challenged


async def test_a_deal_to_try_keeps_the_view_and_moves_the_rest(
    learned: records_pb2.MatchRecord,
) -> None:
    chance = Random("deals")
    for decision in decisions_of(learned).made:
        game, seat = decision.table.game, decision.seat
        other = redealt(game, seat, chance)
        assert game.table is not None
        assert other.table is not None
        assert unseen_codes(game, seat) == unseen_codes(other, seat)
        assert [hand.bit_count() for hand in game.table.hands] == [
            hand.bit_count() for hand in other.table.hands
        ]
        assert seat_view(game, seat) == seat_view(other, seat)
        if game.table != other.table:
            assert game.events != other.events


async def test_the_same_seed_tries_the_same_deals(greedy: records_pb2.MatchRecord) -> None:
    decision = decisions_of(greedy).made[3]
    games = [redealt(decision.table.game, decision.seat, Random(seed)) for seed in "aab"]
    assert games[0] == games[1] != games[2]


async def test_a_view_that_shows_too_much_is_found_out(
    greedy: records_pb2.MatchRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaking(table: Table, seat: int, *_: object) -> SeatView:
        return seat_view(table.game, seat, ((table.game.events[-1], *table.game.events),))

    monkeypatch.setattr(asking, "choosing_view", leaking)
    result = challenge(decisions_of(greedy).made[0], 3, "")
    assert not result.is_passed
    assert ["view.past"] * 3 == [difference.what for difference in result.differences]


async def test_an_opponent_that_peeks_is_found_out(
    greedy: records_pb2.MatchRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt: list[MatchState] = []

    def watched(table: Table, *rest: object) -> SeatView:
        dealt.append(table.game)
        return choosing_view(table, *rest)  # type: ignore[arg-type] # passed on as given

    class Peeking:
        engine = "greedy-1"

        def choose(self, view: SeatView, _seed: bytes) -> Choice:
            table = dealt[-1].table
            assert table is not None
            legal = view.legal_actions
            return Choice(legal[table.hands[1 - view.seat] % len(legal)].action, self.engine)

    monkeypatch.setattr(asking, "choosing_view", watched)
    monkeypatch.setattr(asking, "opponent_of", lambda _: Peeking())
    decision = with_alternatives(greedy)[0]
    result = challenge(decision, 30, "")
    assert result.differences
    assert {True} == {" instead of play " in difference.what for difference in result.differences}


async def test_a_challenge_tells_when_the_record_says_otherwise(
    greedy: records_pb2.MatchRecord,
) -> None:
    decision = with_alternatives(greedy)[3]
    changed = altered(greedy, decision, another(decision), SEED)
    (found,) = (m for m in decisions_of(changed).made if m.sequence == decision.sequence)
    result = challenge(found, 3, "")
    assert (False, False, ()) == (result.is_as_recorded, result.is_passed, result.differences)
