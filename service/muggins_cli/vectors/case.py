"""One worked case: its fields, read with their types, or the name of what is wrong with them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from muggins_cli.vectors.faults import CaseError, Fault
from muggins_rules import PRESETS, End, Orientation, Placement, RuleSet, Tile, preset
from muggins_rules.places import PORT_NAMES
from muggins_rules.rule_set_check import InvalidRuleSet, check_rule_set
from muggins_rules.tiles import is_tile

__all__ = ["SEAT_NAMES", "Case", "require_distinct", "seat_of", "side_names"]

_Value = TypeVar("_Value")

SEAT_NAMES: Final = "ABCD"
"""Seats as files write them."""

_PORTS: Final = {name: port for port, name in PORT_NAMES.items()}
_ORIENTATIONS: Final = {orientation.name.lower(): orientation for orientation in Orientation}
_PAIR: Final = 2
_ADMIN_FIELDS: Final = frozenset({"id", "ruleset", "why", "source", "expect"})
_OPTIONAL_FIELDS: Final = frozenset({"seats", "calling", "stock_reserve"})


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a file: what is given, and what is expected of it."""

    group: str
    fields: dict[str, object]

    @property
    def id(self) -> str:
        """The name of the case."""
        return self.text("id")

    @property
    def expect(self) -> dict[str, object]:
        """The expected fields; at least one."""
        expected = self.fields.get("expect")
        if not isinstance(expected, dict):
            raise CaseError(_fault_of(expected), "expect")
        if not expected:
            raise CaseError(Fault.MISSING_FIELD, "expect")
        return expected

    def check_fields(self, required: frozenset[str], optional: frozenset[str]) -> None:
        """Every field is one that the group has, and none that it needs is missing."""
        known = _ADMIN_FIELDS | _OPTIONAL_FIELDS | required | optional
        for name in self.fields:
            if name not in known:
                raise CaseError(Fault.UNKNOWN_FIELD, name)
        for name in ("id", "ruleset", "expect", *sorted(required)):
            if name not in self.fields:
                raise CaseError(Fault.MISSING_FIELD, name)

    def rule_set(self, *, calling: bool = False) -> RuleSet:
        """The preset that is played; `calling` holds where the case does not say."""
        name = self.text("ruleset")
        if name not in PRESETS:
            raise CaseError(Fault.UNKNOWN_RULE_SET, name)
        rule_set = preset(name, calling=self.flag("calling", default=calling))
        reserve = self.integer("stock_reserve", default=0)
        if not reserve:
            return rule_set
        deal = replace(rule_set.deal, boneyard_reserve=reserve)
        rule_set = replace(rule_set, id=f"{name}_reserve", deal=deal)
        try:
            check_rule_set(rule_set)
        except InvalidRuleSet as invalid:
            raise CaseError(Fault.MALFORMED_FIELD, f"stock_reserve ({invalid})") from None
        return rule_set

    def seats(self, rule_set: RuleSet, default: int | None = None) -> int:
        """The number of seats; where neither given nor implied, the fewest that are offered."""
        seats = self.integer("seats", default=default or rule_set.seat_counts[0])
        if seats not in rule_set.seat_counts:
            raise CaseError(Fault.SEATS_NOT_OFFERED, f"{rule_set.id} with {seats}")
        return seats

    def text(self, name: str) -> str:
        """A field that is text."""
        value = self.fields.get(name)
        if not isinstance(value, str) or not value:
            raise CaseError(_fault_of(value), name)
        return value

    def flag(self, name: str, *, default: bool | None = None) -> bool:
        """A field that is true or false."""
        value = self.fields.get(name, default)
        if not isinstance(value, bool):
            raise CaseError(_fault_of(value), name)
        return value

    def integer(self, name: str, default: int | None = None) -> int:
        """A field that is a whole number."""
        return _integer(self.fields.get(name, default), name)

    def integer_or_none(self, name: str) -> int | None:
        """A field that is a whole number or null; absent is null."""
        return None if self.fields.get(name) is None else self.integer(name)

    def integers(self, name: str) -> list[int]:
        """A field that is a list of whole numbers."""
        return [_integer(value, name) for value in _list(self.fields.get(name), name)]

    def integers_or_none(self, name: str) -> list[int] | None:
        """A field that is a list of whole numbers or null; absent is null."""
        return None if self.fields.get(name) is None else self.integers(name)

    def tiles(self, name: str) -> list[Tile]:
        """A field that is a list of tiles of the double-six set."""
        return _tiles(self.fields.get(name), name)

    def hands(self) -> list[list[Tile]]:
        """The field `hands`: tiles by seat name, of the seats from A on."""
        hands = self.fields.get("hands")
        if not isinstance(hands, dict):
            raise CaseError(_fault_of(hands), "hands")
        names = SEAT_NAMES[: len(hands)]
        if set(hands) != set(names):
            raise CaseError(Fault.MALFORMED_FIELD, f"hands ({', '.join(map(str, hands))})")
        return [_tiles(hands[name], "hands") for name in names]

    def placement(self, name: str) -> Placement:
        """A field that is a move; its tile may be one that does not exist."""
        return _placement(self.fields.get(name), name)

    def placements(self, name: str) -> list[Placement]:
        """A field that is a list of moves."""
        return [_placement(move, name) for move in _list(self.fields.get(name), name)]


def seat_of(value: object, seats: int, name: str) -> int:
    """The seat of a letter."""
    if not isinstance(value, str) or len(value) != 1 or value not in SEAT_NAMES[:seats]:
        raise CaseError(_fault_of(value), name)
    return SEAT_NAMES.index(value)


def side_names(rule_set: RuleSet, seats: int) -> list[str]:
    """The sides as files write them: the letters of their seats."""
    return [
        "".join(SEAT_NAMES[seat] for seat in rule_set.seats_of(side, seats))
        for side in range(rule_set.sides(seats))
    ]


def require_distinct(tiles: list[Tile]) -> None:
    """No tile is in two places."""
    for tile in tiles:
        if tiles.count(tile) > 1:
            raise CaseError(Fault.TILE_USED_TWICE, f"{tile.low}-{tile.high}")


def _fault_of(value: object) -> Fault:
    return Fault.MISSING_FIELD if value is None else Fault.MALFORMED_FIELD


def _integer(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise CaseError(_fault_of(value), name)
    return value


def _list(value: object, name: str) -> list[object]:
    if not isinstance(value, list):
        raise CaseError(_fault_of(value), name)
    return value


def _tile(value: object, name: str) -> Tile:
    """Two numbers in either order as a tile, which need not exist."""
    halves = [_integer(half, name) for half in _list(value, name)]
    if len(halves) != _PAIR:
        raise CaseError(Fault.MALFORMED_FIELD, name)
    return Tile(min(halves), max(halves))


def _tiles(value: object, name: str) -> list[Tile]:
    tiles = [_tile(tile, name) for tile in _list(value, name)]
    for tile in tiles:
        if not is_tile(tile):
            raise CaseError(Fault.MALFORMED_FIELD, f"{name} ({tile.low}-{tile.high})")
    return tiles


def _placement(value: object, name: str) -> Placement:
    move = _object(value, name, frozenset({"tile", "at", "orientation"}))
    way = move.get("orientation")
    return Placement(
        _tile(move.get("tile"), f"{name}.tile"),
        _end(move.get("at"), f"{name}.at"),
        None if way is None else _named(way, _ORIENTATIONS, f"{name}.orientation"),
    )


def _end(value: object, name: str) -> End | None:
    if value is None:
        return None
    end = _object(value, name, frozenset({"tile", "port"}))
    port = _named(end.get("port"), _PORTS, f"{name}.port")
    return End(_tile(end.get("tile"), f"{name}.tile"), port)


def _named(value: object, names: Mapping[str, _Value], field: str) -> _Value:
    """The value that a text names."""
    if not isinstance(value, str) or value not in names:
        raise CaseError(_fault_of(value), field)
    return names[value]


def _object(value: object, name: str, known: frozenset[str]) -> dict[str, object]:
    if not isinstance(value, dict):
        raise CaseError(_fault_of(value), name)
    for field in value:
        if field not in known:
            raise CaseError(Fault.UNKNOWN_FIELD, f"{name}.{field}")
    return value
