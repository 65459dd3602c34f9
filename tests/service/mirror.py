"""A match played beside the server's by the rules alone, from the same test seed.

It knows every hand, so a test can look for a position it needs, and say what has to follow.
"""

from random import Random
from typing import Final

from muggins.v1 import actions_pb2, tiles_pb2
from muggins_rules import (
    Action,
    Call,
    Claim,
    Draw,
    End,
    IllegalAction,
    MatchState,
    Orientation,
    Pass,
    Phase,
    Place,
    Placement,
    Port,
    Refusal,
    RoundChance,
    Tile,
    close_window,
    deal_round,
    decide,
    evolve_all,
    legal_actions,
    new_match,
    preset,
)
from muggins_rules.events import Event, TilePlayed
from muggins_rules.fair_deal import Chain, shuffled_deck, shuffled_lot
from muggins_rules.tiles import tiles_of_mask

__all__ = ["Mirror", "action_message", "placement_message", "refusal_by_the_rules", "tries"]

CHAIN_LENGTH: Final = 4_096
NO_TILE: Final = Tile(7, 9)


class Mirror:
    """The state of a match whose deals come from a test seed, moved by the same actions."""

    def __init__(
        self,
        rule_set_id: str,
        seats: int,
        match_id: str,
        seed: bytes,
        *,
        calling: bool = False,
    ) -> None:
        self.state: MatchState = new_match(preset(rule_set_id, calling=calling), seats)
        self._match_id = match_id
        self._chain = Chain.from_seed(seed, CHAIN_LENGTH)
        self.deal()

    def deal(self) -> None:
        """Deal the next round, as the server does at once."""
        state, number = self.state, self.state.round + 1
        facts = (self._chain.secret(number), self._match_id, number, (b"",) * state.seats, 6)
        chance = RoundChance(shuffled_deck(*facts), shuffled_lot(*facts))
        self.state = evolve_all(state, deal_round(state, chance))

    def act(self, seat: int, action: Action) -> tuple[Event, ...]:
        """Do what a seat has done, and deal where that ended a round; the facts of the action."""
        events = decide(self.state, seat, action)
        self.state = evolve_all(self.state, events)
        if self.state.phase is Phase.ROUND_OVER:
            self.deal()
        return events

    def close_window(self) -> tuple[Event, ...]:
        """Let the claim window run out, and deal where that ended a round."""
        events = close_window(self.state)
        self.state = evolve_all(self.state, events)
        if self.state.phase is Phase.ROUND_OVER:
            self.deal()
        return events

    def points_of(self, action: Place) -> int:
        """What a placement of the seat on turn is worth."""
        played = decide(self.state, self.turn, action)
        return next(
            fact.count.points for fact in played if isinstance(fact, TilePlayed) and fact.count
        )

    @property
    def turn(self) -> int:
        """The seat on turn."""
        assert self.state.table is not None
        assert self.state.table.turn is not None
        return self.state.table.turn

    def hand(self, seat: int) -> tuple[Tile, ...]:
        """What a seat holds."""
        assert self.state.table is not None
        return tiles_of_mask(self.state.table.hands[seat])

    def legal(self) -> tuple[Action, ...]:
        """What the seat on turn may do."""
        return legal_actions(self.state)


def refusal_by_the_rules(state: MatchState, seat: int, action: Action) -> Refusal | None:
    """Why the rules refuse an action; none where they accept it."""
    try:
        decide(state, seat, action)
    except IllegalAction as illegal:
        return illegal.refusal
    return None


def tries(state: MatchState, random: Random, number: int) -> list[tuple[int, Action]]:
    """Actions of all kinds by all seats, most of which no rule allows."""
    table = state.table
    assert table is not None
    laid = [placement.tile for placement in table.layout.placements]
    hands = [tile for hand in table.hands for tile in tiles_of_mask(hand)]
    found: list[tuple[int, Action]] = []
    for _ in range(number):
        tile = random.choice([*hands, NO_TILE, Tile(0, 0)])
        on = random.choice([*laid, Tile(1, 5), tile])
        at = random.choice([None, End(on, random.choice(list(Port)))])
        way = random.choice([None, None, *Orientation])
        actions: list[Action] = [Draw(), Pass(), Claim(5), Call(0), Call(1)]
        actions += [Place(Placement(tile, at, way))] * 6
        action = random.choice(actions)
        found.append((random.randrange(state.seats), action))
    return found


def placement_message(placement: Placement) -> tiles_pb2.Placement:
    """A placement as the wire has it."""
    tile, at, way = placement
    message = tiles_pb2.Placement(tile=tiles_pb2.Tile(low=tile.low, high=tile.high))
    if at is not None:
        message.at.tile.low, message.at.tile.high = at.tile
        message.at.port = tiles_pb2.Port.ValueType(at.port.value)
    if way is not None:
        message.orientation = tiles_pb2.Orientation.ValueType(way.value)
    return message


def action_message(action: Action, placement_sequence: int = 0) -> actions_pb2.Action:
    """An action as the wire has it; a call names the sequence of a placement."""
    match action:
        case Place(placement):
            return actions_pb2.Action(place=placement_message(placement))
        case Draw(until_playable):
            return actions_pb2.Action(draw=actions_pb2.Draw(until_playable=until_playable))
        case Pass():
            return actions_pb2.Action(pass_turn=actions_pb2.Pass())
        case Claim(points):
            return actions_pb2.Action(claim=actions_pb2.Claim(points=points))
        case Call():
            return actions_pb2.Action(call=actions_pb2.Call(placement_sequence=placement_sequence))
