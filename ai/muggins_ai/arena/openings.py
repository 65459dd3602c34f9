"""Who opens a round, with which tile, and what a seat learns from that about the deal."""

from typing import NamedTuple

from muggins_ai.arena.chance import PairChance
from muggins_ai.belief.history import NO_TILE
from muggins_rules.opening import highest_double
from muggins_rules.ruleset import OpenerRule, RuleSet

__all__ = ["ANY_TILE", "Opening", "opening_of"]

ANY_TILE = -1


class Opening(NamedTuple):
    """How a round begins.

    `lead` is the code of the tile that must be led, or ANY_TILE. `highest` is the code of the
    highest tile in the order of openers where it decided who opens, else NO_TILE.
    """

    opener: int
    lead: int
    highest: int

    def highest_known(self, seat: int) -> int:
        """The tile above which no dealt hand holds any, as far as a seat knows; or NO_TILE."""
        return self.highest if self.lead != ANY_TILE or seat == self.opener else NO_TILE


def opening_of(
    rule_set: RuleSet, seats: int, chance: PairChance, round_number: int, last_out: int | None
) -> Opening:
    """The opening of a round, from 1; `last_out` is the seat that went out in the one before."""
    turns = rule_set.turns
    if last_out is not None:
        return Opening(last_out, ANY_TILE, NO_TILE)
    rule = turns.first_opener if round_number == 1 else turns.opener_after_block
    if rule is OpenerRule.LOT:
        return Opening(chance.lot_winner(round_number), ANY_TILE, NO_TILE)
    deck, size = chance.deck(round_number), rule_set.hand_size(seats)
    opener, highest = highest_double([deck[s * size : (s + 1) * size] for s in range(seats)])
    return Opening(opener, highest if turns.must_lead_highest_double else ANY_TILE, highest)
