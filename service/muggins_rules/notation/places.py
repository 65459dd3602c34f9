"""Ends and placements as text: `6-6.lineB`, `3-6@6-6.lineB`, `6-6@3-6.high/endwise`."""

from typing import Final

from muggins_rules.notation.errors import NotationReason
from muggins_rules.notation.reader import Reader, read_whole
from muggins_rules.notation.tiles import format_tile, read_tile
from muggins_rules.places import PORT_NAMES, End, Orientation, Placement

__all__ = [
    "format_end",
    "format_placement",
    "parse_end",
    "parse_placement",
    "read_end",
    "read_placement",
]

_PORTS: Final = {name: port for port, name in PORT_NAMES.items()}
_ORIENTATIONS: Final = {orientation.name.lower(): orientation for orientation in Orientation}


def format_end(end: End) -> str:
    """An end as text."""
    return f"{format_tile(end.tile)}.{PORT_NAMES[end.port]}"


def parse_end(text: str) -> End:
    """The end of a text; NotationError. The tile may be one that has no such port."""
    return read_whole(text, read_end)


def format_placement(placement: Placement) -> str:
    """A placement as text."""
    tile, at, orientation = placement
    place = "" if at is None else f"@{format_end(at)}"
    way = "" if orientation is None else f"/{orientation.name.lower()}"
    return f"{format_tile(tile)}{place}{way}"


def parse_placement(text: str) -> Placement:
    """The placement of a text; NotationError. No rule is consulted."""
    return read_whole(text, read_placement)


def read_end(reader: Reader) -> End:
    """The end that has to come next."""
    tile = read_tile(reader)
    reader.sign(".")
    return End(tile, reader.choice(_PORTS, NotationReason.UNKNOWN_PORT))


def read_placement(reader: Reader) -> Placement:
    """The placement that has to come next."""
    tile = read_tile(reader)
    at = read_end(reader) if reader.skip_sign("@") else None
    orientation = reader.choice(_ORIENTATIONS) if reader.skip_sign("/") else None
    return Placement(tile, at, orientation)
