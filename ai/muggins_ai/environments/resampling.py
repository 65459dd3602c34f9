"""Rounds that a seat cannot tell from the one it is in, drawn at random by our belief.

The belief infers nothing from what others chose, only from what they could not do: with two seats
the other hand is drawn from the exact posterior over deals, with three and four from worlds that
are shuffled under what is proved (`belief.worlds`). Given the hands, the deal and the hidden draws
behind them are drawn exactly (`origins`). What the belief does not use (who had to hold the highest
double, that a round was not blocked) is made up for by playing the round again: where the seat
would have seen something else, another is drawn.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

from muggins_ai.belief import DEALS_ONLY, Believer
from muggins_ai.belief.history import (
    FIRST_TURN,
    MOVE,
    PASSED,
    SEAT,
    TAKEN,
    TURN,
    TURN_COUNT,
    UNFINISHED,
)
from muggins_ai.belief.seen import history_of_round
from muggins_ai.environments.chance_round import (
    ChanceRound,
    after_action,
    after_chance,
    new_round,
)
from muggins_ai.environments.information import information_text
from muggins_ai.environments.origins import Origins, origins_of
from muggins_ai.environments.tables import Table
from muggins_ai.round_rules import rules_of
from muggins_rules.events import Event, TileDrawn
from muggins_rules.tiles import SET_CODES

__all__ = ["Resampler"]

_TWO: Final = 2
_WORLDS: Final = 40
"""Worlds that a shuffle goes through, of which the last is taken."""
_MOST_TRIES: Final = 100_000


class Resampler:
    """Draws rounds for one table; compiled where numba is installed."""

    def __init__(self, table: Table, *, compiled: bool) -> None:
        self._table = table
        self._rules = rules_of(*table)
        self._believer = Believer(*table, compiled=compiled)

    def resampled(self, play: ChanceRound, viewer: int, random: Random) -> ChanceRound:
        """A round of which `viewer` has seen and done the same.

        Raises:
            ValueError: there is no such seat.
        """
        if not 0 <= viewer < self._table.seats:
            message = f"there is no seat {viewer}"
            raise ValueError(message)
        known = information_text(play, viewer)
        for _ in range(_MOST_TRIES):
            found = self._proposed(play, viewer, random)
            if found is not None and information_text(found, viewer) == known:
                return found
        raise AssertionError("the round itself is among those that are drawn")

    def _proposed(self, play: ChanceRound, viewer: int, random: Random) -> ChanceRound | None:
        if play.state is None:
            return self._dealt_again(play, viewer, random)
        events = self._events(play, viewer)
        history = history_of_round(self._table.rule_set, viewer, events, None)
        hands = self._hands(play, viewer, history, random)
        origins = origins_of(self._rules, history, viewer, hands, random)
        dealt = list(play.dealt)
        size = self._table.rule_set.hand_size(self._table.seats)
        draws: dict[int, Iterator[int]] = {}
        for seat, found in origins.items():
            dealt[seat * size : (seat + 1) * size] = random.sample(found.dealt, size)
            draws[seat] = iter(_draws_of(history, seat, found))
        return _played_again(play, dealt, draws)

    def _dealt_again(self, play: ChanceRound, viewer: int, random: Random) -> ChanceRound:
        """Before the first turn: every tile that is not the viewer's lies anywhere."""
        size = self._table.rule_set.hand_size(self._table.seats)
        own = play.dealt[viewer * size : (viewer + 1) * size]
        codes = SET_CODES[self._table.rule_set.deal.highest_pip]
        others = [code for code in codes if code not in own]
        random.shuffle(others)
        found = new_round(self._table)
        for place, code in enumerate(play.dealt):
            found = after_chance(found, code if place // size == viewer else others.pop())
        return found

    def _events(self, play: ChanceRound, viewer: int) -> tuple[Event, ...]:
        """What the viewer saw; a draw under way counts as one whose tile is not known."""
        events = play.seen(viewer)
        if play.drawing and play.turn != viewer:
            return (*events, TileDrawn(play.turn, None, 0))
        return events

    def _hands(
        self, play: ChanceRound, viewer: int, history: list[int], random: Random
    ) -> list[int]:
        """Hands of all seats as masks, by belief; a draw under way has brought its tile in them."""
        seats = range(self._table.seats)
        if play.is_over:
            return [play.hand(seat) for seat in seats]
        own = play.hand(viewer)
        worlds = 1 if self._table.seats == _TWO else _WORLDS
        seed = random.getrandbits(32)
        pool = self._believer.pool(history, viewer, own, DEALS_ONLY, worlds, seed)
        if worlds == 1 and not pool.hand_count:
            pool = self._believer.pool(history, viewer, own, DEALS_ONLY, _WORLDS, seed)
        last = 4 * (len(pool.weights) - 1)
        return [int(pool.hands[last + seat]) for seat in seats]


def _draws_of(history: list[int], seat: int, origins: Origins) -> Iterator[int]:
    """The tiles that a seat drew, in order; those placed at once among those it kept."""
    kept = iter(origins.kept)
    for turn in range(history[TURN_COUNT]):
        at = FIRST_TURN + TURN * turn
        move, taken = history[at + MOVE], history[at + TAKEN]
        if history[at + SEAT] != seat or not taken:
            continue
        placed = move not in {PASSED, UNFINISHED}
        for _ in range(taken - placed):
            yield next(kept)
        if placed:
            yield move & 31


def _played_again(
    play: ChanceRound, dealt: list[int], draws: dict[int, Iterator[int]]
) -> ChanceRound | None:
    """The round with another deal and other draws; none where an action would not be legal."""
    found = new_round(play.table)
    for code in dealt:
        found = after_chance(found, code)
    for number in play.history[len(dealt) :]:
        if found.is_over:
            return None
        if not found.is_chance:
            if number not in found.actions():
                return None
            found = after_action(found, number)
        elif found.drawing and found.turn in draws:
            found = after_chance(found, next(draws[found.turn]))
        elif number in found.outcomes():
            found = after_chance(found, number)
        else:
            return None
    return found
