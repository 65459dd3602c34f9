"""Short ways to write tiles, ends, placements and actions, and to show them as text.

The text forms are those of the project's notation: `3-6`, `5-5.lineB`, `3-5@5-5.lineB`, and a
count with its working, `2 + 8 = 10`.
"""

from collections.abc import Iterable
from typing import Final

from muggins.v1 import actions_pb2, tiles_pb2
from muggins_rules import Orientation, Port
from muggins_rules.places import PORT_NAMES

__all__ = [
    "Orientation",
    "Port",
    "call",
    "claim",
    "draw",
    "end",
    "format_action",
    "format_count",
    "format_end",
    "format_placement",
    "format_tile",
    "format_tiles",
    "pass_turn",
    "place",
    "placement",
    "tile",
]

_PORTS_BY_NAME: Final = {name.lower(): port for port, name in PORT_NAMES.items()}
_WAYS: Final = {int(way): f"/{way.name.lower()}" for way in Orientation}
_PORT_NAMES: Final = {int(port): name for port, name in PORT_NAMES.items()}


def tile(one: int, other: int) -> tiles_pb2.Tile:
    """The tile with these halves, in either order. Whether there is one is the server's to say."""
    return tiles_pb2.Tile(low=min(one, other), high=max(one, other))


def end(of: tiles_pb2.Tile, port: Port | str) -> tiles_pb2.End:
    """A place on the table: a port, also by its name as in "high" or "lineB", of a tile there.

    Raises:
        ValueError: no port has that name.
    """
    if isinstance(port, str):
        named = _PORTS_BY_NAME.get(port.lower().replace("_", ""))
        if named is None:
            raise ValueError(f"no port is called {port!r}")
        port = named
    return tiles_pb2.End(tile=of, port=tiles_pb2.Port.ValueType(port))


def placement(
    put: tiles_pb2.Tile,
    at: tiles_pb2.End | None = None,
    orientation: Orientation | None = None,
) -> tiles_pb2.Placement:
    """A tile put on the table: `at` an open end, or on an empty table without one."""
    placed = tiles_pb2.Placement(tile=put, at=at)
    if orientation is not None:
        placed.orientation = tiles_pb2.Orientation.ValueType(orientation)
    return placed


def place(placed: tiles_pb2.Placement) -> actions_pb2.Action:
    """The action of a placement."""
    return actions_pb2.Action(place=placed)


def draw(*, until_playable: bool = False) -> actions_pb2.Action:
    """The action of drawing one tile, or tiles until one fits."""
    return actions_pb2.Action(draw=actions_pb2.Draw(until_playable=until_playable))


def pass_turn() -> actions_pb2.Action:
    """The action of giving up the turn."""
    return actions_pb2.Action(pass_turn=actions_pb2.Pass())


def claim(points: int) -> actions_pb2.Action:
    """The action of announcing the points of one's own last placement."""
    return actions_pb2.Action(claim=actions_pb2.Claim(points=points))


def call(placement_sequence: int) -> actions_pb2.Action:
    """The action of calling "Muggins!" on the placement whose event has that sequence."""
    return actions_pb2.Action(call=actions_pb2.Call(placement_sequence=placement_sequence))


def format_tile(shown: tiles_pb2.Tile) -> str:
    """A tile, as in `3-6`."""
    return f"{shown.low}-{shown.high}"


def format_tiles(shown: Iterable[tiles_pb2.Tile]) -> str:
    """Tiles in the order given, as in `0-3 4-4`."""
    return " ".join(map(format_tile, shown))


def format_end(shown: tiles_pb2.End) -> str:
    """A place on the table, as in `5-5.lineB`; a port of a later version by its number."""
    return f"{format_tile(shown.tile)}.{_PORT_NAMES.get(shown.port, str(int(shown.port)))}"


def format_placement(shown: tiles_pb2.Placement) -> str:
    """A placement, as in `5-5@2-5.high/crosswise`."""
    at = f"@{format_end(shown.at)}" if shown.HasField("at") else ""
    return f"{format_tile(shown.tile)}{at}{_WAYS.get(shown.orientation, '')}"


def format_count(shown: tiles_pb2.Count) -> str:
    """A count with its working, as in `2 + 8 = 10`; `0` where nothing is counted."""
    working = " + ".join(str(part.value) for part in shown.contributions)
    return f"{working} = {shown.sum}" if len(shown.contributions) > 1 else str(shown.sum)


def format_action(shown: actions_pb2.Action) -> str:
    """An action in words; `nothing` where no kind that this version knows is set."""
    match shown.WhichOneof("action"):
        case "place":
            return f"play {format_placement(shown.place)}"
        case "draw":
            return "draw until_playable" if shown.draw.until_playable else "draw"
        case "pass_turn":
            return "pass"
        case "claim":
            return f"claim {shown.claim.points}"
        case "call":
            return f"call {shown.call.placement_sequence}"
        case _:
            return "nothing"
