"""Advice for a player on turn: how much each step gives away, who sees what, and refusals."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import grpc
import pytest
import pytest_asyncio

from muggins.i18n import LANGUAGES, catalogue, hint
from muggins.v1 import events_pb2, lobby_pb2, moves_pb2, streams_pb2
from muggins_ai.levels import LADDER, opponent_of
from muggins_ai.opponent import Choice
from muggins_rules import Action, Draw, Pass, Place, SeatView
from muggins_rules.viewing import seat_view
from muggins_service.opponents.hints import SEED
from muggins_service.opponents.ideas import idea_of
from muggins_service.opponents.port import Question
from tests.service.game import Game
from tests.service.mirror import action_message
from tests.service.server import (
    CALL_S,
    Field,
    Metadata,
    Service,
    fact_of,
    new_id,
    new_secret,
    refusal,
    running,
    seat_key,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

IDEA, TILE, PLACE = (
    events_pb2.HINT_STEP_IDEA,
    events_pb2.HINT_STEP_TILE,
    events_pb2.HINT_STEP_PLACE,
)
LEVEL = "greedy_plus"
"""Advises in most tests, since it needs no time."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service() -> AsyncIterator[Service]:
    """A server that advises as a quick level plays."""
    async with running() as started:
        started.app.hints.level = LEVEL
        yield started


async def _start(service: Service, seed: bytes, **options: Field) -> Game:
    given: dict[str, Field] = {"rule_set_id": "muggins", "seats": 2, "hints": True} | options
    return await Game.start(service, seed=seed, **given)


def _key(game: Game) -> Metadata:
    return game.players[game.mirror.turn].key


async def _hint(
    game: Game,
    step: events_pb2.HintStep.ValueType = PLACE,
    *,
    key: Metadata | None = None,
    **fields: Field,
) -> moves_pb2.GetHintResponse:
    """A hint for the seat on turn, or for who shows a key."""
    given: dict[str, Field] = {"match_id": game.match_id, "request_id": new_id(), "step": step}
    shown = _key(game) if key is None else key
    answer = await game.service.call.GetHint(
        moves_pb2.GetHintRequest(**given | fields), metadata=shown, timeout=CALL_S
    )
    game.version = max(game.version, answer.version)
    return answer


def _view(game: Game) -> SeatView:
    return seat_view(game.mirror.state, game.mirror.turn)


def _advised(game: Game) -> Action:
    """What the advising level does."""
    return opponent_of(LEVEL).choose(_view(game), SEED).action


async def _until(game: Game, wanted: Callable[[tuple[Action, ...]], bool]) -> None:
    """Play on until the seat on turn may do what is wanted."""
    while not wanted(game.mirror.legal()):
        assert not game.over, "another seed is needed"
        await game.act_on_turn(game.mirror.legal()[-1])


# --- what is told ---


async def test_each_step_gives_away_so_much_and_no_more(service: Service) -> None:
    game = await _start(service, b"1" * 32)
    for _ in range(8):
        action = _advised(game)
        idea, tile, place = [(await _hint(game, step)).hint for step in (IDEA, TILE, PLACE)]
        assert [IDEA, TILE, PLACE] == [told.step for told in (idea, tile, place)]
        key, value = idea_of(_view(game), action)
        assert {hint(key, "en", value=value)} == {told.idea for told in (idea, tile, place)}
        assert [False] * 3 == [
            idea.HasField("tile"),
            idea.HasField("action"),
            tile.HasField("action"),
        ]
        assert action_message(action) == place.action
        assert isinstance(action, Place) == tile.HasField("tile") == place.HasField("tile")
        if isinstance(action, Place):
            shown = (tile.tile.low, tile.tile.high)
            assert tuple(action.placement.tile) == shown == (place.tile.low, place.tile.high)
        await game.act_on_turn(game.mirror.legal()[0])


@pytest.mark.parametrize(
    ("rule_set_id", "seats", "kind", "key"),
    [("muggins", 2, Draw, "draw"), ("latin_american", 4, Pass, "pass")],
)
async def test_a_seat_with_nothing_to_play_is_told_to_draw_or_pass(
    service: Service, rule_set_id: str, seats: int, kind: type[Draw | Pass], key: str
) -> None:
    game = await _start(service, b"2" * 32, rule_set_id=rule_set_id, seats=seats)
    await _until(game, lambda legal: isinstance(legal[0], kind))
    told = (await _hint(game, TILE)).hint
    assert (hint(key, "en"), False) == (told.idea, told.HasField("tile"))
    action = (await _hint(game, PLACE)).hint.action
    assert ("draw" if kind is Draw else "pass_turn") == action.WhichOneof("action")
    await game.act_on_turn(Draw(action.draw.until_playable) if kind is Draw else Pass())


@pytest.mark.parametrize("language", LANGUAGES)
async def test_an_idea_is_told_in_the_callers_language(service: Service, language: str) -> None:
    game = await _start(service, b"3" * 32)
    key, value = idea_of(_view(game), _advised(game))
    asked = (*_key(game), ("accept-language", language))
    told = (await _hint(game, IDEA, key=asked)).hint
    assert hint(key, language, value=value) == told.idea
    assert value is not None or told.idea == catalogue(language).hints[key]


async def test_the_same_position_gives_the_same_hint_again(service: Service) -> None:
    game = await _start(service, b"4" * 32)
    first, again = [(await _hint(game)).hint for _ in range(2)]
    service.app.hints._kept.clear()
    afresh = (await _hint(game)).hint
    assert first == again == afresh


async def test_under_calling_no_step_names_a_claim(service: Service) -> None:
    game = await _start(service, b"5" * 32, rule_set_id="all_fives_us", calling=True)
    action = _advised(game)
    assert isinstance(action, Place)
    assert action.claim is not None, "an opponent claims with its placement"
    told = (await _hint(game)).hint
    assert action_message(Place(action.placement)) == told.action
    assert "place" == told.action.WhichOneof("action")
    view = await service.seat_view(game.players[game.mirror.turn])
    assert told.action in [legal.action for legal in view.legal_actions]


async def test_without_a_level_set_the_strongest_advises() -> None:
    async with running(warm=True) as strongest:
        assert LADDER[-1] == strongest.app.hints.level
        game = await _start(strongest, b"6" * 32)
        told = (await _hint(game)).hint
        expected = opponent_of(LADDER[-1]).choose(_view(game), SEED).action
        assert action_message(expected) == told.action
        assert told == (await _hint(game)).hint


# --- the event ---


async def test_the_table_sees_that_a_hint_was_taken_and_not_what_it_said(
    service: Service,
) -> None:
    game = await _start(service, b"7" * 32)
    mover, before = game.mirror.turn, game.version
    answer = await _hint(game, TILE)
    assert (before + 1, ["hint_shown"]) == (answer.version, [fact_of(e) for e in answer.events])
    for key in ((), game.players[1 - mover].key, game.players[mover].key):
        call = service.observe(game.match_id, before, key=key)
        frame = await call.read()
        call.cancel()
        assert isinstance(frame, streams_pb2.ObserveMatchResponse)
        assert answer.events == frame.events.events
    shown = answer.events[0]
    assert (mover, TILE) == (shown.hint_shown.seat, shown.hint_shown.step)
    assert (events_pb2.CAUSE_PLAYER, 1, "") == (shown.cause, shown.round, shown.engine)
    view = await service.public_view(game.match_id)
    assert shown == view.round_events[-1]
    assert answer.version == await service.version(game.match_id)


async def test_a_hint_leaves_the_game_as_it_is(service: Service) -> None:
    game = await _start(service, b"8" * 32)
    player = game.players[game.mirror.turn]
    before = await service.seat_view(player)
    await _hint(game)
    after = await service.seat_view(player)
    assert before.legal_actions == after.legal_actions
    assert before.hand == after.hand
    await game.act_on_turn(game.mirror.legal()[0])


# --- repeats and versions ---


async def test_a_repeat_gets_the_first_answer_also_after_the_position_has_changed(
    service: Service,
) -> None:
    game = await _start(service, b"9" * 32)
    key, request_id = _key(game), new_id()
    first = await _hint(game, request_id=request_id)
    version = game.version
    again = await _hint(game, request_id=request_id)
    assert first.SerializeToString() == again.SerializeToString()
    assert version == await service.version(game.match_id)
    await game.act_on_turn(game.mirror.legal()[0])
    french = (*key, ("accept-language", "fr"))
    later = await _hint(game, request_id=request_id, key=french)
    assert first.SerializeToString() == later.SerializeToString()


async def test_calls_at_the_same_time_with_one_request_id_show_one_hint(service: Service) -> None:
    game = await _start(service, b"a" * 32)
    version, request_id = game.version, new_id()
    answers = await asyncio.gather(*(_hint(game, request_id=request_id) for _ in range(4)))
    assert 1 == len({answer.SerializeToString() for answer in answers})
    assert version + 1 == await service.version(game.match_id)


async def test_a_request_id_of_another_step_or_caller_is_refused(service: Service) -> None:
    game = await _start(service, b"b" * 32)
    request_id = new_id()
    await _hint(game, IDEA, request_id=request_id)
    told = await refusal(_hint(game, PLACE, request_id=request_id))
    assert "REQUEST_ID_REUSED" == told.reason
    other = game.players[1 - game.mirror.turn].key
    told = await refusal(_hint(game, IDEA, request_id=request_id, key=other))
    assert "REQUEST_ID_REUSED" == told.reason


async def test_a_version_that_is_expected_is_checked_before(service: Service) -> None:
    game = await _start(service, b"c" * 32)
    told = await refusal(_hint(game, expected_version=game.version - 1))
    expected = ("VERSION_STALE", grpc.StatusCode.ABORTED, {"version": str(game.version)})
    assert expected == (told.reason, told.code, told.metadata)
    version = game.version
    assert version + 1 == (await _hint(game, expected_version=version)).version


Meanwhile = Callable[[], Awaitable[object]]


def _while_advised(
    service: Service, monkeypatch: pytest.MonkeyPatch, *meanwhile: Meanwhile
) -> list[SeatView]:
    """Let things happen while advice is worked out, one each time; the views that were asked."""
    runner, asked = service.app.hints._opponents, list[SeatView]()
    choose, happening = runner.choose, iter(meanwhile)

    async def slow(question: Question) -> Choice:
        if not question.caller.endswith("/hints"):
            return await choose(question)
        asked.append(question.view)
        choice = await choose(question)
        happens = next(happening, None)
        if happens is not None:
            await happens()
        return choice

    monkeypatch.setattr(runner, "choose", slow)
    return asked


async def _set_options(game: Game, seat: int) -> None:
    request = lobby_pb2.SetSeatOptionsRequest(
        match_id=game.match_id,
        request_id=new_id(),
        options=events_pb2.SeatOptions(passes_by_itself=True),
    )
    answer = await game.service.call.SetSeatOptions(request, metadata=game.players[seat].key)
    game.version = answer.version


async def test_a_match_that_moved_on_is_told_where_a_version_was_expected(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await _start(service, b"d" * 32)
    other, expected = 1 - game.mirror.turn, game.version
    _while_advised(service, monkeypatch, lambda: _set_options(game, other))
    told = await refusal(_hint(game, expected_version=expected))
    assert ("VERSION_STALE", {"version": str(game.version)}) == (told.reason, told.metadata)
    assert game.version == await service.version(game.match_id)


async def test_a_hint_is_shown_at_a_version_at_which_it_holds(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await _start(service, b"e" * 32)
    other, before = 1 - game.mirror.turn, game.version
    asked = _while_advised(service, monkeypatch, lambda: _set_options(game, other))
    answer = await _hint(game)
    assert [before + 2] == [event.sequence for event in answer.events]
    assert action_message(_advised(game)) == answer.hint.action
    assert 1 == len(asked), "the same position needs no second thought"


async def test_a_hint_for_a_position_that_is_gone_is_not_shown(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await _start(service, b"f" * 32)
    key, first = _key(game), game.mirror.legal()[0]
    _while_advised(service, monkeypatch, lambda: game.act_on_turn(first))
    told = await refusal(_hint(game, key=key))
    assert "NOT_YOUR_TURN" == told.reason
    view = await service.public_view(game.match_id)
    assert not [event for event in view.round_events if event.HasField("hint_shown")]


async def _with_an_open_window(service: Service) -> Game:
    """A match under calling whose second turn has something to decide."""
    for number in range(20):
        seed = bytes([number]) * 32
        game = await _start(service, seed, rule_set_id="all_fives_us", calling=True)
        await game.act_on_turn(game.mirror.legal()[0])
        if len(game.mirror.legal()) > 1:
            return game
    raise AssertionError("no seed gives such a hand")


async def test_advice_is_worked_out_again_where_a_claim_window_closed(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await _with_an_open_window(service)
    before = game.version

    async def closes() -> None:
        while game.version == before:
            await asyncio.sleep(0.05)
            game.version = await service.version(game.match_id)

    asked = _while_advised(service, monkeypatch, closes)
    answer = await _hint(game)
    assert [True, False] == [view.table.window is not None for view in asked]
    assert [before + 2] == [event.sequence for event in answer.events]
    game.mirror.close_window()
    assert action_message(_without_claim(_advised(game))) == answer.hint.action


def _without_claim(action: Action) -> Action:
    return Place(action.placement) if isinstance(action, Place) else action


# --- refusals ---


async def test_hints_are_refused_where_the_match_does_not_allow_them(service: Service) -> None:
    game = await _start(service, b"h" * 32, hints=False)
    for player in game.players:
        told = await refusal(_hint(game, key=player.key))
        assert ("HINTS_OFF", grpc.StatusCode.FAILED_PRECONDITION) == (told.reason, told.code)
    assert game.version == await service.version(game.match_id)


async def test_a_hint_is_for_ones_own_turn(service: Service) -> None:
    game = await _start(service, b"i" * 32)
    other = game.players[1 - game.mirror.turn].key
    told = await refusal(_hint(game, key=other))
    assert ("NOT_YOUR_TURN", grpc.StatusCode.FAILED_PRECONDITION) == (told.reason, told.code)


async def test_a_hint_needs_a_match_in_play(service: Service) -> None:
    table = await service.create("muggins", 2, hints=True)
    player = await service.join(table.match_id)
    request = moves_pb2.GetHintRequest(match_id=table.match_id, step=IDEA)
    told = await refusal(service.call.GetHint(request, metadata=player.key))
    assert "MATCH_NOT_STARTED" == told.reason
    await service.control(table, cancel={})
    told = await refusal(service.call.GetHint(request, metadata=player.key))
    assert "MATCH_OVER" == told.reason


async def test_a_hint_needs_the_secret_of_a_seat(service: Service) -> None:
    game = await _start(service, b"j" * 32)
    missing = await refusal(_hint(game, key=()))
    wrong = await refusal(_hint(game, key=seat_key(new_secret())))
    assert ["MISSING_SEAT_SECRET", "BAD_SEAT_SECRET"] == [missing.reason, wrong.reason]
    assert {grpc.StatusCode.UNAUTHENTICATED} == {missing.code, wrong.code}


@pytest.mark.parametrize("step", [0, 9])
async def test_a_hint_needs_a_step_that_there_is(service: Service, step: int) -> None:
    game = await _start(service, b"k" * 32)
    raw = moves_pb2.GetHintRequest(match_id=game.match_id).SerializeToString()
    raw += b"\x20" + bytes([step])
    call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
    call = service.channel.unary_unary("/muggins.v1.MatchService/GetHint")
    told = await refusal(call(raw, metadata=_key(game), timeout=CALL_S))
    assert ("MALFORMED_FIELD", {"field": "step"}) == (told.reason, told.metadata)


async def test_without_workers_a_hint_is_refused_for_now_and_nothing_changes() -> None:
    async with running() as service:
        service.app.hints.level = LEVEL
        game = await _start(service, b"l" * 32)
        await service.app.pool.stop()
        told = await refusal(_hint(game))
        expected = ("RATE_LIMITED", grpc.StatusCode.RESOURCE_EXHAUSTED, {"seconds": "1"}, 1.0)
        assert expected == (told.reason, told.code, told.metadata, told.retry_after_s)
        assert game.version == await service.version(game.match_id)
