"""`muggins review EXPORT`: what the decisions and the luck of a finished match were worth.

It works on the export alone, without any server, and gives the numbers that AnalyzeMatch of
OpponentService gives for the same budget. Exit status: 0, or 2 where the file or what was asked
for cannot be used.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from google.protobuf import json_format

from muggins.i18n import sentence
from muggins.v1 import analysis_pb2, opponent_service_pb2, records_pb2
from muggins_cli.columns import in_columns
from muggins_cli.figures import can_analyse, tell_change, tell_estimate, tell_move
from muggins_cli.look import Look, say
from muggins_cli.options import (
    UNUSABLE,
    add_look_arguments,
    complain,
    look_asked_for,
    words_asked_for,
)
from muggins_cli.words import SEAT_NAMES, Words
from muggins_client import ExportUnreadable, read_export
from muggins_service.errors import ServiceError
from muggins_service.opponents.analysing import FIXED_SEED, MatchToReview, Reviewed
from muggins_service.opponents.analysing_here import reviewed_here
from muggins_service.rpc.advice_budgets import review_budget
from muggins_service.rpc.advice_lines import review_parts
from muggins_service.rpc.advising import check_finished
from muggins_service.wire.analysis import AnalyzeMatch, decode_analyze_match

__all__ = ["add_arguments", "run"]

_INDENT: Final = "  "
_CHANCES: Final = {"round_dealt": "luck_deal", "tile_drawn": "luck_draw"}
_CLEAR: Final = "\r\x1b[K"


class _Review(NamedTuple):
    """The parts of a review."""

    decisions: list[opponent_service_pb2.DecisionReview]
    luck: list[opponent_service_pb2.LuckReview]
    totals: opponent_service_pb2.ReviewTotals


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The export, the budget and what is kept of the review."""
    parser.add_argument("export", type=Path, metavar="EXPORT", help="a record, JSON or binary")
    parser.add_argument(
        "--samples", type=_count, default=0, metavar="N", help="deals looked at for each decision"
    )
    parser.add_argument(
        "--min-loss", type=float, default=0.0, metavar="P", help="decisions that lost so much"
    )
    parser.add_argument(
        "--seat",
        type=_seat,
        action="append",
        default=[],
        metavar="S",
        help="decisions and luck of this seat only, A to D; may be repeated",
    )
    parser.add_argument(
        "--worst", type=_count, default=0, metavar="K", help="the K worst decisions only"
    )
    parser.add_argument("--json", action="store_true", help="all of it as one JSON object")
    add_look_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Review the match and tell it; the exit status."""
    words, look = words_asked_for(arguments), look_asked_for(arguments)
    if not can_analyse():
        complain(words.line("needs_numba"))
        return UNUSABLE
    try:
        record = read_export(arguments.export)
        asked = _asked(arguments, record)
        check_finished(asked)
        budget = review_budget(asked.budget)
    except ExportUnreadable:
        complain(words.line("no_export", file=arguments.export))
        return UNUSABLE
    except OSError as error:
        complain(words.line("file_failed", file=error.filename, reason=error.strerror))
        return UNUSABLE
    except ServiceError as refused:
        reason = sentence(refused.reason.value, words.language, **refused.metadata)
        complain(words.line("file_failed", file=arguments.export, reason=reason))
        return UNUSABLE
    match = MatchToReview(asked.rule_set, asked.seats, asked.events)
    review = _parts(asked, reviewed_here(match, budget, FIXED_SEED), words)
    if arguments.json:
        say([json.dumps(_as_json(record.match_id, review), indent=2)])
    else:
        say(_told(record, asked, review, frozenset(arguments.seat), words, look))
    return 0


def _asked(arguments: argparse.Namespace, record: records_pb2.MatchRecord) -> AnalyzeMatch:
    """What AnalyzeMatch would be asked; ServiceError where it would be refused."""
    request = opponent_service_pb2.AnalyzeMatchRequest(
        record=record,
        min_loss=arguments.min_loss,
        seats=arguments.seat,
        max_decisions=arguments.worst,
    )
    if arguments.samples:
        request.budget.CopyFrom(analysis_pb2.Budget(samples=arguments.samples))
    return decode_analyze_match(request.SerializeToString())


def _parts(asked: AnalyzeMatch, steps: Iterable[Reviewed], words: Words) -> _Review:
    """The review once it is done; until then how far it is, on a terminal."""
    review = _Review([], [], opponent_service_pb2.ReviewTotals())
    shows = sys.stderr.isatty()
    for step in steps:
        if step.review is None:
            if shows:
                told = words.line("review_progress", done=step.done, total=step.total)
                print(f"{_CLEAR}{told}", end="", file=sys.stderr, flush=True)
            continue
        for raw in review_parts(asked, step):
            part = opponent_service_pb2.AnalyzeMatchResponse.FromString(raw)
            match part.WhichOneof("part"):
                case "decision":
                    review.decisions.append(part.decision)
                case "luck":
                    review.luck.append(part.luck)
                case _:
                    review.totals.CopyFrom(part.totals)
    if shows:
        print(_CLEAR, end="", file=sys.stderr, flush=True)
    return review


def _as_json(match_id: str, review: _Review) -> dict[str, Any]:
    """The messages of AnalyzeMatch in protobuf JSON, gathered in one object."""

    def fields(message: Any) -> dict[str, Any]:  # noqa: ANN401 - any message of a review
        return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)

    return {
        "matchId": match_id,
        "decisions": [fields(decision) for decision in review.decisions],
        "luck": [fields(luck) for luck in review.luck],
        "totals": fields(review.totals),
    }


def _told(
    record: records_pb2.MatchRecord,
    asked: AnalyzeMatch,
    review: _Review,
    only: frozenset[int],
    words: Words,
    look: Look,
) -> list[str]:
    names = _names(record)
    rule_set, seats = asked.rule_set, asked.seats
    game = {"rule_set": words.rule_set(rule_set), "seats": seats, "target": rule_set.target(seats)}
    return [
        words.line("match_watched", match=record.match_id),
        look.title(words.line("table", **game)),
        *(f"{_INDENT}{SEAT_NAMES[seat]}  {name}" for seat, name in sorted(names.items())),
        "",
        *_tell_decisions(review.decisions, words, look),
        "",
        *_tell_luck(record, review.luck, only, words, look),
        "",
        *_tell_totals(review.totals, names, words, look),
        *look.wrapped(words.line("review_judged", engine=review.totals.engine)),
    ]


def _tell_decisions(
    decisions: Sequence[opponent_service_pb2.DecisionReview], words: Words, look: Look
) -> list[str]:
    title = look.title(words.line("review_decisions"))
    if not decisions:
        return [title, _INDENT + words.line("review_nothing")]
    heads = ("column_event", "column_round", "column_seat", "column_loss")
    rows = [[*map(words.line, heads), words.line("column_played"), words.line("column_best")]]
    rows += [
        [
            str(found.sequence),
            str(found.round),
            SEAT_NAMES[found.seat],
            tell_estimate(found.loss, found.loss_standard_error, look),
            tell_move(found.chosen),
            "=" if found.best == found.chosen else tell_move(found.best),
        ]
        for found in decisions
    ]
    return [title, *in_columns(rows, (True, True, False, True, False, False), _INDENT)]


def _tell_luck(
    record: records_pb2.MatchRecord,
    luck: Sequence[opponent_service_pb2.LuckReview],
    only: frozenset[int],
    words: Words,
    look: Look,
) -> list[str]:
    """The luck of deals and draws; that of what other hands turned out to hold is in the sums."""
    kinds = {
        event.sequence: _CHANCES.get(event.WhichOneof("fact") or "")
        for part in record.records
        for event in part.events
    }
    heads = ("column_event", "column_round", "column_seat", "column_luck", "column_chance")
    rows = [list(map(words.line, heads))]
    for found in luck:
        kind = kinds.get(found.sequence)
        if kind is not None and (not only or found.seat in only):
            rows.append(
                [
                    str(found.sequence),
                    str(found.round),
                    SEAT_NAMES[found.seat],
                    tell_change(found.luck),
                    words.line(kind),
                ]
            )
    title = look.title(words.line("review_luck"))
    if len(rows) == 1:
        return [title, _INDENT + words.line("review_nothing")]
    return [title, *in_columns(rows, (True, True, False, True, False), _INDENT)]


def _tell_totals(
    totals: opponent_service_pb2.ReviewTotals,
    names: Mapping[int, str],
    words: Words,
    look: Look,
) -> list[str]:
    heads = ("column_seat", "column_decisions", "column_loss", "column_luck", "column_skill")
    rows = [[*map(words.line, heads), words.line("column_result")]]
    for found in totals.seats:
        luck, result = round(found.luck, 2), round(found.result, 2)
        rows.append(
            [
                f"{SEAT_NAMES[found.seat]} {names.get(found.seat, '')}".rstrip(),
                str(found.decisions),
                f"{found.loss:.2f}",
                tell_change(luck),
                tell_change(result - luck),  # so that the printed sum is right to the last digit
                tell_change(result),
            ]
        )
    sums = in_columns(rows, (False, True, True, True, True, True), _INDENT)
    explained = look.wrapped(words.line("review_sums_explained"), _INDENT)
    return [look.title(words.line("review_sums")), *sums, *explained]


def _names(record: records_pb2.MatchRecord) -> dict[int, str]:
    """By seat who played, the last to sit down there."""
    return {
        event.seat_taken.seat: event.seat_taken.name or event.seat_taken.level
        for part in record.records
        for event in part.events
        if event.WhichOneof("fact") == "seat_taken"
    }


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("a count is 1 or more")
    return count


def _seat(text: str) -> int:
    seat = SEAT_NAMES.find(text.upper()) if len(text) == 1 else -1
    if seat < 0:
        raise argparse.ArgumentTypeError(f"a seat is one of {', '.join(SEAT_NAMES)}")
    return seat
