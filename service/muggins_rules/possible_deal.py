"""A deal of a round that makes what one seat saw of it: how its view becomes a whole state.

Every hidden tile lies in a slot: dealt to another seat, drawn by it, or left in the boneyard. A
draw or a pass proves that no tile kept then fits the ends; a tile placed right after draws is the
last one drawn. Tiles and slots are matched one to one so that all of this holds.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from muggins_rules import kernel
from muggins_rules.events import Event, RoundDealt, SeatPassed, TileDrawn, TilePlayed
from muggins_rules.layout import kernel_flags, move_word
from muggins_rules.ruleset import RuleSet
from muggins_rules.tiles import SET_CODES

__all__ = ["ImpossibleDeal", "possible_deck"]

_BONEYARD: Final = -1
_DEALT: Final = -1
_NEVER: Final = 1 << 30


class ImpossibleDeal(ValueError):  # noqa: N818 - says what it is, as IllegalAction does
    """No deal makes these events."""


@dataclass(slots=True)
class _Slot:
    """A place of a hidden tile: its owner, since which event, and the tile where it is known."""

    owner: int
    since: int
    tile: int | None = None


@dataclass(slots=True)
class _Seen:
    """What a round's events tell, event by event."""

    slots: list[_Slot] = field(default_factory=list)
    drawn: list[_Slot | int] = field(default_factory=list)
    """Draws in order: a slot, or the code where the viewer drew it itself."""
    played: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By code who placed a tile, and when."""
    voids: list[tuple[int, int, int]] = field(default_factory=list)
    """Seat, event, and mask of what no slot from before it held then."""


def possible_deck(
    rule_set: RuleSet, viewer: int, events: Sequence[Event], chance: random.Random | None = None
) -> tuple[int, ...]:
    """The codes of a shuffled set by which the events come out for `viewer`; one of many.

    The order is that of `RoundDealt.deck`. Events are as the viewer saw them, from the deal on.
    With `chance` it is another one each time.

    Raises:
        ImpossibleDeal: there is none, or the events do not begin with the viewer's own deal.
    """
    dealt = next((fact for fact in events if isinstance(fact, RoundDealt)), None)
    if dealt is None or dealt.hand is None or len(dealt.hand) != dealt.hand_sizes[viewer]:
        raise ImpossibleDeal("the deal and the seat's own hand are not told")
    codes = SET_CODES[rule_set.deal.highest_pip]
    own = [tile.code for tile in dealt.hand]
    seen = _seen(rule_set, viewer, dealt, events)
    known = [*own, *(code for code in seen.drawn if isinstance(code, int))]
    hidden = [code for code in codes if code not in set(known)]
    if len(set(known)) != len(known) or not set(known) <= set(codes):
        raise ImpossibleDeal("the seat cannot have had these tiles")
    left = len(hidden) - len(seen.slots)
    if left < 0:
        raise ImpossibleDeal("there are not so many tiles")
    slots = [*seen.slots, *(_Slot(_BONEYARD, _NEVER) for _ in range(left))]
    tile_of = _matched(hidden, slots, seen, chance)
    deck: list[int] = []
    for seat in range(len(dealt.hand_sizes)):
        if seat == viewer:
            deck += own
        else:
            deck += [
                tile_of[at]
                for at, slot in enumerate(slots)
                if slot.owner == seat and slot.since == _DEALT
            ]
    at_of = {id(slot): at for at, slot in enumerate(slots)}
    deck += [code if isinstance(code, int) else tile_of[at_of[id(code)]] for code in seen.drawn]
    deck += [tile_of[at] for at, slot in enumerate(slots) if slot.owner == _BONEYARD]
    return tuple(deck)


def _seen(rule_set: RuleSet, viewer: int, dealt: RoundDealt, events: Sequence[Event]) -> _Seen:
    flags = kernel_flags(rule_set)
    seen = _Seen()
    for seat, size in enumerate(dealt.hand_sizes):
        if seat != viewer:
            seen.slots += [_Slot(seat, _DEALT) for _ in range(size)]
    word = kernel.EMPTY_TABLE
    run: _Slot | None = None
    for at, fact in enumerate(events):
        match fact:
            case TileDrawn(seat, tile) if seat == viewer:
                if tile is None:
                    raise ImpossibleDeal("the seat's own draw is not told")
                seen.drawn.append(tile.code)
            case TileDrawn(seat):
                run = _Slot(seat, at)
                seen.slots.append(run)
                seen.drawn.append(run)
                seen.voids.append((seat, at, _fitting(word)))
            case SeatPassed(seat) if seat != viewer:
                seen.voids.append((seat, at, _fitting(word)))
                run = None
            case TilePlayed(seat, _, placement):
                code = placement.tile.code
                if code in seen.played:
                    raise ImpossibleDeal("a tile was placed twice")
                seen.played[code] = (seat, at)
                if run is not None:
                    run.tile = code
                    run = None
                try:
                    word = kernel.lay(word, move_word(placement), flags)
                except (IndexError, ValueError):
                    raise ImpossibleDeal("a placement does not fit the table") from None
            case _:
                pass
    return seen


def _fitting(word: int) -> int:
    """The tiles that fit a table, as a mask."""
    return kernel.legal_tiles(word, (1 << 28) - 1)


def _matched(
    hidden: Sequence[int], slots: Sequence[_Slot], seen: _Seen, chance: random.Random | None
) -> list[int]:
    """The tile of each slot: a perfect matching by augmenting paths, in some or a random order."""
    may_hold = _masks(hidden, slots, seen)
    order = list(range(len(slots)))
    tiles = list(range(len(hidden)))
    if chance is not None:
        chance.shuffle(order)
        chance.shuffle(tiles)
    tile_in: list[int | None] = [None] * len(slots)

    def place(tile: int, tried: set[int]) -> bool:
        bit = 1 << hidden[tile]
        possible = [at for at in order if may_hold[at] & bit and at not in tried]
        free = next((at for at in possible if tile_in[at] is None), None)
        if free is not None:
            tile_in[free] = tile
            return True
        for at in possible:
            held = tile_in[at]
            if at not in tried and held is not None:
                tried.add(at)
                if place(held, tried):
                    tile_in[at] = tile
                    return True
        return False

    for tile in tiles:
        if not place(tile, set()):
            raise ImpossibleDeal("no deal leaves every seat with what it played and lacked")
    return [hidden[tile] for tile in tile_in if tile is not None]


def _masks(hidden: Sequence[int], slots: Sequence[_Slot], seen: _Seen) -> list[int]:
    """By slot the tiles that can have been there from its start to their placement."""
    played = sum(1 << code for code in seen.played)
    unplayed = sum(1 << code for code in hidden) & ~played
    by_start: dict[tuple[int, int], int] = {}
    masks = []
    for slot in slots:
        if slot.tile is not None:
            masks.append(1 << slot.tile)
            continue
        key = (slot.owner, slot.since)
        if key not in by_start:
            by_start[key] = unplayed if slot.owner == _BONEYARD else _held(slot, unplayed, seen)
        masks.append(by_start[key])
    return masks


def _held(slot: _Slot, unplayed: int, seen: _Seen) -> int:
    """The tiles that a seat can have had from the slot's start on."""
    voids = [(at, mask) for seat, at, mask in seen.voids if seat == slot.owner and at > slot.since]
    found = unplayed
    for _, mask in voids:
        found &= ~mask
    for code, (seat, until) in seen.played.items():
        if seat != slot.owner or until < slot.since:
            continue
        if not any(at < until and mask >> code & 1 for at, mask in voids):
            found |= 1 << code
    return found
