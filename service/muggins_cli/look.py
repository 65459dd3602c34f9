"""What a terminal can show: its width, line-drawing characters, colours, and the language."""

import os
import re
import sys
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TextIO

from muggins.i18n import LANGUAGES, best_language
from muggins_cli.picture import WIDEST

__all__ = ["PLAIN", "Look", "language_of_environment", "look_of", "say"]

_NARROWEST: Final = 40
_DRAWN: Final = str.maketrans("|-*", "│─○")
_NEWEST: Final = re.compile(r"\{[^}]*\}")
_COUNTED: Final = re.compile(r"\(\d+\)")
_LANGUAGE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")

_BOLD, _GREEN, _RED = "1", "32", "31"


@dataclass(frozen=True, slots=True)
class Look:
    """How lines are dressed for a terminal; `width` is its columns."""

    width: int = WIDEST
    drawn: bool = False
    """Lines of pictures are drawn with characters beyond ASCII."""
    coloured: bool = False

    def picture(self, lines: Iterable[str]) -> list[str]:
        """A picture, its newest tile and what counts set off."""
        return [self._picture_line(line) for line in lines]

    def title(self, text: str) -> str:
        """A heading."""
        return self._in(_BOLD, text)

    def gain(self, text: str) -> str:
        """Points won."""
        return self._in(_GREEN, text)

    def warning(self, text: str) -> str:
        """Something wrong."""
        return self._in(_RED, text)

    def wrapped(self, text: str, indent: str = "") -> list[str]:
        """A text in lines no wider than the terminal, all of them indented."""
        return textwrap.wrap(
            text,
            self.width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )

    def _picture_line(self, line: str) -> str:
        shown = line.translate(_DRAWN) if self.drawn else line
        if not self.coloured:
            return shown
        shown = _NEWEST.sub(lambda found: self._in(_BOLD, found[0]), shown)
        return _COUNTED.sub(lambda found: self._in(_GREEN, found[0]), shown)

    def _in(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.coloured and text else text


PLAIN: Final = Look()
"""ASCII without colours."""


def look_of(stream: TextIO, *, coloured: bool | None = None) -> Look:
    """What a stream can show; colours where it is a terminal that wants them, unless told."""
    if coloured is None:
        coloured = stream.isatty() and not os.environ.get("NO_COLOR")
    return Look(min(max(_columns(), _NARROWEST), WIDEST), _can_draw(stream.encoding), coloured)


def language_of_environment() -> str:
    """The language of the catalogue that the environment asks for."""
    wanted = next(filter(None, map(os.environ.get, _LANGUAGE_VARIABLES)), "")
    tag = wanted.partition(".")[0].replace("_", "-")
    return tag if tag in LANGUAGES else best_language(tag)


def say(lines: Iterable[str]) -> None:
    """Print lines at once, each character that the terminal lacks as a question mark."""
    text = "".join(f"{line}\n" for line in lines)
    if text:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()


def _columns() -> int:
    """Columns of the terminal, also where standard output is piped into a pager."""
    told = os.environ.get("COLUMNS", "")
    if told.isascii() and told.isdigit():
        return int(told)
    for stream in (sys.__stdout__, sys.__stderr__, sys.__stdin__):
        try:
            if stream is not None:
                return os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):
            continue
    return WIDEST


def _can_draw(encoding: str | None) -> bool:
    try:
        "│─○".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
