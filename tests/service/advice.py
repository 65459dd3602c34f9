"""Questions to OpponentService as another game asks them."""

from itertools import islice
from typing import Any

from muggins.v1 import opponent_service_pb2_grpc, views_pb2
from muggins_rules.state import MatchState
from muggins_rules.viewing import seat_view
from muggins_service.table.facts import Cause, Entry
from muggins_service.wire.events import encode_event
from muggins_service.wire.rule_sets import set_rule_set
from tests.ai.tables import Table, states_with_choice
from tests.service.server import Service

__all__ = ["message_of", "state_of", "stub"]


def stub(service: Service) -> Any:  # noqa: ANN401 - the generated stub
    return opponent_service_pb2_grpc.OpponentServiceStub(service.channel)


def state_of(table: Table, seed: str = "advice", skip: int = 6) -> MatchState:
    """The state with a choice that comes after so many."""
    return next(islice(states_with_choice(table, seed, rounds=3), skip - 1, None))


def message_of(table: Table, seed: str = "advice", skip: int = 6) -> views_pb2.SeatView:
    """A view of a seat with a choice, as another game would send it: its events, nothing else."""
    state = state_of(table, seed, skip)
    assert state.table is not None
    assert state.table.turn is not None
    view = seat_view(state, state.table.turn)
    message = views_pb2.SeatView(seat=view.seat)
    set_rule_set(message.table.rule_set, table.rule_set)
    for number, fact in enumerate(view.round_events, 1):
        entry = Entry(number, 0, state.round, Cause.UNSPECIFIED, fact)
        message.round_events.add().MergeFromString(encode_event(entry))
    return message
