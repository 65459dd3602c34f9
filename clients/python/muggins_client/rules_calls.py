"""The rules as a service, for games hosted elsewhere: events in, events out."""

from muggins.v1 import rule_sets_pb2, rules_service_pb2
from muggins_client.calls import Caller

__all__ = ["RulesCalls"]


class RulesCalls:
    """RulesService. Every method may raise MugginsError."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def check_rule_set(
        self,
        rule_set: rule_sets_pb2.RuleSet,
        *,
        seats: int = 0,
        timeout_s: float | None = None,
    ) -> tuple[rule_sets_pb2.RuleSetProblem, ...]:
        """Everything that is wrong with a rule set; nothing: it can be played."""
        answer = await self._caller.unary(
            "RulesService/CheckRuleSet",
            lambda stubs: stubs.rules.CheckRuleSet,
            rules_service_pb2.CheckRuleSetRequest(rule_set=rule_set, seats=seats),
            self._caller.metadata(),
            timeout_s,
        )
        return tuple(answer.problems)

    async def start_round(
        self, request: rules_service_pb2.StartRoundRequest, *, timeout_s: float | None = None
    ) -> rules_service_pb2.StartRoundResponse:
        """The lot, the deal and the first turn of the next round."""
        return await self._caller.unary(
            "RulesService/StartRound",
            lambda stubs: stubs.rules.StartRound,
            request,
            self._caller.metadata(),
            timeout_s,
        )

    async def apply(
        self, request: rules_service_pb2.ApplyRequest, *, timeout_s: float | None = None
    ) -> rules_service_pb2.ApplyResponse:
        """The events of an action, or of the end of a claim window."""
        return await self._caller.unary(
            "RulesService/Apply",
            lambda stubs: stubs.rules.Apply,
            request,
            self._caller.metadata(),
            timeout_s,
        )

    async def view(
        self, request: rules_service_pb2.ViewRequest, *, timeout_s: float | None = None
    ) -> rules_service_pb2.ViewResponse:
        """What a seat or the public may know after given events."""
        return await self._caller.unary(
            "RulesService/View",
            lambda stubs: stubs.rules.View,
            request,
            self._caller.metadata(),
            timeout_s,
        )
