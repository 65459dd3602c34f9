"""Which move is made at a node of the tree: by its upper bound, or by the model of an opponent.

Reference of the bound: Rosin 2011 (the prior term). Only the visits of moves that are possible in
the world at hand count, so that a move which is seldom possible is not thought neglected.
"""

from math import isqrt
from typing import Final

from muggins_ai.evaluate.exponents import CERTAIN
from muggins_ai.evaluate.policy import move_weights
from muggins_ai.evaluate.public import OFF_TABLE, SIZES
from muggins_ai.playout import FLAGS
from muggins_ai.policies import RANDOM, pick, random_after
from muggins_ai.search.steps import HANDS, META, TABLE, TURN, World, follower, playable
from muggins_ai.search.tree import (
    EDGE_FLOATS,
    EDGE_SIZE,
    EDGES,
    FIRST_EDGE,
    FLOATS,
    KNOWN_TILES,
    MOVE,
    NEXT_EDGE,
    NODE_SIZE,
    NODES,
    NOTHING,
    PRIOR,
    VALUE,
    VISITS,
    Tree,
    add_edge,
    edge_of,
)
from muggins_ai.search.workspace import (
    MOVES,
    PUBLIC,
    REPLIES,
    STATE,
    TREE,
    WEIGHTS,
    Ints,
    Net,
    Scratch,
    Work,
)
from muggins_rules.kernel import list_moves

__all__ = ["choose"]

EXPLORATION: Final = 1.0
FIRST_PLAY: Final = 0.1
"""By how much a move not yet tried is thought worse than the mean of those that were."""
PRIOR_TEMPERATURE: Final = 4 * 1024
"""Of the learned chances of moves, in 1/1024 raw point."""
PRIOR_FLOOR: Final = 0.02
"""Part of the prior that is shared equally, at least."""
EXACT_ROOTS: Final = 4_096
ROOT_UNIT: Final = 1 << 20
ROOTS: Final = tuple(isqrt(number << 40) for number in range(EXACT_ROOTS))
"""Square roots in units of 1 / ROOT_UNIT."""


def choose(
    rules: Ints,
    world: World,
    work: Work,
    tree: Tree,
    node: int,
    model: int,
    policy_net: Net,
    policy_scratch: Scratch,
) -> int:
    """The edge that the mover takes; all edges of its possible moves exist then."""
    tiles = playable(world)
    missing = tiles & ~tree[NODES][NODE_SIZE * node + KNOWN_TILES]
    if missing:
        add_edges(rules, world, work, tree, node, tiles, policy_net, policy_scratch)
    if model == TREE:
        return best_edge(work, tree, node, tiles)
    turn = world[META][TURN]
    word = world[META][TABLE]
    flags = rules[FLAGS]
    hand = world[HANDS][turn]
    found = list_moves(word, tiles, flags, work[MOVES])
    random = random_after(work[STATE][0])
    work[STATE][0] = random
    unseen = work[PUBLIC][OFF_TABLE] & ~hand
    held = work[PUBLIC][SIZES + follower(rules, turn)]
    policy = RANDOM if model == 3 else model  # noqa: PLR2004 - the models' own numbers
    chosen = pick(
        policy, word, hand, unseen, held, flags, work[MOVES], found, work[REPLIES], random
    )
    return edge_of(tree, node, work[MOVES][chosen])


def add_edges(
    rules: Ints,
    world: World,
    work: Work,
    tree: Tree,
    node: int,
    tiles: int,
    policy_net: Net,
    policy_scratch: Scratch,
) -> None:
    """Add the edges of tiles that have none, with the learned chances of the moves as priors."""
    moves = work[MOVES]
    weights = work[WEIGHTS]
    turn = world[META][TURN]
    found = list_moves(world[META][TABLE], tiles, rules[FLAGS], moves)
    if found == 1:
        weights[0] = CERTAIN
    else:
        move_weights(
            rules,
            work[PUBLIC],
            turn,
            world[HANDS][turn],
            moves,
            found,
            PRIOR_TEMPERATURE,
            policy_net,
            policy_scratch,
            weights,
        )
    total = 0
    for index in range(found):
        total += weights[index]
    known = NODE_SIZE * node + KNOWN_TILES
    missing = tiles & ~tree[NODES][known]
    tree[NODES][known] |= tiles
    index = found
    while index:
        index -= 1
        if missing >> (moves[index] & 31) & 1:
            add_edge(tree, node, moves[index], weights[index] / total + PRIOR_FLOOR)


def best_edge(work: Work, tree: Tree, node: int, tiles: int) -> int:
    """The edge with the highest upper bound among those of the tiles."""
    edges = tree[EDGES]
    floats = tree[FLOATS]
    possible = work[WEIGHTS]
    found = 0
    visits = 0
    values = 0.0
    priors = 0.0
    edge = tree[NODES][NODE_SIZE * node + FIRST_EDGE]
    while edge != NOTHING:
        at = EDGE_SIZE * edge
        if tiles >> (edges[at + MOVE] & 31) & 1:
            possible[found] = edge
            found += 1
            visits += edges[at + VISITS]
            values += floats[EDGE_FLOATS * edge + VALUE]
            priors += floats[EDGE_FLOATS * edge + PRIOR]
        edge = edges[at + NEXT_EDGE]
    chosen = possible[0]
    if found == 1:
        return chosen
    mean = values / visits - FIRST_PLAY if visits else 0.0
    reach = EXPLORATION * root_of(visits + 1) / priors
    best = -1e30
    for index in range(found):
        edge = possible[index]
        tried = edges[EDGE_SIZE * edge + VISITS]
        value = floats[EDGE_FLOATS * edge + VALUE] / tried if tried else mean
        bound = value + reach * floats[EDGE_FLOATS * edge + PRIOR] / (1 + tried)
        if bound > best:
            best = bound
            chosen = edge
    return chosen


def root_of(number: int) -> float:
    """The square root of a whole number, the same on every machine; coarser from 4,096 on."""
    scale = 1.0
    while number >= EXACT_ROOTS:
        number >>= 2
        scale *= 2.0
    return scale * (ROOTS[number] / ROOT_UNIT)
