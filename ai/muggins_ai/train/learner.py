"""A network in training: its weights, the memory of Adam, and the integers that play."""

from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from muggins_ai.evaluate.value import OUTPUT_SHIFT
from muggins_ai.evaluate.weights import UNIT, NetShape, net_of

__all__ = ["POINTS", "Learner"]

POINTS: Final = 20.0
"""Raw points that are 1 while learning."""
SMALL_UNIT: Final = 128
"""1 in the integers of the first layer."""
LARGE_UNIT: Final = POINTS * UNIT * (1 << OUTPUT_SHIFT)
"""1 in the bias of the outputs."""
LARGEST_BIAS: Final = 7.9

_FIRST_SPREAD: Final = 0.15
_KEEP_FIRST: Final = 0.9
_KEEP_SECOND: Final = 0.999
_TINY: Final = 1e-8
_DECAY: Final = float(__import__("os").environ.get("DECAY", "0.05"))
"""Shrinking of the weights for each unit of the rate. The policy is told apart by differences
between moves alone; without it what all moves share grows without end, and takes the rest along."""

Floats = npt.NDArray[np.float32]


class Learner:
    """One network. Its gradient is filled by others; `step` takes it down."""

    def __init__(
        self,
        functions: SimpleNamespace,
        shape: NetShape,
        largest_weight: float,
        random_state: int,
        *,
        kind: str,
        decay: float,
    ) -> None:
        """Begin at random; weights shrink by `decay` for each unit of the rate of learning."""
        self._functions = functions
        self._largest = largest_weight
        self._decay = decay
        self._steps = 0
        self.kind = kind
        self.shape = shape
        size = shape.small + shape.large
        self.weights: Floats = np.zeros(size, dtype=np.float32)
        self.gradient: Floats = np.zeros(size, dtype=np.float32)
        self._first: Floats = np.zeros(size, dtype=np.float32)
        self._second: Floats = np.zeros(size, dtype=np.float32)
        self.units: Floats = np.zeros(shape.hidden * 128, dtype=np.float32)
        self.slopes: Floats = np.zeros(shape.hidden, dtype=np.float32)
        self.found: Floats = np.zeros(128, dtype=np.float32)
        self.losses = np.zeros(3)
        state = np.array([random_state], dtype=np.int64)
        functions.begin_weights(self.weights, *shape, _FIRST_SPREAD, state)

    def step(self, rate: float) -> None:
        """One step of Adam by the gradient, which is empty afterwards."""
        self._steps += 1
        unbiased = (1 - _KEEP_SECOND**self._steps) ** 0.5 / (1 - _KEEP_FIRST**self._steps)
        shape, single = self.shape, np.float32
        self._functions.adam(
            self.weights,
            self.gradient,
            self._first,
            self._second,
            shape.small + shape.large,
            single(rate * unbiased),
            single(_KEEP_FIRST),
            single(_KEEP_SECOND),
            single(_TINY),
            single(rate * self._decay),
            single(1),
        )
        rows = shape.rows * shape.hidden
        self.weights[: shape.hidden] = 0  # the row that fills up
        self._functions.clip_weights(self.weights, rows, single(self._largest))
        bias = self.weights[rows : shape.small]
        self._functions.clip_weights(bias, shape.hidden, single(LARGEST_BIAS))

    def integers(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]]:
        """The network as the integers of its file."""
        rows = self.shape.rows * self.shape.hidden
        small = np.rint(self.weights[: self.shape.small].astype(np.float64) * SMALL_UNIT)
        # A row that never was on has nothing to say.
        seen = self._second[:rows].reshape(-1, self.shape.hidden).any(axis=1)
        small[:rows].reshape(-1, self.shape.hidden)[~seen] = 0
        large = self.weights[self.shape.small :].astype(np.float64) * LARGE_UNIT
        large[: self.shape.outputs * self.shape.hidden] /= SMALL_UNIT
        return small.astype(np.int16), np.rint(large).astype(np.int32)

    def net(self) -> tuple[Any, Any, Any, Any]:
        """The network as compiled functions play it."""
        return net_of(*self.integers(), self.shape, compiled=True)

    def take_losses(self) -> tuple[float, float, float]:
        """The sums of losses since they were taken last."""
        losses = self.losses.tolist()
        self.losses[:] = 0
        return losses[0], losses[1], losses[2]
