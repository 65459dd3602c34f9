"""RulesService: the rules alone, stateless, for games hosted elsewhere.

Every request holds a match that is decided again from its beginning, so the work is done in a
thread: a long one must not hold up the loop and with it every other match.
"""

import asyncio

from muggins_rules.deciding import close_window, decide
from muggins_rules.fair_deal import shuffled_deck, shuffled_lot
from muggins_rules.opening import RoundChance, deal_round, needs_lot
from muggins_rules.refusal import IllegalAction, Refusal
from muggins_rules.replaying import InconsistentEvents, replayed
from muggins_rules.state import MatchState
from muggins_rules.viewing import view
from muggins_rules.views import Phase
from muggins_service.errors import ServiceError, ServiceReason, malformed_field
from muggins_service.rpc.caller import Context, language_of
from muggins_service.rpc.calling import UnaryHandler
from muggins_service.wire.rules import (
    FairDeal,
    Played,
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

__all__ = ["ruling_handlers"]


def ruling_handlers() -> dict[str, UnaryHandler]:
    """The methods of RulesService, by name."""
    return {
        "CheckRuleSet": _check_rule_set,
        "StartRound": _start_round,
        "Apply": _apply,
        "View": _view,
    }


async def _check_rule_set(request: bytes, context: Context) -> bytes:
    return check_rule_set_answer(decode_check_rule_set(request), language_of(context))


async def _start_round(request: bytes, _: Context) -> bytes:
    return await asyncio.to_thread(_round_started, request)


def _round_started(request: bytes) -> bytes:
    asked = decode_start_round(request)
    state = _state_of(asked.played)
    if state.phase is Phase.OVER:
        raise ServiceError(Refusal.MATCH_OVER)
    if state.phase is Phase.PLAYING:
        raise ServiceError(ServiceReason.ROUND_NOT_OVER)
    chance = asked.chance
    if isinstance(chance, FairDeal):
        chance = _derived(chance, state)
    elif needs_lot(state) and not chance.lot:
        raise malformed_field("explicit.lot_tiles", "A lot decides who opens this round.")
    return new_events_answer(asked.played.events, deal_round(state, chance))


async def _apply(request: bytes, _: Context) -> bytes:
    return await asyncio.to_thread(_applied, request)


def _applied(request: bytes) -> bytes:
    asked = decode_apply(request)
    state = _state_of(asked.played)
    try:
        if asked.action is not None:
            new = decide(state, asked.seat, asked.action)
        elif state.table is None or state.table.window is None:
            raise ServiceError(Refusal.NO_CLAIM_WINDOW)
        else:
            new = close_window(state)
    except IllegalAction as illegal:
        raise ServiceError(illegal.refusal) from None
    return new_events_answer(asked.played.events, new)


async def _view(request: bytes, _: Context) -> bytes:
    return await asyncio.to_thread(_viewed, request)


def _viewed(request: bytes) -> bytes:
    asked = decode_view(request)
    state = _state_of(asked.played)
    return view_answer(view(state, asked.seat), len(asked.played.events))


def _state_of(played: Played) -> MatchState:
    try:
        return replayed(played.rule_set, played.seats, played.events)
    except InconsistentEvents as error:
        sequence = str(error.index + 1)
        raise ServiceError(
            ServiceReason.EVENTS_INCONSISTENT, metadata={"sequence": sequence}
        ) from None


def _derived(fair: FairDeal, state: MatchState) -> RoundChance:
    """The chance of the next round from its secret."""
    number = state.round + 1
    highest = state.rule_set.deal.highest_pip
    facts = (fair.secret, fair.match_id, number, fair.nonces, highest)
    return RoundChance(shuffled_deck(*facts), shuffled_lot(*facts))
