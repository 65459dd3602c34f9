"""How long opponents think and wait to call: from what everybody knows, and nothing else."""

from dataclasses import replace
from random import Random

from muggins_ai.levels import LADDER
from muggins_rules import legal_actions, preset
from muggins_rules.events import TurnStarted
from muggins_rules.fair_deal import Chain
from muggins_service.opponents.calls import LATEST, SOONEST, call_share
from muggins_service.table.commands import Act, CreateMatch, SeatFill
from muggins_service.table.creating import decide_create, match_secrets
from muggins_service.table.deciding import decide_act
from muggins_service.table.drafting import Draft
from muggins_service.table.facts import Entry, MatchOptions, OpponentPace, SeatTaken, TurnTiming
from muggins_service.table.pace import think_us
from muggins_service.table.policy import TablePolicy
from muggins_service.table.state import Status

POLICY = TablePolicy()
MATCH = "aaaabbbbccccddddeeeeffffgg"
START_US = 1_800_000_000_000_000


def test_a_time_to_think_lies_within_the_bounds_and_differs_from_event_to_event() -> None:
    times = [think_us(MATCH, sequence, POLICY) for sequence in range(2_000)]
    assert POLICY.think_least_us <= min(times) < 750_000
    assert 2_300_000 < max(times) < POLICY.think_most_us
    assert 1_900 < len(set(times))
    assert times != [think_us("another", sequence, POLICY) for sequence in range(2_000)]


def _turns(seed: int, options: MatchOptions) -> list[tuple[Entry, int]]:
    """The turns of a match that opponents play at random, with the legal moves of each."""
    random = Random(seed)
    chain = Chain.from_seed(random.randbytes(32), 64)
    fills = (SeatFill(0, "greedy"), SeatFill(1, "greedy"))
    create = CreateMatch(preset("muggins"), 2, options, bytes(32), fills)
    secrets = match_secrets(create, bytes(32), 64, "")
    draft = decide_create(MATCH, create, secrets, chain, START_US, POLICY)
    found: list[tuple[Entry, int]] = []
    for _ in range(60):
        table = draft.table
        if table.status is not Status.PLAYING:
            break
        seat = table.seat_to_act
        assert seat is not None
        legal = legal_actions(table.game)
        last = draft.entries[-1]
        if isinstance(last.fact, TurnStarted):
            found.append((last, len(legal)))
        version = last.sequence
        draft = Draft(replace(table, version=version), START_US, POLICY, chain.secret)
        decide_act(draft, Act(seat, random.choice(legal)))
    return found


def _not_before(entry: Entry) -> int:
    assert isinstance(entry.timing, TurnTiming)
    return entry.timing.not_before_us


def test_a_turn_with_one_legal_move_takes_as_long_as_one_with_many() -> None:
    options = MatchOptions(
        takeover_level="greedy", starts_when_full=True, opponent_pace=OpponentPace.HUMAN
    )
    by_sequence: dict[int, list[tuple[Entry, int]]] = {}
    for seed in range(60):
        for entry, moves in _turns(seed, options):
            by_sequence.setdefault(entry.sequence, []).append((entry, moves))
    compared = 0
    for sequence, turns in by_sequence.items():
        expected = START_US + think_us(MATCH, sequence, POLICY)
        assert {expected} == {_not_before(entry) for entry, _ in turns}
        numbers = {moves for _, moves in turns}
        compared += 1 in numbers and max(numbers) > 3
    assert 5 <= compared


def test_a_turn_limit_is_never_over_before_the_time_to_think() -> None:
    options = MatchOptions(
        turn_limit_us=1_000_000,
        takeover_level="greedy",
        starts_when_full=True,
        opponent_pace=OpponentPace.HUMAN,
    )
    for entry, _ in _turns(1, options):
        assert isinstance(entry.timing, TurnTiming)
        assert START_US < _not_before(entry) <= START_US + 500_000 < entry.timing.deadline_us
        assert 1_000_000 == entry.timing.time_left_us == entry.timing.deadline_us - START_US


def test_opponents_are_instant_where_nothing_else_is_asked_for() -> None:
    options = MatchOptions(takeover_level="greedy", starts_when_full=True)
    assert {0} == {_not_before(entry) for entry, _ in _turns(1, options)}


def test_an_opponent_thinks_while_a_claim_window_lasts_its_minimum() -> None:
    options = MatchOptions(takeover_level="greedy", opponent_pace=OpponentPace.HUMAN)
    chain = Chain.from_seed(bytes(32), 64)
    rule_set = preset("muggins", calling=True)
    create = CreateMatch(rule_set, 2, options, bytes(32), (SeatFill(0, "greedy"),))
    secrets = match_secrets(create, bytes(32), 64, "")
    policy = replace(POLICY, claim_minimum_us=1_000_000)
    draft = decide_create(MATCH, create, secrets, chain, START_US, policy)
    draft.add(SeatTaken(1, "Ana"))
    draft.start()
    waits: set[tuple[int, bool]] = set()
    for number in range(1, 13):
        now_us = START_US + number * 10_000_000
        table = replace(draft.table, version=draft.entries[-1].sequence)
        draft = Draft(table, now_us, policy, chain.secret)
        seat = table.seat_to_act
        assert seat is not None
        decide_act(draft, Act(seat, legal_actions(table.game)[0]))
        for entry in draft.entries:
            if isinstance(entry.fact, TurnStarted):
                window = draft.table.window
                window_us = 0 if window is None else window.not_before_us
                thinks_us = now_us + think_us(MATCH, entry.sequence, policy)
                expected = window_us if entry.fact.seat else max(window_us, thinks_us)
                assert expected == _not_before(entry)
                waits.add((entry.fact.seat, expected > window_us))
    assert {(0, False), (0, True), (1, False)} == waits


def test_the_weaker_an_opponent_the_later_it_calls_and_all_before_others_may_close() -> None:
    shares = [call_share(level) for level in LADDER]
    assert sorted(shares, reverse=True) == shares
    assert len(shares) == len(set(shares))
    assert (LATEST, SOONEST) == (shares[0], shares[-1])
    assert 50 < SOONEST < LATEST < 100


def test_a_level_that_is_not_on_the_ladder_calls_in_the_middle() -> None:
    assert {75} == {call_share(level) for level in ("random", "greedy_plus", "about_even")}
