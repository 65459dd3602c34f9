"""The server's opponents and their analysis, for games hosted anywhere."""

from collections.abc import AsyncIterator, Sequence

from muggins.v1 import analysis_pb2, opponent_service_pb2, records_pb2, views_pb2
from muggins_client.calls import Caller

__all__ = ["OpponentCalls"]


class OpponentCalls:
    """OpponentService. Every method may raise MugginsError."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def list_levels(
        self, rule_set_id: str = "", *, timeout_s: float | None = None
    ) -> tuple[opponent_service_pb2.LevelInfo, ...]:
        """The opponents with their measured strength, weakest first."""
        answer = await self._caller.unary(
            "OpponentService/ListLevels",
            lambda stubs: stubs.opponents.ListLevels,
            opponent_service_pb2.ListLevelsRequest(rule_set_id=rule_set_id),
            self._caller.metadata(),
            timeout_s,
        )
        return tuple(answer.levels)

    async def choose_action(
        self,
        view: views_pb2.SeatView,
        strength: str | analysis_pb2.Budget,
        *,
        seed: bytes = b"",
        timeout_s: float | None = None,
    ) -> opponent_service_pb2.ChooseActionResponse:
        """The action of a seat, as an opponent of a level, or the strongest with a budget."""
        request = opponent_service_pb2.ChooseActionRequest(view=view, seed=seed)
        if isinstance(strength, str):
            request.level = strength
        else:
            request.budget.CopyFrom(strength)
        return await self._caller.unary(
            "OpponentService/ChooseAction",
            lambda stubs: stubs.opponents.ChooseAction,
            request,
            self._caller.metadata(),
            timeout_s,
        )

    def analyze_position(
        self,
        view: views_pb2.SeatView,
        *,
        budget: analysis_pb2.Budget | None = None,
        enough_standard_error: float = 0.0,
        seed: bytes = b"",
        timeout_s: float | None = None,
    ) -> AsyncIterator[opponent_service_pb2.AnalyzePositionResponse]:
        """Improving answers on what each legal action of a seat is worth."""
        return self._caller.stream(
            "OpponentService/AnalyzePosition",
            lambda stubs: stubs.opponents.AnalyzePosition,
            opponent_service_pb2.AnalyzePositionRequest(
                view=view, budget=budget, enough_standard_error=enough_standard_error, seed=seed
            ),
            self._caller.metadata(),
            timeout_s,
        )

    def analyze_match(
        self,
        record: records_pb2.MatchRecord,
        *,
        budget: analysis_pb2.Budget | None = None,
        min_loss: float = 0.0,
        seats: Sequence[int] = (),
        max_decisions: int = 0,
        seed: bytes = b"",
        timeout_s: float | None = None,
    ) -> AsyncIterator[opponent_service_pb2.AnalyzeMatchResponse]:
        """The review of a finished match: decisions, the worst first, then the totals."""
        return self._caller.stream(
            "OpponentService/AnalyzeMatch",
            lambda stubs: stubs.opponents.AnalyzeMatch,
            opponent_service_pb2.AnalyzeMatchRequest(
                record=record,
                budget=budget,
                min_loss=min_loss,
                seats=seats,
                max_decisions=max_decisions,
                seed=seed,
            ),
            self._caller.metadata(),
            timeout_s,
        )
