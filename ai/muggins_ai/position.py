"""A seat's view as the integers that policies read, and the claims and calls that follow."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from muggins_ai.round_rules import set_mask
from muggins_rules import kernel
from muggins_rules.actions import Action, Claim, Draw, Pass, Place
from muggins_rules.events import Event, TilePlayed
from muggins_rules.layout import kernel_flags, move_word
from muggins_rules.tiles import mask_of
from muggins_rules.views import OpenWindow, SeatView

__all__ = ["Position", "action_of", "call_earns", "position_of", "word_of"]


class Position(NamedTuple):
    """What a placement is chosen by. Masks have 28 bits: bit `tile.code` set means in it."""

    word: int
    flags: int
    hand: int
    unseen: int
    """Tiles neither in the hand nor on the table: other hands, boneyard and reserve."""
    held: int
    """Number of tiles that the next seat holds."""
    moves: tuple[int, ...]
    """The kernel's moves of the legal placements, in the order of the legal actions."""


Pick = Callable[[Position], int]
"""The index, among the moves of a position, of the one to make."""


def position_of(view: SeatView) -> Position:
    """The position of a seat that has placements."""
    table = view.table
    rule_set = table.rule_set
    flags = kernel_flags(rule_set)
    hand = mask_of(view.hand)
    played = [fact.placement.tile for fact in view.round_events if isinstance(fact, TilePlayed)]
    next_seat = rule_set.next_seat(view.seat, table.seats)
    return Position(
        word_of(view.round_events, flags),
        flags,
        hand,
        set_mask(rule_set.deal.highest_pip) & ~hand & ~mask_of(played),
        table.hand_sizes[next_seat],
        tuple(move_word(place.placement) for place in _placements(view)),
    )


def word_of(events: Iterable[Event], flags: int) -> int:
    """The kernel's word of the table after a round's events."""
    word = kernel.EMPTY_TABLE
    for fact in events:
        if isinstance(fact, TilePlayed):
            word = kernel.lay(word, move_word(fact.placement), flags)
    return word


def action_of(view: SeatView, pick: Pick) -> Action:
    """The action of a seat that places what `pick` names, draws when it must and claims exactly.

    Drawing goes on until a tile fits: there is nothing to decide in between. A seat that is not
    on turn claims what its last placement is worth.
    """
    placements = _placements(view)
    if placements:
        position = position_of(view)
        chosen = pick(position) if len(placements) > 1 else 0
        place = placements[chosen]
        if not view.table.rule_set.calling:
            return place
        after = kernel.lay(position.word, position.moves[chosen], position.flags)
        return Place(place.placement, _points(view, after))
    if not view.legal_actions:
        assert view.may_claim, "a choice is asked of a seat that can make one"
        assert view.table.window is not None, "claims are made while a window is open"
        return Claim(_open_points(view, view.table.window))
    action = view.legal_actions[0].action
    assert isinstance(action, Draw | Pass), "without placements a seat draws or passes"
    return Draw(until_playable=True) if isinstance(action, Draw) else action


def call_earns(view: SeatView) -> bool:
    """True when a call on the last placement would earn what its mover did not claim."""
    window = view.table.window
    return view.may_call and window is not None and _open_points(view, window) > 0


def _placements(view: SeatView) -> list[Place]:
    return [legal.action for legal in view.legal_actions if isinstance(legal.action, Place)]


def _open_points(view: SeatView, window: OpenWindow) -> int:
    """What is neither claimed nor called; a claim of more than the worth leaves all of it open."""
    if window.called:
        return 0
    flags = kernel_flags(view.table.rule_set)
    worth = _points(view, word_of(view.round_events, flags))
    claimed = window.claimed or 0
    return worth if claimed > worth else worth - claimed


def _points(view: SeatView, word: int) -> int:
    divisor = view.table.rule_set.scoring.points_divisor
    return kernel.points_of(kernel.count_of(word), divisor)
