"""OpenSpiel's observer of our rounds: tensors and strings, with memory of the round or without.

With perfect recall, the information state, float32:

    viewer   4                the observer, one-hot; zeros without private information
    dealt    28               private: 1 for each tile the observer was dealt
    opener   4                public: the seat that opens, one-hot
    steps    most x STEP      public, as far as it was seen: a row for each placement, draw and pass
                              so far, in order

    a step:  0..3    the seat, one-hot
             4..6    placement, draw, pass, one-hot
             7..34   the tile, one-hot; zeros where it is not known
             35..39  the place, one-hot, as `numbering` counts places
             40      1 where a double was laid endwise

Without it, the observation of `observing` in two pieces:

    hand     28               private: HAND
    table    198              public: all that follows HAND
"""

from dataclasses import replace
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from muggins_ai.environments.actions import number_of
from muggins_ai.environments.chance_round import ChanceRound
from muggins_ai.environments.information import hand_text, information_text, observation_text
from muggins_ai.environments.observing import HAND, OBSERVATION_SIZE, ON_TABLE, write_tiles
from muggins_ai.environments.seeing import observation_of
from muggins_ai.environments.tables import Table
from muggins_rules.actions import Place
from muggins_rules.events import Event, RoundDealt, SeatPassed, TileDrawn, TilePlayed
from muggins_rules.tiles import SET_CODES
from muggins_rules.viewing import seat_view
from muggins_rules.views import Viewer

__all__ = ["Kind", "SpielObserver", "most_steps"]

_SEATS: Final = 4
_TILES: Final = 28
_PLACED: Final = 4
_DRAWN: Final = 5
_PASSED: Final = 6
_TILE: Final = 7
_PLACE: Final = 35
_ENDWISE: Final = 40
_STEP: Final = 41


class Kind(NamedTuple):
    """What an observer tells: all since the deal or the table as it is; public, private or both."""

    perfect_recall: bool
    public: bool
    private: bool


class _HasRound(Protocol):
    play: ChanceRound


def most_steps(table: Table) -> int:
    """No round at a table has more placements, draws and passes.

    Each tile that is not in the reserve is placed once at most, those of the boneyard are drawn
    before, and between two placements all but one seat may pass.
    """
    rule_set, seats = table
    tiles = len(SET_CODES[rule_set.deal.highest_pip]) - rule_set.deal.boneyard_reserve
    drawn = tiles - seats * rule_set.hand_size(seats)
    return tiles + drawn + (seats - 1) * tiles


class SpielObserver:
    """Writes what a player may know of a state into `tensor`; `dict` holds its pieces by name."""

    def __init__(self, table: Table, kind: Kind) -> None:
        self._kind = kind
        pieces: list[tuple[str, tuple[int, ...]]] = []
        if kind.perfect_recall:
            pieces += [("viewer", (_SEATS,)), ("dealt", (_TILES,))] if kind.private else []
            steps = most_steps(table), _STEP
            pieces += [("opener", (_SEATS,)), ("steps", steps)] if kind.public else []
        else:
            pieces += [("hand", (_TILES,))] if kind.private else []
            pieces += [("table", (OBSERVATION_SIZE - ON_TABLE,))] if kind.public else []
        sizes = [int(np.prod(shape)) for _, shape in pieces]
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(sizes), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        at = 0
        for (name, shape), size in zip(pieces, sizes, strict=True):
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def set_from(self, state: _HasRound, player: int) -> None:
        """Write what `player` may know of the state."""
        self.tensor.fill(0)
        viewer = player if self._kind.private else None
        if self._kind.perfect_recall:
            self._write_history(state.play, viewer)
        else:
            self._write_table(state.play, player)

    def string_from(self, state: _HasRound, player: int) -> str:
        """What `player` may know of the state as text."""
        viewer = player if self._kind.private else None
        if not self._kind.public:
            return "" if viewer is None else hand_text(state.play, player)
        text = information_text if self._kind.perfect_recall else observation_text
        return text(state.play, viewer)

    def _write_history(self, play: ChanceRound, viewer: Viewer) -> None:
        facts = play.seen(viewer)
        if viewer is not None:
            self.dict["viewer"][viewer] = 1
            for code in _dealt_to(play, viewer):
                self.dict["dealt"][code] = 1
        if "steps" not in self.dict:
            return
        steps = self.dict["steps"]
        number = 0
        for fact in facts:
            if isinstance(fact, RoundDealt):
                self.dict["opener"][fact.opener] = 1
            elif _write_step(fact, steps[number]):
                number += 1
        if play.drawing:
            steps[number][[play.turn, _DRAWN]] = 1

    def _write_table(self, play: ChanceRound, player: int) -> None:
        known = [0] * OBSERVATION_SIZE
        if play.state is None:
            write_tiles(play.hand(player), known, HAND)
        else:
            view = seat_view(play.state, player)
            known = observation_of(view if self._kind.private else replace(view, hand=()))
        if "hand" in self.dict:
            self.dict["hand"][:] = known[:ON_TABLE]
        if "table" in self.dict:
            self.dict["table"][:] = known[ON_TABLE:]


def _dealt_to(play: ChanceRound, seat: int) -> tuple[int, ...]:
    size = play.table.rule_set.hand_size(play.table.seats)
    return play.dealt[seat * size : (seat + 1) * size]


def _write_step(fact: Event, step: Any) -> bool:  # noqa: ANN401 - a row of an array
    """Write a placement, a draw or a pass; False for any other fact."""
    match fact:
        case TilePlayed(seat, _, placement):
            number = number_of(Place(placement))
            step[[seat, _PLACED, _TILE + number // 10, _PLACE + number % 10 // 2]] = 1
            step[_ENDWISE] = number & 1
        case TileDrawn(seat, tile):
            step[[seat, _DRAWN]] = 1
            if tile is not None:
                step[_TILE + tile.code] = 1
        case SeatPassed(seat):
            step[[seat, _PASSED]] = 1
        case _:
            return False
    return True
