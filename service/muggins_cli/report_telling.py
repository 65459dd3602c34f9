"""A report on one move in plain words."""

from collections.abc import Iterator
from typing import Final

from muggins_cli.columns import in_columns
from muggins_cli.figures import tell_estimate, tell_move, tell_share
from muggins_cli.look import Look
from muggins_cli.picture import draw_picture
from muggins_cli.report_file import MoveReport
from muggins_cli.report_making import Again, Situation, Verdict
from muggins_cli.words import SEAT_NAMES, Words, format_tiles
from muggins_rules.events import TilePlayed
from muggins_rules.views import SeatView

__all__ = ["tell_again", "tell_report_file"]

_INDENT: Final = "    "


def tell_report_file(
    report: MoveReport, situation: Situation, words: Words, look: Look
) -> Iterator[str]:
    """The table as the seat saw it, what it did, and what each action was worth."""
    view = situation.view
    table = view.table
    rule_set, seats = table.rule_set, table.seats
    game = {"rule_set": words.rule_set(rule_set), "seats": seats, "target": rule_set.target(seats)}
    yield words.line("report_heading", sequence=report.sequence, match=report.match_id)
    yield look.title(words.line("table", **game))
    yield look.title(words.line("round_begins", round=report.round))
    yield from _picture(view, look)
    yield words.line("scores", scores=words.scores(table.scores, rule_set, seats))
    seat = SEAT_NAMES[report.seat]
    yield words.line("report_held", seat=seat, tiles=format_tiles(view.hand))
    move = tell_move(report.action)
    if report.claim is not None:
        move = f"{move} claim {report.claim}"
    yield look.title(words.line("report_move", seat=seat, move=move))
    if report.level:
        told = words.line("report_by_level", level=report.level, engine=report.engine)
        yield from look.wrapped(told, _INDENT)
    yield from _analysis(report, words, look)


def _picture(view: SeatView, look: Look) -> Iterator[str]:
    played = [fact for fact in view.round_events if isinstance(fact, TilePlayed)]
    if not played:
        return
    count = view.table.count
    lines = draw_picture(
        [fact.placement for fact in played],
        view.table.attach_points,
        None if count is None else count.contributions,
        look.width - len(_INDENT),
    )
    yield ""
    yield from (_INDENT + line for line in look.picture(lines))
    yield ""


def _analysis(report: MoveReport, words: Words, look: Look) -> Iterator[str]:
    if report.analysis is None:
        return
    yield ""
    yield look.title(words.line("report_worth", samples=report.samples))
    heads = ("column_played", "column_points", "column_win", "column_loss")
    rows = [["", *map(words.line, heads)]]
    rows += [
        [
            "*" if line.action == report.action else "",
            tell_move(line.action),
            tell_estimate(line.points, line.points_standard_error, look, is_signed=True),
            tell_share(line.win_probability),
            f"{line.loss:.2f}",
        ]
        for line in report.analysis.actions
    ]
    yield from in_columns(rows, (False, False, True, True, True), "  ")


def tell_again(report: MoveReport, again: Again, words: Words, look: Look) -> Iterator[str]:
    """What came of running it again."""
    values = {
        "level": report.level,
        "engine": again.engine,
        "move": "-" if again.chosen is None else tell_move(again.chosen),
    }
    choice = words.line(_CHOICE[again.choice], **values)
    analysis = words.line(_ANALYSIS[again.analysis])
    yield ""
    for verdict, text in ((again.choice, choice), (again.analysis, analysis)):
        lines = look.wrapped(text)
        yield from map(look.warning, lines) if verdict is Verdict.DIFFERS else lines


_CHOICE: Final = {
    Verdict.SAME: "choice_agrees",
    Verdict.DIFFERS: "choice_differs",
    Verdict.OTHER_ENGINE: "choice_engine_differs",
    Verdict.NO_SUCH_LEVEL: "choice_no_such_level",
    Verdict.NO_SEED: "choice_without_seed",
    Verdict.FALLBACK: "choice_fallback",
    Verdict.PLAYER: "choice_of_player",
}
_ANALYSIS: Final = {
    Verdict.SAME: "analysis_agrees",
    Verdict.DIFFERS: "analysis_differs",
    Verdict.OTHER_ENGINE: "analysis_engine_differs",
    Verdict.NOTHING: "analysis_absent",
}
