"""A match among players over gRPC, and the same match by the rules alone beside it."""

from collections.abc import Sequence
from typing import Any, assert_never

from muggins.v1 import actions_pb2, events_pb2, moves_pb2
from muggins_rules import Action, Call, Claim, Draw, Pass, Phase, Place
from muggins_rules.events import Event
from tests.service.mirror import Mirror, placement_message
from tests.service.server import CALL_S, Field, Metadata, Player, Service, Table, fact_of, new_id

__all__ = ["Game", "Moved"]

Moved = (
    moves_pb2.PlayTileResponse
    | moves_pb2.DrawTileResponse
    | moves_pb2.PassTurnResponse
    | moves_pb2.ClaimPointsResponse
    | moves_pb2.CallMugginsResponse
)
"""The answer to an action."""


class Game:
    """Players in every seat of a match with a test seed."""

    def __init__(
        self, service: Service, table: Table, players: Sequence[Player], mirror: Mirror
    ) -> None:
        self.service = service
        self.table = table
        self.players = players
        self.mirror = mirror
        self.version = 0
        self.placement_sequence = 0

    @classmethod
    async def start(
        cls,
        service: Service,
        rule_set_id: str,
        seats: int,
        seed: bytes,
        *,
        calling: bool = False,
        **options: Field,
    ) -> "Game":
        """Open a table, sit down in every seat, and begin."""
        table, players = await service.started(
            rule_set_id, seats, calling=calling, seed=seed, **options
        )
        mirror = Mirror(rule_set_id, seats, table.match_id, seed, calling=calling)
        game = cls(service, table, players, mirror)
        game.version = players[-1].joined.version
        return game

    @property
    def match_id(self) -> str:
        """The match."""
        return self.table.match_id

    @property
    def over(self) -> bool:
        """True when the rules say that the match has ended."""
        return self.mirror.state.phase is Phase.OVER

    async def send(
        self,
        action: Action,
        *,
        key: Metadata = (),
        request_id: str | None = None,
        expected_version: int | None = None,
        sequence: int | None = None,
    ) -> Moved:
        """Ask for an action by its own rpc; `sequence` is the placement that a call names."""
        common: dict[str, Any] = {
            "match_id": self.match_id,
            "request_id": new_id() if request_id is None else request_id,
            "expected_version": expected_version,
        }
        call = self.service.call
        match action:
            case Place(placement, claim):
                said = None if claim is None else actions_pb2.Claim(points=claim)
                put = placement_message(placement)
                play = moves_pb2.PlayTileRequest(**common, placement=put, claim=said)
                return await call.PlayTile(play, metadata=key, timeout=CALL_S)
            case Draw(until):
                draw = moves_pb2.DrawTileRequest(**common, until_playable=until)
                return await call.DrawTile(draw, metadata=key, timeout=CALL_S)
            case Pass():
                return await call.PassTurn(
                    moves_pb2.PassTurnRequest(**common), metadata=key, timeout=CALL_S
                )
            case Claim(points):
                claimed = moves_pb2.ClaimPointsRequest(**common, points=points)
                return await call.ClaimPoints(claimed, metadata=key, timeout=CALL_S)
            case Call():
                named = self.placement_sequence if sequence is None else sequence
                called = moves_pb2.CallMugginsRequest(**common, placement_sequence=named)
                return await call.CallMuggins(called, metadata=key, timeout=CALL_S)
            case _:
                assert_never(action)

    async def act(self, seat: int, action: Action, **how: Field) -> Moved:
        """Do a lawful action in both matches, and see that the answer says what the rules say."""
        answer = await self.send(action, key=self.players[seat].key, **how)
        expected = self.mirror.act(seat, action)
        self.take(answer, expected)
        return answer

    async def act_on_turn(self, action: Action, **how: Field) -> Moved:
        """Do an action of the seat on turn."""
        return await self.act(self.mirror.turn, action, **how)

    def take(self, answer: Moved, expected: Sequence[Event]) -> None:
        """Compare an answer with the facts that had to follow, and keep its version."""
        told = [event for event in answer.events if event.round or fact_of(event) == "match_ended"]
        kinds = [type(fact).__name__ for fact in expected]
        assert kinds == [_name(event) for event in told[: len(kinds)]]
        sequences = [event.sequence for event in answer.events]
        assert list(range(self.version + 1, answer.version + 1)) == sequences
        self.version = answer.version
        for event in answer.events:
            if fact_of(event) == "tile_played":
                self.placement_sequence = event.sequence


def _name(event: events_pb2.Event) -> str:
    return "".join(part.title() for part in fact_of(event).split("_"))
