"""A second reading of the rules, written apart from the first: slow, plain, for comparison only.

Rounds are dictionaries and lists that are copied and changed. Nothing of the engine is used but
the value types that name a tile, a place and an action, so that both can be compared. The layout
is kept as a graph: for each tile on the table, what is joined to each of its ports.
"""

import copy
from typing import Any

from muggins_rules.actions import Action, Draw, Pass, Place
from muggins_rules.places import End, Orientation, Placement, Port
from muggins_rules.tiles import Tile

__all__ = ["NaiveRound", "naive_perft"]

Pips = tuple[int, int]
Move = tuple[Pips, Pips | None, str | None, str | None]

RULES: dict[str, dict[str, Any]] = {
    "muggins": {"spinner": "none", "debit": True, "unit": 1, "pairs": False},
    "all_fives": {"spinner": "first", "debit": False, "unit": 1, "pairs": True},
    "all_fives_us": {"spinner": "first", "debit": False, "unit": 1, "pairs": True},
    "five_up": {"spinner": "every", "debit": False, "unit": 5, "pairs": True},
    "five_up_debit": {"spinner": "every", "debit": True, "unit": 5, "pairs": True},
    "sniff": {"spinner": "sniff", "debit": False, "unit": 1, "pairs": True},
    "sniff_us": {"spinner": "sniff_us", "debit": False, "unit": 1, "pairs": True},
    "latin_american": {"spinner": "first", "debit": False, "unit": 1, "pairs": True},
}
HAND_SIZES = {
    "muggins": {2: 7, 3: 5, 4: 5},
    "all_fives": {2: 7, 4: 5},
    "all_fives_us": {2: 9, 3: 7, 4: 5},
    "five_up": {2: 5, 3: 5, 4: 5},
    "five_up_debit": {2: 5, 3: 5, 4: 5},
    "sniff": {2: 7, 3: 6, 4: 5},
    "sniff_us": {2: 7, 3: 6, 4: 5},
    "latin_american": {2: 7, 4: 7},
}

LINE = ("lineA", "lineB")
BRANCHES = ("branchA", "branchB")
PORTS = {
    "low": Port.LOW,
    "high": Port.HIGH,
    "lineA": Port.LINE_A,
    "lineB": Port.LINE_B,
    "branchA": Port.BRANCH_A,
    "branchB": Port.BRANCH_B,
}


class NaiveRound:
    """One round from its deal on: who holds what, what lies where, whose turn it is."""

    def __init__(
        self, game: str, seats: int, deck: list[Pips], opener: int, must_lead: Pips | None
    ) -> None:
        self.game = game
        self.rules = RULES[game]
        self.seats = seats
        size = HAND_SIZES[game][seats]
        self.hands = [deck[seat * size : (seat + 1) * size] for seat in range(seats)]
        self.stock = deck[seats * size :]
        self.turn = opener
        self.must_lead = must_lead
        self.drawn: Pips | None = None
        self.table: dict[Pips, dict[str, Pips | None]] = {}
        self.order: list[Pips] = []
        self.endwise: Pips | None = None
        self.over = False
        self.went_out: int | None = None
        self.points = [0] * seats  # by seat; the caller adds partners up

    def moves(self) -> list[Move]:
        """Tile, joined tile, joined port and orientation of every placement of the seat on turn."""
        found: list[Move] = []
        for tile in self.hands[self.turn]:
            if self.drawn is not None and tile != self.drawn:
                continue
            if self.must_lead is not None and tile != self.must_lead:
                continue
            ways: list[str | None] = [None]
            if self.rules["spinner"] == "sniff" and is_double(tile) and self.first_double() is None:
                ways = ["crosswise", "endwise"]
            for way in ways:
                if not self.table:
                    found.append((tile, None, None, way))
                for joined, port in self.places():
                    if number(joined, port) in tile:
                        found.append((tile, joined, port, way))
        return found

    def actions(self) -> list[Action]:
        """The same as actions of the engine, draws and passes included."""
        if self.over:
            return []
        moves = self.moves()
        if moves:
            return [as_action(*move) for move in moves]
        return [Draw()] if self.stock else [Pass()]

    def play(self, action: Action) -> "NaiveRound":
        """The round after an action, which is taken to be legal."""
        after = self.copied()
        if isinstance(action, Draw):
            tile = after.stock.pop(0)
            after.drawn = tile
            after.hands[after.turn].append(tile)
            if not after.moves():
                after.drawn = None
            return after
        if isinstance(action, Place):
            after.put(action.placement)
            if not after.hands[after.turn]:
                after.over, after.went_out = True, after.turn
                return after
        step = -1 if after.game == "latin_american" else 1
        after.drawn = None
        after.over = not after.stock and not after.anyone_fits()
        after.turn = (after.turn + step) % after.seats
        return after

    def copied(self) -> "NaiveRound":
        after = copy.copy(self)
        after.hands = [list(hand) for hand in self.hands]
        after.stock = list(self.stock)
        after.table = {tile: dict(joined) for tile, joined in self.table.items()}
        after.order = list(self.order)
        after.points = list(self.points)
        return after

    def put(self, placement: Placement) -> None:
        tile = (placement.tile.low, placement.tile.high)
        self.hands[self.turn].remove(tile)
        self.must_lead = None
        names = LINE + BRANCHES if is_double(tile) else ("low", "high")
        self.table[tile] = dict.fromkeys(names)
        self.order.append(tile)
        if placement.orientation is Orientation.ENDWISE:
            self.endwise = tile
        if placement.at is not None:
            joined = (placement.at.tile.low, placement.at.tile.high)
            port = next(name for name, value in PORTS.items() if value is placement.at.port)
            self.table[joined][port] = tile
            matched = number(joined, port)
            if is_double(tile):
                self.table[tile]["lineA"] = joined
            else:
                self.table[tile]["low" if tile[0] == matched else "high"] = joined
        count = self.count()
        if count > 0 and count % 5 == 0:
            self.points[self.turn] += count // self.rules["unit"]

    def first_double(self) -> Pips | None:
        return next((tile for tile in self.order if is_double(tile)), None)

    def is_spinner(self, tile: Pips) -> bool:
        if not is_double(tile) or self.rules["spinner"] == "none":
            return False
        return self.rules["spinner"] == "every" or tile == self.first_double()

    def places(self) -> list[tuple[Pips, str]]:
        """Every port that a tile may be joined to, counted or not."""
        found = []
        for tile, joined in self.table.items():
            for port, neighbour in joined.items():
                if neighbour is not None:
                    continue
                if port in BRANCHES:
                    if not self.is_spinner(tile) or joined["lineA"] is None:
                        continue
                    if joined["lineB"] is None:
                        continue
                found.append((tile, port))
        return found

    def count(self) -> int:
        return sum(self.worth(tile) for tile in self.table)

    def worth(self, tile: Pips) -> int:
        """What a tile adds to the count."""
        joined = self.table[tile]
        if not is_double(tile):
            return sum(number(tile, port) for port in joined if joined[port] is None)
        value = tile[0]
        free_line = sum(joined[port] is None for port in LINE)
        if tile == self.endwise:
            return free_line * value
        if self.rules["spinner"] == "sniff_us" and self.is_spinner(tile):
            used = sum(neighbour is not None for neighbour in joined.values())
            return {3: value, 4: 0}.get(used, 2 * value)
        return 2 * value if free_line else 0

    def anyone_fits(self) -> bool:
        numbers = {number(tile, port) for tile, port in self.places()}
        return any(numbers & set(tile) for hand in self.hands for tile in hand)

    def settlement(self) -> list[int]:
        """The change of each side's score when the round is over."""
        sides = self.sides()
        pips = [sum(sum(tile) for seat in side for tile in self.hands[seat]) for side in sides]
        unit = self.rules["unit"]
        if self.rules["debit"]:
            return [-(nearest_five(own) // unit) for own in pips]
        if self.went_out is not None:
            winner = next(i for i, side in enumerate(sides) if self.went_out in side)
        elif pips.count(min(pips)) == 1:
            winner = pips.index(min(pips))
        else:
            return [0] * len(sides)
        gain = nearest_five(sum(pips) - pips[winner]) // unit
        return [gain if side == winner else 0 for side in range(len(sides))]

    def sides(self) -> list[list[int]]:
        if self.rules["pairs"] and self.seats == 4:
            return [[0, 2], [1, 3]]
        return [[seat] for seat in range(self.seats)]


def naive_perft(position: NaiveRound, depth: int) -> int:
    """The number of sequences of so many actions."""
    if depth == 0:
        return 1
    return sum(naive_perft(position.play(action), depth - 1) for action in position.actions())


def as_action(tile: Pips, joined: Pips | None, port: str | None, way: str | None) -> Place:
    at = None if joined is None or port is None else End(Tile(*joined), PORTS[port])
    orientation = None if way is None else Orientation[way.upper()]
    return Place(Placement(Tile(*tile), at, orientation))


def is_double(tile: Pips) -> bool:
    return tile[0] == tile[1]


def number(tile: Pips, port: str) -> int:
    return tile[1] if port == "high" else tile[0]


def nearest_five(pips: int) -> int:
    return min((abs(pips - five), five) for five in range(0, 200, 5))[1]
