"""Copies of kernel-style functions that a compiler has turned into fast ones.

A kernel-style module holds functions over plain integers. They use the arguments they are given,
integers and tuples of integers of their module, built-ins, and each other, across modules too.
Compilers take one function at a time and want the functions it calls compiled before it; so each
function is copied with globals of its own, in which the functions are their compiled siblings.

The compiler is an argument, so that the rules need the standard library only.

A copy keeps the file, the first line and the module of its original, by which a compiler's cache
on disk finds it. Its qualified name ends in a digest of all that its code depends on (its own
bytecode, the values it reads, the functions it calls), because such a cache looks at one file
alone: a change in another module, or a primitive swapped, would bring back stale code.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType, MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, Final

from muggins_rules import bits, kernel

__all__ = ["PRIMITIVES", "NotKernelStyleError", "functions_of", "load_kernel"]

Function = Callable[..., Any]
Compile = Callable[[Function], Function]
Table = tuple[int, ...]

PRIMITIVES: Final = MappingProxyType(
    {"popcount": bits.popcount, "trailing_zeros": bits.trailing_zeros}
)
"""The functions that may be swapped for faster ones with the same answers."""

_DIGEST_CHARACTERS: Final = 16


class NotKernelStyleError(TypeError):
    """A function uses something that kernel-style functions may not use."""


def load_kernel(
    compile_function: Compile,
    modules: Sequence[ModuleType] = (kernel,),
    *,
    constants: Callable[[Table], object] | None = None,
    primitives: Mapping[str, Function] | None = None,
    variant: str = "",
) -> SimpleNamespace:
    """The functions of kernel-style modules, compiled, by name.

    Functions of other modules that these use are compiled along. `constants` turns each tuple of
    integers into what the compiled code shall read, such as an array; absent, it reads the tuple.
    `primitives` swaps some of PRIMITIVES by name; what is given is used as it is. `variant` names
    the compiler's options, so that a cache keeps the code of different ones apart.

    Raises:
        NotKernelStyleError: a function uses more than it may, or functions call in a circle.
        ValueError: a name is no primitive, or two modules give it to different functions.
    """
    loader = _Loader(compile_function, constants, dict(primitives or {}), variant)
    found: dict[str, Function] = {}
    for module in modules:
        for name, function in functions_of(module).items():
            if name in found:
                message = f"two functions are called {name}"
                raise ValueError(message)
            found[name] = loader.compiled(function)
    return SimpleNamespace(**found)


def functions_of(module: ModuleType) -> dict[str, FunctionType]:
    """The functions that a module defines, by name; those it imports are not its own."""
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    }


class _Loader:
    """One load: what has been compiled so far, so that callers share it."""

    def __init__(
        self,
        compile_function: Compile,
        constants: Callable[[Table], object] | None,
        primitives: dict[str, Function],
        variant: str,
    ) -> None:
        unknown = sorted(primitives.keys() - PRIMITIVES.keys())
        if unknown:
            message = f"no primitives: {', '.join(unknown)}"
            raise ValueError(message)
        self._compile = compile_function
        self._constants = constants
        self._form = f"{variant} {'tuples' if constants is None else 'constants'}"
        self._swapped = {PRIMITIVES[name]: function for name, function in primitives.items()}
        self._compiled: dict[FunctionType, Function] = {}
        self._digests: dict[FunctionType, str] = {}
        self._tables: dict[Table, object] = {}
        self._open: set[FunctionType] = set()

    def compiled(self, function: FunctionType) -> Function:
        """The compiled copy of a function, made when it is first asked for."""
        if function not in self._compiled:
            self._add(function)
        return self._compiled[function]

    def _add(self, function: FunctionType) -> None:
        swapped = self._swapped.get(function)
        if swapped is not None:
            self._compiled[function] = swapped
            self._digests[function] = _digest("swapped", swapped.__module__, swapped.__qualname__)
            return
        if function in self._open:
            message = f"{function.__qualname__} calls itself, directly or through others"
            raise NotKernelStyleError(message)
        self._open.add(function)
        self._compiled[function] = self._compile(self._copy(function))
        self._open.remove(function)

    def _copy(self, function: FunctionType) -> FunctionType:
        _check_plain(function)
        used = _used_globals(function)
        values = {name: self._value(function, name, value) for name, value in used.items()}
        self._digests[function] = self._digest_of(function, used)
        values["__name__"] = function.__module__
        copy = FunctionType(function.__code__, values, function.__name__, function.__defaults__)
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{function.__qualname__}_{self._digests[function]}"
        copy.__doc__ = function.__doc__
        return copy

    def _value(self, function: FunctionType, name: str, value: object) -> object:
        if isinstance(value, FunctionType):
            return self.compiled(value)
        if isinstance(value, int | float):
            return value
        if isinstance(value, tuple) and all(isinstance(item, int) for item in value):
            if self._constants is None:
                return value
            if value not in self._tables:
                self._tables[value] = self._constants(value)
            return self._tables[value]
        message = f"{function.__qualname__} uses {name}, a {type(value).__name__}"
        raise NotKernelStyleError(message)

    def _digest_of(self, function: FunctionType, used: Mapping[str, object]) -> str:
        code = function.__code__
        parts = [
            f"{name}={self._digests[value] if isinstance(value, FunctionType) else value!r}"
            for name, value in used.items()
        ]
        return _digest(self._form, code.co_code.hex(), repr(code.co_consts), *parts)


def _used_globals(function: FunctionType) -> dict[str, object]:
    """The globals that a function's code names, by name in order."""
    space = function.__globals__
    return {name: space[name] for name in sorted(set(function.__code__.co_names)) if name in space}


def _check_plain(function: FunctionType) -> None:
    nested = any(isinstance(constant, CodeType) for constant in function.__code__.co_consts)
    if function.__closure__ is not None or nested:
        message = f"{function.__qualname__} has a function within a function"
        raise NotKernelStyleError(message)


def _digest(*parts: str) -> str:
    text = "\n".join(parts)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_CHARACTERS]
