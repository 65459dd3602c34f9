"""The learned weights, read from files that the manifest vouches for.

`muggins_ai/data` holds a file for each network and one manifest that names them all with their
hashes and how they came about. A file is the rows of weights and the bias of the hidden units as
16-bit integers, then the weights and bias of the outputs as 32-bit integers, all little-endian.
"""

import json
import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from muggins_ai.compiled import integer_array
from muggins_ai.evaluate.policy import POLICY_HIDDEN, POLICY_INPUTS, POLICY_MOST_INPUTS
from muggins_ai.evaluate.scoring import LEVELS
from muggins_ai.evaluate.value import HIDDEN, MOST_INPUTS, value_rows

__all__ = [
    "DATA",
    "MANIFEST",
    "UNIT",
    "NetShape",
    "WeightsError",
    "load_manifest",
    "net_of",
    "opener_value",
    "policy_net",
    "policy_scratch",
    "policy_shape",
    "value_net",
    "value_scratch",
    "value_shape",
    "weights_digest",
]

DATA: Final = Path(__file__).parent.parent / "data"
MANIFEST: Final = "manifest.json"
UNIT: Final = 1024
"""A raw point, in values, logits and the opener's value."""

Net = tuple[Any, Any, Any, Any]
Scratch = tuple[Any, Any, Any]


class WeightsError(ValueError):
    """Weights are missing, or are not those that the manifest names."""


class NetShape(NamedTuple):
    """The sizes of a network."""

    rows: int
    hidden: int
    outputs: int

    @property
    def small(self) -> int:
        """Number of weights of the first layer, bias included."""
        return (self.rows + 1) * self.hidden

    @property
    def large(self) -> int:
        """Number of weights of the outputs, bias included."""
        return self.outputs * (self.hidden + 1)


def value_shape(seats: int, sides: int) -> NetShape:
    """The sizes of the value network of a table."""
    return NetShape(value_rows(seats), HIDDEN, 1 if sides == 2 else sides)  # noqa: PLR2004


def policy_shape() -> NetShape:
    """The sizes of the policy network."""
    return NetShape(POLICY_INPUTS, POLICY_HIDDEN, 1)


@lru_cache(maxsize=4)
def load_manifest(folder: Path = DATA) -> Mapping[str, Any]:
    """What the manifest of a folder says, by family.

    Raises:
        WeightsError: there is none.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise WeightsError(f"there is no {MANIFEST} beside the weights")
    families: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))["families"]
    return families


def opener_value(family: str, folder: Path = DATA) -> int:
    """What opening the next round is worth to a side, in 1/UNIT raw point of utility."""
    return int(_entry(family, folder)["opener_value"])


def weights_digest(family: str, folder: Path = DATA) -> str:
    """Names the weights of a family, for the name of an engine that uses them."""
    entry = _entry(family, folder)
    parts = [entry["value"]["sha256"], entry["policy"]["sha256"], str(entry["opener_value"])]
    return sha256("\n".join(parts).encode()).hexdigest()


def value_net(family: str, *, compiled: bool, folder: Path = DATA) -> Net:
    """The value network of a family, for compiled functions or for plain ones.

    Raises:
        WeightsError: there are none for that family, or the file is not the manifest's.
    """
    return _net(family, "value", folder, compiled=compiled)


def policy_net(family: str, *, compiled: bool, folder: Path = DATA) -> Net:
    """The policy network of a family, for compiled functions or for plain ones.

    Raises:
        WeightsError: there are none for that family, or the file is not the manifest's.
    """
    return _net(family, "policy", folder, compiled=compiled)


def net_of(small: Sequence[int], large: Sequence[int], shape: NetShape, *, compiled: bool) -> Net:
    """A network from its 16-bit and 32-bit integers."""
    rows = shape.rows * shape.hidden
    tail = shape.outputs * shape.hidden
    return (
        _array(small[:rows], "int16", compiled=compiled),
        _array(small[rows:], "int16", compiled=compiled),
        _array(large[:tail], "int32", compiled=compiled),
        _array(large[tail:], "int64", compiled=compiled),
    )


def value_scratch(*, compiled: bool) -> Scratch:
    """Room for the evaluation of a position."""
    return _scratch(MOST_INPUTS, HIDDEN, compiled=compiled)


def policy_scratch(*, compiled: bool) -> Scratch:
    """Room for the evaluation of a move."""
    return _scratch(POLICY_MOST_INPUTS, POLICY_HIDDEN, compiled=compiled)


def _scratch(inputs: int, hidden: int, *, compiled: bool) -> Scratch:
    make: Callable[[Sequence[int]], Any] = integer_array if compiled else list
    return make([0] * inputs), _array([0] * hidden, "int16", compiled=compiled), make([0] * LEVELS)


def _entry(family: str, folder: Path) -> Mapping[str, Any]:
    entry: Mapping[str, Any] | None = load_manifest(folder).get(family)
    if entry is None:
        raise WeightsError(f"there are no weights for {family}")
    return entry


def _net(family: str, kind: str, folder: Path, *, compiled: bool) -> Net:
    about = _entry(family, folder)
    entry = about[kind]
    content = (folder / entry["file"]).read_bytes()
    if sha256(content).hexdigest() != entry["sha256"]:
        raise WeightsError(f"{entry['file']} is not the file that the manifest names")
    shape = NetShape(*entry["shape"])
    expected = policy_shape() if kind == "policy" else value_shape(about["seats"], about["sides"])
    if shape != expected or len(content) != 2 * shape.small + 4 * shape.large:
        raise WeightsError(f"{entry['file']} is of another shape than this engine's networks")
    small, large = array("h"), array("i")
    small.frombytes(content[: 2 * shape.small])
    large.frombytes(content[2 * shape.small :])
    if sys.byteorder == "big":
        small.byteswap()
        large.byteswap()
    return net_of(small, large, shape, compiled=compiled)


def _array(values: Sequence[int], kind: str, *, compiled: bool) -> Any:  # noqa: ANN401 - list or numpy
    if not compiled:
        return list(values)
    import numpy as np  # noqa: PLC0415 - absent where nothing is compiled

    return np.array(values, dtype=kind)
