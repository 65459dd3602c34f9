"""A round as it may have been dealt just as well, for all that one seat knows."""

from dataclasses import replace
from random import Random

from muggins_rules.events import Event, RoundDealt, TileDrawn
from muggins_rules.state import MatchState, RoundState
from muggins_rules.tiles import TILES, Tile, codes_of_mask

__all__ = ["redealt", "unseen_codes"]


def unseen_codes(game: MatchState, seat: int) -> tuple[int, ...]:
    """The codes of the tiles that a seat does not see: the other hands and the boneyard."""
    table = _table(game)
    held = (
        code for at, hand in enumerate(table.hands) if at != seat for code in codes_of_mask(hand)
    )
    return tuple(sorted((*held, *table.boneyard)))


def redealt(game: MatchState, seat: int, chance: Random) -> MatchState:
    """The game with the tiles that a seat does not see exchanged among one another at random.

    Any of them may come to any place, so that hands keep their sizes and nothing else: what the
    others could or could not play is not kept. The exchange goes through the whole record of the
    round, deck and draws, so that no trace of the true tiles is left.
    """
    unseen = unseen_codes(game, seat)
    shuffled = list(unseen)
    chance.shuffle(shuffled)
    swap = dict(zip(unseen, shuffled, strict=True))
    table = _table(game)
    drawn = table.drawn
    dealt = table._replace(
        hands=tuple(
            sum(1 << swap.get(code, code) for code in codes_of_mask(hand)) for hand in table.hands
        ),
        boneyard=tuple(swap[code] for code in table.boneyard),
        drawn=None if drawn is None else swap.get(drawn, drawn),
    )
    return game._replace(table=dealt, events=tuple(_swapped(event, swap) for event in game.events))


def _swapped(event: Event, swap: dict[int, int]) -> Event:
    def swapped(tile: Tile) -> Tile:
        return TILES[swap.get(tile.code, tile.code)]

    match event:
        case RoundDealt(deck=tuple(deck)):
            return replace(event, deck=tuple(map(swapped, deck)))
        case TileDrawn(_, Tile() as tile):
            return replace(event, tile=swapped(tile))
        case _:
            return event


def _table(game: MatchState) -> RoundState:
    assert game.table is not None, "a decision is made in a round"
    return game.table
