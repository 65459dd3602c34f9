"""A report made from a decision of a match, and run again from what stands in its file alone."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from muggins.v1 import actions_pb2, analysis_pb2, events_pb2, opponent_service_pb2, views_pb2
from muggins_ai.analysis.positions import ReviewPosition
from muggins_ai.levels import LEVELS, available_levels, opponent_of
from muggins_cli.report_file import MoveReport, ReportUnreadable
from muggins_rules.actions import Action, Call, Claim, Draw, Place
from muggins_rules.seen_view import InconsistentView, completed_view
from muggins_rules.views import SeatView
from muggins_service.errors import ServiceError
from muggins_service.opponents.analysing import (
    DEFAULT_REVIEW,
    ENGINE,
    FIXED_SEED,
    MOST,
    seed_number,
)
from muggins_service.opponents.analysing_here import judged_here
from muggins_service.recorded import RecordedDecision
from muggins_service.rpc.advice_lines import analysis_of
from muggins_service.table.facts import Cause, Entry
from muggins_service.wire.actions import decode_action, set_action
from muggins_service.wire.analysis import analysis_answer
from muggins_service.wire.view_decoding import SeenView, decode_seat_view
from muggins_service.wire.views import asked_view_bytes

__all__ = ["Again", "Situation", "Verdict", "report_of", "run_again", "situation_of"]

_FALLBACK = events_pb2.Cause.Name(events_pb2.CAUSE_FALLBACK)


class Verdict(StrEnum):
    """How what was run again compares with the report."""

    SAME = "same"
    DIFFERS = "differs"
    OTHER_ENGINE = "other_engine"
    NO_SUCH_LEVEL = "no_such_level"
    NO_SEED = "no_seed"
    FALLBACK = "fallback"
    PLAYER = "player"
    NOTHING = "nothing"


class Situation(NamedTuple):
    """The view of a report, filled up and checked, and what its seat did."""

    seen: SeenView
    view: SeatView
    action: Action


@dataclass(frozen=True, slots=True)
class Again:
    """What the installed opponents and the analysis say now; `chosen` and `engine` are theirs."""

    choice: Verdict
    analysis: Verdict
    chosen: actions_pb2.Action | None = None
    engine: str = ""

    @property
    def is_same(self) -> bool:
        """False where something came out otherwise that should have been the same."""
        return Verdict.DIFFERS not in {self.choice, self.analysis}


def report_of(
    match_id: str, decision: RecordedDecision, samples: int = DEFAULT_REVIEW
) -> MoveReport:
    """The report on a decision, with its analysis."""
    past = tuple(tuple(map(_timeless, entries)) for entries in decision.past)
    raw = asked_view_bytes(decision.table, decision.seat, past)
    action = decision.action
    entry = decision.entry
    report = MoveReport(
        match_id,
        entry.sequence,
        decision.table.game.round,
        decision.seat,
        events_pb2.Cause.Name(events_pb2.Cause.ValueType(entry.cause)),
        _message(action, decision.table.placement_sequence),
        action.claim if isinstance(action, Place) else None,
        decision.level,
        entry.engine,
        decision.seed,
        views_pb2.SeatView.FromString(raw),
        samples,
        seed_number(FIXED_SEED, decision.at),
        None,
    )
    situation = situation_of(report)
    return replace(report, analysis=_analysis(report, situation))


def situation_of(report: MoveReport) -> Situation:
    """The view and the action of a report; ReportUnreadable where they cannot have been."""
    try:
        seen = decode_seat_view(report.view)
        view = completed_view(seen.view)
        action = decode_action(report.action)
    except InconsistentView as wrong:
        raise ReportUnreadable(f"view.{wrong.field}") from None
    except ServiceError as wrong:
        raise ReportUnreadable(wrong.metadata.get("field", wrong.reason.value)) from None
    if (report.seat, report.round) != (view.seat, view.table.round):
        raise ReportUnreadable("seat")
    if isinstance(action, Place):
        action = Place(action.placement, report.claim)
    elif isinstance(action, Call) and action.placement == seen.placement_sequence:
        assert view.table.window is None or view.table.window.placement, "a window is of a tile"
        action = Call(view.table.window.placement if view.table.window else 0)
    if not _could(view, action):
        raise ReportUnreadable("action")
    return Situation(seen, view, action)


def run_again(report: MoveReport, situation: Situation) -> Again:
    """Ask the installed opponent and the analysis once more."""
    analysis = _analysis_again(report, situation)
    if report.cause == _FALLBACK:
        return Again(Verdict.FALLBACK, analysis)
    if not report.level:
        return Again(Verdict.PLAYER, analysis)
    if report.level not in available_levels():
        return Again(Verdict.NO_SUCH_LEVEL, analysis)
    opponent = opponent_of(report.level)
    view = situation.view
    if isinstance(situation.action, Call):
        engine, same = opponent.engine, opponent.calls(view)
        chosen = report.action if same else None
    elif report.seed is None:
        return Again(Verdict.NO_SEED, analysis)
    else:
        seen = view if LEVELS[report.level].reads_past else replace(view, past=())
        choice = opponent.choose(seen, report.seed)
        engine, same = choice.engine, _is_same(choice.action, situation.action)
        chosen = _message(choice.action, situation.seen.placement_sequence)
    verdict = Verdict.SAME if same else Verdict.DIFFERS
    if engine != report.engine:
        verdict = Verdict.OTHER_ENGINE
    return Again(verdict, analysis, chosen, engine)


def _analysis_again(report: MoveReport, situation: Situation) -> Verdict:
    if report.analysis is None:
        return Verdict.NOTHING
    if report.analysis.engine != ENGINE:
        return Verdict.OTHER_ENGINE
    if not 1 <= report.samples <= MOST.worlds or not report.analysis_seed:
        raise ReportUnreadable("analysis.samples")
    found = _analysis(report, situation)
    return Verdict.SAME if found == report.analysis else Verdict.DIFFERS


def _analysis(report: MoveReport, situation: Situation) -> analysis_pb2.PositionAnalysis | None:
    """What the actions were worth; nothing where there was none but to claim or to call."""
    view, action = situation.view, situation.action
    if not view.legal_actions or isinstance(action, Claim | Call):
        return None
    position = ReviewPosition(0, report.round, view.seat, view, action)
    budget = replace(MOST, worlds=report.samples)
    judged = judged_here(position, budget, report.analysis_seed)
    raw = analysis_answer(analysis_of(view, situation.seen, judged), last=True)
    return opponent_service_pb2.AnalyzePositionResponse.FromString(raw).analysis


def _message(action: Action, placement_sequence: int) -> actions_pb2.Action:
    message = actions_pb2.Action()
    set_action(message, Call(placement_sequence) if isinstance(action, Call) else action)
    return message


def _is_same(one: Action, other: Action) -> bool:
    """True where two actions come to the same at a table; draws are made one by one."""
    return one == other or (isinstance(one, Draw) and isinstance(other, Draw))


def _could(view: SeatView, action: Action) -> bool:
    """True where the seat of a view may do that."""
    if isinstance(action, Claim):
        return view.may_claim
    if isinstance(action, Call):
        return view.may_call
    bare = Place(action.placement) if isinstance(action, Place) else action
    return any(_is_same(bare, legal.action) for legal in view.legal_actions)


def _timeless(entry: Entry) -> Entry:
    """An entry of an earlier round with what a view is read for."""
    return replace(entry, time_us=0, timing=None, engine="", cause=Cause.UNSPECIFIED)
