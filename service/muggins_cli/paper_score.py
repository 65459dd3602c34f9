r"""A score as it is written on paper: a stroke is five points, a full sign is fifty.

A sign is a large X of two strokes with a small x, again two strokes, in each of its four corners:
above, to the right, below and to the left of its middle.

    \ x /
    x X x
    / x \
"""

from collections.abc import Iterator
from typing import Final

__all__ = ["paper_score"]

_POINTS_OF_STROKE: Final = 5
_STROKES_OF_SIGN: Final = 10
_COLUMNS_OF_SIGN: Final = 7
"""With the blanks after it."""

_MINUS: Final = "- "


def paper_score(score: int, points_divisor: int = 1, width: int = 80) -> tuple[str, ...]:
    """The lines of a score in the unit of its rule set, three for each row of signs.

    `points_divisor` is 5 where one point stands for five. A score of less than a stroke has no
    lines; one below zero begins with a minus.
    """
    strokes = abs(score) * points_divisor // _POINTS_OF_STROKE
    full, rest = divmod(strokes, _STROKES_OF_SIGN)
    signs = [_sign(_STROKES_OF_SIGN)] * full + ([_sign(rest)] if rest else [])
    room = width - (len(_MINUS) if score < 0 else 0)
    in_row = max(room // _COLUMNS_OF_SIGN, 1)
    return tuple(
        line
        for first in range(0, len(signs), in_row)
        for line in _row(signs[first : first + in_row], is_negative=score < 0)
    )


def _row(signs: list[tuple[str, str, str]], *, is_negative: bool) -> Iterator[str]:
    for number, parts in enumerate(zip(*signs, strict=True)):
        before = "" if not is_negative else _MINUS if number == 1 else " " * len(_MINUS)
        yield (before + "".join(part.ljust(_COLUMNS_OF_SIGN) for part in parts)).rstrip()


def _sign(strokes: int) -> tuple[str, str, str]:
    """The three lines of a sign of 1 to 10 strokes."""
    if strokes == 1:
        return ("    /", "  /", "/")
    above, right, below, left = (" /x"[max(min(strokes - 2 - 2 * n, 2), 0)] for n in range(4))
    return (f"\\ {above} /", f"{left} X {right}".rstrip(), f"/ {below} \\")
