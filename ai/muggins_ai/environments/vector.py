"""Many rounds side by side on the compiled kernel: numpy arrays in, numpy arrays out.

    rounds = VectorRounds("all_fives", seats=4, rows=1024)
    batch = rounds.reset(seed=1)
    while True:
        batch = rounds.step(choose(batch.observations, batch.masks))

Every row is a table of its own with its own seat on turn; what a batch shows of a row is for that
seat. A row whose round has ended shows the first turn of its next round in the same batch.
"""

from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from muggins_ai.compiled import compiled_kernel, integer_array
from muggins_ai.environments import stepping
from muggins_ai.environments.actions import format_number
from muggins_ai.environments.chance import is_order, random_state
from muggins_ai.environments.numbering import ACTIONS
from muggins_ai.environments.observing import OBSERVATION_SIZE
from muggins_ai.environments.shuffling import RANDOM_SIZE
from muggins_ai.environments.tables import table_of
from muggins_ai.evaluate.public import PUBLIC_SIZE
from muggins_ai.round_rules import rules_of
from muggins_ai.search.steps import META_SIZE
from muggins_rules.kernel import MOST_MOVES
from muggins_rules.ruleset import OpenerRule, RuleSet
from muggins_rules.tiles import SET_CODES

__all__ = ["Batch", "VectorRounds"]

_BY_SEAT: Final = 4


class Batch(NamedTuple):
    """What all rows show. Axis 0 is the row; "its seat" is the seat on turn of that row."""

    observations: npt.NDArray[np.int32]
    """rows x OBSERVATION_SIZE: what its seat may know, as `observing` places it."""
    masks: npt.NDArray[np.int8]
    """rows x ACTIONS: 1 where its seat may take the action with that number; one is 1 at least."""
    turns: npt.NDArray[np.int64]
    """rows: the seat on turn."""
    rewards: npt.NDArray[np.float64]
    """rows x seats: what the last step brought each seat: points of its side less the mean of the
    others', in the rule set's unit. Zeros after a reset."""
    ended: npt.NDArray[np.bool_]
    """rows: True where the last step ended a round; the rest of the row shows the next one."""


class VectorRounds:
    """Rounds of one rule set and number of seats, in so many rows, dealt anew as they end.

    Each round is the first of a match: scores begin at 0, and a side that reaches the target ends
    it. With `automatic`, draws and passes are made for the seats; else they are actions. With
    `copy` off, batches are windows on arrays that the next step overwrites.

    Raises:
        ImportError: numba is not installed.
        TableError: no environment plays such a table.
        ValueError: there are no rows.
    """

    def __init__(
        self,
        rules: str | RuleSet = "muggins",
        seats: int = 2,
        rows: int = 64,
        *,
        automatic: bool = True,
        copy: bool = True,
    ) -> None:
        self.table = rule_set, _ = table_of(rules, seats)
        if rows < 1:
            message = f"there are rows from 1 on, not {rows}"
            raise ValueError(message)
        self.rows = rows
        self.seats = seats
        self._copy = copy
        self._functions = _functions()
        codes = SET_CODES[rule_set.deal.highest_pip]
        self._highest_pip = rule_set.deal.highest_pip
        self._rules = integer_array(rules_of(rule_set, seats))
        turns = rule_set.turns
        by_lot = turns.first_opener is OpenerRule.LOT
        must_lead = turns.must_lead_highest_double and not by_lot
        self._options = integer_array([by_lot, must_lead, automatic])
        self._tiles = integer_array(codes)
        self._randoms = _zeros(rows * RANDOM_SIZE)
        self._decks = _zeros(rows * stepping.MOST_TILES)
        self._lots = _zeros(rows * stepping.MOST_TILES)
        self._kept = (
            _zeros(rows * META_SIZE),
            *(_zeros(rows * _BY_SEAT) for _ in range(3)),
            _zeros(rows * PUBLIC_SIZE),
        )
        self._work = (
            (_zeros(META_SIZE), _zeros(4), _zeros(4), _zeros(4)),
            _zeros(PUBLIC_SIZE),
            _zeros(stepping.MOST_TILES),
            _zeros(MOST_MOVES),
        )
        self._turns = _zeros(rows)
        self._masks = np.zeros(rows * ACTIONS, dtype=np.int8)
        self._observations = np.zeros(rows * OBSERVATION_SIZE, dtype=np.int32)
        self._changes = _zeros(rows * _BY_SEAT)
        self._ended = np.zeros(rows, dtype=np.bool_)
        self._side_of = [rule_set.side_of(seat, seats) for seat in range(seats)]
        self._seeded = False

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        *,
        decks: npt.ArrayLike | None = None,
        lots: npt.ArrayLike | None = None,
    ) -> Batch:
        """Deal every row a new round.

        Row r is seeded with `seed` + r, or with its own of as many seeds; the AEC environment with
        the same seed is dealt the same rounds one after another. Without a seed the rows go on
        with the numbers they have, at first with the system's. `decks` and `lots`, rows x tiles of
        the set, are what the first rounds are dealt and drawn from; given one, give both.

        Raises:
            ValueError: a seed is negative, their number is not that of the rows, or a row of
                `decks` or `lots` is not the codes of all tiles of the set.
        """
        self._seed(seed)
        if (decks is None) != (lots is None):
            raise ValueError("decks and lots are given together")
        if decks is not None:
            self._put(self._decks, decks, "decks")
            self._put(self._lots, lots, "lots")
        self._functions.begin_rows(
            self._rules,
            self._options,
            self._tiles,
            self.rows,
            int(decks is None),
            *self._kept,
            self._decks,
            self._lots,
            self._randoms,
            *self._work,
            self._turns,
            self._masks,
            self._observations,
        )
        self._changes[:] = 0
        self._ended[:] = False
        return self._batch()

    def step(self, actions: npt.ArrayLike) -> Batch:
        """Take one action in each row.

        Raises:
            RuntimeError: there was no reset before.
            ValueError: `actions` is not one whole number a row, or a row's is not legal; nothing
                has changed then.
        """
        if not self._seeded:
            raise RuntimeError("reset comes before the first step")
        numbers = np.asarray(actions)
        self._check(numbers)
        self._functions.step_rows(
            self._rules,
            self._options,
            self._tiles,
            self.rows,
            np.ascontiguousarray(numbers, dtype=np.int64),
            *self._kept,
            self._decks,
            self._lots,
            self._randoms,
            *self._work,
            self._turns,
            self._masks,
            self._observations,
            self._changes,
            self._ended,
        )
        return self._batch()

    def _check(self, numbers: npt.NDArray[Any]) -> None:
        if numbers.shape != (self.rows,) or not np.issubdtype(numbers.dtype, np.integer):
            message = (
                f"actions are {self.rows} whole numbers, "
                f"not {numbers.dtype} of shape {numbers.shape}"
            )
            raise ValueError(message)
        known = (numbers >= 0) & (numbers < ACTIONS)
        masks = self._masks.reshape(self.rows, ACTIONS)
        legal = masks[np.arange(self.rows), np.where(known, numbers, 0)].astype(bool) & known
        if not legal.all():
            row = int(np.argmin(legal))
            number = int(numbers[row])
            told = f"{number} ({format_number(number)})" if known[row] else str(number)
            message = f"row {row}: action {told} is not legal for seat {int(self._turns[row])}"
            raise ValueError(message)

    def _seed(self, seed: int | Sequence[int] | None) -> None:
        if seed is None:
            if self._seeded:
                return
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        seeds = range(seed, seed + self.rows) if isinstance(seed, int) else [int(s) for s in seed]
        if len(seeds) != self.rows:
            message = f"{self.rows} rows take as many seeds, not {len(seeds)}"
            raise ValueError(message)
        states = [random_state(own) for own in seeds]
        self._randoms[:] = np.array(states, dtype=np.int64).ravel()
        self._seeded = True

    def _put(self, target: Any, orders: npt.ArrayLike | None, name: str) -> None:  # noqa: ANN401 - an array
        given = np.asarray(orders)
        tiles = len(self._tiles)
        if given.shape != (self.rows, tiles) or not np.issubdtype(given.dtype, np.integer):
            message = f"{name} are {self.rows} x {tiles} tile codes, not of shape {given.shape}"
            raise ValueError(message)
        for row, order in enumerate(given.tolist()):
            if not is_order(order, self._highest_pip):
                message = f"row {row} of {name} is not the codes of all tiles of the set"
                raise ValueError(message)
        target.reshape(self.rows, stepping.MOST_TILES)[:, :tiles] = given

    def _batch(self) -> Batch:
        sides = self.table.rule_set.sides(self.seats)
        points = self._changes.reshape(self.rows, _BY_SEAT)[:, :sides]
        others = points.sum(axis=1, keepdims=True) - points
        by_side = points - others / (sides - 1)
        observations = self._observations.reshape(self.rows, OBSERVATION_SIZE)
        masks = self._masks.reshape(self.rows, ACTIONS)
        turns, ended = self._turns, self._ended
        if self._copy:
            observations, masks = observations.copy(), masks.copy()
            turns, ended = turns.copy(), ended.copy()
        return Batch(observations, masks, turns, by_side[:, self._side_of], ended)


@cache
def _functions() -> SimpleNamespace:
    return compiled_kernel((stepping,))


def _zeros(size: int) -> Any:  # noqa: ANN401 - an array of int64
    return np.zeros(size, dtype=np.int64)
