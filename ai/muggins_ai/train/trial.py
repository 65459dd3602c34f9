"""The policy of a family alone, without search, against greedy_plus in whole mirrored matches."""

from random import Random
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from muggins_ai import playout, policies
from muggins_ai.arena.contest import NETWORK
from muggins_ai.arena.intervals import Estimate, rate, ratio
from muggins_ai.arena.study import ROUND_CAP, share_of_win
from muggins_ai.compiled import integer_array
from muggins_ai.evaluate import public
from muggins_ai.evaluate.weights import policy_scratch
from muggins_ai.playout import BLOCKED, WON
from muggins_ai.round_rules import rules_of
from muggins_ai.search import steps
from muggins_ai.table_order import MOST_ENDS
from muggins_rules import kernel
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import SET_CODES

__all__ = ["PolicyTrial", "Trial"]

_LARGEST_DECK: Final = 28


class Trial(NamedTuple):
    """How the policy fared: share of matches won, and raw points a round."""

    win_rate: Estimate
    points_per_round: Estimate
    sets: int


class PolicyTrial:
    """Matches of one table, in the same arrays. Who opens without having gone out is drawn."""

    def __init__(
        self,
        functions: SimpleNamespace,
        rule_set: RuleSet,
        seats: int,
        net: Any,
        seed: int,
    ) -> None:
        self._functions = functions
        self._rule_set, self._seats = rule_set, seats
        self._net = net, policy_scratch(compiled=True)
        self._rules = integer_array(rules_of(rule_set, seats))
        self._tiles = integer_array(SET_CODES[rule_set.deal.highest_pip])
        self._chance = Random(seed)
        meta, hands, scores, scored = (
            integer_array([0] * number) for number in (steps.META_SIZE, 4, 4, 4)
        )
        self._world = meta, hands, scores, scored
        self._work = [
            integer_array([0] * number)
            for number in (
                public.PUBLIC_SIZE,
                MOST_ENDS + 1,
                kernel.MOST_MOVES,
                policies.ROOM_FOR_REPLIES,
                kernel.MOST_MOVES,
            )
        ]

    def play(self, sets: int) -> Trial:
        """Play so many sets of mirrored matches."""
        shares, points, rounds = [], [], []
        for _ in range(sets):
            share, gained, number = self._mirrored()
            shares.append(share)
            points.append(gained)
            rounds.append(number)
        return Trial(rate(shares), ratio(points, rounds), sets)

    def _mirrored(self) -> tuple[float, float, int]:
        sides = self._rule_set.sides(self._seats)
        start = self._chance.getrandbits(32) or 1
        share, points, rounds = 0.0, 0.0, 0
        for side in range(sides):
            # The same chance for each, from which decks and lots follow round by round.
            won, gained, number = self._match(side, integer_array([start]))
            share += won / sides
            points += gained
            rounds += number
        return share, points, rounds

    def _match(self, side: int, chance: Any) -> tuple[float, float, int]:
        rule_set, seats = self._rule_set, self._seats
        world, sides = self._world, rule_set.sides(seats)
        seat_policies = integer_array(
            [
                NETWORK if rule_set.side_of(seat, seats) == side else policies.GREEDY_PLUS
                for seat in range(seats)
            ]
        )
        for array in (world[steps.SCORES], world[steps.SCORED]):
            array[:] = 0
        deck = integer_array([0] * _LARGEST_DECK)
        play_state = integer_array([1])
        ended, rounds, opener = 0, 0, -1
        while not ended & WON and rounds < ROUND_CAP:
            self._functions.shuffle(self._tiles, len(self._tiles), deck, chance)
            chance[0] = self._functions.random_after(chance[0])
            lot = int(chance[0]) * seats >> 32
            ended = self._functions.contest_round(
                self._rules,
                seat_policies,
                0,
                *self._net,
                deck,
                lot if opener < 0 else opener,
                -1,
                world,
                *self._work,
                play_state,
            )
            opener = -1 if ended & 7 == BLOCKED else int(ended) & 7
            rounds += 1
        scores = [int(score) for score in world[steps.SCORES][:sides]]
        others = sum(scores) - scores[side]
        points = (scores[side] - others / (sides - 1)) * int(self._rules[playout.DIVISOR])
        return share_of_win(scores, side, cut=not ended & WON), points, rounds
