"""The tree of an information-set search, as flat arrays.

A node is what the searching seat knows when some seat has to place; it is reached by a move and,
under that move's edge, by what was drawn and passed since. Edges belong to nodes as linked lists,
and so do an edge's followers. A move is an edge whatever hand it was played from. All worlds that
reach a node have the same layout, so a tile that has edges there has one for each place it fits.

`tree` is a tuple of arrays: five of integers and one of floats, at the places below. Nodes, edges
and followers each use several integers in a row.
"""

from typing import Final

__all__ = [
    "EDGES",
    "EDGE_FLOATS",
    "EDGE_SIZE",
    "FIRST_EDGE",
    "FLOATS",
    "FOLLOWERS",
    "FOLLOWER_SIZE",
    "KNOWN_TILES",
    "MOVE",
    "NEXT_EDGE",
    "NODES",
    "NODE_SIZE",
    "NODE_VISITS",
    "NOTHING",
    "PRIOR",
    "USED",
    "VALUE",
    "VISITS",
    "add_edge",
    "clear",
    "edge_of",
    "follow",
]

Tree = tuple[list[int], list[int], list[int], list[int], list[float]]

USED: Final = 0
"""Numbers of nodes, edges and followers in use."""
NODES: Final = 1
EDGES: Final = 2
FOLLOWERS: Final = 3
FLOATS: Final = 4
"""Places of the arrays in a tree."""

FIRST_EDGE: Final = 0
NODE_VISITS: Final = 1
KNOWN_TILES: Final = 2
"""Mask of the tiles that have edges."""
NODE_SIZE: Final = 3

MOVE: Final = 0
NEXT_EDGE: Final = 1
VISITS: Final = 2
FIRST_FOLLOWER: Final = 3
EDGE_SIZE: Final = 4

SIGNATURE: Final = 0
FOLLOWED_NODE: Final = 1
NEXT_FOLLOWER: Final = 2
FOLLOWER_SIZE: Final = 3

VALUE: Final = 0
PRIOR: Final = 1
EDGE_FLOATS: Final = 2

NOTHING: Final = -1


def clear(tree: Tree) -> None:
    """Begin with a root without edges."""
    used = tree[USED]
    used[0] = 1
    used[1] = 0
    used[2] = 0
    begin_node(tree, 0)


def begin_node(tree: Tree, node: int) -> None:
    """A node without edges."""
    at = NODE_SIZE * node
    tree[NODES][at + FIRST_EDGE] = NOTHING
    tree[NODES][at + NODE_VISITS] = 0
    tree[NODES][at + KNOWN_TILES] = 0


def edge_of(tree: Tree, node: int, move: int) -> int:
    """The edge of a move at a node, or NOTHING."""
    edges = tree[EDGES]
    edge = tree[NODES][NODE_SIZE * node + FIRST_EDGE]
    while edge != NOTHING and edges[EDGE_SIZE * edge + MOVE] != move:
        edge = edges[EDGE_SIZE * edge + NEXT_EDGE]
    return edge


def add_edge(tree: Tree, node: int, move: int, prior: float) -> int:
    """A new edge at a node."""
    edges = tree[EDGES]
    edge = tree[USED][1]
    tree[USED][1] = edge + 1
    at = EDGE_SIZE * edge
    edges[at + MOVE] = move
    edges[at + NEXT_EDGE] = tree[NODES][NODE_SIZE * node + FIRST_EDGE]
    edges[at + VISITS] = 0
    edges[at + FIRST_FOLLOWER] = NOTHING
    tree[NODES][NODE_SIZE * node + FIRST_EDGE] = edge
    tree[FLOATS][EDGE_FLOATS * edge + VALUE] = 0.0
    tree[FLOATS][EDGE_FLOATS * edge + PRIOR] = prior
    return edge


def follow(tree: Tree, edge: int, signature: int) -> int:
    """The node that follows an edge with these draws and passes; made when there was none."""
    followers = tree[FOLLOWERS]
    at = EDGE_SIZE * edge + FIRST_FOLLOWER
    follower = tree[EDGES][at]
    while follower != NOTHING:
        if followers[FOLLOWER_SIZE * follower + SIGNATURE] == signature:
            return followers[FOLLOWER_SIZE * follower + FOLLOWED_NODE]
        follower = followers[FOLLOWER_SIZE * follower + NEXT_FOLLOWER]
    node = tree[USED][0]
    tree[USED][0] = node + 1
    begin_node(tree, node)
    follower = tree[USED][2]
    tree[USED][2] = follower + 1
    followers[FOLLOWER_SIZE * follower + SIGNATURE] = signature
    followers[FOLLOWER_SIZE * follower + FOLLOWED_NODE] = node
    followers[FOLLOWER_SIZE * follower + NEXT_FOLLOWER] = tree[EDGES][at]
    tree[EDGES][at] = follower
    return node
