"""Kernel-style modules compiled by numba, for workers and studies; never for the serving process.

numba and numpy are imported when a function of this module is called, not with the module.
"""

from collections.abc import Callable, Sequence
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, Final

from muggins_rules.kernel_loader import load_kernel

__all__ = ["compiled_kernel", "float_array", "integer_array"]

_OPTIONS: Final = MappingProxyType(
    {
        "nogil": True,
        "error_model": "numpy",
        "forceinline": True,
        # Kernel-style functions allocate nothing; counting references to their arrays at every
        # call doubles the time of a playout.
        "_nrt": False,
    }
)


def compiled_kernel(
    modules: Sequence[ModuleType], *, instructions: bool = True, cache: bool = True
) -> SimpleNamespace:
    """The functions of kernel-style modules as machine code; compiled when first called.

    `instructions` swaps the kernel's primitives for the processor's own. `cache` keeps the
    machine code on disk, where numba keeps such things: in NUMBA_CACHE_DIR, else beside the
    source, else in the user's cache.

    Raises:
        ImportError: numba is not installed.
    """
    import numba  # noqa: PLC0415 - heavy, and absent where nothing is compiled

    njit: Any = numba.njit  # its published types lack `_nrt`
    return load_kernel(
        njit(cache=cache, **_OPTIONS),
        modules,
        variant=repr(_OPTIONS),
        constants=integer_array,
        primitives=_instructions(njit) if instructions else None,
    )


def integer_array(values: Sequence[int]) -> Any:  # noqa: ANN401 - numpy's types need numpy
    """Integers as the array of int64 that compiled functions take."""
    import numpy as np  # noqa: PLC0415 - as numba above

    return np.array(values, dtype=np.int64)


def float_array(values: Sequence[float]) -> Any:  # noqa: ANN401 - as integer_array
    """Floats as the array of float64 that compiled functions take."""
    import numpy as np  # noqa: PLC0415 - as numba above

    return np.array(values, dtype=np.float64)


def _instructions(njit: Any) -> dict[str, Callable[..., Any]]:  # noqa: ANN401 - numba's compiler
    """The primitives as the processor's own instructions."""
    from llvmlite import ir  # noqa: PLC0415 - as numba above
    from numba import extending, types  # noqa: PLC0415 - as numba above

    intrinsic: Any = extending.intrinsic  # its published types want the context from callers

    def count_ones(_context: Any, mask: Any) -> Any:  # noqa: ANN401 - numba's types
        def build(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:  # noqa: ANN401
            return builder.ctpop(args[0])

        return (types.int64(types.int64), build) if mask == types.int64 else None

    def count_zeros(_context: Any, mask: Any) -> Any:  # noqa: ANN401 - numba's types
        def build(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:  # noqa: ANN401
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return (types.int64(types.int64), build) if mask == types.int64 else None

    ones, zeros = intrinsic(count_ones), intrinsic(count_zeros)

    # Functions around them, since an intrinsic cannot be called from Python.
    def popcount(mask: int) -> Any:  # noqa: ANN401 - numba's integers
        return ones(mask)

    def trailing_zeros(mask: int) -> Any:  # noqa: ANN401 - numba's integers
        return zeros(mask)

    compile_function = njit(**_OPTIONS)
    return {
        "popcount": compile_function(popcount),
        "trailing_zeros": compile_function(trailing_zeros),
    }
