"""The learned weights, read from files that the manifest vouches for.

`muggins_ai/data` holds a file for each network and one manifest that names them all with their
hashes and how they came about. A file is the rows of weights and the bias of the hidden units as
16-bit integers, then the weights and bias of the outputs as 32-bit integers, all little-endian and
compressed by zlib; the hash is of what is inside.
"""

import json
import sys
import zlib
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
    "Net",
    "NetShape",
    "WeightsError",
    "equity_table",
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
    hashes = [entry[part]["sha256"] for part in ("value", "policy", "equity")]
    parts = [*hashes, str(entry["opener_value"])]
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


def equity_table(family: str, *, compiled: bool, folder: Path = DATA) -> Any:  # noqa: ANN401 - list or numpy
    """What `equity.equity` reads for a family.

    Raises:
        WeightsError: there is none for that family, or the file is not the manifest's.
    """
    content = _content(_entry(family, folder)["equity"], folder)
    return _array(_integers("i", content), "int64", compiled=compiled)


def net_of(small: Any, large: Any, shape: NetShape, *, compiled: bool) -> Net:  # noqa: ANN401 - sequences of integers, of numpy too
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
    content = _content(entry, folder)
    shape = NetShape(*entry["shape"])
    expected = policy_shape() if kind == "policy" else value_shape(about["seats"], about["sides"])
    if shape != expected or len(content) != 2 * shape.small + 4 * shape.large:
        raise WeightsError(f"{entry['file']} is of another shape than this engine's networks")
    small = _integers("h", content[: 2 * shape.small])
    large = _integers("i", content[2 * shape.small :])
    return net_of(small, large, shape, compiled=compiled)


def _content(entry: Mapping[str, Any], folder: Path) -> bytes:
    try:
        content = zlib.decompress((folder / entry["file"]).read_bytes())
    except (OSError, zlib.error) as error:
        raise WeightsError(f"{entry['file']} cannot be read") from error
    if sha256(content).hexdigest() != entry["sha256"]:
        raise WeightsError(f"{entry['file']} is not the file that the manifest names")
    return content


def _integers(kind: str, content: bytes) -> Sequence[int]:
    found = array(kind)
    found.frombytes(content)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def _array(values: Sequence[int], kind: str, *, compiled: bool) -> Any:  # noqa: ANN401 - list or numpy
    if not compiled:
        return list(values)
    import numpy as np  # noqa: PLC0415 - absent where nothing is compiled

    return np.array(values, dtype=kind)
