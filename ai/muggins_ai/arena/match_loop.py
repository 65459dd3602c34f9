"""Whole matches between agents of any kind, each told what a player in its seat knows.

The loop deals, draws, passes and places by the kernel's functions; an agent is asked where there is
a choice. Random numbers go as in `mirror`: the first opponents' policies play the very same
matches there.
"""

from collections.abc import Callable, Sequence
from time import process_time_ns
from typing import Any, Final, NamedTuple

from muggins_ai import table_order
from muggins_ai.arena.agents import Agent, AllSeeing, ShownRound, Sight, Workshop
from muggins_ai.arena.chance import PairChance
from muggins_ai.arena.openings import ANY_TILE, Opening, opening_of
from muggins_ai.arena.study import ROUND_CAP, SetResult, share_of_win
from muggins_ai.belief.history import (
    FIRST_TURN,
    HIGHEST,
    HISTORY,
    PASSED,
    TURN,
    TURN_COUNT,
    UNFINISHED,
    add_turn,
    begin_history,
)
from muggins_ai.playout import BLOCKED, FLAGS, HAND_SIZE, RESERVE, TILES
from muggins_ai.policies import random_after
from muggins_ai.round_rules import rules_of, set_mask
from muggins_ai.search import steps
from muggins_ai.search.searcher import Known
from muggins_rules.kernel import EMPTY_TABLE, MOST_MOVES

__all__ = ["MatchLoop", "PlayedRound", "play_set"]

_NOBODY: Final = -1
_SEATS: Final = 4


class PlayedRound(NamedTuple):
    """A round that is over.

    `history` is that of `belief`, without what a seat knows of the deal; `out` is the seat that
    went out, or none; `hands` are masks by seat at the end.
    """

    opening: Opening
    history: tuple[int, ...]
    hands: tuple[int, ...]
    scores: tuple[int, ...]
    out: int | None
    match_over: bool


class MatchLoop:
    """Plays matches of one rule set and number of seats, one after another in the same arrays."""

    def __init__(self, workshop: Workshop) -> None:
        rules = rules_of(workshop.rule_set, workshop.seats)
        integers = workshop.integers
        self.workshop = workshop
        self.decisions = [0] * workshop.seats
        """Choices made in the match, by seat."""
        self.cpu_ns = [0] * workshop.seats
        """CPU time of those choices, by seat."""
        self._functions = workshop.functions
        self._sides = workshop.rule_set.sides(workshop.seats)
        self._rules = integers(rules)
        self._hand_size, self._flags = rules[HAND_SIZE], rules[FLAGS]
        self._drawable = max(0, rules[TILES] - workshop.seats * rules[HAND_SIZE] - rules[RESERVE])
        self._tiles = set_mask(workshop.rule_set.deal.highest_pip)
        self._world = tuple(integers([0] * size) for size in (steps.META_SIZE, 4, 4, 4))
        self._ends = integers([0] * (table_order.MOST_ENDS + 1))
        self._moves = integers([0] * MOST_MOVES)
        self._boneyard: Any = integers([])
        self._history = [0] * HISTORY
        self._laid = 0
        self._random = 1
        self._seers: list[AllSeeing | None] = []

    def play_match(
        self,
        agents: Sequence[Agent],
        chance: PairChance,
        most_rounds: int,
        told: Callable[[PlayedRound], None] | None = None,
    ) -> PlayedRound:
        """Play a match with an agent for each seat; its last round. `told` hears of every round."""
        self._begin_match(agents, chance)
        last_out: int | None = None
        number = 0
        while True:
            number += 1
            opening = opening_of(
                self.workshop.rule_set, self.workshop.seats, chance, number, last_out
            )
            played = self._play_round(agents, chance.deck(number), opening)
            if told is not None:
                told(played)
            if played.match_over or number == most_rounds:
                return played
            last_out = played.out
            for seat, agent in enumerate(agents):
                agent.round_ended(
                    ShownRound(self._known_history(opening, seat), seat, played.hands)
                )

    def _begin_match(self, agents: Sequence[Agent], chance: PairChance) -> None:
        seats = self.workshop.seats
        assert len(agents) == seats, "every seat has an agent"
        self.decisions = [0] * seats
        self.cpu_ns = [0] * seats
        self._random = chance.random_state()
        self._seers = [agent if isinstance(agent, AllSeeing) else None for agent in agents]
        for side in range(_SEATS):
            self._world[steps.SCORES][side] = self._world[steps.SCORED][side] = 0

    def _play_round(
        self, agents: Sequence[Agent], deck: Sequence[int], opening: Opening
    ) -> PlayedRound:
        self._deal(deck, opening)
        meta = self._world[steps.META]
        lead = opening.lead
        while meta[steps.ENDED] == steps.IN_PLAY:
            self._play_turn(agents, opening, lead)
            lead = ANY_TILE
        out = int(meta[steps.OUT])
        return PlayedRound(
            opening,
            self._turns(),
            self._hands(),
            self._by_side(steps.SCORES),
            None if out == BLOCKED else out,
            int(meta[steps.ENDED]) == steps.MATCH_OVER,
        )

    def _deal(self, deck: Sequence[int], opening: Opening) -> None:
        meta, hands, _, _ = self._world
        for place in range(steps.META_SIZE):
            meta[place] = 0
        meta[steps.TABLE] = EMPTY_TABLE
        meta[steps.TURN] = opening.opener
        meta[steps.END] = self._drawable
        dealt = self.workshop.seats * self._hand_size
        for seat in range(self.workshop.seats):
            first = seat * self._hand_size
            hands[seat] = sum(1 << code for code in deck[first : first + self._hand_size])
        self._boneyard = self.workshop.integers(list(deck[dealt:]))
        self._laid = 0
        begin_history(self._history, opening.highest, int(opening.lead != ANY_TILE))

    def _play_turn(self, agents: Sequence[Agent], opening: Opening, lead: int) -> None:
        """One turn: draws, then a placement or a pass."""
        functions, rules, world = self._functions, self._rules, self._world
        meta = world[steps.META]
        seat, word = int(meta[steps.TURN]), int(meta[steps.TABLE])
        taken = int(functions.draw_tiles(world, self._boneyard, _NOBODY))
        tiles = int(functions.playable(world)) if lead == ANY_TILE else 1 << lead
        if not tiles:
            add_turn(self._history, seat, word, PASSED, taken)
            functions.pass_turn(rules, world)
            return
        found = functions.list_in_order(word, tiles, self._flags, self._ends, self._moves)
        moves = tuple(int(self._moves[index]) for index in range(int(found)))
        self._random = random_after(self._random)
        move = moves[0]
        if len(moves) > 1:
            pending = int(meta[steps.PENDING]) if lead == ANY_TILE else tiles
            sight = self._sight(opening, seat, moves, pending, taken)
            move = self._asked(agents[seat], seat, sight)
        add_turn(self._history, seat, word, move, taken)
        functions.place(rules, world, move)
        functions.add_tile(int(meta[steps.TABLE]), move, self._ends)
        self._laid |= 1 << (move & 31)

    def _asked(self, agent: Agent, seat: int, sight: Sight) -> int:
        seer = self._seers[seat]
        if seer is not None:
            seer.see_hands(self._hands())
        started = process_time_ns()
        move = agent.choose(sight, self._random)
        self.cpu_ns[seat] += process_time_ns() - started
        self.decisions[seat] += 1
        if move not in sight.moves:
            raise ValueError(f"seat {seat} chose {move}, which is none of its moves {sight.moves}")
        return move

    def _sight(
        self, opening: Opening, seat: int, moves: tuple[int, ...], pending: int, taken: int
    ) -> Sight:
        meta, hands, _, _ = self._world
        hand, word = int(hands[seat]), int(meta[steps.TABLE])
        if taken:
            add_turn(self._history, seat, word, UNFINISHED, taken)
        known = Known(
            self._known_history(opening, seat),
            seat,
            hand,
            pending,
            self._by_side(steps.SCORES),
            self._by_side(steps.SCORED),
        )
        if taken:
            self._history[TURN_COUNT] -= 1
        next_seat = self.workshop.rule_set.next_seat(seat, self.workshop.seats)
        unseen = self._tiles & ~self._laid & ~hand
        return Sight(known, word, moves, unseen, int(hands[next_seat]).bit_count())

    def _known_history(self, opening: Opening, seat: int) -> tuple[int, ...]:
        history = self._turns()
        return (*history[:HIGHEST], opening.highest_known(seat), *history[HIGHEST + 1 :])

    def _turns(self) -> tuple[int, ...]:
        return tuple(self._history[: FIRST_TURN + TURN * self._history[TURN_COUNT]])

    def _hands(self) -> tuple[int, ...]:
        return tuple(int(self._world[steps.HANDS][seat]) for seat in range(self.workshop.seats))

    def _by_side(self, what: int) -> tuple[int, ...]:
        return tuple(int(self._world[what][side]) for side in range(self._sides))


def play_set(
    loop: MatchLoop,
    makers: tuple[Callable[[Workshop, int], Agent], Callable[[Workshop, int], Agent]],
    chance: PairChance,
    *,
    single_rounds: bool = False,
) -> SetResult:
    """Play a set of mirrored matches, or rounds, of the first maker's agents against the second's.

    Every match has new agents.
    """
    rule_set, seats = loop.workshop.rule_set, loop.workshop.seats
    sides = rule_set.sides(seats)
    round_limit = rule_set.house_rules.round_limit
    limit = 1 if single_rounds else round_limit or ROUND_CAP
    matches: list[SetResult] = []
    for side in range(sides):
        own = [rule_set.side_of(seat, seats) == side for seat in range(seats)]
        agents = [makers[0 if own[seat] else 1](loop.workshop, seat) for seat in range(seats)]
        rounds: list[PlayedRound] = []
        last = loop.play_match(agents, chance, limit, rounds.append)
        cut = not (last.match_over or single_rounds or round_limit)
        others = [score for index, score in enumerate(last.scores) if index != side]
        matches.append(
            SetResult(
                share_of_win(last.scores, side, cut=cut),
                last.scores[side] - sum(others) / len(others),
                len(rounds),
                int(cut),
                _of(own, loop.decisions),
                _of(own, loop.cpu_ns),
                sum(loop.decisions) - _of(own, loop.decisions),
                sum(loop.cpu_ns) - _of(own, loop.cpu_ns),
            )
        )
    won, points, *counts = (sum(values) for values in zip(*matches, strict=True))
    return SetResult(won / sides, points, *(int(count) for count in counts))


def _of(own: Sequence[bool], by_seat: Sequence[int]) -> int:
    return sum(number for number, mine in zip(by_seat, own, strict=True) if mine)
