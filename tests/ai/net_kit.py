"""Worlds in play, and networks of random weights, to evaluate them with."""

import random
from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from muggins_ai import playout, policies, table_order
from muggins_ai.arena import contest
from muggins_ai.compiled import compiled_kernel, integer_array
from muggins_ai.evaluate import equity, inputs, policy, public, scoring, value
from muggins_ai.evaluate.weights import NetShape, net_of
from muggins_ai.round_rules import rules_of
from muggins_ai.search import steps
from muggins_rules import kernel
from muggins_rules.kernel_loader import load_kernel
from muggins_rules.tiles import SET_CODES
from tests.ai.tables import Table

MODULES: Final = (
    kernel,
    policies,
    table_order,
    playout,
    steps,
    inputs,
    scoring,
    public,
    value,
    policy,
    equity,
    contest,
)


Array = Any
"""Of numpy, which may be absent; or a list."""


class Played(NamedTuple):
    """A settled world in play, and what everybody knows of it."""

    rules: list[int]
    world: tuple[list[int], list[int], list[int], list[int]]
    public: list[int]
    moves: list[int]


@cache
def functions(*, compiled: bool) -> SimpleNamespace:
    """The functions of evaluation, compiled or as they are."""
    return compiled_kernel(MODULES) if compiled else load_kernel(lambda function: function, MODULES)


def positions(table: Table, rounds: int, seed: str) -> Iterator[Played]:
    """Every position with a placement, in rounds of moves at random."""
    rules = rules_of(table.rule_set, table.seats)
    choices = random.Random(f"{table} {seed}")
    for _ in range(rounds):
        deck = list(SET_CODES[table.rule_set.deal.highest_pip])
        choices.shuffle(deck)
        world = ([0] * steps.META_SIZE, [0] * 4, [0] * 4, [0] * 4)
        known = [0] * public.PUBLIC_SIZE
        public.deal_world(rules, deck, choices.randrange(table.seats), world, known)
        while True:
            public.settle_publicly(rules, world, deck, 0, known)
            if world[steps.META][steps.ENDED] != steps.IN_PLAY:
                break
            moves = [0] * kernel.MOST_MOVES
            word = world[steps.META][steps.TABLE]
            found = kernel.list_moves(word, steps.playable(world), rules[playout.FLAGS], moves)
            yield Played(rules, world, known, moves[:found])
            move = choices.choice(moves[:found])
            public.note_placement(known, world[steps.META][steps.TURN], move, rules[playout.FLAGS])
            steps.place(rules, world, move)


def random_net(shape: NetShape, seed: int, *, compiled: bool) -> tuple[Array, ...]:
    """A network of weights at random, as large as they may be."""
    choices = random.Random(seed)
    small = [choices.randint(-200, 200) for _ in range(shape.small)]
    large = [choices.randint(-4000, 4000) for _ in range(shape.large)]
    return net_of(small, large, shape, compiled=compiled)


def arrays(values: tuple[list[int], ...]) -> tuple[Array, ...]:
    """Lists as the arrays that compiled functions take."""
    return tuple(integer_array(numbers) for numbers in values)
