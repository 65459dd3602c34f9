"""A match goes on or ends whatever its players do: under a clock that the test sets."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muggins_rules import preset
from muggins_rules.events import (
    EndReason,
    MatchEnded,
    RoundEnded,
    SeatPassed,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.fair_deal import commit_nonce
from muggins_service.errors import ServiceError
from muggins_service.table.commands import (
    AgreeToEnd,
    Cancel,
    Command,
    JoinMatch,
    LeaveMatch,
    Resign,
    RevealNonce,
    SetSeatOptions,
    StartMatch,
)
from muggins_service.table.facts import (
    Cause,
    Entry,
    SeatOptions,
    TakeoverChanged,
    TurnTiming,
)
from muggins_service.table.policy import SECOND_US, TablePolicy
from tests.service.clockwork import Clockwork, secret_of

LIMIT_S, BANK_S = 10, 30
_NOT_THEIRS = {Cause.TIMEOUT, Cause.TAKEOVER}


def _timing(match: Clockwork) -> TurnTiming:
    """The times of the turn that is on."""
    timing = match.facts(TurnStarted)[-1].timing
    assert isinstance(timing, TurnTiming)
    return timing


def _takeovers(match: Clockwork) -> list[tuple[int, bool, Cause]]:
    found = []
    for entry in match.facts(TakeoverChanged):
        assert isinstance(entry.fact, TakeoverChanged)
        found.append((entry.fact.seat, entry.fact.bot_plays, entry.cause))
    return found


def _ended(match: Clockwork) -> Entry:
    (entry,) = match.facts(MatchEnded)
    return entry


def _banked(absence_limit: int = 0) -> Clockwork:
    match = Clockwork(
        turn_limit_us=LIMIT_S * SECOND_US,
        time_bank_us=BANK_S * SECOND_US,
        absence_limit=absence_limit,
    )
    match.begin()
    return match


def test_a_turn_within_its_limit_leaves_the_time_bank_alone() -> None:
    match = _banked()
    first = _timing(match)
    assert (LIMIT_S + BANK_S) * SECOND_US == first.time_left_us
    assert BANK_S * SECOND_US == first.bank_left_us
    for _ in range(4):
        match.wait(LIMIT_S)
        match.act()
    assert BANK_S * SECOND_US == _timing(match).bank_left_us


def test_what_a_turn_lasts_beyond_its_limit_is_gone_from_the_bank_of_its_seat_alone() -> None:
    match = _banked()
    slow = match.table.seat_to_act
    match.wait(LIMIT_S + 12)
    match.act()
    assert BANK_S * SECOND_US == _timing(match).bank_left_us
    while match.table.seat_to_act != slow:
        match.act()
    assert (BANK_S - 12) * SECOND_US == _timing(match).bank_left_us
    assert (LIMIT_S + BANK_S - 12) * SECOND_US == _timing(match).time_left_us
    assert match.refolded() == match.table


def test_the_time_limit_acts_once_the_bank_is_used_up_and_it_stays_used_up() -> None:
    match = _banked(absence_limit=1_000)
    slow = match.table.seat_to_act
    begun_us = match.now_us
    match.pass_time(begun_us + (LIMIT_S + BANK_S) * SECOND_US - 1)
    assert slow == match.table.seat_to_act
    match.pass_time(begun_us + (LIMIT_S + BANK_S) * SECOND_US)
    acted = [*match.facts(TilePlayed), *match.facts(SeatPassed)][0]
    assert (Cause.TIMEOUT, match.now_us) == (acted.cause, acted.time_us)
    while match.table.seat_to_act != slow:
        match.act()
    assert (0, LIMIT_S * SECOND_US) == (_timing(match).bank_left_us, _timing(match).time_left_us)
    assert match.refolded() == match.table


def test_time_outs_add_up_over_the_match_until_a_stand_in_takes_the_seat() -> None:
    match = Clockwork(turn_limit_us=LIMIT_S * SECOND_US, absence_limit=2)
    match.begin()
    slow = match.table.seat_to_act
    assert slow is not None
    outs = 0
    while outs < 2:
        if match.table.seat_to_act == slow and (outs == 0 or len(match.facts(TilePlayed)) > 4):
            match.pass_time(match.now_us + LIMIT_S * SECOND_US)
            outs += 1
        else:
            match.act()
    assert [(slow, True, Cause.TIMEOUT)] == _takeovers(match)
    assert 2 == match.table.seats[slow].timeouts
    match.give(JoinMatch("Ana", secret_of(slow)), None)
    assert (slow, False, Cause.PLAYER) == _takeovers(match)[-1]
    while match.table.seat_to_act != slow:
        match.act()
    match.pass_time(match.now_us + LIMIT_S * SECOND_US)
    assert (slow, True, Cause.TIMEOUT) == _takeovers(match)[-1]
    assert match.refolded() == match.table


def test_a_table_may_say_how_long_the_player_on_turn_may_be_away() -> None:
    match = Clockwork(takeover_after_us=60 * SECOND_US)
    match.begin()
    away = match.table.seat_to_act
    assert away is not None
    match.slot.arrive(away, match.now_us)
    match.pass_time(match.now_us + 200 * SECOND_US)
    assert not _takeovers(match)
    match.slot.depart(away, match.now_us)
    match.pass_time(match.now_us + 59 * SECOND_US)
    match.slot.hear(away, match.now_us)
    match.pass_time(match.now_us + 59 * SECOND_US)
    assert not _takeovers(match)
    match.pass_time(match.now_us + 1 * SECOND_US)
    assert [(away, True, Cause.TIMEOUT)] == _takeovers(match)
    assert match.table.seat_to_act != away


def test_nobody_is_taken_over_whom_no_other_player_waits_for() -> None:
    match = Clockwork(seats=3, opponents=(0, 1), takeover_after_us=60 * SECOND_US)
    match.begin()
    match.pass_time(match.now_us + 200 * SECOND_US)
    assert 2 == match.table.seat_to_act
    assert not _takeovers(match)
    match.pass_time()
    ended = _ended(match).fact
    assert isinstance(ended, MatchEnded)
    assert EndReason.EXPIRED == ended.reason


def test_a_match_is_not_idle_while_a_deadline_is_to_come() -> None:
    policy = TablePolicy(idle_lifetime_us=100 * SECOND_US)
    match = Clockwork(turn_limit_us=1_000 * SECOND_US, policy=policy)
    match.begin()
    match.pass_time(match.now_us + 1_000 * SECOND_US)
    assert not match.table.is_over
    assert [Cause.TIMEOUT] == [entry.cause for entry in match.facts(TilePlayed)]


def test_a_table_that_does_not_start_lives_shorter_than_a_match_in_play() -> None:
    policy = TablePolicy(open_lifetime_us=50 * SECOND_US, idle_lifetime_us=500 * SECOND_US)
    match = Clockwork(policy=policy)
    match.sit(0)
    begun_us = match.now_us
    match.pass_time()
    ended = _ended(match).fact
    assert isinstance(ended, MatchEnded)
    assert (EndReason.EXPIRED, 50 * SECOND_US) == (ended.reason, match.now_us - begun_us)


def test_the_result_tells_which_moves_a_timer_and_a_stand_in_made() -> None:
    match = Clockwork(seats=4, opponents=(3,), turn_limit_us=LIMIT_S * SECOND_US, absence_limit=2)
    match.begin()
    for _ in range(90):
        if match.table.seat_to_act == 0:
            match.act()
        match.pass_time(match.now_us + SECOND_US)
    match.give(Cancel(), None, host=True)
    ended = _ended(match)
    moves = [
        (entry.fact.seat, entry.sequence, entry.cause)
        for entry in match.entries
        if isinstance(entry.fact, TilePlayed | TileDrawn | SeatPassed)
    ]
    assert {cause for _, _, cause in moves} == {
        Cause.PLAYER,
        Cause.OPPONENT,
        Cause.TIMEOUT,
        Cause.TAKEOVER,
    }
    for seat, told in enumerate(ended.made_for):
        made = [move for move in moves if move[0] == seat and move[2] in _NOT_THEIRS]
        assert [sequence for _, sequence, _ in made] == list(told.sequences)
        causes = [cause for _, _, cause in made]
        assert told.by_timeout == causes.count(Cause.TIMEOUT)
        assert told.by_takeover == causes.count(Cause.TAKEOVER)
        assert ended.stand_in_moves[seat] == len(made)
    assert match.refolded() == match.table


# --- leaving ---


def _last_facts(match: Clockwork) -> list[str]:
    return [type(entry.fact).__name__ for entry in match.records[-1].entries]


def _leave(match: Clockwork, seat: int) -> None:
    match.give(LeaveMatch(), seat)


def _leaving_is_refused(match: Clockwork, seat: int) -> str:
    with pytest.raises(ServiceError) as caught:
        _leave(match, seat)
    return str(caught.value.reason.value)


def test_leaving_an_open_table_frees_the_seat_and_a_second_time_there_is_none_to_leave() -> None:
    match = Clockwork()
    match.sit(0)
    _leave(match, 0)
    assert ["SeatLeft"] == _last_facts(match)
    assert "bad_seat_secret" == _leaving_is_refused(match, 0)
    match.sit(0)


def test_leaving_while_nonces_are_revealed_is_answered_by_a_stand_in() -> None:
    match = Clockwork(starts_when_full=True)
    nonce = b"n" * 32
    match.sit(0, commit_nonce(nonce))
    match.sit(1, commit_nonce(b"m" * 32))
    match.give(RevealNonce(nonce), 0)
    _leave(match, 1)
    assert ["TakeoverChanged"] == _last_facts(match)
    match.pass_time(match.now_us + 10 * SECOND_US)
    assert match.facts(TurnStarted)


@pytest.mark.parametrize("calling", [False, True])
@pytest.mark.parametrize("turns", [0, 1])
def test_a_seat_can_be_left_in_play_on_and_off_turn_and_taken_back(
    turns: int, *, calling: bool
) -> None:
    rules = replace(preset("muggins"), id="called" if calling else "plain", calling=calling)
    match = Clockwork(rules)
    match.begin()
    mover = match.table.seat_to_act
    assert mover is not None
    match.act()
    assert calling == (match.table.window is not None)
    on_turn = match.table.seat_to_act
    assert on_turn is not None
    leaver = on_turn if turns == 0 else 1 - on_turn
    _leave(match, leaver)
    assert ["TakeoverChanged"] == _last_facts(match)
    version = match.table.version
    _leave(match, leaver)
    assert version == match.table.version
    match.give(JoinMatch("Ana", secret_of(leaver)), None)
    assert not match.table.seats[leaver].bot_plays
    _leave(match, leaver)
    if turns == 0:
        match.wait(3)
        match.act(leaver)
        assert "TakeoverChanged" == _last_facts(match)[0]
        assert not match.table.seats[leaver].bot_plays
    match.pass_time(match.now_us + 60 * SECOND_US)
    assert match.refolded() == match.table


def test_leaving_right_after_a_round_is_leaving_in_the_next_one() -> None:
    match = Clockwork()
    match.begin()
    while not match.facts(RoundEnded):
        match.act()
    _leave(match, 0)
    assert ["TakeoverChanged"] == _last_facts(match)
    assert 2 == match.table.game.round


def test_a_match_that_is_over_cannot_be_left() -> None:
    match = Clockwork()
    match.begin()
    match.give(Cancel(), None, host=True)
    assert "match_over" == _leaving_is_refused(match, 0)


def test_a_match_goes_on_without_its_host_and_without_all_its_players() -> None:
    rules = preset("muggins")
    short = replace(rules.house_rules, round_limit=1)
    match = Clockwork(replace(rules, id="one_round", house_rules=short), 3)
    match.begin()
    for seat in range(3):
        _leave(match, seat)
    match.pass_time()
    ended = _ended(match).fact
    assert isinstance(ended, MatchEnded)
    assert EndReason.ROUND_LIMIT == ended.reason


# --- silence ---

STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "act",
                "leave",
                "back",
                "resign",
                "agree",
                "start",
                "options",
                "wait",
                "time",
                "come",
                "go",
            ]
        ),
        st.integers(0, 3),
        st.integers(0, 400),
    ),
    max_size=60,
)


def _step(match: Clockwork, kind: str, seat: int, seconds: int) -> None:
    seat %= len(match.table.seats)
    commands: dict[str, tuple[Command, int | None, bool]] = {
        "leave": (LeaveMatch(), seat, False),
        "resign": (Resign(), seat, False),
        "agree": (AgreeToEnd(), seat, False),
        "back": (JoinMatch("Ana", secret_of(seat), seat), None, False),
        "start": (StartMatch(), None, True),
        "options": (
            SetSeatOptions(SeatOptions(*(bool(seconds & n) for n in (1, 2, 4)))),
            seat,
            False,
        ),
    }
    try:
        if kind in commands:
            command, giver, host = commands[kind]
            match.give(command, giver, host=host)
        elif kind == "act":
            for _ in range(1 + seconds % 20):
                match.act()
        elif kind == "time":
            match.pass_time(match.now_us + seconds * SECOND_US)
        elif kind == "wait":
            match.wait(seconds / 100)
        elif kind == "come":
            match.slot.arrive(seat, match.now_us)
        elif match.slot.away_since_us(seat) is None:
            match.slot.depart(seat, match.now_us)
    except (ServiceError, AssertionError):
        pass  # refused, or nobody is to act: what matters is what comes after


@settings(max_examples=60, deadline=None)
@given(
    steps=STEPS,
    seats=st.integers(2, 4),
    opponents=st.sets(st.integers(0, 3), max_size=3),
    calling=st.booleans(),
    limited=st.booleans(),
    away=st.booleans(),
    auto=st.booleans(),
)
def test_when_nobody_acts_any_more_every_match_ends_in_a_bounded_time(
    steps: list[tuple[str, int, int]],
    seats: int,
    opponents: set[int],
    *,
    calling: bool,
    limited: bool,
    away: bool,
    auto: bool,
) -> None:
    rules = preset("all_fives_us" if seats == 3 else "muggins")
    short = replace(rules.house_rules, round_limit=2)
    rules = replace(rules, id="two_rounds", calling=calling, house_rules=short)
    match = Clockwork(
        rules,
        seats,
        opponents=tuple(seat for seat in opponents if seat < seats),
        turn_limit_us=20 * SECOND_US if limited else 0,
        time_bank_us=40 * SECOND_US if limited else 0,
        takeover_after_us=30 * SECOND_US if away else 0,
        starts_when_full=auto,
    )
    for kind, seat, seconds in steps:
        if not match.table.is_over:
            _step(match, kind, seat, seconds)
    for seat in range(seats):
        match.slot.arrive(seat, match.now_us)
    silent_us = match.now_us
    match.pass_time(silent_us + 86_400 * SECOND_US)
    assert match.table.is_over
    assert match.refolded() == match.table
    ended = _ended(match)
    assert ended.time_us <= silent_us + 20_000 * SECOND_US
