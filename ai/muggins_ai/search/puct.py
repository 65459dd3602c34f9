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

from math import isqrt
from typing import Final

from muggins_ai.evaluate.exponents import CERTAIN
from muggins_ai.evaluate.policy import move_weights
from muggins_ai.evaluate.public import (
    DRAWABLE,
    OFF_TABLE,
    PUBLIC_SIZE,
    SIZES,
    note_draws,
    note_pass,
    note_placement,
)
from muggins_ai.evaluate.value import leaf_values
from muggins_ai.playout import DIVISOR, FLAGS, SEATS, SIDES
from muggins_ai.policies import RANDOM, pick, random_after
from muggins_ai.search.steps import (
    DRAWN,
    END,
    ENDED,
    HANDS,
    HEAD,
    IN_PLAY,
    META,
    META_SIZE,
    OUT,
    ROUND_OVER,
    SCORED,
    SCORES,
    TABLE,
    TURN,
    World,
    draw_tiles,
    follower,
    pass_turn,
    place,
    playable,
    side_of,
)
from muggins_ai.search.tree import (
    AVAILABLE,
    EDGE_FLOATS,
    EDGE_SIZE,
    EDGES,
    FLOATS,
    NODE_SIZE,
    NODE_VISITS,
    NODES,
    NOTHING,
    PRIOR,
    USED,
    VALUE,
    VISITS,
    Tree,
    add_edge,
    edge_of,
    follow,
)
from muggins_rules.kernel import list_moves

__all__ = [
    "DECK",
    "MODELS",
    "MODEL_UNIT",
    "MOST_PATH",
    "OPENER",
    "SETTINGS",
    "TREE",
    "VIEWER",
    "iterate",
    "search",
]

Ints = list[int]
Net = tuple[Ints, Ints, Ints, Ints]
Scratch = tuple[Ints, Ints, Ints]
Root = tuple[Ints, Ints, Ints, Ints]
"""meta, scores, scored, public: what the searching seat knows when it is to place."""
Work = tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints]
"""public, deck, moves, replies, weights, values, edges of the path, movers of the path, state."""

VIEWER: Final = 0
"""The searching seat."""
OPENER: Final = 1
"""What opening the next round is worth, in 1/1024 raw point."""
MODELS: Final = 2
"""By seat four weights that sum to MODEL_UNIT: tree, greedy, greedy_plus, random."""
MODEL_UNIT: Final = 1024
SETTINGS: Final = MODELS + 16

TREE: Final = 0

PUBLIC: Final = 0
DECK: Final = 1
MOVES: Final = 2
REPLIES: Final = 3
WEIGHTS: Final = 4
VALUES: Final = 5
PATH_EDGES: Final = 6
PATH_SIDES: Final = 7
STATE: Final = 8
"""Places of the arrays in `work`; state holds the random numbers."""

MOST_PATH: Final = 32

EXPLORATION: Final = 1.0
SCALE: Final = 1.0 / (40.0 * 1024.0)
"""Values in the tree are utilities in units of 40 raw points."""
FIRST_PLAY: Final = 0.1
"""By how much a move not yet tried is thought worse than the mean of those that were."""
PRIOR_TEMPERATURE: Final = 4 * 1024
"""Of the learned chances of moves, in 1/1024 raw point."""
EXACT_ROOTS: Final = 4_096
ROOT_UNIT: Final = 1 << 20
ROOTS: Final = tuple(isqrt(number << 40) for number in range(EXACT_ROOTS))
"""Square roots in units of 1 / ROOT_UNIT."""
PRIOR_FLOOR: Final = 0.02
"""Part of the prior that is shared equally, at least."""


def search(
    rules: Ints,
    root: Root,
    pool_hands: Ints,
    pool_sums: Ints,
    settings: Ints,
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
    moves = work[MOVES]
    node = 0
    depth = 0
    while True:
        turn = meta[TURN]
        visits = tree[NODES][NODE_SIZE * node + NODE_VISITS]
        tree[NODES][NODE_SIZE * node + NODE_VISITS] = visits + 1
        if visits == 0 and node:
            break
        found = list_moves(meta[TABLE], playable(world), rules[FLAGS], moves)
        model = models >> 2 * turn & 3
        edge = choose(rules, world, work, tree, node, found, model, policy_net, policy_scratch)
        move = tree[EDGES][EDGE_SIZE * edge]
        work[PATH_EDGES][depth] = edge
        work[PATH_SIDES][depth] = side_of(rules, turn)
        depth += 1
        place(rules, world, move)
        note_placement(public, turn, move, rules[FLAGS])
        settle(rules, world, work, viewer)
        if meta[ENDED] != IN_PLAY or depth == MOST_PATH:
            break
        node = follow(tree, edge, meta[DRAWN])
    evaluate(rules, root, settings, value_net, value_scratch, world, work)
    for step in range(depth):
        edge = work[PATH_EDGES][step]
        tree[EDGES][EDGE_SIZE * edge + VISITS] += 1
        value = work[VALUES][work[PATH_SIDES][step]] * SCALE
        tree[FLOATS][EDGE_FLOATS * edge + VALUE] += value


def draw_world(root: Root, pool_hands: Ints, pool_sums: Ints, world: World, work: Work) -> None:
    """Make `world` one of the pool with the boneyard in some order."""
    for index in range(META_SIZE):
        world[META][index] = root[0][index]
    for index in range(4):
        world[SCORES][index] = root[1][index]
        world[SCORED][index] = root[2][index]
    for index in range(PUBLIC_SIZE):
        work[PUBLIC][index] = root[3][index]
    random = random_after(work[STATE][0])
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
    deck = work[DECK]
    boneyard = root[3][OFF_TABLE] & ~held
    tiles = 0
    code = 0
    while boneyard:
        if boneyard & 1:
            deck[tiles] = code
            tiles += 1
        boneyard >>= 1
        code += 1
    place_to_fill = tiles - 1
    while place_to_fill > 0:
        random = random_after(random)
        other = random * (place_to_fill + 1) >> 32
        kept = deck[place_to_fill]
        deck[place_to_fill] = deck[other]
        deck[other] = kept
        place_to_fill -= 1
    work[STATE][0] = random
    world[META][HEAD] = 0
    world[META][END] = root[3][DRAWABLE]


def draw_models(rules: Ints, settings: Ints, work: Work) -> int:
    """A model for each seat, two bits each; the viewer and its partner choose in the tree."""
    models = 0
    random = work[STATE][0]
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
    work[STATE][0] = random
    return models


def settle(rules: Ints, world: World, work: Work, viewer: int) -> None:
    """Draw and pass as `settle_turn` does, and keep what everybody knows up to date."""
    meta = world[META]
    public = work[PUBLIC]
    meta[DRAWN] = 0
    while meta[ENDED] == IN_PLAY:
        turn = meta[TURN]
        drawn = draw_tiles(world, work[DECK], viewer)
        tiles = playable(world)
        if drawn:
            note_draws(public, turn, drawn, tiles)
        if tiles:
            return
        note_pass(public, turn)
        pass_turn(rules, world)


def choose(
    rules: Ints,
    world: World,
    work: Work,
    tree: Tree,
    node: int,
    found: int,
    model: int,
    policy_net: Net,
    policy_scratch: Scratch,
) -> int:
    """The edge that the mover takes; all edges of its possible moves exist then."""
    moves = work[MOVES]
    missing = 0
    for index in range(found):
        if edge_of(tree, node, moves[index]) == NOTHING:
            missing = 1
            break
    if missing:
        add_edges(rules, world, work, tree, node, found, policy_net, policy_scratch)
    if model == TREE or found == 1:
        return best_edge(work, tree, node, found)
    turn = world[META][TURN]
    hand = world[HANDS][turn]
    public = work[PUBLIC]
    random = random_after(work[STATE][0])
    work[STATE][0] = random
    unseen = public[OFF_TABLE] & ~hand
    held = public[SIZES + follower(rules, turn)]
    policy = RANDOM if model == 3 else model  # noqa: PLR2004 - the models' own numbers
    chosen = pick(
        policy,
        world[META][TABLE],
        hand,
        unseen,
        held,
        rules[FLAGS],
        moves,
        found,
        work[REPLIES],
        random,
    )
    for index in range(found):
        edge = edge_of(tree, node, moves[index])
        tree[EDGES][EDGE_SIZE * edge + AVAILABLE] += 1
    return edge_of(tree, node, moves[chosen])


def add_edges(
    rules: Ints,
    world: World,
    work: Work,
    tree: Tree,
    node: int,
    found: int,
    policy_net: Net,
    policy_scratch: Scratch,
) -> None:
    """Add the edges that are missing, with the learned chances of the moves as priors."""
    moves = work[MOVES]
    weights = work[WEIGHTS]
    if found == 1:
        weights[0] = CERTAIN
    else:
        turn = world[META][TURN]
        hand = world[HANDS][turn]
        move_weights(
            rules,
            work[PUBLIC],
            turn,
            hand,
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
    for index in range(found):
        if edge_of(tree, node, moves[index]) == NOTHING:
            add_edge(tree, node, moves[index], weights[index] / total + PRIOR_FLOOR)


def best_edge(work: Work, tree: Tree, node: int, found: int) -> int:
    """The edge with the highest upper bound among those of the possible moves."""
    moves = work[MOVES]
    edges = tree[EDGES]
    floats = tree[FLOATS]
    visits = 0
    values = 0.0
    priors = 0.0
    for index in range(found):
        edge = edge_of(tree, node, moves[index])
        work[WEIGHTS][index] = edge
        edges[EDGE_SIZE * edge + AVAILABLE] += 1
        visits += edges[EDGE_SIZE * edge + VISITS]
        values += floats[EDGE_FLOATS * edge + VALUE]
        priors += floats[EDGE_FLOATS * edge + PRIOR]
    mean = values / visits - FIRST_PLAY if visits else 0.0
    reach = EXPLORATION * root_of(visits + 1) / priors
    chosen = work[WEIGHTS][0]
    best = -1e30
    for index in range(found):
        edge = work[WEIGHTS][index]
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


def evaluate(
    rules: Ints,
    root: Root,
    settings: Ints,
    value_net: Net,
    value_scratch: Scratch,
    world: World,
    work: Work,
) -> None:
    """Write the utility of each side, in 1/1024 raw point, since the root."""
    values = work[VALUES]
    sides = rules[SIDES]
    meta = world[META]
    if meta[ENDED] == IN_PLAY:
        leaf_values(rules, world, work[PUBLIC][OFF_TABLE], value_net, value_scratch, values)
    else:
        opener = 0
        opens = -1
        if meta[ENDED] == ROUND_OVER and meta[OUT] < 4:  # noqa: PLR2004 - a seat, not a block
            opener = settings[OPENER]
            opens = side_of(rules, meta[OUT])
        for side in range(sides):
            values[side] = opener if side == opens else -opener // (sides - 1)
    total = 0
    for side in range(sides):
        total += world[SCORES][side] - root[1][side]
    for side in range(sides):
        points = world[SCORES][side] - root[1][side]
        others = (total - points) * 1024 // (sides - 1)
        values[side] += (points * 1024 - others) * rules[DIVISOR]
