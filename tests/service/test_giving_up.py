"""Resigning, and ending a match by agreement."""

from collections.abc import AsyncIterator

import pytest

from muggins.v1 import events_pb2, lobby_pb2, views_pb2
from muggins_cli.look import Look
from muggins_cli.narrator import Narrator
from muggins_cli.words import Words
from muggins_client import verify_record
from muggins_rules.events import EndReason, MatchEnded, RoundEnded
from muggins_service.errors import ServiceError
from muggins_service.table.commands import (
    Act,
    AgreeToEnd,
    Command,
    JoinMatch,
    LeaveMatch,
    Resign,
    SetSeatOptions,
)
from muggins_service.table.facts import EndAgreed, SeatOptions, SeatResigned, TakeoverChanged
from muggins_service.table.state import Status
from tests.service.clockwork import Clockwork, secret_of
from tests.service.finished import exported
from tests.service.server import Service, fact_of, new_id, refusal, running


def _ended(match: Clockwork) -> MatchEnded | None:
    """How the match ended; what is stored must tell the same."""
    assert match.refolded() == match.table
    return match.table.ended


def _begun(rules: str, seats: int, opponents: tuple[int, ...] = ()) -> Clockwork:
    match = Clockwork(rules, seats, opponents=opponents)
    match.begin()
    return match


def _refused(match: Clockwork, command: Command, seat: int) -> str:
    with pytest.raises(ServiceError) as caught:
        match.give(command, None if isinstance(command, JoinMatch) else seat)
    return str(caught.value.reason.value)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponents", [(), (1,)])
def test_of_two_sides_the_other_wins_when_one_resigns(
    seat: int, opponents: tuple[int, ...]
) -> None:
    if seat in opponents:
        seat = 0
    match = _begun("muggins", 2, opponents)
    match.give(Resign(), seat)
    ended = _ended(match)
    assert ended is not None
    assert (EndReason.RESIGNED, 1 - seat) == (ended.reason, ended.winning_side)
    assert Status.FINISHED is match.table.status
    assert 32 == len(match.entries[-1].secret)
    assert [7, 7] == [len(hand.tiles) for hand in ended.hands]


def test_of_a_pair_both_have_to_resign_and_a_partner_that_is_no_player_has_no_say() -> None:
    match = _begun("all_fives", 4)
    match.give(Resign(), 1)
    assert _ended(match) is None
    assert match.table.seats[1].bot_plays
    match.give(Resign(), 3)
    ended = _ended(match)
    assert ended is not None
    assert (EndReason.RESIGNED, 0) == (ended.reason, ended.winning_side)
    alone = _begun("all_fives", 4, (2, 1, 3))
    alone.give(Resign(), 0)
    ended = _ended(alone)
    assert ended is not None
    assert (EndReason.RESIGNED, 1) == (ended.reason, ended.winning_side)


def test_of_several_sides_a_stand_in_plays_on_for_the_one_that_resigned_and_stays() -> None:
    match = _begun("muggins", 3)
    seat = match.table.seat_to_act
    assert seat is not None
    match.give(Resign(), seat)
    kinds = [type(entry.fact) for entry in match.records[-1].entries]
    assert [SeatResigned, TakeoverChanged] == kinds
    for command in (
        JoinMatch("Ana", secret_of(seat)),
        Act(seat, match.first_action(seat)),
        SetSeatOptions(SeatOptions(draws=True)),
        AgreeToEnd(),
        Resign(),
    ):
        assert "seat_resigned" == _refused(match, command, seat)
    version = match.table.version
    match.give(LeaveMatch(), seat)
    assert version == match.table.version
    match.pass_time(match.now_us + 1_000_000)
    assert match.table.seat_to_act != seat
    others = [other for other in range(3) if other != seat]
    match.give(Resign(), others[0])
    ended = _ended(match)
    assert ended is not None
    assert (EndReason.RESIGNED, others[1]) == (ended.reason, ended.winning_side)


def test_nobody_wins_when_no_player_is_left_among_several_sides() -> None:
    match = _begun("muggins", 3, (1, 2))
    match.give(Resign(), 0)
    ended = _ended(match)
    assert ended is not None
    assert (EndReason.RESIGNED, None) == (ended.reason, ended.winning_side)


def test_a_match_that_all_agree_to_end_ends_as_it_stands() -> None:
    match = _begun("muggins", 3)
    match.give(AgreeToEnd(), 2)
    match.give(AgreeToEnd(), 2)
    match.give(AgreeToEnd(), 0)
    assert _ended(match) is None
    assert (2, 0) == match.table.end_agreed
    match.give(AgreeToEnd(), 1)
    ended = _ended(match)
    assert ended is not None
    assert (EndReason.AGREED, None) == (ended.reason, ended.winning_side)
    assert match.table.game.scores == ended.scores
    assert [True, False, False] == [
        entry.fact.proposes for entry in match.entries if isinstance(entry.fact, EndAgreed)
    ]


def test_a_proposal_lapses_when_its_proposer_moves_but_not_when_another_does() -> None:
    match = _begun("muggins", 3)
    mover = match.table.seat_to_act
    assert mover is not None
    proposer = (mover + 1) % 3
    match.give(AgreeToEnd(), proposer)
    match.give(AgreeToEnd(), mover)
    while match.table.seat_to_act == mover:
        match.act()
    assert [proposer, mover] == list(match.table.end_agreed)
    match.act(proposer)
    assert not match.table.end_agreed
    assert match.refolded() == match.table


def test_a_proposal_lapses_with_its_round() -> None:
    match = _begun("muggins", 3)
    while not match.facts(RoundEnded):
        mover = match.table.seat_to_act
        assert mover is not None
        if not match.table.end_agreed:
            match.give(AgreeToEnd(), (mover + 1) % 3)
        match.act()
    assert not match.table.end_agreed


def test_who_leaves_after_a_proposal_is_not_waited_for() -> None:
    match = _begun("muggins", 3)
    match.give(AgreeToEnd(), 0)
    match.give(AgreeToEnd(), 1)
    match.give(LeaveMatch(), 2)
    ended = _ended(match)
    assert ended is not None
    assert EndReason.AGREED == ended.reason
    gone = _begun("muggins", 3)
    gone.give(AgreeToEnd(), 0)
    gone.give(LeaveMatch(), 0)
    assert (None, ()) == (_ended(gone), gone.table.end_agreed)


@pytest.mark.parametrize("command", [Resign(), AgreeToEnd()])
def test_a_match_can_be_given_up_in_play_alone(command: Command) -> None:
    match = Clockwork("muggins", 2)
    match.sit(0)
    assert "match_not_started" == _refused(match, command, 0)
    match.begin()
    match.give(Resign(), 1)
    assert "match_over" == _refused(match, command, 0)


# --- through the service ---


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with running() as started:
        yield started


async def _checked(service: Service, match_id: str, language: str, told: str) -> None:
    """The export is in order, and the story tells how the match ended."""
    record = await exported(service, match_id)
    report = verify_record(record)
    assert not report.findings
    narrator = Narrator(Words(language), Look())
    lines = [
        line for entry in record.records for event in entry.events for line in narrator.tell(event)
    ]
    assert any(told in line for line in lines)


async def test_resigning_is_told_exported_and_verified(service: Service) -> None:
    table, players = await service.started()
    request = lobby_pb2.ResignMatchRequest(match_id=table.match_id, request_id=new_id())
    first = await service.call.ResignMatch(request, metadata=players[0].key)
    assert first == await service.call.ResignMatch(request, metadata=players[0].key)
    assert ["seat_resigned", "match_ended"] == [fact_of(event) for event in first.events]
    view = await service.public_view(table.match_id)
    assert views_pb2.MATCH_STATE_FINISHED == view.state
    assert events_pb2.MATCH_END_REASON_RESIGNED == view.ended.reason
    assert players[1].seat == view.ended.winning_side
    assert view.seats[0].resigned
    await _checked(service, table.match_id, "fr", "abandonne la partie")
    again = lobby_pb2.ResignMatchRequest(match_id=table.match_id, request_id=new_id())
    told = await refusal(service.call.ResignMatch(again, metadata=players[1].key))
    assert "MATCH_OVER" == told.reason


async def test_an_agreed_end_is_told_exported_and_verified(service: Service) -> None:
    table, players = await service.started()
    for player, agreed in zip(players, ([0], []), strict=True):
        request = lobby_pb2.AgreeToEndRequest(match_id=table.match_id, request_id=new_id())
        await service.call.AgreeToEnd(request, metadata=player.key)
        assert agreed == list((await service.public_view(table.match_id)).end_agreed)
    view = await service.public_view(table.match_id)
    assert views_pb2.MATCH_STATE_ABANDONED == view.state
    assert events_pb2.MATCH_END_REASON_AGREED == view.ended.reason
    assert not view.ended.HasField("winning_side")
    await _checked(service, table.match_id, "en", "proposes to end")
