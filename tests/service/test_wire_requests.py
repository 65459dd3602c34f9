"""Requests become the commands of a table, and what no request may hold is named by its field."""

# ruff: noqa: ANN401 - messages are built and bent by their fields' names

from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from muggins.v1 import (
    actions_pb2,
    events_pb2,
    lobby_pb2,
    moves_pb2,
    streams_pb2,
    tiles_pb2,
    views_pb2,
)
from muggins_rules import PRESETS, Call, Claim, Draw, End, Orientation, Pass, Place, Placement, Port
from muggins_rules.tiles import Tile
from muggins_service.errors import ServiceError
from muggins_service.table.commands import (
    AgreeToEnd,
    Cancel,
    CreateMatch,
    FillSeat,
    FindMatch,
    FreeSeat,
    JoinMatch,
    LeaveMatch,
    Rematch,
    Resign,
    RevealNonce,
    SeatFill,
    SetSeatOptions,
    ShowHint,
    StartMatch,
)
from muggins_service.table.facts import HintStep, MatchOptions, OpponentPace, SeatOptions
from muggins_service.table.state import Status
from muggins_service.wire.methods import MATCH_SERVICE, METHODS
from muggins_service.wire.options import decode_match_options
from muggins_service.wire.requests import (
    MUTATIONS,
    Attach,
    Cursor,
    Envelope,
    ListMatches,
    MatchFilter,
    ObserveMatch,
    Ping,
    StreamCommand,
    WatchMatches,
    decode_export_match,
    decode_get_match,
    decode_list_matches,
    decode_observe_match,
    decode_play_frame,
    decode_watch_matches,
    lobby_page_token,
)
from muggins_service.wire.rule_sets import rule_set_bytes

SECRET = b"s" * 32
HOST = b"h" * 32
TO_MATCH: dict[str, Any] = {"match_id": "m", "request_id": "r-1", "expected_version": 7}
ENVELOPE = Envelope("m", "r-1", 7)
FIVE_SIX = tiles_pb2.Tile(low=6, high=5)
AT = tiles_pb2.End(tile=tiles_pb2.Tile(low=5, high=5), port=tiles_pb2.PORT_BRANCH_A)
PLACEMENT = tiles_pb2.Placement(tile=FIVE_SIX, at=AT, orientation=tiles_pb2.ORIENTATION_CROSSWISE)
PLACED = Placement(Tile(5, 6), End(Tile(5, 5), Port.BRANCH_A), Orientation.CROSSWISE)
PRESET = lobby_pb2.PresetChoice(rule_set_id="all_fives", calling=True)


def refused(method: str, message: Message) -> str:
    """What a refused request is refused for: the malformed field, else the reason."""
    with pytest.raises(ServiceError) as caught:
        MUTATIONS[method](message.SerializeToString())
    return caught.value.metadata.get("field") or caught.value.reason.value


@pytest.mark.parametrize(
    ("method", "message", "what"),
    [
        ("PlayTile", moves_pb2.PlayTileRequest(**TO_MATCH, placement=PLACEMENT), Place(PLACED)),
        (
            "PlayTile",
            moves_pb2.PlayTileRequest(
                **TO_MATCH, placement=PLACEMENT, claim=actions_pb2.Claim(points=0)
            ),
            Place(PLACED, 0),
        ),
        ("DrawTile", moves_pb2.DrawTileRequest(**TO_MATCH), Draw()),
        (
            "DrawTile",
            moves_pb2.DrawTileRequest(**TO_MATCH, until_playable=True),
            Draw(until_playable=True),
        ),
        ("PassTurn", moves_pb2.PassTurnRequest(**TO_MATCH), Pass()),
        ("ClaimPoints", moves_pb2.ClaimPointsRequest(**TO_MATCH, points=15), Claim(15)),
        ("CallMuggins", moves_pb2.CallMugginsRequest(**TO_MATCH, placement_sequence=9), Call(9)),
        (
            "GetHint",
            moves_pb2.GetHintRequest(**TO_MATCH, step=events_pb2.HINT_STEP_PLACE),
            ShowHint(HintStep.PLACE),
        ),
        (
            "RevealNonce",
            lobby_pb2.RevealNonceRequest(**TO_MATCH, nonce=SECRET),
            RevealNonce(SECRET),
        ),
        (
            "SetSeatOptions",
            lobby_pb2.SetSeatOptionsRequest(**TO_MATCH),
            SetSeatOptions(SeatOptions()),
        ),
        (
            "SetSeatOptions",
            lobby_pb2.SetSeatOptionsRequest(
                **TO_MATCH, options=events_pb2.SeatOptions(passes_by_itself=True)
            ),
            SetSeatOptions(SeatOptions(passes=True)),
        ),
        ("LeaveMatch", lobby_pb2.LeaveMatchRequest(**TO_MATCH), LeaveMatch()),
        ("ResignMatch", lobby_pb2.ResignMatchRequest(**TO_MATCH), Resign()),
        ("AgreeToEnd", lobby_pb2.AgreeToEndRequest(**TO_MATCH), AgreeToEnd()),
        (
            "ControlMatch",
            lobby_pb2.ControlMatchRequest(**TO_MATCH, start=lobby_pb2.StartMatch()),
            StartMatch(),
        ),
        (
            "ControlMatch",
            lobby_pb2.ControlMatchRequest(
                **TO_MATCH, fill_seat=lobby_pb2.SeatFill(seat=2, level="greedy")
            ),
            FillSeat(2, "greedy"),
        ),
        (
            "ControlMatch",
            lobby_pb2.ControlMatchRequest(**TO_MATCH, free_seat=lobby_pb2.SeatFree(seat=1)),
            FreeSeat(1),
        ),
        (
            "ControlMatch",
            lobby_pb2.ControlMatchRequest(**TO_MATCH, cancel=lobby_pb2.CancelMatch()),
            Cancel(),
        ),
        (
            "ControlMatch",
            lobby_pb2.ControlMatchRequest(**TO_MATCH, rematch=lobby_pb2.Rematch()),
            Rematch(),
        ),
    ],
)
def test_a_request_to_a_match_is_its_envelope_and_what_is_asked(
    method: str, message: Message, what: object
) -> None:
    assert (ENVELOPE, what) == MUTATIONS[method](message.SerializeToString())


def test_every_method_that_changes_a_match_has_a_decoder() -> None:
    beginnings = {
        method.name
        for method in METHODS[MATCH_SERVICE]
        if [field.name for field in method.response.DESCRIPTOR.fields[:2]] == ["version", "events"]
    }
    assert beginnings == set(MUTATIONS)


def test_an_expected_version_of_zero_is_not_an_absent_one() -> None:
    zero = moves_pb2.PassTurnRequest(match_id="m", expected_version=0)
    absent = moves_pb2.PassTurnRequest(match_id="m")
    assert MUTATIONS["PassTurn"](zero.SerializeToString()).envelope.expected_version == 0
    assert MUTATIONS["PassTurn"](absent.SerializeToString()).envelope.expected_version is None


def create_request(**fields: Any) -> lobby_pb2.CreateMatchRequest:
    given: dict[str, Any] = {"seats": 2, "host_secret": HOST, "preset": PRESET}
    return lobby_pb2.CreateMatchRequest(**given | fields)


def test_create_match_of_a_preset() -> None:
    request = create_request(
        request_id="r",
        options=events_pb2.MatchOptions(turn_limit=Duration(seconds=30), hints=True),
        fills=[lobby_pb2.SeatFill(seat=1, level="greedy")],
        test_seed=SECRET,
    )
    rule_set = PRESETS["all_fives"]
    envelope, command = MUTATIONS["CreateMatch"](request.SerializeToString())
    assert Envelope("", "r") == envelope
    assert isinstance(command, CreateMatch)
    assert rule_set.id == command.rule_set.id
    assert command.rule_set.calling
    assert MatchOptions(turn_limit_us=30_000_000, hints=True) == command.options
    assert (SeatFill(1, "greedy"),) == command.fills
    assert command.test_seed == SECRET


@pytest.mark.parametrize(
    ("asked", "pace"),
    [
        (events_pb2.OPPONENT_PACE_UNSPECIFIED, OpponentPace.INSTANT),
        (events_pb2.OPPONENT_PACE_INSTANT, OpponentPace.INSTANT),
        (events_pb2.OPPONENT_PACE_HUMAN, OpponentPace.HUMAN),
    ],
)
def test_opponents_are_instant_unless_another_pace_is_asked_for(
    asked: events_pb2.OpponentPace.ValueType, pace: OpponentPace
) -> None:
    _, command = MUTATIONS["CreateMatch"](limits(opponent_pace=asked).SerializeToString())
    assert isinstance(command, CreateMatch)
    assert pace is command.options.opponent_pace


def test_a_pace_of_a_later_version_in_a_stored_match_is_instant() -> None:
    later = events_pb2.MatchOptions.FromString(b"\x40\x09")
    assert OpponentPace.INSTANT is decode_match_options(later, "options").opponent_pace


@pytest.mark.parametrize("rule_set", PRESETS.values(), ids=PRESETS)
def test_a_custom_rule_set_comes_as_it_was_given(rule_set: Any) -> None:
    request = create_request()
    request.custom.MergeFromString(rule_set_bytes(rule_set))
    _, command = MUTATIONS["CreateMatch"](request.SerializeToString())
    assert isinstance(command, CreateMatch)
    assert rule_set == command.rule_set


def test_rules_version_zero_is_the_servers_own() -> None:
    request = create_request()
    request.custom.MergeFromString(rule_set_bytes(PRESETS["sniff"]))
    request.custom.rules_version = 0
    _, command = MUTATIONS["CreateMatch"](request.SerializeToString())
    assert isinstance(command, CreateMatch)
    assert PRESETS["sniff"] == command.rule_set


def test_an_unplayable_rule_set_is_refused_with_every_problem() -> None:
    request = create_request()
    request.custom.MergeFromString(rule_set_bytes(PRESETS["sniff"]))
    request.custom.id = "Bad"
    request.custom.scoring.points_divisor = 3
    with pytest.raises(ServiceError) as caught:
        MUTATIONS["CreateMatch"](request.SerializeToString())
    assert caught.value.reason.value == "rule_set_invalid"
    assert ["custom.id", "custom.scoring.points_divisor"] == [
        problem.field for problem in caught.value.fields
    ]
    assert caught.value.fields[0].description.startswith("ID_MALFORMED: ")


def long_hands() -> lobby_pb2.CreateMatchRequest:
    request = create_request()
    request.custom.MergeFromString(rule_set_bytes(PRESETS["sniff"]))
    request.custom.deal.hand_size_by_seats.append(5)
    return request


def no_spinner() -> lobby_pb2.CreateMatchRequest:
    request = create_request()
    request.custom.MergeFromString(rule_set_bytes(PRESETS["sniff"]))
    request.custom.layout.ClearField("spinner")
    return request


def limits(**fields: Any) -> lobby_pb2.CreateMatchRequest:
    return create_request(options=events_pb2.MatchOptions(**fields))


def unknown_pace() -> lobby_pb2.CreateMatchRequest:
    request = create_request()
    request.options.MergeFromString(b"\x40\x09")
    return request


@pytest.mark.parametrize(
    ("request_", "what"),
    [
        (create_request(host_secret=b"short"), "host_secret"),
        (create_request(test_seed=b"short"), "test_seed"),
        (create_request(request_id="r" * 65), "request_id"),
        (create_request(request_id="née"), "request_id"),
        (create_request(request_id="line\n"), "request_id"),
        (create_request(seats=3), "unsupported_seats"),
        (create_request(seats=5), "unsupported_seats"),
        (create_request(seats=0), "unsupported_seats"),
        (create_request(preset=lobby_pb2.PresetChoice(rule_set_id="whist")), "rule_set_unknown"),
        (create_request(preset=None), "rules"),
        (create_request(fills=[lobby_pb2.SeatFill(seat=1)]), "fills[0].level"),
        (long_hands(), "custom.deal.hand_size_by_seats"),
        (no_spinner(), "custom.layout.spinner"),
        (limits(turn_limit=Duration(nanos=999_000_000)), "options.turn_limit"),
        (limits(turn_limit=Duration(seconds=86_401)), "options.turn_limit"),
        (limits(turn_limit=Duration(seconds=-1)), "options.turn_limit"),
        (limits(claim_window=Duration(nanos=100_000_000)), "options.claim_window"),
        (limits(claim_window=Duration(seconds=61)), "options.claim_window"),
        (limits(observer_delay_moves=21), "options.observer_delay_moves"),
        (unknown_pace(), "options.opponent_pace"),
    ],
)
def test_create_match_refuses(request_: Message, what: str) -> None:
    assert what == refused("CreateMatch", request_)


def test_find_match_and_join_match() -> None:
    find = lobby_pb2.FindMatchRequest(
        preset=PRESET, seats=2, name=" Zoe\u0308 ", seat_secret=SECRET, host_secret=HOST
    )
    join = lobby_pb2.JoinMatchRequest(
        match_id="m", seat=0, name="Ana", nonce_commitment=HOST, seat_secret=SECRET, invite_code="x"
    )
    _, found = MUTATIONS["FindMatch"](find.SerializeToString())
    assert isinstance(found, FindMatch)
    assert (found.name, found.seat_secret, found.host_secret) == ("Zo\u00eb", SECRET, HOST)
    expected = JoinMatch("Ana", SECRET, 0, HOST, "x")
    assert (Envelope("m"), expected) == MUTATIONS["JoinMatch"](join.SerializeToString())


@pytest.mark.parametrize(
    "name", ["", "  ", "a" * 41, "a\nb", "a\u202eb", "\u200b", "\u2066x", "a\x00", "\u2028"]
)
def test_a_name_that_may_not_be_shown(name: str) -> None:
    find = lobby_pb2.FindMatchRequest(
        preset=PRESET, seats=2, name=name, seat_secret=SECRET, host_secret=HOST
    )
    join = lobby_pb2.JoinMatchRequest(match_id="m", name=name, seat_secret=SECRET)
    assert refused("FindMatch", find) == "name_not_allowed"
    _, command = MUTATIONS["JoinMatch"](join.SerializeToString())
    assert isinstance(command, JoinMatch)
    assert command.name == ""


@pytest.mark.parametrize("name", ["李", "a" * 40, "Ana & Bo", "👩\u200d🚀", "שרה", "O'Neil"])
def test_a_name_that_may_be_shown(name: str) -> None:
    join = lobby_pb2.JoinMatchRequest(match_id="m", name=name, seat_secret=SECRET)
    _, command = MUTATIONS["JoinMatch"](join.SerializeToString())
    assert isinstance(command, JoinMatch)
    assert name == command.name


def play(**fields: Any) -> moves_pb2.PlayTileRequest:
    given: dict[str, Any] = {"tile": FIVE_SIX}
    placement = tiles_pb2.Placement(**given | fields)
    return moves_pb2.PlayTileRequest(match_id="m", placement=placement)


@pytest.mark.parametrize(
    ("method", "message", "what"),
    [
        ("PlayTile", moves_pb2.PlayTileRequest(match_id="m"), "placement"),
        ("PlayTile", moves_pb2.PlayTileRequest(placement=PLACEMENT), "match_id"),
        ("PlayTile", play(tile=None), "placement.tile"),
        ("PlayTile", play(at=tiles_pb2.End(port=tiles_pb2.PORT_LOW)), "placement.at.tile"),
        ("PlayTile", play(at=tiles_pb2.End(tile=FIVE_SIX)), "placement.at.port"),
        (
            "PlayTile",
            play(at=tiles_pb2.End(tile=FIVE_SIX, port=tiles_pb2.Port.ValueType(9))),
            "placement.at.port",
        ),
        ("PlayTile", play(orientation=tiles_pb2.Orientation.ValueType(3)), "placement.orientation"),
        ("CallMuggins", moves_pb2.CallMugginsRequest(match_id="m"), "placement_sequence"),
        ("GetHint", moves_pb2.GetHintRequest(match_id="m"), "step"),
        ("RevealNonce", lobby_pb2.RevealNonceRequest(match_id="m", nonce=b"x"), "nonce"),
        ("ControlMatch", lobby_pb2.ControlMatchRequest(match_id="m"), "control"),
        ("JoinMatch", lobby_pb2.JoinMatchRequest(match_id="m", name="A"), "seat_secret"),
        (
            "JoinMatch",
            lobby_pb2.JoinMatchRequest(match_id="m", seat_secret=SECRET, nonce_commitment=b"x"),
            "nonce_commitment",
        ),
    ],
)
def test_a_request_to_a_match_refuses(method: str, message: Message, what: str) -> None:
    assert what == refused(method, message)


def test_a_tile_that_no_set_has_is_left_to_the_rules() -> None:
    request = play(tile=tiles_pb2.Tile(low=9, high=3))
    assert (Envelope("m"), Place(Placement(Tile(3, 9)))) == MUTATIONS["PlayTile"](
        request.SerializeToString()
    )


def test_bytes_that_are_no_message_are_a_malformed_field() -> None:
    with pytest.raises(ServiceError) as caught:
        MUTATIONS["PlayTile"](b"\xff")
    assert caught.value.reason.value == "malformed_field"


def frame(**fields: Any) -> bytes:
    return streams_pb2.PlayMatchRequest(**fields).SerializeToString()


def test_the_frames_of_a_player() -> None:
    attach = streams_pb2.Attach(match_id="m", from_sequence=0, heartbeat=Duration(seconds=5))
    command = streams_pb2.Command(
        request_id="r",
        action=actions_pb2.Action(place=PLACEMENT),
        claim=actions_pb2.Claim(points=5),
    )
    assert Attach("m", 0, 5_000_000) == decode_play_frame(frame(attach=attach))
    assert Ping(3) == decode_play_frame(frame(ping=streams_pb2.Ping(nonce=3)))
    expected = StreamCommand("r", None, Place(PLACED, 5))
    assert expected == decode_play_frame(frame(command=command))


def test_what_is_wrong_with_a_command_is_kept_for_its_answer() -> None:
    draw = actions_pb2.Action(draw=actions_pb2.Draw())
    for command, field in (
        (streams_pb2.Command(request_id="r"), "action"),
        (streams_pb2.Command(request_id="r", action=actions_pb2.Action()), "action"),
        (streams_pb2.Command(action=draw, claim=actions_pb2.Claim()), "claim"),
        (
            streams_pb2.Command(action=actions_pb2.Action(call=actions_pb2.Call())),
            "action.call.placement_sequence",
        ),
    ):
        found = decode_play_frame(frame(command=command))
        assert isinstance(found, StreamCommand)
        assert isinstance(found.action, ServiceError)
        assert found.action.metadata == {"field": field}


def test_a_frame_of_no_kind_breaks_the_protocol() -> None:
    with pytest.raises(ServiceError) as caught:
        decode_play_frame(b"")
    assert caught.value.reason.value == "stream_protocol"


def test_queries() -> None:
    get = lobby_pb2.GetMatchRequest(match_id="m").SerializeToString()
    observe = streams_pb2.ObserveMatchRequest(match_id="m", from_sequence=0).SerializeToString()
    watch = lobby_pb2.WatchMatchesRequest(
        state=views_pb2.MATCH_STATE_OPEN, open_seats_only=True, heartbeat=Duration(seconds=1)
    )
    assert decode_get_match(get) == "m"
    assert decode_export_match(get) == "m"
    assert ObserveMatch("m", 0, 0) == decode_observe_match(observe)
    filter_ = MatchFilter(Status.OPEN, "", open_seats_only=True)
    assert WatchMatches(filter_, 1_000_000) == decode_watch_matches(watch.SerializeToString())


def test_a_page_token_goes_on_after_its_match() -> None:
    wanted, last = MatchFilter(rule_set_id="sniff"), Cursor(1_750_000_000_000_000, "m-1")
    request = lobby_pb2.ListMatchesRequest(
        page_size=3, page_token=lobby_page_token(wanted, last), rule_set_id="sniff"
    )
    assert ListMatches(wanted, 3, last) == decode_list_matches(request.SerializeToString())


@pytest.mark.parametrize(
    "token", ["x", "!", "AAAA", lobby_page_token(MatchFilter(), Cursor(1, "m"))]
)
def test_a_page_token_of_another_filter_or_none_is_malformed(token: str) -> None:
    request = lobby_pb2.ListMatchesRequest(page_token=token, rule_set_id="sniff")
    with pytest.raises(ServiceError) as caught:
        decode_list_matches(request.SerializeToString())
    assert caught.value.metadata == {"field": "page_token"}


def test_a_state_that_is_not_known_is_malformed() -> None:
    request = lobby_pb2.ListMatchesRequest(state=views_pb2.MatchState.ValueType(9))
    with pytest.raises(ServiceError) as caught:
        decode_list_matches(request.SerializeToString())
    assert caught.value.metadata == {"field": "state"}
