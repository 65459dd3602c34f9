"""Whole matches between two policies, each set of them mirrored: same decks and lots, seats turned.

A set has as many matches as there are sides, and A plays each side once, against B on all the
others; with two sides that is a pair. Sets are independent, so the intervals are taken over them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time_ns
from typing import Any, Final, NamedTuple

from muggins_ai.arena.chance import PairChance
from muggins_ai.arena.intervals import Estimate, rate, ratio
from muggins_ai.arena.playouts import POLICIES, Playouts, can_compile, playout_functions
from muggins_ai.playout import BLOCKED, RECORDED, WON
from muggins_rules.opening import highest_double
from muggins_rules.ruleset import OpenerRule, RuleSet

__all__ = ["ROUND_CAP", "MirrorStudy", "StudyResult", "run_study"]

ROUND_CAP: Final = 400
"""Rounds after which a match is cut, since scores can sink without end; all sides share it."""

_TIMED_ROUNDS: Final = 100
_TIMED_NS: Final = 200_000_000


@dataclass(frozen=True, slots=True)
class MirrorStudy:
    """What is measured: level `a` against level `b`, in `pairs` sets of mirrored matches."""

    a: str
    b: str
    rule_set: RuleSet
    seats: int
    pairs: int
    seed: str


@dataclass(frozen=True, slots=True)
class StudyResult:
    """How A fared: share of matches won, and points a round in the rule set's own unit.

    Points are A's less the mean of the other sides'. CPU is per placement that had a choice, on
    the same positions for A and B. `cut` counts matches that ROUND_CAP ended.
    """

    win_rate: Estimate
    points_per_round: Estimate
    pairs: int
    rounds: int
    cut: int
    cpu_ms_per_decision_a: float
    cpu_ms_per_decision_b: float


class _Match(NamedTuple):
    """A match from A's point of view."""

    won: float
    points: float
    rounds: int
    cut: bool


def run_study(study: MirrorStudy, *, compiled: bool | None = None) -> StudyResult:
    """Play a study; compiled where numba is installed, unless told.

    Raises:
        KeyError: a level has no policy.
        ValueError: the rule set is not played with so many seats, or there are no pairs.
    """
    if study.seats not in study.rule_set.seat_counts:
        message = f"{study.rule_set.id} is not played with {study.seats} seats"
        raise ValueError(message)
    if study.pairs < 1:
        raise ValueError("a study needs pairs")
    compiled = can_compile() if compiled is None else compiled
    functions = playout_functions(compiled=compiled)
    playouts = Playouts(functions, study.rule_set, study.seats, compiled=compiled)
    sets = [list(_mirrored(study, playouts, pair)) for pair in range(study.pairs)]
    matches = [match for mirrored in sets for match in mirrored]
    cpu_a, cpu_b = _cpu_ms(study, playouts)
    return StudyResult(
        rate([sum(m.won for m in mirrored) / len(mirrored) for mirrored in sets]),
        ratio(
            [sum(m.points for m in mirrored) for mirrored in sets],
            [sum(m.rounds for m in mirrored) for mirrored in sets],
        ),
        study.pairs,
        sum(match.rounds for match in matches),
        sum(match.cut for match in matches),
        cpu_a,
        cpu_b,
    )


def _mirrored(study: MirrorStudy, playouts: Playouts, pair: int) -> Iterator[_Match]:
    rule_set, seats = study.rule_set, study.seats
    chance = PairChance(study.seed, pair, seats, rule_set.deal.highest_pip)
    for side in range(rule_set.sides(seats)):
        yield _play_match(study, playouts, chance, side)


def _play_match(study: MirrorStudy, playouts: Playouts, chance: PairChance, side: int) -> _Match:
    rule_set, seats = study.rule_set, study.seats
    seat_policies = playouts.array(_seat_policies(study, side))
    for index in range(rule_set.sides(seats)):
        playouts.scores[index] = playouts.scored[index] = 0
    playouts.state[0] = chance.random_state()
    limit = rule_set.house_rules.round_limit or ROUND_CAP
    last_out: int | None = None
    ended = 0
    rounds = 0
    while not ended & WON and rounds < limit:
        rounds += 1
        deck = chance.deck(rounds)
        opener, lead = _opening(study, chance, deck, rounds, last_out)
        ended = playouts.play_round(seat_policies, playouts.array(deck), opener, lead)
        last_out = None if ended & 7 == BLOCKED else ended & 7
    scores = [int(score) for score in playouts.scores]
    own = scores[side]
    others = [score for index, score in enumerate(scores) if index != side]
    cut = not ended & WON and not rule_set.house_rules.round_limit
    return _Match(_share(scores, side, cut=cut), own - sum(others) / len(others), rounds, cut)


def _seat_policies(study: MirrorStudy, side: int) -> list[int]:
    side_of, seats = study.rule_set.side_of, study.seats
    return [POLICIES[study.a if side_of(seat, seats) == side else study.b] for seat in range(seats)]


def _opening(
    study: MirrorStudy,
    chance: PairChance,
    deck: tuple[int, ...],
    round_number: int,
    last_out: int | None,
) -> tuple[int, int]:
    """The seat that opens, and the code of the tile it must lead or -1."""
    turns, seats = study.rule_set.turns, study.seats
    if last_out is not None:
        return last_out, -1
    rule = turns.first_opener if round_number == 1 else turns.opener_after_block
    if rule is OpenerRule.LOT:
        return chance.lot_winner(round_number), -1
    size = study.rule_set.hand_size(seats)
    opener, highest = highest_double([deck[s * size : (s + 1) * size] for s in range(seats)])
    return opener, highest if turns.must_lead_highest_double else -1


def _share(scores: list[int], side: int, *, cut: bool) -> float:
    """A's part of a win: all for the highest score, an equal part of one that nobody has."""
    most = max(scores)
    if cut or scores.count(most) > 1:
        return 1 / len(scores)
    return float(scores[side] == most)


def _cpu_ms(study: MirrorStudy, playouts: Playouts) -> tuple[float, float]:
    record = _choices_of_rounds(study, playouts)
    return (
        _timed(playouts, POLICIES[study.a], record),
        _timed(playouts, POLICIES[study.b], record),
    )


def _choices_of_rounds(study: MirrorStudy, playouts: Playouts) -> list[int]:
    """The recorded positions with a choice of some first rounds, one after another."""
    seats = study.seats
    found: list[int] = []
    for pair in range(_TIMED_ROUNDS):
        chance = PairChance(study.seed, pair, seats, study.rule_set.deal.highest_pip)
        deck = chance.deck(1)
        opener, lead = _opening(study, chance, deck, 1, None)
        before = playouts.plies
        side = pair % study.rule_set.sides(seats)
        for index in range(study.rule_set.sides(seats)):
            playouts.scores[index] = playouts.scored[index] = 0
        seat_policies = playouts.array(_seat_policies(study, side))
        playouts.play_round(seat_policies, playouts.array(deck), opener, lead, recorded=True)
        for ply in range(playouts.plies - before):
            position = [int(n) for n in playouts.record[RECORDED * ply : RECORDED * (ply + 1)]]
            if playouts.choices(position) > 1:
                found += position
    return found


def _timed(playouts: Playouts, policy: int, positions: list[int]) -> float:
    """CPU of one decision, in ms: the positions again and again until it can be measured."""
    number = len(positions) // RECORDED
    if not number:
        return 0.0
    record: Any = playouts.array(positions)
    playouts.decide(policy, record, number)
    decided = 0
    started = process_time_ns()
    while process_time_ns() - started < _TIMED_NS:
        playouts.decide(policy, record, number)
        decided += number
    return (process_time_ns() - started) / decided / 1e6
