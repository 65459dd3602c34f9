"""Views show what a viewer may know, and frames and answers are the messages they stand for."""

from dataclasses import replace

from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, LocalizedMessage, RetryInfo
from google.rpc.status_pb2 import Status as StatusMessage
from hypothesis import given, settings
from hypothesis import strategies as st

from muggins.v1 import lobby_pb2, moves_pb2, streams_pb2, views_pb2
from muggins_rules import PRESETS, Pass, Phase
from muggins_rules.legal import legal_outcomes
from muggins_rules.refusal import Refusal
from muggins_rules.tiles import Tile
from muggins_rules.viewing import seat_view as rules_seat_view
from muggins_service.doors.limits import CallerLimits
from muggins_service.errors import FieldProblem, ServiceError, ServiceReason
from muggins_service.table.facts import HintShown, HintStep
from muggins_service.table.record import Record
from muggins_service.table.state import Table
from muggins_service.wire import answers, frames
from muggins_service.wire.events import decode_event, encode_event, events_chunk
from muggins_service.wire.methods import METHODS, file_descriptors, service_names
from muggins_service.wire.server_info import ServerInfo, ServerLimits, server_info_answer
from muggins_service.wire.status import status_details
from muggins_service.wire.view_decoding import decode_seat_view
from muggins_service.wire.views import (
    legal_actions_chunk,
    match_summary,
    public_view,
    seat_view,
    seat_view_bytes,
)
from tests.service.server import Field
from tests.service.wire_play import START_US, matches, played_records, table_after

FEW = settings(max_examples=25, deadline=None)
NOW_US = START_US + 60_000_000


def presence(table: Table) -> tuple[tuple[bool, int], ...]:
    return tuple((seat == 0, START_US) for seat in range(len(table.seats)))


def cut(records: tuple[Record, ...], share: float) -> Table:
    """The table after a part of the records."""
    return table_after(records[: max(1, round(len(records) * share))])


@FEW
@given(matches(), st.floats(0.4, 1), st.sampled_from([0, 1]))
def test_a_seats_view_comes_back_as_the_rules_tell_it(
    records: tuple[Record, ...], share: float, seat: int
) -> None:
    table = cut(records, share)
    message = views_pb2.SeatView.FromString(seat_view_bytes(table, seat, presence(table), NOW_US))
    expected = rules_seat_view(table.game, seat)
    told = decode_seat_view(message).view
    sizes = expected.table.hand_sizes or (0,) * len(table.seats)
    phase = expected.table.phase
    shown = Phase.PLAYING if phase is Phase.ROUND_OVER else phase
    expected = replace(expected, table=replace(expected.table, hand_sizes=sizes, phase=shown))
    assert expected == told


@FEW
@given(matches(), st.floats(0.1, 1))
def test_nothing_hidden_is_in_a_view(records: tuple[Record, ...], share: float) -> None:
    table = cut(records, share)
    public = public_view(table, presence(table), NOW_US)
    seat = seat_view(table, 1, presence(table), NOW_US)
    for event in (*public.round_events, *seat.round_events):
        assert not event.round_dealt.deck
        if event.HasField("tile_drawn") and event.tile_drawn.seat != 1:
            assert not event.tile_drawn.HasField("tile")
    for event in public.round_events:
        assert not event.round_dealt.hand
        assert not event.tile_drawn.HasField("tile")
    assert not seat.table.round_events
    sequences = [event.sequence for event in public.round_events]
    assert sequences == [event.sequence for event in seat.round_events]
    assert sequences == [entry.sequence for entry in table.round_entries]


def test_the_table_tells_who_sits_where() -> None:
    table = cut(played_records(PRESETS["muggins"], 3, seed=1), 0.5)
    ana, other, bot = public_view(table, presence(table), NOW_US).seats
    assert (ana.name, ana.occupant) == ("Ana", views_pb2.OCCUPANT_PLAYER)
    assert (ana.level, ana.bot_plays, ana.present) == ("greedy", True, True)
    assert ana.options.draws_by_itself
    assert not other.present
    assert other.nonce_committed
    assert not other.HasField("options")
    assert (bot.name, bot.level) == ("", "greedy")
    assert bot.present
    assert bot.occupant == views_pb2.OCCUPANT_OPPONENT
    assert table.game.table is not None
    assert [hand.bit_count() for hand in table.game.table.hands] == [
        ana.tiles,
        other.tiles,
        bot.tiles,
    ]


def test_a_finished_match_tells_its_end_and_its_rematch() -> None:
    records = played_records(PRESETS["five_up"], 2, seed=4)
    table = table_after(records)
    view = public_view(table, presence(table), NOW_US)
    ended = records[-2].entries[-1]
    assert view.ended.secret == ended.secret
    assert tuple(view.ended.stand_in_moves) == ended.stand_in_moves
    assert view.rematch_id == "the-next"
    assert view.rematch_of == "another"
    assert view.state == views_pb2.MATCH_STATE_ABANDONED
    assert view.version == table.version
    assert not view.HasField("seat_to_act")


def test_time_left_is_that_of_the_turn_and_never_below_zero() -> None:
    records = played_records(PRESETS["muggins"], 2, seed=7)
    table = next(
        table
        for count in range(6, len(records))
        if (table := table_after(records[:count])).turn is not None and table.turn.deadline_us
    )
    assert table.turn is not None
    deadline_us = table.turn.deadline_us
    early = public_view(table, presence(table), deadline_us - 1_500_000).time_left
    late = public_view(table, presence(table), deadline_us + 1).time_left
    assert 1_500_000 == early.ToMicroseconds()
    assert 0 == late.ToMicroseconds()


def test_earlier_rounds_are_told_as_the_seat_saw_them() -> None:
    records = played_records(PRESETS["muggins"], 2, seed=7)
    table = table_after(records)
    past = table.round_entries
    view = seat_view(table, 0, presence(table), NOW_US, (past,))
    (summary,) = view.past
    assert list(view.round_events) == list(summary.events)


def test_a_hint_is_told_to_the_table() -> None:
    table = cut(played_records(PRESETS["muggins"], 2, seed=11, most_moves=6), 0.9)
    hints = [entry for entry in table.round_entries if isinstance(entry.fact, HintShown)]
    events = public_view(table, presence(table), NOW_US).round_events
    assert hints
    assert hints == [decode_event(event) for event in events if event.HasField("hint_shown")]


def test_a_line_of_the_lobby() -> None:
    table = cut(played_records(PRESETS["sniff"], 4, seed=1), 0.5)
    summary = match_summary(table, presence(table))
    assert summary.match_id == "match-1"
    assert summary.state == views_pb2.MATCH_STATE_PLAYING
    assert summary.created.ToMicroseconds() == table.created_us
    assert list(summary.scores) == list(table.game.scores)
    assert summary.rule_set.id == "sniff"
    assert len(summary.seats) == 4


# --- frames and answers ---


def chunk_and_table() -> tuple[bytes, Table]:
    records = played_records(PRESETS["muggins"], 2, seed=7)
    table = cut(records, 0.6)
    return events_chunk(map(encode_event, records[-1].entries)), table


def test_a_batch_of_events_with_what_the_seat_may_do() -> None:
    chunk, table = chunk_and_table()
    data = frames.event_batch_frame(chunk, legal_actions_chunk(table))
    frame = streams_pb2.ObserveMatchResponse.FromString(data)
    assert len(legal_outcomes(table.game)) == len(frame.events.legal_actions) > 0
    assert len(frame.events.events) == 1
    assert data == frame.SerializeToString(deterministic=True)


def test_a_snapshot_a_heartbeat_and_a_go_away() -> None:
    _, table = chunk_and_table()
    view = public_view(table, presence(table), NOW_US)
    data = frames.snapshot_frame(view.SerializeToString(), is_seat=False, gap=True)
    snapshot = streams_pb2.ObserveMatchResponse.FromString(data).snapshot
    assert view == snapshot.table
    assert snapshot.gap
    beat = streams_pb2.ObserveMatchResponse.FromString(
        frames.heartbeat_frame(table, presence(table), NOW_US)
    ).heartbeat
    assert (beat.version, beat.time.ToMicroseconds()) == (table.version, NOW_US)
    assert list(beat.presence) == list(view.seats)
    away = streams_pb2.ObserveMatchResponse.FromString(
        frames.go_away_frame(frames.GoAwayReason.DRAINING, 1_500_000)
    ).go_away
    assert away.reason == streams_pb2.GO_AWAY_REASON_DRAINING
    assert away.retry_after.ToMicroseconds() == 1_500_000


def test_go_away_reasons_are_those_of_the_contract() -> None:
    named = {f"GO_AWAY_REASON_{reason.name}": int(reason) for reason in frames.GoAwayReason}
    assert {"GO_AWAY_REASON_UNSPECIFIED": 0, **named} == dict(streams_pb2.GoAwayReason.items())


def test_a_result_comes_with_its_events_in_one_frame() -> None:
    chunk, _ = chunk_and_table()
    error = ServiceError(Refusal.NO_MATCH, metadata={"tile": "5-6", "value": "3"})
    refused = frames.refusal(error, 9, "It does not fit.")
    result = frames.command_result("r-1", 12, refused)
    frame = streams_pb2.PlayMatchResponse.FromString(
        frames.play_frame(result, frames.event_batch_frame(chunk))
    )
    assert frame.result.request_id == "r-1"
    assert frame.result.version == 12
    assert frame.result.refusal.reason == "NO_MATCH"
    assert dict(frame.result.refusal.metadata) == {"tile": "5-6", "value": "3"}
    assert len(frame.observe.events.events) == 1
    done = streams_pb2.CommandResult.FromString(frames.command_result("", 12))
    assert not done.HasField("refusal")
    pong = streams_pb2.PlayMatchResponse.FromString(frames.pong_frame(5))
    assert pong.pong.nonce == 5
    assert frames.play_frame() == b""


def test_answers_that_begin_with_version_and_events() -> None:
    chunk, table = chunk_and_table()
    view = seat_view_bytes(table, 0, presence(table), NOW_US)
    found = lobby_pb2.FindMatchResponse.FromString(
        answers.find_match_answer(9, chunk, match_id="m", seat=0, view=view, created=True)
    )
    joined = lobby_pb2.JoinMatchResponse.FromString(
        answers.join_match_answer(9, chunk, seat=1, view=view)
    )
    created = lobby_pb2.CreateMatchResponse.FromString(
        answers.create_match_answer(
            9,
            chunk,
            match_id="m",
            invite_code="abc",
            rule_set=PRESETS["sniff"],
            fairness_anchor=b"a" * 32,
        )
    )
    controlled = lobby_pb2.ControlMatchResponse.FromString(
        answers.control_match_answer(9, chunk, rematch_id="n")
    )
    hinted = moves_pb2.GetHintResponse.FromString(
        answers.hint_answer(
            9, chunk, answers.hint_bytes(HintStep.PLACE, "Pass.", tile=Tile(0, 0), action=Pass())
        )
    )
    for answer in (found, joined, created, controlled, hinted):
        assert answer.version == 9
        assert len(answer.events) == 1
    assert (found.match_id, found.created, joined.seat) == ("m", True, 1)
    assert found.view == joined.view == views_pb2.SeatView.FromString(view)
    assert (created.match_id, created.invite_code) == ("m", "abc")
    assert created.rule_set.id == "sniff"
    assert controlled.rematch_id == "n"
    assert hinted.hint.HasField("tile")
    assert hinted.hint.action.HasField("pass_turn")


def test_answers_of_the_lobby() -> None:
    _, table = chunk_and_table()
    summary = match_summary(table, presence(table))
    listed = lobby_pb2.ListMatchesResponse.FromString(answers.list_matches_answer([summary], "t"))
    watched = lobby_pb2.WatchMatchesResponse.FromString(
        answers.watch_matches_frame([summary], ["gone"], NOW_US, snapshot=True)
    )
    away = lobby_pb2.WatchMatchesResponse.FromString(
        answers.watch_matches_go_away(frames.GoAwayReason.MAX_AGE, 0, NOW_US)
    )
    rule_sets = lobby_pb2.ListRuleSetsResponse.FromString(answers.list_rule_sets_answer())
    got = lobby_pb2.GetMatchResponse.FromString(answers.get_match_answer(b"", is_seat=True))
    assert [summary] == list(listed.matches)
    assert listed.next_page_token == "t"
    assert [summary] == list(watched.matches)
    assert (watched.snapshot, list(watched.removed_match_ids)) == (True, ["gone"])
    assert away.go_away.reason == streams_pb2.GO_AWAY_REASON_MAX_AGE
    assert list(PRESETS) == [rule_set.id for rule_set in rule_sets.rule_sets]
    assert got.WhichOneof("view") == "seat"


def test_every_limit_of_the_server_is_told() -> None:
    counts: dict[str, Field] = dict.fromkeys(ServerLimits.__slots__, 1_000_000)
    counts["callers"] = CallerLimits(1, 1, 1, 1, 1, 1)
    limits = ServerLimits(**counts)
    info = ServerInfo(
        server_version="1.2.0",
        engine_versions={"greedy": "greedy@1"},
        limits=limits,
        test_seeds=True,
        draining=False,
    )
    told = lobby_pb2.GetServerInfoResponse.FromString(server_info_answer(info, NOW_US))
    fields = lobby_pb2.ServerLimits.DESCRIPTOR.fields
    assert len(fields) == len(told.limits.ListFields())
    assert told.api_version == "muggins.v1"
    assert told.features.test_seeds
    assert dict(told.engine_versions) == {"greedy": "greedy@1"}


def test_a_status_holds_all_that_is_known_of_an_error() -> None:
    error = ServiceError(
        ServiceReason.RATE_LIMITED,
        metadata={"seconds": "2"},
        fields=(FieldProblem("seats", "Too many."),),
        retry_after_s=1.5,
    )
    status = StatusMessage.FromString(
        status_details(8, "Wait.", error, localized=("fr", "Attendez."))
    )
    info, bad, retry, local = ErrorInfo(), BadRequest(), RetryInfo(), LocalizedMessage()
    for detail, message in zip(status.details, (info, bad, retry, local), strict=True):
        assert detail.Unpack(message)
    assert (status.code, status.message) == (8, "Wait.")
    assert (info.reason, info.domain) == ("RATE_LIMITED", "muggins.v1")
    assert dict(info.metadata) == {"seconds": "2"}
    assert [violation.field for violation in bad.field_violations] == ["seats"]
    assert retry.retry_delay.ToMicroseconds() == 1_500_000
    assert (local.locale, local.message) == ("fr", "Attendez.")


def test_the_methods_of_every_service() -> None:
    services = (
        "muggins.v1.MatchService",
        "muggins.v1.OpponentService",
        "muggins.v1.RulesService",
        "muggins.v1.AdminService",
        "muggins.v1.ResultsService",
    )
    assert services == service_names()
    match_methods = {method.name: method for method in METHODS["muggins.v1.MatchService"]}
    assert len(match_methods) == 23
    play = match_methods["PlayMatch"]
    assert play.full_name == "/muggins.v1.MatchService/PlayMatch"
    assert (play.streams_requests, play.streams_responses) == (True, True)
    assert match_methods["PlayTile"].request is moves_pb2.PlayTileRequest
    assert "google/protobuf/timestamp.proto" in {file.name for file in file_descriptors()}
