"""What is true of a move and worth saying to its player, in words that name no tile."""

from collections.abc import Sequence
from typing import Final, NamedTuple, assert_never

from muggins_ai.position import word_of
from muggins_rules import kernel
from muggins_rules.actions import Action, Call, Claim, Draw, Pass, Place
from muggins_rules.events import SeatPassed, TileDrawn, TilePlayed
from muggins_rules.layout import kernel_flags, move_word
from muggins_rules.places import Placement
from muggins_rules.views import SeatView

__all__ = ["IDEAS", "Idea", "idea_of", "shown_voids"]

IDEAS: Final = (
    "draw",
    "pass",
    "only_move",
    "go_out",
    "points_now",
    "better_than_points",
    "shut_out",
    "keep_number",
    "close_number",
    "one_tile",
    "heavy_tile",
    "double",
    "no_points",
)
"""Every idea by its key in the catalogue's hints, in the order in which they are tried."""

_VALUES: Final = 7


class Idea(NamedTuple):
    """A sentence of the catalogue, and the number that it names, if any."""

    key: str
    value: int | None = None


class _Move(NamedTuple):
    """A legal placement, what it scores or may claim, and the numbers open after it as a mask."""

    placement: Placement
    points: int
    opens: int


def idea_of(view: SeatView, action: Action) -> Idea:
    """The first idea that is true of an action which the view's seat may do on its turn."""
    match action:
        case Draw():
            return Idea("draw")
        case Pass():
            return Idea("pass")
        case Place(placement):
            moves = _moves(view)
            chosen = next(move for move in moves if move.placement == placement)
            return _idea_of_move(view, moves, chosen)
        case Claim() | Call():
            raise AssertionError("a turn is played, not claimed or called")
        case _:
            assert_never(action)


def _idea_of_move(view: SeatView, moves: Sequence[_Move], chosen: _Move) -> Idea:
    most = max(move.points for move in moves)
    if len(moves) == 1:
        return Idea("only_move")
    if len(view.hand) == 1:
        return Idea("go_out")
    if most:
        return Idea("points_now" if chosen.points == most else "better_than_points")
    return _idea_of_ends(view, moves, chosen) or _idea_of_tile(view, moves, chosen)


def _idea_of_ends(view: SeatView, moves: Sequence[_Move], chosen: _Move) -> Idea | None:
    """What the ends after a move mean to seats that have shown what they lack."""
    rule_set, seats = view.table.rule_set, view.table.seats
    own_side = rule_set.side_of(view.seat, seats)
    lacked = shown_voids(view)
    following, seat = [], rule_set.next_seat(view.seat, seats)
    while seat != view.seat:
        following.append(seat)
        seat = rule_set.next_seat(seat, seats)
    opponents = [seat for seat in following if rule_set.side_of(seat, seats) != own_side]
    partners = [seat for seat in following if seat not in opponents]
    lacked_by_partners = 0
    for partner in partners:
        lacked_by_partners |= lacked[partner]
    if following[0] in opponents and chosen.opens and not chosen.opens & ~lacked[following[0]]:
        return Idea("shut_out")
    always_open = (1 << _VALUES) - 1
    for move in moves:
        always_open &= move.opens
    for opponent in opponents:
        kept = lacked[opponent] & chosen.opens & ~always_open & ~lacked_by_partners
        if kept:
            return Idea("keep_number", _lowest(kept))
    closed = lacked_by_partners & _open_now(view) & ~chosen.opens
    return Idea("close_number", _lowest(closed)) if closed else None


def _idea_of_tile(view: SeatView, moves: Sequence[_Move], chosen: _Move) -> Idea:
    """What a move that scores nothing gets rid of."""
    tiles = {move.placement.tile for move in moves}
    tile = chosen.placement.tile
    # Three quarters of the heaviest tile's pips: nine in a double-six set.
    is_heavy = 2 * tile.pips >= 3 * view.table.rule_set.deal.highest_pip
    if len(tiles) == 1:
        return Idea("one_tile")
    if is_heavy and tile.pips == max(other.pips for other in tiles):
        return Idea("heavy_tile")
    return Idea("double" if tile.is_double else "no_points")


def _moves(view: SeatView) -> tuple[_Move, ...]:
    """The legal placements; under calling, points are what they are worth."""
    rule_set = view.table.rule_set
    flags = kernel_flags(rule_set)
    word = word_of(view.round_events, flags)
    found = []
    for action, outcome in ((legal.action, legal.outcome) for legal in view.legal_actions):
        if not isinstance(action, Place):
            continue
        after = kernel.lay(word, move_word(action.placement), flags)
        worth = kernel.points_of(kernel.count_of(after), rule_set.scoring.points_divisor)
        points = worth if outcome is None else outcome.points
        found.append(_Move(action.placement, points, kernel.open_values(after)))
    return tuple(found)


def shown_voids(view: SeatView) -> tuple[int, ...]:
    """By seat the numbers of which it holds no tile, as its draws and passes showed, as masks.

    A tile that was drawn and kept misses the ends of that moment, and nothing that was shown
    earlier. The view's own seat shows nothing here that it does not know.
    """
    lacked = [0] * view.table.seats
    flags = kernel_flags(view.table.rule_set)
    word = kernel.EMPTY_TABLE
    drawing = False
    for fact in view.round_events:
        if isinstance(fact, TileDrawn | SeatPassed):
            misses = kernel.open_values(word)
            lacked[fact.seat] = misses if drawing else lacked[fact.seat] | misses
            drawing = isinstance(fact, TileDrawn)
        elif isinstance(fact, TilePlayed):
            word = kernel.lay(word, move_word(fact.placement), flags)
            drawing = False
    return tuple(lacked)


def _open_now(view: SeatView) -> int:
    mask = 0
    for point in view.table.attach_points:
        mask |= 1 << point.value
    return mask


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1
