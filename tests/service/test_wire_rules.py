"""RulesService and OpponentService: facts and views hosted elsewhere come in and go out whole."""

# ruff: noqa: ANN401 - messages are built and bent by their fields' names

from typing import Any

import pytest

from muggins.v1 import (
    actions_pb2,
    analysis_pb2,
    events_pb2,
    opponent_service_pb2,
    rules_service_pb2,
    tiles_pb2,
    views_pb2,
)
from muggins_rules import PRESETS, Call, Draw, Phase, Place, Placement, preset
from muggins_rules.events import Event, MugginsCalled, TilePlayed
from muggins_rules.evolving import evolve_all
from muggins_rules.opening import RoundChance
from muggins_rules.ruleset import RuleSet
from muggins_rules.state import MatchState, new_match
from muggins_rules.tiles import TILES, Tile
from muggins_rules.viewing import public_view, seat_view
from muggins_service.errors import ServiceError
from muggins_service.table.facts import TableFact
from muggins_service.wire.opponents import (
    Budget,
    Level,
    Strength,
    choose_action_answer,
    decode_choose_action,
    decode_list_levels,
    list_levels_answer,
)
from muggins_service.wire.rule_sets import rule_set_bytes
from muggins_service.wire.rules import (
    ApplyStep,
    FairDeal,
    Played,
    StartRound,
    ViewAsked,
    decode_apply,
    decode_check_rule_set,
    decode_start_round,
    decode_view,
)
from muggins_service.wire.rules_answers import (
    check_rule_set_answer,
    new_events_answer,
    view_answer,
)
from muggins_service.wire.view_decoding import decode_seat_view
from tests.service.wire_play import played_records

CALLING = preset("muggins", calling=True)


def facts_of(rule_set: RuleSet, seed: int, most_moves: int = 60) -> tuple[Event, ...]:
    records = played_records(rule_set, 2, seed, most_moves)
    entries = (entry for record in records for entry in record.entries)
    return tuple(entry.fact for entry in entries if not isinstance(entry.fact, TableFact))


def state_after(rule_set: RuleSet, facts: tuple[Event, ...]) -> MatchState:
    return evolve_all(new_match(rule_set, 2), facts)


def messages_of(facts: tuple[Event, ...]) -> list[events_pb2.Event]:
    chunks = (
        new_events_answer(facts[:place], facts[place : place + 1]) for place in range(len(facts))
    )
    return list(rules_service_pb2.ApplyResponse.FromString(b"".join(chunks)).events)


def request(kind: Any, rule_set: RuleSet, facts: tuple[Event, ...] = (), **fields: Any) -> Any:
    message = kind(**{"seats": 2} | fields, events=messages_of(facts))
    message.rule_set.MergeFromString(rule_set_bytes(rule_set))
    return message


def apply_request(facts: tuple[Event, ...] = (), rule_set: RuleSet = CALLING, **fields: Any) -> Any:
    return request(rules_service_pb2.ApplyRequest, rule_set, facts, **fields)


def refused(decode: Any, message: Any) -> str:
    with pytest.raises(ServiceError) as caught:
        decode(message.SerializeToString())
    metadata = caught.value.metadata
    return metadata.get("field") or metadata.get("sequence") or caught.value.reason.value


@pytest.mark.parametrize("seed", range(5))
def test_facts_that_went_out_come_back(seed: int) -> None:
    facts = facts_of(CALLING, seed)
    message = apply_request(facts, close_claim_window=rules_service_pb2.CloseClaimWindow())
    expected = ApplyStep(Played(CALLING, 2, facts), 0, None)
    assert expected == decode_apply(message.SerializeToString())


def test_new_facts_are_numbered_on_and_otherwise_bare() -> None:
    facts = facts_of(CALLING, 1)
    data = new_events_answer(facts[:10], facts[10:14])
    events = rules_service_pb2.StartRoundResponse.FromString(data).events
    assert [11, 12, 13, 14] == [event.sequence for event in events]
    assert not any(event.HasField("time") or event.cause or event.engine for event in events)
    assert {1} == {event.round for event in events}


def test_a_call_is_told_with_the_sequence_of_its_placement() -> None:
    games = (facts_of(CALLING, seed, 200) for seed in range(20))
    facts = next(facts for facts in games if any(isinstance(f, MugginsCalled) for f in facts))
    place = next(place for place, fact in enumerate(facts) if isinstance(fact, MugginsCalled))
    data = new_events_answer(facts[:place], facts[place : place + 1])
    (event,) = rules_service_pb2.ApplyResponse.FromString(data).events
    called = facts[event.muggins_called.placement_sequence - 1]
    assert isinstance(called, TilePlayed)
    assert called.number == event.muggins_called.number


def test_a_call_comes_with_the_number_of_the_placement_it_names() -> None:
    facts = facts_of(CALLING, 1)
    place, played = next(
        (place, fact) for place, fact in enumerate(facts, 1) if isinstance(fact, TilePlayed)
    )
    for sequence, number in ((place, played.number), (1, 0), (10_000, 0)):
        call = actions_pb2.Action(call=actions_pb2.Call(placement_sequence=sequence))
        step = decode_apply(apply_request(facts, action=call).SerializeToString())
        assert Call(number) == step.action


def test_an_explicit_and_a_fair_deal() -> None:
    deck = [tiles_pb2.Tile(low=tile.high, high=tile.low) for tile in reversed(TILES)]
    explicit = request(
        rules_service_pb2.StartRoundRequest,
        CALLING,
        explicit=rules_service_pb2.ExplicitDeal(deck=deck),
    )
    fair = request(
        rules_service_pb2.StartRoundRequest,
        CALLING,
        fair=rules_service_pb2.FairDeal(secret=b"s" * 32, match_id="m"),
    )
    played = Played(CALLING, 2, ())
    expected = StartRound(played, RoundChance(tuple(range(27, -1, -1)), ()))
    assert expected == decode_start_round(explicit.SerializeToString())
    expected = StartRound(played, FairDeal(b"s" * 32, "m", (b"", b"")))
    assert expected == decode_start_round(fair.SerializeToString())


def with_fact(change: Any) -> Any:
    message = apply_request(
        facts_of(CALLING, 1), action=actions_pb2.Action(draw=actions_pb2.Draw())
    )
    change(message)
    return message


def _first(message: Any, kind: str) -> Any:
    return next(getattr(event, kind) for event in message.events if event.HasField(kind))


def _index(message: Any, kind: str) -> int:
    return next(index for index, event in enumerate(message.events) if event.HasField(kind))


@pytest.mark.parametrize(
    ("kind", "change", "field"),
    [
        ("round_dealt", lambda fact: fact.ClearField("deck"), "deck"),
        ("round_dealt", lambda fact: fact.deck.pop(), "deck"),
        ("tile_played", lambda fact: fact.ClearField("count"), "count"),
        ("tile_played", lambda fact: fact.ClearField("scores"), "scores"),
        ("tile_played", lambda fact: fact.placement.ClearField("tile"), "placement.tile"),
        ("tile_drawn", lambda fact: fact.ClearField("tile"), "tile"),
        ("lot_drawn", lambda fact: setattr(fact.tile, "high", 7), "tile"),
        ("match_ended", lambda fact: fact.ClearField("reason"), "reason"),
    ],
)
def test_a_fact_that_is_not_in_the_form_of_records(kind: str, change: Any, field: str) -> None:
    message = with_fact(lambda message: change(_first(message, kind)))
    assert f"events[{_index(message, kind)}].{kind}.{field}" == refused(decode_apply, message)


def test_events_that_are_numbered_wrongly_or_are_none_of_the_rules() -> None:
    gap = with_fact(lambda message: setattr(message.events[4], "sequence", 9))
    table = with_fact(lambda message: setattr(message.events[2].seat_left, "seat", 1))
    unknown = with_fact(lambda message: message.events[3].ClearField("turn_started"))
    unknown.events[3].Clear()
    assert refused(decode_apply, gap) == "5"
    assert refused(decode_apply, table) == "events[2]"
    assert refused(decode_apply, unknown) == "events[3]"


def test_requests_that_name_no_rule_set_seat_or_step() -> None:
    draw = actions_pb2.Action(draw=actions_pb2.Draw())
    assert refused(decode_apply, apply_request(action=draw, seat=2)) == "seat_unknown"
    assert refused(decode_apply, apply_request(action=draw, seats=9)) == "unsupported_seats"
    assert refused(decode_apply, apply_request()) == "step"
    close = rules_service_pb2.CloseClaimWindow()
    claim = actions_pb2.Claim(points=1)
    assert refused(decode_apply, apply_request(close_claim_window=close, claim=claim)) == "claim"
    assert refused(decode_view, rules_service_pb2.ViewRequest()) == "rule_set"
    start = request(rules_service_pb2.StartRoundRequest, CALLING)
    assert refused(decode_start_round, start) == "chance"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("share", [0.3, 0.6, 1.0])
def test_a_view_of_facts_hosted_elsewhere(seed: int, share: float) -> None:
    facts = facts_of(CALLING, seed)
    facts = facts[: round(len(facts) * share)]
    state = state_after(CALLING, facts)
    asked = request(rules_service_pb2.ViewRequest, CALLING, facts, seat=0)
    assert ViewAsked(Played(CALLING, 2, facts), 0) == decode_view(asked.SerializeToString())
    if state.phase is Phase.ROUND_OVER:
        return
    known = seat_view(state, 0)
    seat = rules_service_pb2.ViewResponse.FromString(view_answer(known, len(facts))).seat
    assert known == decode_seat_view(seat).view
    assert seat.table.version == len(facts) == seat.round_events[-1].sequence
    table = rules_service_pb2.ViewResponse.FromString(
        view_answer(public_view(state), len(facts))
    ).table
    assert [event.sequence for event in seat.round_events] == [
        event.sequence for event in table.round_events
    ]
    assert table.HasField("ended") == (state.phase is Phase.OVER)


def test_every_problem_of_a_rule_set_is_told() -> None:
    message = rules_service_pb2.CheckRuleSetRequest(seats=3)
    message.rule_set.MergeFromString(rule_set_bytes(PRESETS["all_fives"]))
    message.rule_set.deal.highest_pip = 9
    asked = decode_check_rule_set(message.SerializeToString())
    answer = rules_service_pb2.CheckRuleSetResponse.FromString(check_rule_set_answer(asked, "fr"))
    assert ["ID_IS_TAKEN", "HIGHEST_PIP_OUT_OF_RANGE", "UNSUPPORTED_SEATS"] == [
        problem.reason for problem in answer.problems
    ]
    assert all(problem.message for problem in answer.problems)


# --- opponents ---


def choose_request(**fields: Any) -> opponent_service_pb2.ChooseActionRequest:
    facts = facts_of(CALLING, 1)[:6]
    known = seat_view(state_after(CALLING, facts), 0)
    view = rules_service_pb2.ViewResponse.FromString(view_answer(known, len(facts))).seat
    given: dict[str, Any] = {"view": view, "level": "greedy"}
    return opponent_service_pb2.ChooseActionRequest(**given | fields)


def test_a_decision_asked_for() -> None:
    asked = decode_choose_action(choose_request(seed=b"x").SerializeToString())
    assert (asked.strength, asked.seed) == ("greedy", b"x")
    assert asked.seen.view.table.rule_set == CALLING
    budget = choose_request(level=None, budget=analysis_pb2.Budget(nodes=9))
    assert Budget(nodes=9) == decode_choose_action(budget.SerializeToString()).strength


def _with_bad_hand() -> views_pb2.SeatView:
    view = choose_request().view
    view.hand.add(low=9)
    return view


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"seed": b"x" * 65}, "seed"),
        ({"level": None}, "strength"),
        ({"level": None, "budget": analysis_pb2.Budget()}, "budget"),
        ({"view": None}, "view"),
        ({"view": views_pb2.SeatView()}, "view.table.rule_set"),
    ],
)
def test_a_decision_refused_for_its_shape(fields: dict[str, Any], field: str) -> None:
    assert field == refused(decode_choose_action, choose_request(**fields))


def test_a_view_of_no_possible_shape_is_inconsistent() -> None:
    request_ = choose_request(view=_with_bad_hand())
    with pytest.raises(ServiceError) as caught:
        decode_choose_action(request_.SerializeToString())
    assert caught.value.reason.value == "view_inconsistent"
    assert caught.value.metadata["field"].startswith("view.hand[")


def test_a_decision_is_told_with_its_claim_and_calls_by_sequence() -> None:
    facts = facts_of(CALLING, 1)
    until = next(place for place, fact in enumerate(facts, 1) if isinstance(fact, TilePlayed))
    known = seat_view(state_after(CALLING, facts[:until]), 0)
    view = rules_service_pb2.ViewResponse.FromString(view_answer(known, until)).seat
    seen = decode_seat_view(view)
    called = opponent_service_pb2.ChooseActionResponse.FromString(
        choose_action_answer(Call(1), seen, "greedy@1")
    )
    placed = opponent_service_pb2.ChooseActionResponse.FromString(
        choose_action_answer(
            Place(Placement(Tile(0, 0)), 5), seen, "greedy@1", fallback=True, used=Budget(samples=3)
        )
    )
    assert until == called.action.call.placement_sequence
    assert placed.claim.points == 5
    assert placed.action.place.HasField("tile")
    assert (placed.fallback, placed.used.samples) == (True, 3)
    assert not called.HasField("used")
    drawn = opponent_service_pb2.ChooseActionResponse.FromString(
        choose_action_answer(Draw(), seen, "greedy@1")
    )
    assert drawn.action.HasField("draw")


def test_levels() -> None:
    strength = Strength("muggins", 2, "random", 0.75, 0.5, 1.0, 400)
    levels = [Level("random", "Plays anything.", "random@1"), Level("strong", "", "s", Budget(5))]
    levels[1] = Level("strong", "", "s", Budget(5), (strength,))
    answer = opponent_service_pb2.ListLevelsResponse.FromString(list_levels_answer(levels))
    assert ["random", "strong"] == [level.level for level in answer.levels]
    assert answer.levels[1].budget.iterations == 5
    assert answer.levels[1].strengths[0].win_rate == 0.75
    assert not answer.levels[0].HasField("budget")
    asked = opponent_service_pb2.ListLevelsRequest(rule_set_id="sniff").SerializeToString()
    assert decode_list_levels(asked) == "sniff"
