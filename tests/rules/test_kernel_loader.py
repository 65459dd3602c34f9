"""Kernel-style functions are copied with compiled siblings, whatever the compiler."""

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import pytest

from muggins_rules import bits, kernel
from muggins_rules.kernel_loader import NotKernelStyleError, functions_of, load_kernel


def module_of(source: str, name: str = "kernel_style") -> ModuleType:
    module = ModuleType(name)
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)  # noqa: S102 - code of the test
    return module


def as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def test_all_functions_of_the_kernel_are_loaded() -> None:
    assert functions_of(kernel).keys() == vars(load_kernel(as_it_is)).keys()


def test_copies_answer_as_their_originals() -> None:
    loaded = load_kernel(as_it_is)
    moves, expected = [0] * kernel.MOST_MOVES, [0] * kernel.MOST_MOVES
    found = kernel.list_moves(kernel.EMPTY_TABLE, 0b1010110, 4, expected)
    assert found == loaded.list_moves(kernel.EMPTY_TABLE, 0b1010110, 4, moves)
    assert expected == moves


def test_functions_call_compiled_siblings() -> None:
    """The compiler gets each function once, those it calls first."""
    compiled: list[str] = []

    def compile_function(function: Callable[..., Any]) -> Callable[..., Any]:
        assert isinstance(function, FunctionType)
        compiled.append(function.__name__)

        def call(*arguments: int) -> Any:  # noqa: ANN401 - whatever the function gives
            calls.append(function.__name__)
            return function(*arguments)

        return call

    calls: list[str] = []
    source = "def a(x): return b(x) + b(x)\ndef b(x): return x * 2"
    loaded = load_kernel(compile_function, (module_of(source),))
    assert ["b", "a"] == compiled
    assert 12 == loaded.a(3)
    assert ["a", "b", "b"] == calls


def test_functions_imported_from_another_module_are_compiled_along() -> None:
    lower = module_of("def twice(x): return 2 * x", "lower")
    upper = ModuleType("upper")
    upper.__dict__["twice"] = lower.twice
    exec("def four_times(x): return twice(twice(x))", upper.__dict__)  # noqa: S102 - as above
    compiled: list[str] = []

    def compile_function(function: Callable[..., Any]) -> Callable[..., Any]:
        compiled.append(function.__name__)
        return function

    loaded = load_kernel(compile_function, (upper,))
    assert ["twice", "four_times"] == compiled
    assert 12 == loaded.four_times(3)
    assert not hasattr(loaded, "twice")


def test_tables_become_what_the_caller_makes_of_them() -> None:
    module = module_of("TABLE = (1, 2, 3)\nSHIFT = 10\ndef f(x): return TABLE[x] + SHIFT")
    loaded = load_kernel(as_it_is, (module,), constants=lambda table: [100 * n for n in table])
    assert 210 == loaded.f(1)
    assert 12 == module.f(1)


def test_primitives_can_be_swapped() -> None:
    module = module_of("def f(mask): return popcount(mask)")
    module.__dict__["popcount"] = bits.popcount
    asked: list[int] = []

    def counted(mask: int) -> int:
        asked.append(mask)
        return mask.bit_count()

    loaded = load_kernel(as_it_is, (module,), primitives={"popcount": counted})
    assert 3 == loaded.f(0b10101)
    assert [0b10101] == asked


def test_nothing_but_primitives_can_be_swapped() -> None:
    with pytest.raises(ValueError, match="no primitives: lay"):
        load_kernel(as_it_is, primitives={"lay": as_it_is})


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("WORDS = {1: 2}\ndef f(x): return WORDS[x]", "f uses WORDS, a dict"),
        ("WORDS = (1, 'a')\ndef f(x): return WORDS[x]", "f uses WORDS, a tuple"),
        ("import math\ndef f(x): return math.floor(x)", "f uses math, a module"),
        ("def f(x): return g(x)\ndef g(x): return f(x)", "f calls itself"),
        ("def f(x): return f(x - 1) if x else 0", "f calls itself"),
        ("def f(x): return (lambda y: y)(x)", "f has a function within a function"),
    ],
)
def test_what_is_not_kernel_style_is_refused_by_name(source: str, reason: str) -> None:
    with pytest.raises(NotKernelStyleError, match=reason):
        load_kernel(as_it_is, (module_of(source),))


def test_two_functions_of_one_name_are_refused() -> None:
    first, second = (module_of("def f(x): return x", name) for name in ("first", "second"))
    with pytest.raises(ValueError, match="two functions are called f"):
        load_kernel(as_it_is, (first, second))


def loaded_name(source: str, **options: Any) -> str:  # noqa: ANN401 - those of load_kernel
    """The qualified name under which a cache keeps the function `f` of a module."""
    return str(load_kernel(as_it_is, (module_of(source),), **options).f.__qualname__)


ORIGINAL = "TABLE = (1, 2)\ndef f(x): return g(x) + TABLE[x]\ndef g(x): return x + 1"


def test_copies_keep_the_file_line_and_module_of_their_originals() -> None:
    copy = load_kernel(as_it_is).lay
    assert kernel.lay.__code__ is copy.__code__
    assert "muggins_rules.kernel" == copy.__module__
    assert copy.__qualname__.startswith("lay_")


def test_the_same_code_has_the_same_cache_name() -> None:
    assert loaded_name(ORIGINAL) == loaded_name(ORIGINAL)


@pytest.mark.parametrize(
    "source",
    [
        ORIGINAL.replace("g(x) +", "g(x) -"),
        ORIGINAL.replace("x + 1", "x + 2"),
        ORIGINAL.replace("(1, 2)", "(1, 3)"),
    ],
    ids=["its own code", "a function it calls", "a table it reads"],
)
def test_a_change_in_what_a_function_depends_on_changes_its_cache_name(source: str) -> None:
    assert loaded_name(ORIGINAL) != loaded_name(source)


def test_other_options_of_the_compiler_change_the_cache_name() -> None:
    assert loaded_name(ORIGINAL) != loaded_name(ORIGINAL, variant="fast")
    assert loaded_name(ORIGINAL) != loaded_name(ORIGINAL, constants=list)
