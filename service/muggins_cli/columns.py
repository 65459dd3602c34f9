"""Rows of text in columns."""

from collections.abc import Sequence
from typing import Final

__all__ = ["in_columns"]

_GAP: Final = "  "


def in_columns(rows: Sequence[Sequence[str]], right: Sequence[bool], indent: str = "") -> list[str]:
    """Rows side by side, each column as wide as its widest cell and `right` aligned or left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        (
            indent
            + _GAP.join(
                cell.rjust(width) if is_right else cell.ljust(width)
                for cell, width, is_right in zip(row, widths, right, strict=True)
            )
        ).rstrip()
        for row in rows
    ]
