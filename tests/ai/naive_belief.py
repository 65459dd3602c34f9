"""What a seat can believe, by going through every deal that agrees with what it saw."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from muggins_rules import kernel
from muggins_rules.events import RoundDealt, SeatPassed, TileDrawn, TilePlayed
from muggins_rules.layout import kernel_flags, move_word
from muggins_rules.opening import highest_double
from muggins_rules.tiles import SET_CODES, codes_of_mask, mask_of
from muggins_rules.views import SeatView

Hands = tuple[int, ...]


class _Step(NamedTuple):
    """One thing a seat did: drew (`move` None, the tile where seen), placed, or passed."""

    seat: int
    word: int
    move: int | None
    drawn: int | None
    passed: bool


def naive_deals(view: SeatView, *, forced_highest: bool = False) -> Counter[Hands]:
    """By hands of all seats, the number of decks that agree with the view.

    Decks that differ in the order within a hand, or of what is left to draw, are one.
    `forced_highest` tells that the highest double opened.
    """
    dealt = next(fact for fact in view.round_events if isinstance(fact, RoundDealt))
    assert dealt.hand is not None
    codes = set(SET_CODES[view.table.rule_set.deal.highest_pip])
    own = {tile.code for tile in dealt.hand}
    steps = list(_steps(view))
    found: Counter[Hands] = Counter()
    for hands in _hands(view, codes - own, dealt.hand_sizes, own):
        if forced_highest:
            opener, lead = highest_double([tuple(codes_of_mask(hand)) for hand in hands])
            first = next((step for step in steps if step.move is not None), None)
            if opener != dealt.opener:
                continue
            if first is not None and first.move is not None and first.move & 31 != lead:
                continue
        boneyard = codes - {code for hand in hands for code in codes_of_mask(hand)}
        _follow(steps, 0, list(hands), frozenset(boneyard), None, found)
    return found


def _steps(view: SeatView) -> Iterator[_Step]:
    flags = kernel_flags(view.table.rule_set)
    word = kernel.EMPTY_TABLE
    for fact in view.round_events:
        if isinstance(fact, TileDrawn):
            drawn = None if fact.tile is None else fact.tile.code
            yield _Step(fact.seat, word, None, drawn, passed=False)
        elif isinstance(fact, TilePlayed):
            move = move_word(fact.placement)
            yield _Step(fact.seat, word, move, None, passed=False)
            word = kernel.lay(word, move, flags)
        elif isinstance(fact, SeatPassed):
            yield _Step(fact.seat, word, None, None, passed=True)


def _hands(
    view: SeatView, hidden: set[int], sizes: tuple[int, ...], own: set[int]
) -> Iterator[Hands]:
    def deal(seat: int, left: set[int], hands: tuple[int, ...]) -> Iterator[Hands]:
        if seat == len(sizes):
            yield hands
        elif seat == view.seat:
            yield from deal(seat + 1, left, (*hands, sum(1 << code for code in own)))
        else:
            for chosen in combinations(sorted(left), sizes[seat]):
                mask = sum(1 << code for code in chosen)
                yield from deal(seat + 1, left - set(chosen), (*hands, mask))

    return deal(0, hidden, ())


def _follow(
    steps: list[_Step],
    number: int,
    hands: list[int],
    boneyard: frozenset[int],
    pending: int | None,
    found: Counter[Hands],
) -> None:
    """Go on from step `number`; `pending` is the tile that the seat on turn has just drawn."""
    if number == len(steps):
        found[tuple(hands)] += 1
        return
    step = steps[number]
    hand = hands[step.seat]
    if step.move is None:
        if kernel.legal_tiles(step.word, hand):
            return
        if step.passed:
            _follow(steps, number + 1, hands, boneyard, None, found)
            return
        for code in boneyard if step.drawn is None else boneyard & {step.drawn}:
            after = list(hands)
            after[step.seat] |= 1 << code
            _follow(steps, number + 1, after, boneyard - {code}, code, found)
        return
    tile = 1 << (step.move & 31)
    if hand & tile and (pending is None or pending == step.move & 31):
        after = list(hands)
        after[step.seat] ^= tile
        _follow(steps, number + 1, after, boneyard, None, found)


def own_mask(view: SeatView) -> int:
    """The viewer's hand as a mask."""
    return mask_of(view.hand)
