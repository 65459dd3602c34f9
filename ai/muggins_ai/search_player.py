"""Opponents that use what was learned: the policy alone, or belief and search.

They work in processes that have numba; importing this module imports neither it nor numpy.
"""

from collections.abc import Sequence
from functools import lru_cache, partial
from hashlib import sha256
from typing import Final

from muggins_ai.belief import DEALS_ONLY, POINTS_ONLY, history_of
from muggins_ai.evaluate import weights
from muggins_ai.opponent import Choice
from muggins_ai.policies import random_after
from muggins_ai.position import Position, action_of, call_earns
from muggins_ai.search.nets import search_nets
from muggins_ai.search.searcher import Known, Searcher
from muggins_ai.search.settings import (
    Inference,
    PolicySetting,
    SearchBudget,
    SearchSetting,
    models_of,
)
from muggins_ai.stopping import Stop, never
from muggins_rules.actions import Place
from muggins_rules.events import TileDrawn
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import mask_of
from muggins_rules.views import SeatView

__all__ = ["SearchPlayer", "known_of", "searcher_of"]

_CODE: Final = "search-2"
"""Changes whenever the code may choose otherwise from the same view, weights and seed."""

_WARM: Final = 32
"""Tables for which a process keeps a searcher."""


class SearchPlayer:
    """An opponent of a setting."""

    def __init__(self, setting: PolicySetting | SearchSetting, stop: Stop = never) -> None:
        """A player that gives up, with `DecisionStopped`, once `stop` says so."""
        self._setting = setting
        self._stop = stop
        self._engine = _engine_of(setting)

    @property
    def engine(self) -> str:
        """Names code, setting and weights."""
        return self._engine

    def choose(self, view: SeatView, seed: bytes, /) -> Choice:
        """The action; the same for the same view and seed."""
        used: list[SearchBudget] = []
        action = action_of(view, partial(self._pick, view, seed, used))
        return Choice(action, self.engine, used=used[0] if used else None)

    def calls(self, view: SeatView, /) -> bool:
        """True when a call earns points."""
        return call_earns(view)

    def _pick(
        self, view: SeatView, seed: bytes, used: list[SearchBudget], position: Position
    ) -> int:
        searcher = searcher_of(view.table.rule_set, view.table.seats)
        number = int.from_bytes(sha256(seed).digest()[:4], "big") or 1
        known = known_of(view)
        match self._setting:
            case PolicySetting(temperature):
                move = _drawn(searcher.policy_weights(known, temperature or 1), temperature, number)
            case SearchSetting(budget, inference, aim):
                belief = _belief_weights(searcher, view, inference)
                models = models_of(belief if inference is Inference.ADAPTIVE else DEALS_ONLY)
                report = searcher.decide(known, budget, belief, models, number, aim, self._stop)
                used.append(report.used)
                move = report.best
        return position.moves.index(move)


def known_of(view: SeatView) -> Known:
    """What the search is told of a view whose seat has tiles to place."""
    places = [legal.action for legal in view.legal_actions if isinstance(legal.action, Place)]
    last = view.round_events[-1] if view.round_events else None
    drawn = isinstance(last, TileDrawn) and last.seat == view.seat
    pending = mask_of(place.placement.tile for place in places[:1]) if drawn else 0
    scores = view.table.scores
    return Known(
        history_of(view),
        view.seat,
        mask_of(view.hand),
        pending,
        scores,
        tuple(int(score != 0) for score in scores),
    )


@lru_cache(_WARM)
def searcher_of(rule_set: RuleSet, seats: int) -> Searcher:
    """The searcher of a table, with the learned values of its family or of the nearest."""
    return Searcher(rule_set, seats, search_nets(rule_set, seats))


def _belief_weights(searcher: Searcher, view: SeatView, inference: Inference) -> tuple[int, ...]:
    match inference:
        case Inference.NONE:
            return DEALS_ONLY
        case Inference.POINTS:
            return POINTS_ONLY
        case Inference.ADAPTIVE:
            return searcher.believer.learned(view)


def _drawn(moves: Sequence[tuple[int, int]], temperature: int, number: int) -> int:
    """The likeliest move, or one drawn by its chance."""
    if not temperature:
        return max(moves, key=lambda found: found[1])[0]
    left = random_after(number) * sum(weight for _, weight in moves) >> 32
    for move, weight in moves:
        if left < weight:
            return move
        left -= weight
    raise AssertionError("the draw is below the sum of the weights")


@lru_cache
def _engine_of(setting: PolicySetting | SearchSetting) -> str:
    manifest = (weights.DATA / weights.MANIFEST).read_bytes()
    digest = sha256(repr((_CODE, setting)).encode() + manifest).hexdigest()
    return f"{_CODE}-{digest[:12]}"
