"""Whole matches between two of the first opponents' policies: compiled whole rounds, the fast path.

`study` says what a set of mirrored matches is. What agents of any kind play in `match_loop` comes
out the same for these policies, some hundred times slower.
"""

from time import process_time_ns
from typing import Any, Final

from muggins_ai.arena.chance import PairChance
from muggins_ai.arena.openings import opening_of
from muggins_ai.arena.playouts import POLICIES, Playouts, can_compile, playout_functions
from muggins_ai.arena.study import (
    ROUND_CAP,
    MirrorStudy,
    SetResult,
    StudyResult,
    check_study,
    share_of_win,
    summed_up,
)
from muggins_ai.playout import BLOCKED, RECORDED, WON

__all__ = ["run_study"]

_TIMED_ROUNDS: Final = 100
_TIMED_NS: Final = 200_000_000


def run_study(study: MirrorStudy, *, compiled: bool | None = None) -> StudyResult:
    """Play a study of whole matches; compiled where numba is installed, unless told.

    CPU is measured on the same positions for A and B.

    Raises:
        KeyError: a level has no policy.
        ValueError: the rule set is not played with so many seats, or there are no pairs.
    """
    check_study(study)
    assert not study.single_rounds, "the fast path plays whole matches"
    compiled = can_compile() if compiled is None else compiled
    functions = playout_functions(compiled=compiled)
    playouts = Playouts(functions, study.rule_set, study.seats, compiled=compiled)
    sets = [_mirrored(study, playouts, pair) for pair in range(study.pairs)]
    cpu_a, cpu_b = _cpu_ms(study, playouts)
    return summed_up(sets, cpu_a, cpu_b)


def _mirrored(study: MirrorStudy, playouts: Playouts, pair: int) -> SetResult:
    rule_set, seats = study.rule_set, study.seats
    chance = PairChance(study.seed, pair, seats, rule_set.deal.highest_pip)
    sides = range(rule_set.sides(seats))
    matches = [_play_match(study, playouts, chance, side) for side in sides]
    return SetResult(
        sum(match.won for match in matches) / len(matches),
        sum(match.points for match in matches),
        sum(match.rounds for match in matches),
        sum(match.cut for match in matches),
    )


def _play_match(study: MirrorStudy, playouts: Playouts, chance: PairChance, side: int) -> SetResult:
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
        opening = opening_of(rule_set, seats, chance, rounds, last_out)
        deck = playouts.array(chance.deck(rounds))
        ended = playouts.play_round(seat_policies, deck, opening.opener, opening.lead)
        last_out = None if ended & 7 == BLOCKED else ended & 7
    scores = [int(score) for score in playouts.scores]
    own = scores[side]
    others = [score for index, score in enumerate(scores) if index != side]
    cut = not ended & WON and not rule_set.house_rules.round_limit
    won = share_of_win(scores, side, cut=cut)
    return SetResult(won, own - sum(others) / len(others), rounds, int(cut))


def _seat_policies(study: MirrorStudy, side: int) -> list[int]:
    side_of, seats = study.rule_set.side_of, study.seats
    return [POLICIES[study.a if side_of(seat, seats) == side else study.b] for seat in range(seats)]


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
        opener, lead, _ = opening_of(study.rule_set, seats, chance, 1, None)
        before = playouts.plies
        side = pair % study.rule_set.sides(seats)
        for index in range(study.rule_set.sides(seats)):
            playouts.scores[index] = playouts.scored[index] = 0
        seat_policies = playouts.array(_seat_policies(study, side))
        deck = playouts.array(chance.deck(1))
        playouts.play_round(seat_policies, deck, opener, lead, recorded=True)
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
