"""`muggins challenge EXPORT --sequence N`: would the opponent have known a hidden tile?

The tiles that the opponent's seat could not see are dealt anew, any of them to any place, and the
opponent decides again at each deal. What it sees and what it chooses has to stay the same. Exit
status: 0 where it does, 1 where anything differs, 2 where there is no such decision or it cannot
be made again here.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import assert_never

from muggins.v1 import records_pb2
from muggins_cli.look import Look, say
from muggins_cli.options import (
    REFUSED,
    UNUSABLE,
    add_look_arguments,
    complain,
    look_asked_for,
    words_asked_for,
)
from muggins_cli.words import SEAT_NAMES, Words
from muggins_client import ExportUnreadable, read_export
from muggins_service.honesty.challenging import Challenge, challenge
from muggins_service.honesty.decisions import Decision, Decisions, read_decisions
from muggins_service.honesty.recomputing import Verdict, recompute, told_act
from muggins_service.wire.records import UnreadableRecord, decode_export

__all__ = ["add_arguments", "run"]

_TIMES = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The export, the decision and how often to deal."""
    parser.add_argument("export", type=Path, metavar="EXPORT", help="a record, JSON or binary")
    parser.add_argument(
        "--sequence",
        type=_from_one,
        required=True,
        metavar="N",
        help="the decision, by the sequence of an event that it brought about",
    )
    parser.add_argument(
        "--times",
        type=_from_one,
        default=_TIMES,
        metavar="K",
        help=f"how often the unseen tiles are dealt anew (default: {_TIMES})",
    )
    parser.add_argument(
        "--seed", default="", metavar="TEXT", help="any text; it decides the deals that are tried"
    )
    parser.add_argument("--json", action="store_true", help="the outcome as one line of JSON")
    add_look_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Ask the opponent again and say what was found; the exit status."""
    words, look = words_asked_for(arguments), look_asked_for(arguments)
    try:
        record = read_export(arguments.export)
        decisions = read_decisions(record.match_id, decode_export(record))
    except (ExportUnreadable, UnreadableRecord):
        complain(words.line("no_export", file=arguments.export))
        return UNUSABLE
    except OSError as error:
        complain(words.line("file_failed", file=error.filename, reason=error.strerror))
        return UNUSABLE
    decision = _at(decisions, arguments.sequence)
    if decision is None:
        complain(_no_decision(record, decisions, arguments, words))
        return UNUSABLE
    obstacle = _obstacle_to(decision, words)
    if obstacle:
        complain(obstacle)
        return UNUSABLE
    result = challenge(decision, arguments.times, arguments.seed)
    if arguments.json:
        say([json.dumps(_fields(record.match_id, result, arguments.seed))])
    else:
        say(_told(record.match_id, result, words, look))
    return 0 if result.is_passed else REFUSED


def _at(decisions: Decisions, sequence: int) -> Decision | None:
    named = (made for made in decisions.made if sequence in made.sequences)
    return next((made for made in named if made.can_be_asked_for), None)


def _no_decision(
    record: records_pb2.MatchRecord,
    decisions: Decisions,
    arguments: argparse.Namespace,
    words: Words,
) -> str:
    sequence = arguments.sequence
    if not any(event.sequence == sequence for part in record.records for event in part.events):
        return words.line("no_event", file=arguments.export, sequence=sequence)
    if decisions.broken_at is not None and sequence >= decisions.broken_at:
        return words.line("record_broken", sequence=decisions.broken_at)
    return words.line("no_decision", sequence=sequence)


def _obstacle_to(decision: Decision, words: Words) -> str:
    """Why the opponent cannot be asked here; empty where it can."""
    outcome = recompute(decision)
    match outcome.verdict:
        case Verdict.AGREES | Verdict.DIFFERS:
            return ""
        case Verdict.OTHER_ENGINE:
            here = outcome.detail or "-"
            return words.line("engine_differs", number=1, named=decision.engine, installed=here)
        case Verdict.NO_COMPILER:
            return words.line("engine_not_compiled", number=1)
        case Verdict.NO_SEED:
            return words.line("decisions_without_secret", number=1)
        case _:
            assert_never(outcome.verdict)


def _told(match_id: str, result: Challenge, words: Words, look: Look) -> Iterator[str]:
    decision = result.decision
    seat = SEAT_NAMES[decision.seat]
    yield words.line("match_watched", match=match_id)
    yield words.line(
        "decision_challenged",
        sequence=decision.sequence,
        seat=seat,
        level=decision.level,
        engine=decision.engine,
        action=told_act(decision),
    )
    if not result.is_as_recorded:
        yield from map(look.warning, look.wrapped(words.line("decision_not_recorded")))
    for difference in result.differences:
        yield look.warning(f"  ! deal {difference.deal}: {difference.what}")
    tried = words.line(
        "tiles_redealt", tiles=result.tiles, seat=seat, times=result.times, deals=result.deals
    )
    yield from look.wrapped(tried)
    if result.differences:
        deals = len({difference.deal for difference in result.differences})
        yield from map(look.warning, look.wrapped(words.line("not_the_same", number=deals)))
    else:
        yield from map(look.gain, look.wrapped(words.line("always_the_same")))


def _fields(match_id: str, result: Challenge, seed: str) -> dict[str, object]:
    decision = result.decision
    return {
        "match_id": match_id,
        "sequence": decision.sequence,
        "seat": decision.seat,
        "level": decision.level,
        "engine": decision.engine,
        "action": told_act(decision),
        "as_recorded": result.is_as_recorded,
        "seed": seed,
        "times": result.times,
        "deals": result.deals,
        "unseen_tiles": result.tiles,
        "differences": [{"deal": one.deal, "what": one.what} for one in result.differences],
        "passed": result.is_passed,
    }


def _from_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("a whole number from 1")
    return number
