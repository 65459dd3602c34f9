"""The analysis messages of OpponentService: positions and whole matches."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

from muggins.v1 import analysis_pb2, records_pb2
from muggins.v1 import opponent_service_pb2 as pb
from muggins_ai.analysis.analyst import TileChances
from muggins_ai.analysis.review import SeatSums
from muggins_ai.analysis.tally import MoveFigures
from muggins_rules.actions import Action
from muggins_rules.events import Event
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import tile_of
from muggins_service.errors import malformed_field
from muggins_service.table.facts import TableFact
from muggins_service.wire.actions import set_action
from muggins_service.wire.checks import parse
from muggins_service.wire.events import decode_events
from muggins_service.wire.opponents import Budget, decode_budget, decode_seed, set_budget
from muggins_service.wire.rule_sets import check_playable, decode_rule_set
from muggins_service.wire.tiles import tile_bytes
from muggins_service.wire.view_decoding import SeenView, decode_seat_view

__all__ = [
    "AnalysedAction",
    "Analysis",
    "AnalyzeMatch",
    "AnalyzePosition",
    "DecisionLine",
    "Fact",
    "LuckLine",
    "analysis_answer",
    "decision_answer",
    "decode_analyze_match",
    "decode_analyze_position",
    "luck_answer",
    "progress_answer",
    "totals_answer",
]


@dataclass(frozen=True, slots=True)
class AnalyzePosition:
    """An analysis asked for; without a budget, as much as the server allows."""

    seen: SeenView
    budget: Budget | None
    enough_error: float
    seed: bytes


@dataclass(frozen=True, slots=True)
class AnalyzeMatch:
    """A review asked for; `sequences` are those of the events. No seats: all of them."""

    rule_set: RuleSet
    seats: int
    events: tuple[Event, ...]
    sequences: tuple[int, ...]
    budget: Budget | None
    min_loss: float
    only_seats: frozenset[int]
    most_decisions: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class AnalysedAction:
    """A legal action, its figures and its place among all actions, from 1."""

    action: Action
    figures: MoveFigures
    rank: int


@dataclass(frozen=True, slots=True)
class Fact:
    """What a draw or a pass proved of a seat, and how much it told, in bits."""

    sequence: int
    seat: int
    missing: tuple[int, ...]
    bits: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a position so far."""

    actions: tuple[AnalysedAction, ...]
    belief: tuple[TileChances, ...]
    facts: tuple[Fact, ...]
    used: Budget
    truncated: bool
    engine: str


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A decision of a match."""

    sequence: int
    round: int
    seat: int
    chosen: Action
    best: Action
    loss: float
    error: float
    analysis: Analysis | None


@dataclass(frozen=True, slots=True)
class LuckLine:
    """What chance gave a seat at an event."""

    sequence: int
    round: int
    seat: int
    points: float


# --- in ---


def decode_analyze_position(raw: bytes) -> AnalyzePosition:
    """AnalyzePosition."""
    message = parse(pb.AnalyzePositionRequest, raw)
    if not message.HasField("view"):
        raise malformed_field("view", "A view is required.")
    enough = message.enough_standard_error
    if not isfinite(enough) or enough < 0:
        raise malformed_field("enough_standard_error", "Points from zero are required.")
    return AnalyzePosition(
        decode_seat_view(message.view),
        decode_budget(message.budget) if message.HasField("budget") else None,
        enough,
        decode_seed(message.seed),
    )


def decode_analyze_match(raw: bytes) -> AnalyzeMatch:
    """AnalyzeMatch; whether the events follow from one another is still to be checked."""
    message = parse(pb.AnalyzeMatchRequest, raw)
    if not message.HasField("record") or not message.record.HasField("rule_set"):
        raise malformed_field("record", "The export of a match is required.")
    if not isfinite(message.min_loss) or message.min_loss < 0:
        raise malformed_field("min_loss", "Points from zero are required.")
    record = message.record
    rule_set = decode_rule_set(record.rule_set, "record.rule_set")
    check_playable(rule_set, "record.rule_set")
    if record.seats not in rule_set.seat_counts:
        raise malformed_field("record.seats", "The rule set is not played with these seats.")
    sequences, events = _facts_of(record)
    return AnalyzeMatch(
        rule_set,
        record.seats,
        events,
        sequences,
        decode_budget(message.budget) if message.HasField("budget") else None,
        message.min_loss,
        frozenset(message.seats),
        message.max_decisions,
        decode_seed(message.seed),
    )


def _facts_of(record: records_pb2.MatchRecord) -> tuple[tuple[int, ...], tuple[Event, ...]]:
    """The facts of the game in a record, and their sequences."""
    found = [
        (entry.sequence, entry.fact)
        for index, part in enumerate(record.records)
        for entry in decode_events(part.events, f"record.records[{index}].events")
        if not isinstance(entry.fact, TableFact)
    ]
    return tuple(sequence for sequence, _ in found), tuple(fact for _, fact in found)


# --- out ---


def analysis_answer(analysis: Analysis, *, last: bool) -> bytes:
    """An AnalyzePositionResponse."""
    message = pb.AnalyzePositionResponse(last=last)
    _set_analysis(message.analysis, analysis)
    return message.SerializeToString()


def progress_answer(done: int, total: int) -> bytes:
    """An AnalyzeMatchResponse that tells how far the work has come."""
    message = pb.AnalyzeMatchResponse()
    message.progress.SetInParent()
    message.progress.done, message.progress.total = done, total
    return message.SerializeToString()


def decision_answer(line: DecisionLine) -> bytes:
    """An AnalyzeMatchResponse with a decision."""
    message = pb.AnalyzeMatchResponse()
    decision = message.decision
    decision.sequence, decision.round, decision.seat = line.sequence, line.round, line.seat
    set_action(decision.chosen, line.chosen)
    set_action(decision.best, line.best)
    decision.loss, decision.loss_standard_error = line.loss, line.error
    if line.analysis is not None:
        _set_analysis(decision.analysis, line.analysis)
    return message.SerializeToString()


def luck_answer(line: LuckLine) -> bytes:
    """An AnalyzeMatchResponse with a piece of luck."""
    message = pb.AnalyzeMatchResponse()
    luck = message.luck
    luck.sequence, luck.round, luck.seat = line.sequence, line.round, line.seat
    luck.luck = line.points
    return message.SerializeToString()


def totals_answer(
    totals: Iterable[SeatSums],
    rounds: Iterable[tuple[int, Iterable[SeatSums]]],
    used: Budget,
    engine: str,
    *,
    truncated: bool,
) -> bytes:
    """An AnalyzeMatchResponse with the sums, which ends a review."""
    message = pb.AnalyzeMatchResponse()
    sums = message.totals
    for line in totals:
        _set_sums(sums.seats.add(), line)
    for number, lines in rounds:
        of_round = sums.rounds.add(round=number)
        for line in lines:
            _set_sums(of_round.seats.add(), line)
    set_budget(sums.used, used)
    sums.truncated, sums.engine = truncated, engine
    return message.SerializeToString()


def _set_sums(message: pb.SeatTotals, line: SeatSums) -> None:
    message.seat, message.decisions = line.seat, line.decisions
    message.loss, message.luck = line.loss, line.luck
    message.skill, message.result = line.skill, line.result


def _set_analysis(message: analysis_pb2.PositionAnalysis, analysis: Analysis) -> None:
    for line in analysis.actions:
        figures = line.figures
        added = message.actions.add(
            points=figures.points,
            points_standard_error=figures.error,
            win_probability=figures.win,
            loss=figures.loss,
            rank=line.rank,
            samples=figures.samples,
            score_next_probability=figures.scores_next,
            scored_on_probability=figures.scored_on,
            go_out_probability=figures.goes_out,
            block_probability=figures.blocked,
        )
        set_action(added.action, line.action)
    for odds in analysis.belief:
        tile = message.belief.add(
            seat_probabilities=odds.by_seat, boneyard_probability=odds.boneyard
        )
        tile.tile.MergeFromString(tile_bytes(tile_of(odds.code)))
    for fact in analysis.facts:
        message.facts.add(
            sequence=fact.sequence, seat=fact.seat, missing_values=fact.missing, bits=fact.bits
        )
    set_budget(message.used, analysis.used)
    message.truncated, message.engine = analysis.truncated, analysis.engine
