"""Tiles and places on the table, both ways."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal, Protocol

from muggins.v1 import tiles_pb2 as pb
from muggins_rules.places import (
    AttachPoint,
    Contribution,
    Count,
    End,
    Orientation,
    Placement,
    Port,
)
from muggins_rules.tiles import TILES, Tile
from muggins_service.errors import malformed_field
from muggins_service.wire.binary import delimited, varint_field, wire_key

__all__ = [
    "add_tiles",
    "attach_point_bytes",
    "count_bytes",
    "decode_attach_points",
    "decode_count",
    "decode_placement",
    "decode_played",
    "decode_tile",
    "decode_tiles",
    "known_tile",
    "placement_bytes",
    "tile_bytes",
]

_BY_HALVES: Final = {
    halves: tile for tile in TILES for halves in ((tile.low, tile.high), (tile.high, tile.low))
}
_PORTS: Final = {int(port): port for port in Port}
_ORIENTATIONS: Final = {int(way): way for way in Orientation}
_NOT_A_TILE: Final = "A tile has two halves of 0 to 6 pips."

_KEPT: Final = 8_192
"""More than there are different placements: the caches below never forget, yet are bounded."""

_COUNT_SUM: Final = wire_key(1, 0)
_COUNT_CONTRIBUTION: Final = wire_key(2)
_COUNT_POINTS: Final = wire_key(3, 0)


class _TileList(Protocol):
    def add(self, *, low: int, high: int) -> pb.Tile: ...


class _HasTile(Protocol):
    @property
    def tile(self) -> pb.Tile: ...

    def HasField(self, field_name: Literal["tile"], /) -> bool: ...  # noqa: N802 - protobuf's


# --- out: each value is written by the library once and kept, for there are few of them ---


@lru_cache(_KEPT)
def tile_bytes(tile: Tile) -> bytes:
    """A Tile."""
    return pb.Tile(low=tile.low, high=tile.high).SerializeToString()


@lru_cache(_KEPT)
def attach_point_bytes(point: AttachPoint) -> bytes:
    """An AttachPoint."""
    message = pb.AttachPoint(value=point.value)
    _set_end(message.end, point.end)
    return message.SerializeToString()


@lru_cache(_KEPT)
def placement_bytes(placement: Placement) -> bytes:
    """A Placement."""
    message = pb.Placement(orientation=pb.Orientation.ValueType(placement.orientation or 0))
    message.tile.low, message.tile.high = placement.tile
    if placement.at is not None:
        _set_end(message.at, placement.at)
    return message.SerializeToString()


@lru_cache(_KEPT)
def _contribution_field(contribution: Contribution) -> bytes:
    message = pb.Contribution(value=contribution.value)
    message.tile.low, message.tile.high = contribution.tile
    return delimited(_COUNT_CONTRIBUTION, message.SerializeToString())


def count_bytes(count: Count) -> bytes:
    """A Count."""
    return b"".join([
        varint_field(_COUNT_SUM, count.sum),
        *map(_contribution_field, count.contributions),
        varint_field(_COUNT_POINTS, count.points),
    ])  # fmt: skip


def add_tiles(messages: _TileList, tiles: Iterable[Tile]) -> None:
    """Add tiles to a repeated field."""
    for low, high in tiles:
        messages.add(low=low, high=high)


def _set_end(message: pb.End, end: End) -> None:
    message.tile.low, message.tile.high = end.tile
    message.port = pb.Port.ValueType(end.port)


# --- in ---


def decode_tile(message: pb.Tile) -> Tile:
    """The tile of a request, its halves in either order.

    Halves beyond 6 give a tile that no set has: the rules refuse it as what it is.
    """
    low, high = message.low, message.high
    return _BY_HALVES.get((low, high)) or Tile(min(low, high), max(low, high))


def known_tile(parent: _HasTile, field: str) -> Tile:
    """The tile in a message, one of the double-six set, as every told fact has it."""
    tile = _BY_HALVES.get((parent.tile.low, parent.tile.high))
    if tile is None or not parent.HasField("tile"):
        raise malformed_field(f"{field}.tile", _NOT_A_TILE)
    return tile


def decode_tiles(messages: Sequence[pb.Tile], field: str) -> tuple[Tile, ...]:
    """Tiles of the double-six set."""
    tiles = [_BY_HALVES.get((message.low, message.high)) for message in messages]
    known = tuple([tile for tile in tiles if tile is not None])
    if len(known) != len(tiles):
        raise malformed_field(f"{field}[{tiles.index(None)}]", _NOT_A_TILE)
    return known


def decode_placement(message: pb.Placement, field: str) -> Placement:
    """A placement asked for."""
    if not message.HasField("tile"):
        raise malformed_field(f"{field}.tile", "A placement names the tile put down.")
    at = _decode_end(message.at, f"{field}.at") if message.HasField("at") else None
    way = message.orientation
    if way not in _ORIENTATIONS and way != 0:
        raise malformed_field(f"{field}.orientation", "There is no such orientation.")
    return Placement(decode_tile(message.tile), at, _ORIENTATIONS.get(way))


def decode_played(message: pb.Placement, field: str) -> Placement:
    """A placement that was made: of tiles that there are."""
    known_tile(message, field)
    if message.HasField("at"):
        known_tile(message.at, f"{field}.at")
    return decode_placement(message, field)


def decode_attach_points(messages: Sequence[pb.AttachPoint], field: str) -> tuple[AttachPoint, ...]:
    """Open ends of a table."""
    points = []
    for index, message in enumerate(messages):
        path = f"{field}[{index}].end"
        known_tile(message.end, path)
        points.append(AttachPoint(_decode_end(message.end, path), message.value))
    return tuple(points)


def decode_count(message: pb.Count, field: str) -> Count:
    """What a table adds up to."""
    contributions = tuple(
        Contribution(known_tile(part, f"{field}.contributions[{index}]"), part.value)
        for index, part in enumerate(message.contributions)
    )
    return Count(message.sum, contributions, message.points)


def _decode_end(message: pb.End, field: str) -> End:
    if not message.HasField("tile"):
        raise malformed_field(f"{field}.tile", "An end names a tile on the table.")
    port = _PORTS.get(message.port)
    if port is None:
        raise malformed_field(f"{field}.port", "An end names a port of its tile.")
    return End(decode_tile(message.tile), port)
