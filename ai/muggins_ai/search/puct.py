"""Information-set Monte Carlo tree search with priors (PUCT), in one tree of the searching seat.

Each iteration draws a world from the seat's belief and an order for the boneyard, walks down the
tree choosing among the moves that are possible in that world, adds one node and values it by the
learned value of the revealed world. Every mover maximises its own side's utility (max^n): with two
sides that is minimax, with pairs the partner is an honest team mate.

Opponents are modelled: for each seat and iteration a model is drawn by the given weights. TREE
chooses in the tree like the searching seat; the others play their policy on the hand of the world,
so that they cannot play against a hand that they do not see.

References: Cowling, Powley, Whitehouse 2012 (information-set search, availability counts); Rosin
2011 (the prior term).
"""

from typing import Final

from muggins_ai.evaluate.public import (
    DRAWABLE,
    OFF_TABLE,
    PUBLIC_SIZE,
    note_placement,
    settle_publicly,
)
from muggins_ai.evaluate.stakes import Stakes
from muggins_ai.playout import FLAGS, SEATS
from muggins_ai.policies import random_after
from muggins_ai.search.choice import choose
from muggins_ai.search.steps import (
    DRAWN,
    END,
    ENDED,
    HANDS,
    HEAD,
    IN_PLAY,
    META,
    META_SIZE,
    SCORED,
    SCORES,
    TURN,
    World,
    place,
    playable,
    side_of,
)
from muggins_ai.search.tree import (
    EDGE_FLOATS,
    EDGE_SIZE,
    EDGES,
    FLOATS,
    MOVE,
    NODE_SIZE,
    NODE_VISITS,
    NODES,
    USED,
    VALUE,
    VISITS,
    Tree,
    follow,
)
from muggins_ai.search.utility import evaluate
from muggins_ai.search.workspace import (
    DECK,
    MODEL_UNIT,
    MODELS,
    PATH_EDGES,
    PATH_SIDES,
    PUBLIC,
    STATE,
    VALUES,
    VIEWER,
    Ints,
    Net,
    Root,
    Scratch,
    Work,
)
from muggins_rules.bits import trailing_zeros

__all__ = ["MOST_PATH", "STATE_SIZE", "iterate", "search"]

MOST_PATH: Final = 32
RANDOM_NUMBER: Final = 0
UNSHUFFLED: Final = 1
STATE_SIZE: Final = 2
"""Of `state`: the random number at hand, and the boneyard while its order is not drawn yet."""

SCALE: Final = 1.0 / (40.0 * 1024.0)
"""Values in the tree are utilities in units of 40 raw points."""


def search(
    rules: Ints,
    root: Root,
    pool_hands: Ints,
    pool_sums: Ints,
    settings: Ints,
    stakes: Stakes,
    value_net: Net,
    policy_net: Net,
    value_scratch: Scratch,
    policy_scratch: Scratch,
    world: World,
    work: Work,
    tree: Tree,
    iterations: int,
) -> int:
    """Search on in a tree that has been cleared or searched before; the iterations made.

    `pool_hands` holds four masks a world, `pool_sums` the running sums of the worlds' weights,
    below 2^31 in all. It stops early when the tree has no room for another iteration.
    """
    done = 0
    while done < iterations:
        if not has_room(tree):
            break
        iterate(
            rules,
            root,
            pool_hands,
            pool_sums,
            settings,
            stakes,
            value_net,
            policy_net,
            value_scratch,
            policy_scratch,
            world,
            work,
            tree,
        )
        done += 1
    return done


def has_room(tree: Tree) -> int:
    """1 while another iteration fits into the arrays."""
    used = tree[USED]
    nodes = (used[0] + 2) * NODE_SIZE <= len(tree[NODES])
    edges = (used[1] + 28 * MOST_PATH) * EDGE_SIZE <= len(tree[EDGES])
    return 1 if nodes and edges else 0


def iterate(
    rules: Ints,
    root: Root,
    pool_hands: Ints,
    pool_sums: Ints,
    settings: Ints,
    stakes: Stakes,
    value_net: Net,
    policy_net: Net,
    value_scratch: Scratch,
    policy_scratch: Scratch,
    world: World,
    work: Work,
    tree: Tree,
) -> None:
    """One iteration: a world, a way down the tree, a value, and the way back."""
    draw_world(root, pool_hands, pool_sums, world, work)
    models = draw_models(rules, settings, work)
    viewer = settings[VIEWER]
    meta = world[META]
    public = work[PUBLIC]
    node = 0
    depth = 0
    while True:
        turn = meta[TURN]
        visits = tree[NODES][NODE_SIZE * node + NODE_VISITS]
        tree[NODES][NODE_SIZE * node + NODE_VISITS] = visits + 1
        if visits == 0 and node:
            break
        model = models >> 2 * turn & 3
        edge = choose(rules, world, work, tree, node, model, policy_net, policy_scratch)
        move = tree[EDGES][EDGE_SIZE * edge + MOVE]
        work[PATH_EDGES][depth] = edge
        work[PATH_SIDES][depth] = side_of(rules, turn)
        depth += 1
        place(rules, world, move)
        note_placement(public, turn, move, rules[FLAGS])
        settle(rules, world, work, viewer)
        if meta[ENDED] != IN_PLAY or depth == MOST_PATH:
            break
        node = follow(tree, edge, meta[DRAWN])
    evaluate(rules, stakes, value_net, value_scratch, world, work)
    for step in range(depth):
        edge = work[PATH_EDGES][step]
        tree[EDGES][EDGE_SIZE * edge + VISITS] += 1
        value = work[VALUES][work[PATH_SIDES][step]] * SCALE
        tree[FLOATS][EDGE_FLOATS * edge + VALUE] += value


def draw_world(root: Root, pool_hands: Ints, pool_sums: Ints, world: World, work: Work) -> None:
    """Make `world` one of the pool; its boneyard is put in order when it is first needed."""
    for index in range(META_SIZE):
        world[META][index] = root[0][index]
    for index in range(4):
        world[SCORES][index] = root[1][index]
        world[SCORED][index] = root[2][index]
    for index in range(PUBLIC_SIZE):
        work[PUBLIC][index] = root[3][index]
    random = random_after(work[STATE][RANDOM_NUMBER])
    last = len(pool_sums) - 1
    target = random * pool_sums[last] >> 32
    low = 0
    high = last
    while low < high:
        middle = (low + high) >> 1
        if pool_sums[middle] > target:
            high = middle
        else:
            low = middle + 1
    held = 0
    for seat in range(4):
        hand = pool_hands[4 * low + seat]
        world[HANDS][seat] = hand
        held |= hand
    work[STATE][RANDOM_NUMBER] = random
    world[META][HEAD] = 0
    world[META][END] = root[3][DRAWABLE]
    work[STATE][UNSHUFFLED] = root[3][OFF_TABLE] & ~held


def shuffle(work: Work) -> None:
    """Fill the deck with the tiles of UNSHUFFLED in random order."""
    deck = work[DECK]
    boneyard = work[STATE][UNSHUFFLED]
    random = work[STATE][RANDOM_NUMBER]
    tiles = 0
    while boneyard:
        random = random_after(random)
        other = random * (tiles + 1) >> 32
        deck[tiles] = deck[other]
        deck[other] = trailing_zeros(boneyard)
        tiles += 1
        boneyard &= boneyard - 1
    work[STATE][RANDOM_NUMBER] = random
    work[STATE][UNSHUFFLED] = 0


def draw_models(rules: Ints, settings: Ints, work: Work) -> int:
    """A model for each seat, two bits each; the viewer and its partner choose in the tree."""
    models = 0
    random = work[STATE][RANDOM_NUMBER]
    for seat in range(rules[SEATS]):
        random = random_after(random)
        left = random * MODEL_UNIT >> 32
        model = 0
        if side_of(rules, seat) == side_of(rules, settings[VIEWER]):
            continue
        while model < 3 and left >= settings[MODELS + 4 * seat + model]:  # noqa: PLR2004 - the last
            left -= settings[MODELS + 4 * seat + model]
            model += 1
        models |= model << 2 * seat
    work[STATE][RANDOM_NUMBER] = random
    return models


def settle(rules: Ints, world: World, work: Work, viewer: int) -> None:
    """Draw and pass until a seat has a tile to place, or the round is over."""
    meta = world[META]
    if work[STATE][UNSHUFFLED] and meta[ENDED] == IN_PLAY and playable(world) == 0:
        shuffle(work)
    settle_publicly(rules, world, work[DECK], viewer, work[PUBLIC])
