"""Words, numbers, tiles and signs of a text, read one after another.

A line that begins with a blank continues the line before it, and comments and empty lines are
nothing: so a line end is a token of its own only between two statements.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple, TypeVar

from muggins_rules.notation.errors import NotationError, NotationReason

__all__ = ["Kind", "Reader", "Token", "read_whole"]

MOST_DIGITS: Final = 18

_TOKEN: Final = re.compile(
    r"(?P<BLANK>[ \t\r]+|#.*)"
    r"|(?P<TILE>[0-9]+-[0-9]+)"
    r"|(?P<NUMBER>-?[0-9]+)"
    r"|(?P<WORD>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<SIGN>[.:,@/=+?])"
)

T = TypeVar("T")


class Kind(Enum):
    """What a token is."""

    WORD = auto()
    NUMBER = auto()
    TILE = auto()
    SIGN = auto()
    LINE_END = auto()
    END = auto()


class Token(NamedTuple):
    """A piece of text and where it stands, from 1."""

    kind: Kind
    text: str
    line: int
    column: int


class Reader:
    """The tokens of a text with a place among them; `seats` is how many seat letters there are."""

    def __init__(self, text: str) -> None:
        """Cut the text into tokens; NotationError at the first character that begins none."""
        self.seats = 4
        self._tokens = _tokens_of(text)
        self._next = 0

    @property
    def token(self) -> Token:
        """The next token; the last is always the end."""
        return self._tokens[self._next]

    def at(self, kind: Kind, text: str | None = None) -> bool:
        """True when the next token is of that kind and, where asked, that text."""
        token = self.token
        return token.kind is kind and (text is None or token.text == text)

    def at_word(self, text: str) -> bool:
        """True when the next token is that word."""
        return self.at(Kind.WORD, text)

    def at_end(self) -> bool:
        """True when nothing is left."""
        return self.at(Kind.END)

    def is_followed_by(self, sign: str) -> bool:
        """True when that sign comes after the next token."""
        after = self._tokens[min(self._next + 1, len(self._tokens) - 1)]
        return after.kind is Kind.SIGN and after.text == sign

    def take(self, kind: Kind, expected: str) -> Token:
        """The next token, which has to be of a kind."""
        if not self.at(kind):
            raise self.unexpected(expected)
        token = self.token
        self._next += 1
        return token

    def word(self, *texts: str) -> None:
        """Pass over words, which have to come next in this order."""
        for text in texts:
            if not self.at_word(text):
                raise self.unexpected(f'"{text}"')
            self._next += 1

    def sign(self, text: str) -> None:
        """Pass over a sign, which has to come next."""
        if not self.skip_sign(text):
            raise self.unexpected(f'"{text}"')

    def skip_word(self, text: str) -> bool:
        """Pass over a word if it comes next; whether it did."""
        found = self.at_word(text)
        self._next += found
        return found

    def skip_sign(self, text: str) -> bool:
        """Pass over a sign if it comes next; whether it did."""
        found = self.at(Kind.SIGN, text)
        self._next += found
        return found

    def number(self) -> int:
        """The number that has to come next."""
        token = self.take(Kind.NUMBER, "a number")
        if len(token.text.lstrip("-")) > MOST_DIGITS:
            raise self.error(NotationReason.NUMBER_OUT_OF_RANGE, token)
        return int(token.text)

    def choice(
        self,
        values: Mapping[str, T],
        reason: NotationReason = NotationReason.UNEXPECTED_TEXT,
    ) -> T:
        """The value of the word that has to come next; `reason` is told of another word."""
        expected = " or ".join(values)
        token = self.token
        if not self.at(Kind.WORD):
            raise self.unexpected(expected)
        if token.text not in values:
            raise self.error(reason, token, f"{expected} is needed")
        self._next += 1
        return values[token.text]

    def line_end(self) -> None:
        """Pass over the end of a line; NotationError when the line goes on."""
        if self.at(Kind.LINE_END):
            self._next += 1
        elif not self.at_end():
            raise self.error(NotationReason.TRAILING_TEXT, self.token)

    def unexpected(self, expected: str) -> NotationError:
        """The error at the next token: it is not what is needed."""
        ended = self.token.kind in {Kind.LINE_END, Kind.END}
        reason = NotationReason.UNEXPECTED_END if ended else NotationReason.UNEXPECTED_TEXT
        return self.error(reason, self.token, f"{expected} is needed")

    def error(self, reason: NotationReason, token: Token, detail: str = "") -> NotationError:
        """The error at a token."""
        return NotationError(reason, token.line, token.column, detail)


def read_whole(text: str, read: Callable[[Reader], T]) -> T:
    """The value that a whole text is; NotationError when anything follows it."""
    reader = Reader(text)
    value = read(reader)
    if not reader.at_end():
        raise reader.error(NotationReason.TRAILING_TEXT, reader.token)
    return value


def _tokens_of(text: str) -> list[Token]:
    tokens: list[Token] = []
    line = column = 1
    for line, content in enumerate(text.split("\n"), start=1):
        position = 0
        while position < len(content):
            column = position + 1
            match = _TOKEN.match(content, position)
            if match is None:
                raise NotationError(NotationReason.UNEXPECTED_CHARACTER, line, column)
            position = match.end()
            name = match.lastgroup
            assert name is not None, "each way to match has a name"
            if name == "BLANK":
                continue
            if column == 1 and tokens:
                last = tokens[-1]
                tokens.append(Token(Kind.LINE_END, "", last.line, last.column + len(last.text)))
            tokens.append(Token(Kind[name], match.group(), line, column))
    tokens.append(Token(Kind.END, "", line, len(text) - text.rfind("\n")))
    return tokens
