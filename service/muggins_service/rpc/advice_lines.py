"""Analyses and reviews as the answers of OpponentService tell them."""

from muggins_ai.analysis.analyst import ENGINE
from muggins_ai.analysis.tally import MoveFigures
from muggins_rules.actions import Place
from muggins_rules.layout import move_word
from muggins_rules.views import SeatView
from muggins_service.opponents.analysing import Judged, Reviewed
from muggins_service.wire.analysis import (
    AnalysedAction,
    Analysis,
    AnalyzeMatch,
    DecisionLine,
    Fact,
    LuckLine,
    decision_answer,
    luck_answer,
    totals_answer,
)
from muggins_service.wire.opponents import Budget
from muggins_service.wire.view_decoding import SeenView

__all__ = ["analysis_of", "review_parts"]


def analysis_of(view: SeatView, seen: SeenView, judged: Judged) -> Analysis:
    """What is known of a position, by the sequences of the view that was seen."""
    return Analysis(
        _actions(view, judged.figures),
        judged.belief,
        tuple(
            Fact(seen.sequences[void.event], void.seat, void.missing, void.bits)
            for void in judged.voids
        ),
        Budget(judged.used.iterations, judged.used.worlds, judged.used.nodes),
        judged.truncated,
        ENGINE,
    )


def _judged_by(view: SeatView, figures: tuple[MoveFigures, ...]) -> Analysis:
    """What the actions of a decision of a match were worth, without the belief."""
    samples = figures[0].samples
    used = Budget(samples * len(figures), samples, 0)
    return Analysis(_actions(view, figures), (), (), used, truncated=False, engine=ENGINE)


def _actions(view: SeatView, figures: tuple[MoveFigures, ...]) -> tuple[AnalysedAction, ...]:
    """Every legal action with its figures, best first; like places share theirs."""
    by_move = {found.move: found for found in figures}
    found = [
        (by_move[move_word(legal.action.placement)], legal.action)
        if isinstance(legal.action, Place)
        else (figures[0], legal.action)
        for legal in view.legal_actions
    ]
    found.sort(key=lambda pair: pair[0].rank)
    return tuple(
        AnalysedAction(action, worth, place) for place, (worth, action) in enumerate(found, 1)
    )


def review_parts(asked: AnalyzeMatch, step: Reviewed) -> list[bytes]:
    """The messages of a review that is done."""
    review = step.review
    used = step.used
    assert review is not None, "the review is done"
    assert used is not None, "the review is done"
    decisions = [
        found
        for found in review.decisions
        if found.loss >= asked.min_loss and (not asked.only_seats or found.seat in asked.only_seats)
    ]
    decisions.sort(key=lambda found: (-found.loss, found.at))
    if asked.most_decisions:
        decisions = decisions[: asked.most_decisions]
    parts = [
        decision_answer(
            DecisionLine(
                asked.sequences[found.at],
                found.round,
                found.seat,
                found.chosen,
                found.best,
                found.loss,
                found.error,
                None if found.view is None else _judged_by(found.view, found.figures),
            )
        )
        for found in decisions
    ]
    parts += [
        luck_answer(LuckLine(asked.sequences[luck.at], luck.round, luck.seat, luck.points))
        for luck in review.luck
    ]
    parts.append(
        totals_answer(
            review.totals(),
            review.rounds,
            Budget(used.iterations, used.worlds, used.nodes),
            ENGINE,
            truncated=step.truncated,
        )
    )
    return parts
