"""How a round begins: the lot or the highest double, the deal and the first turn."""

from typing import NamedTuple

from muggins_rules.events import Event, LotDrawn, RoundDealt, TurnStarted
from muggins_rules.lot import lot_draws
from muggins_rules.ruleset import OpenerRule
from muggins_rules.state import MatchState
from muggins_rules.tiles import SET_CODES, TILES, Tile
from muggins_rules.views import Phase

__all__ = ["RoundChance", "deal_round", "highest_double", "needs_lot"]


class RoundChance(NamedTuple):
    """The chance of one round: the shuffled deck, and the shuffled full set of the lot.

    Both are codes of all tiles of the set, as `fair_deal` derives them.
    """

    deck: tuple[int, ...]
    lot: tuple[int, ...]


def deal_round(state: MatchState, chance: RoundChance) -> tuple[Event, ...]:
    """The facts that begin the next round of a match that waits for one."""
    assert state.phase in {Phase.NOT_STARTED, Phase.ROUND_OVER}, "no round is in play"
    rule_set, seats = state.rule_set, state.seats
    codes = SET_CODES[rule_set.deal.highest_pip]
    assert tuple(sorted(chance.deck)) == codes, "the deck is the whole set"
    size = rule_set.hand_size(seats)
    hands = [chance.deck[seat * size : (seat + 1) * size] for seat in range(seats)]
    must_lead: Tile | None = None
    draws: tuple[Event, ...] = ()
    rule = _opener_rule(state)
    if rule is None:
        assert state.last_out is not None, "somebody went out"
        opener = state.last_out
    elif rule is OpenerRule.LOT:
        lot = lot_draws(chance.lot, seats)
        draws = tuple(LotDrawn(seat, TILES[tile], attempt) for attempt, seat, tile in lot.draws)
        opener = lot.winner
    else:
        opener, highest = highest_double(hands)
        if rule_set.turns.must_lead_highest_double:
            must_lead = TILES[highest]
    dealt = RoundDealt(
        state.round + 1,
        opener,
        (size,) * seats,
        len(codes) - seats * size,
        must_lead=must_lead,
        deck=tuple(TILES[code] for code in chance.deck),
    )
    return (*draws, dealt, TurnStarted(opener))


def needs_lot(state: MatchState) -> bool:
    """True when a lot decides who opens the next round."""
    return _opener_rule(state) is OpenerRule.LOT


def highest_double(hands: list[tuple[int, ...]]) -> tuple[int, int]:
    """The seat that opens with the highest double, and the tile's code.

    Where no seat holds a double, the heaviest tile opens, among equal weights the one with the
    higher half.
    """
    ranked = [
        (_opening_rank(TILES[code]), seat, code) for seat, hand in enumerate(hands) for code in hand
    ]
    _, seat, code = max(ranked)
    return seat, code


def _opening_rank(tile: Tile) -> tuple[bool, int, int]:
    return tile.is_double, tile.pips, tile.high


def _opener_rule(state: MatchState) -> OpenerRule | None:
    """The rule that names the opener; none when it is who went out."""
    turns = state.rule_set.turns
    if state.round == 0:
        return turns.first_opener
    return turns.opener_after_block if state.last_out is None else None
