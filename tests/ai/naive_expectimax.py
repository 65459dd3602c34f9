"""What each move is worth on average, by going through every deal and every order of the boneyard.

Plain and slow: exact fractions, whole decks, and a list of what the seat saw for each scene, by
which the scenes that it cannot tell apart are found.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from muggins_ai.playout import BLOCKED, DIVISOR, FLAGS, NEXT, SEATS, SIDES, is_blocked
from muggins_ai.search import steps
from muggins_ai.search.steps import World
from muggins_rules import kernel
from muggins_rules.tiles import codes_of_mask
from tests.ai.search_kit import copied

Replies = Callable[[int, int, list[int]], dict[int, Fraction]]
"""From the layout's word, its flags and the moves to the chance of each."""


class Scene(NamedTuple):
    """A world with its boneyard in the order of drawing, and its chance."""

    chance: Fraction
    world: World
    deck: tuple[int, ...]


def greedy_replies(word: int, flags: int, moves: list[int]) -> dict[int, Fraction]:
    """Most points at once, then the heaviest tile, then the first."""

    def worth(move: int) -> tuple[int, int]:
        points = kernel.points_of(kernel.count_of(kernel.lay(word, move, flags)), 1)
        return points, kernel.sum_of_pips(1 << (move & 31))

    return {max(moves, key=worth): Fraction(1)}


def uniform_replies(_word: int, _flags: int, moves: list[int]) -> dict[int, Fraction]:
    """Any move."""
    return {move: Fraction(1, len(moves)) for move in moves}


def mixed_replies(word: int, flags: int, moves: list[int]) -> dict[int, Fraction]:
    """Greedy three times out of four, else any move."""
    chances = {move: chance / 4 for move, chance in uniform_replies(word, flags, moves).items()}
    for move in greedy_replies(word, flags, moves):
        chances[move] += Fraction(3, 4)
    return chances


def scenes_of(root: World, deals: Counter[tuple[int, ...]], off_table: int) -> list[Scene]:
    """Every deal with every order of its boneyard."""
    scenes = []
    for hands, number in deals.items():
        boneyard = off_table & ~sum(hands)
        decks = list(permutations(codes_of_mask(boneyard)))
        chance = Fraction(number, deals.total() * len(decks))
        for deck in decks:
            world = copied(root)
            world[steps.HANDS][: len(hands)] = hands
            scenes.append(Scene(chance, world, deck))
    return scenes


def naive_values(
    rules: list[int], seat: int, opener: int, replies: Replies, scenes: list[Scene]
) -> dict[int, Fraction]:
    """By move of the seat on turn its expected utility in raw points since the root."""
    root = scenes[0].world[steps.SCORES]
    return _Reference(rules, seat, opener, replies, tuple(root)).values(scenes)


class _Reference:
    def __init__(
        self,
        rules: list[int],
        seat: int,
        opener: int,
        replies: Replies,
        before: tuple[int, ...],
    ) -> None:
        self.rules = rules
        self.seat = seat
        self.opener = opener
        self.replies = replies
        self.before = before

    def values(self, scenes: list[Scene]) -> dict[int, Fraction]:
        """Sums of chance times utility, under the best later choices."""
        return {move: self.value_of(move, scenes) for move in self.moves(scenes[0].world)}

    def value_of(self, move: int, scenes: list[Scene]) -> Fraction:
        total = Fraction(0)
        told_apart: dict[tuple[object, ...], list[Scene]] = defaultdict(list)
        for scene in scenes:
            world = copied(scene.world)
            steps.place(self.rules, world, move)
            for seen, after in self.run(Scene(scene.chance, world, scene.deck), ()):
                if after.world[steps.META][steps.ENDED] == steps.IN_PLAY:
                    told_apart[seen].append(after)
                else:
                    total += after.chance * self.utility(after.world)
        return total + sum(max(self.values(group).values()) for group in told_apart.values())

    def moves(self, world: World) -> list[int]:
        found = [0] * kernel.MOST_MOVES
        word = world[steps.META][steps.TABLE]
        number = kernel.list_moves(word, steps.playable(world), self.rules[FLAGS], found)
        return found[:number]

    def run(
        self, scene: Scene, seen: tuple[object, ...]
    ) -> Iterator[tuple[tuple[object, ...], Scene]]:
        """What follows a placement, until the seat is to choose or the round is over."""
        chance, world, deck = scene
        meta = world[steps.META]
        if meta[steps.ENDED] != steps.IN_PLAY:
            yield seen, scene
            return
        turn, word = meta[steps.TURN], meta[steps.TABLE]
        while not steps.playable(world) and meta[steps.END]:
            code, *rest = deck
            deck = tuple(rest)
            meta[steps.END] -= 1
            world[steps.HANDS][turn] |= 1 << code
            meta[steps.PENDING] = kernel.legal_tiles(word, 1 << code)
            seen = (*seen, (turn, "drew", code if turn == self.seat else None))
        if not steps.playable(world):
            if is_blocked(self.rules, word, world[steps.HANDS]):
                steps.end_round(self.rules, world, BLOCKED)
            else:
                meta[steps.TURN] = (turn + self.rules[NEXT]) % self.rules[SEATS]
            yield from self.run(Scene(chance, world, deck), (*seen, (turn, "passed")))
        elif turn == self.seat:
            yield seen, Scene(chance, world, deck)
        else:
            chances = self.replies(word, self.rules[FLAGS], self.moves(world))
            for move, share in chances.items():
                after = copied(world)
                steps.place(self.rules, after, move)
                reply = Scene(chance * share, after, deck)
                yield from self.run(reply, (*seen, (turn, move)))

    def utility(self, world: World) -> Fraction:
        meta = world[steps.META]
        sides = self.rules[SIDES]
        gains = [
            Fraction((after - before) * self.rules[DIVISOR])
            for after, before in zip(world[steps.SCORES], self.before, strict=True)
        ][:sides]
        if meta[steps.ENDED] == steps.ROUND_OVER and meta[steps.OUT] != BLOCKED:
            gains[meta[steps.OUT] % sides] += self.opener
        own = self.seat % sides
        return gains[own] - _mean(gain for side, gain in enumerate(gains) if side != own)


def _mean(values: Iterable[Fraction]) -> Fraction:
    listed = list(values)
    return sum(listed, Fraction(0)) / len(listed)
