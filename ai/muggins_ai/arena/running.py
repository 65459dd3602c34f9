"""Studies of agents of any kind over several processes, the same whatever their number.

Sets are played in chunks by processes that are spawned, and put together in their order; a set
depends on the study's seed and its own number alone.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import lru_cache
from multiprocessing import get_context
from typing import Final, NamedTuple

from muggins_ai.arena.agents import Workshop
from muggins_ai.arena.chance import PairChance
from muggins_ai.arena.match_loop import MatchLoop, play_set
from muggins_ai.arena.playouts import can_compile
from muggins_ai.arena.registry import agent_maker
from muggins_ai.arena.study import MirrorStudy, SetResult, StudyResult, check_study, summed_up
from muggins_rules.ruleset import RuleSet

__all__ = ["Chunk", "chunks_of", "play_chunk", "pool_of", "run_agents"]

_CHUNK: Final = 4
"""Sets in a chunk: large enough to be worth its way, small enough to share the work."""
_WARM_ROUNDS: Final = 8


class Chunk(NamedTuple):
    """Some sets of a study: `number` of them from the one numbered `first`, from 0."""

    study: MirrorStudy
    first: int
    number: int


def run_agents(
    study: MirrorStudy,
    processes: int = 1,
    progress: Callable[[int], None] | None = None,
) -> StudyResult:
    """Play a study; `progress` is told after each chunk how many sets are done.

    Raises:
        UnknownAgentError: no agent has one of the names.
        ValueError: the rule set is not played with so many seats, or there are no pairs.
        WeightsError: an agent needs learned weights that are not there.
    """
    check_study(study)
    agent_maker(study.a)
    agent_maker(study.b)
    chunks = chunks_of(study)
    played: dict[int, Sequence[SetResult]] = {}
    done = 0
    for chunk, sets in _played(chunks, min(processes, len(chunks))):
        played[chunk.first] = sets
        done += chunk.number
        if progress is not None:
            progress(done)
    return summed_up([found for first in sorted(played) for found in played[first]])


def chunks_of(study: MirrorStudy) -> list[Chunk]:
    """All sets of a study in chunks."""
    return [
        Chunk(study, first, min(_CHUNK, study.pairs - first))
        for first in range(0, study.pairs, _CHUNK)
    ]


def play_chunk(chunk: Chunk) -> tuple[SetResult, ...]:
    """Play the sets of a chunk; compiled where numba is installed."""
    study = chunk.study
    makers = agent_maker(study.a), agent_maker(study.b)
    loop = _loop(study.rule_set, study.seats)
    _warm(study)
    return tuple(
        play_set(
            loop,
            makers,
            PairChance(study.seed, number, study.seats, study.rule_set.deal.highest_pip),
            single_rounds=study.single_rounds,
        )
        for number in range(chunk.first, chunk.first + chunk.number)
    )


def pool_of(processes: int) -> ProcessPoolExecutor:
    """Spawned processes, which share nothing with this one but the code."""
    return ProcessPoolExecutor(processes, mp_context=get_context("spawn"))


def _played(
    chunks: Sequence[Chunk], processes: int
) -> Iterator[tuple[Chunk, tuple[SetResult, ...]]]:
    """Chunks with their results, in any order."""
    if processes == 1:
        for chunk in chunks:
            yield chunk, play_chunk(chunk)
        return
    pool = pool_of(processes)
    try:
        asked: dict[Future[tuple[SetResult, ...]], Chunk] = {
            pool.submit(play_chunk, chunk): chunk for chunk in chunks
        }
        for future in as_completed(asked):
            yield asked[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


@lru_cache(maxsize=16)
def _loop(rule_set: RuleSet, seats: int) -> MatchLoop:
    return MatchLoop(Workshop(rule_set, seats, compiled=can_compile()))


@lru_cache(maxsize=64)
def _warm(study: MirrorStudy) -> None:
    """Play some rounds apart, so that no decision's time has compiling or loading in it."""
    loop = _loop(study.rule_set, study.seats)
    makers = agent_maker(study.a), agent_maker(study.b)
    chance = PairChance("warm", 0, study.seats, study.rule_set.deal.highest_pip)
    for turn in range(2):
        agents = [makers[(seat + turn) % 2](loop.workshop, seat) for seat in range(study.seats)]
        loop.play_match(agents, chance, _WARM_ROUNDS)
