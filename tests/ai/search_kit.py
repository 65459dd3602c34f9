"""Worlds of the search made from states of the rules, and what the rules say of them."""

from functools import cache
from types import SimpleNamespace

from muggins_ai.compiled import compiled_kernel
from muggins_ai.search.searcher import MODULES
from muggins_ai.search.steps import META_SIZE, PENDING, TABLE, TURN, World
from muggins_rules.kernel_loader import load_kernel
from muggins_rules.state import MatchState
from muggins_rules.turn import fitting


@cache
def functions(*, compiled: bool) -> SimpleNamespace:
    """The search's functions, compiled or as they are."""
    return compiled_kernel(MODULES) if compiled else load_kernel(lambda function: function, MODULES)


def world_of(state: MatchState, reserve: int) -> tuple[World, list[int]]:
    """The world of a state with a seat on turn, and its boneyard."""
    table = state.table
    assert table is not None
    assert table.turn is not None
    meta = [0] * META_SIZE
    meta[TABLE] = table.layout.word
    meta[TURN] = table.turn
    meta[3] = max(0, len(table.boneyard) - reserve)
    if table.drawn is not None:
        meta[PENDING] = fitting(table, table.turn)
    hands = [*table.hands, 0, 0, 0, 0][:4]
    scores = [*state.scores, 0, 0, 0, 0][:4]
    scored = [*(int(has) for has in state.have_scored), 0, 0, 0, 0][:4]
    return (meta, hands, scores, scored), list(table.boneyard)


def copied(world: World) -> World:
    """The same world in other arrays."""
    meta, hands, scores, scored = world
    return list(meta), list(hands), list(scores), list(scored)
