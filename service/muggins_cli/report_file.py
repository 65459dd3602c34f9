"""The file of a report on one move: JSON with the seat's view, the action and its analysis."""

import json
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf import json_format

from muggins.v1 import actions_pb2, analysis_pb2, views_pb2

__all__ = ["FORMAT", "MoveReport", "OtherFormat", "ReportUnreadable", "read_report", "write_report"]

FORMAT: Final = 1
"""Version of the layout of the file."""

_KIND: Final = "muggins move report"
_SEED_NUMBERS: Final = 2**32


class ReportUnreadable(ValueError):  # noqa: N818 - says what it is
    """A file that holds no report, or one with a damaged part, which the text names."""


class OtherFormat(ReportUnreadable):
    """A report in a layout of another version, which the text names."""


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One move of a match.

    `cause` is the name of the event's Cause. `claim` is what a placement claimed with it. `level`
    and `engine` are empty for a player; `seed` is absent where none is known. `samples` and
    `analysis_seed` are those of `analysis`, which is absent where there was nothing to judge.
    """

    match_id: str
    sequence: int
    round: int
    seat: int
    cause: str
    action: actions_pb2.Action
    claim: int | None
    level: str
    engine: str
    seed: bytes | None
    view: views_pb2.SeatView
    samples: int
    analysis_seed: int
    analysis: analysis_pb2.PositionAnalysis | None


def write_report(report: MoveReport) -> str:
    """The text of a report's file."""
    fields: dict[str, Any] = {
        "format": FORMAT,
        "kind": _KIND,
        "matchId": report.match_id,
        "sequence": report.sequence,
        "round": report.round,
        "seat": report.seat,
        "cause": report.cause,
        "level": report.level,
        "engine": report.engine,
        "action": json_format.MessageToDict(report.action),
    }
    if report.claim is not None:
        fields["claim"] = report.claim
    if report.seed is not None:
        fields["seed"] = report.seed.hex()
    if report.analysis is not None:
        fields["analysis"] = {
            "samples": report.samples,
            "seed": report.analysis_seed,
            "result": json_format.MessageToDict(report.analysis),
        }
    fields["view"] = json_format.MessageToDict(report.view)
    return json.dumps(fields, indent=1) + "\n"


def read_report(content: bytes) -> MoveReport:
    """The report of a file's content.

    Raises:
        OtherFormat: its layout is another version's.
        ReportUnreadable: it is none, or part of it is missing or of another kind.
    """
    try:
        fields = json.loads(content)
    except ValueError:
        raise ReportUnreadable("JSON") from None
    if not isinstance(fields, dict) or fields.get("kind") != _KIND:
        raise ReportUnreadable("kind")
    if fields.get("format") != FORMAT:
        raise OtherFormat(str(fields.get("format")))
    analysis = fields.get("analysis", {})
    if not isinstance(analysis, dict):
        raise ReportUnreadable("analysis")
    return MoveReport(
        _text(fields, "matchId"),
        _number(fields, "sequence"),
        _number(fields, "round"),
        _number(fields, "seat"),
        _text(fields, "cause"),
        _message(fields, "action", actions_pb2.Action()),
        _number(fields, "claim") if "claim" in fields else None,
        _text(fields, "level"),
        _text(fields, "engine"),
        _bytes(fields, "seed") if "seed" in fields else None,
        _message(fields, "view", views_pb2.SeatView()),
        _number(analysis, "samples") if analysis else 0,
        _number(analysis, "seed") if analysis else 0,
        _message(analysis, "result", analysis_pb2.PositionAnalysis()) if analysis else None,
    )


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise ReportUnreadable(name)
    return value


def _number(fields: dict[str, Any], name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _SEED_NUMBERS:
        raise ReportUnreadable(name)
    return value


def _bytes(fields: dict[str, Any], name: str) -> bytes:
    try:
        return bytes.fromhex(_text(fields, name))
    except ValueError:
        raise ReportUnreadable(name) from None


def _message(fields: dict[str, Any], name: str, message: Any) -> Any:  # noqa: ANN401 - any message
    value = fields.get(name)
    if not isinstance(value, dict):
        raise ReportUnreadable(name)
    try:
        return json_format.ParseDict(value, message)
    except json_format.ParseError:
        raise ReportUnreadable(name) from None
