"""Tiles as text: `3-6`, the lower half first."""

from collections.abc import Iterable

from muggins_rules.notation.errors import NotationReason
from muggins_rules.notation.reader import Kind, Reader, read_whole
from muggins_rules.tiles import MAX_PIP, Tile

__all__ = ["format_tile", "format_tiles", "parse_tile", "read_hand", "read_tile", "read_tiles"]


def format_tile(tile: Tile) -> str:
    """A tile as text."""
    return f"{tile.low}-{tile.high}"


def parse_tile(text: str) -> Tile:
    """The tile of a text, halves in either order; NotationError."""
    return read_whole(text, read_tile)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Tiles as text, in the order in which they are given."""
    return " ".join(map(format_tile, tiles))


def read_tile(reader: Reader) -> Tile:
    """The tile that has to come next."""
    token = reader.take(Kind.TILE, "a tile")
    first, second = token.text.split("-")
    if max(len(first), len(second)) > 1 or max(first, second) > str(MAX_PIP):
        raise reader.error(NotationReason.NO_SUCH_TILE, token)
    return Tile(*sorted((int(first), int(second))))


def read_tiles(reader: Reader) -> tuple[Tile, ...]:
    """All the tiles that come next."""
    tiles = []
    while reader.at(Kind.TILE):
        tiles.append(read_tile(reader))
    return tuple(tiles)


def read_hand(reader: Reader, seen: set[Tile] | None = None) -> tuple[Tile, ...]:
    """All the tiles that come next, none twice and none of `seen`, to which they are added."""
    seen = set() if seen is None else seen
    tiles = []
    while reader.at(Kind.TILE):
        token = reader.token
        tile = read_tile(reader)
        if tile in seen:
            raise reader.error(NotationReason.REPEATED_TILE, token)
        seen.add(tile)
        tiles.append(tile)
    return tuple(tiles)
