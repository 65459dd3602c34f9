"""What tests read in the project's pages: their files, tables, code and links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tests.packaging.wheel import ROOT

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PAGES", "Table", "code_blocks", "links", "name_of", "page", "spans", "tables"]

PAGES = sorted(
    path for pattern in ("*.md", "docs/**/*.md", "clients/*/*.md") for path in ROOT.glob(pattern)
)
"""Every page of the repository."""


class Table(NamedTuple):
    """A table: its column names, and its rows cell by cell."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> tuple[str, ...]:
        """The cells of a column."""
        index = self.columns.index(name)
        return tuple(row[index] for row in self.rows)


def name_of(path: Path) -> str:
    """A page's path in the repository."""
    return path.relative_to(ROOT).as_posix()


def page(name: str) -> str:
    """The text of a page, by its path in the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def tables(text: str, *columns: str) -> tuple[Table, ...]:
    """The tables of a page that have just these columns."""
    blocks = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    found = (_table(block.splitlines()) for block in blocks)
    return tuple(table for table in found if table.columns == columns)


def _table(lines: list[str]) -> Table:
    head, _, *rows = [tuple(cell.strip() for cell in line[1:-1].split("|")) for line in lines]
    assert all(len(row) == len(head) for row in rows), "a row has a cell for each column"
    return Table(head, tuple(rows))


def spans(text: str) -> tuple[str, ...]:
    """What stands between single backquotes, in order, outside of blocks."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    return tuple(re.findall(r"`([^`\n]+)`", prose))


def code_blocks(text: str, language: str) -> tuple[str, ...]:
    """The code blocks of a language, empty for those without one."""
    fence = rf"^```{re.escape(language)}\n(.*?)^```$"
    return tuple(re.findall(fence, text, re.DOTALL | re.MULTILINE))


def links(text: str) -> tuple[str, ...]:
    """Where the links of a page lead, those outside of the repository left out."""
    found = re.findall(r"\]\(([^)\s]+)\)", text)
    return tuple(link for link in found if not re.match(r"[a-z]+:", link))
