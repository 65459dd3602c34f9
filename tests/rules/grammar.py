"""The written grammar of the notation, run as it stands in the document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from muggins_rules.notation.reader import Kind, Reader

if TYPE_CHECKING:
    from muggins_rules.notation.reader import Token

__all__ = ["Grammar"]

_SYMBOL = re.compile(r'\s*("[^"]+"|\w+|[\[\]{}()|=;])')
_CLOSING = {"[": "]", "{": "}", "(": ")"}
_KINDS = {"TILE", "NUMBER", "WORD", "LINE_END"}


class _Node(NamedTuple):
    """A choice of sequences under `[`, `{` or `(`, or a leaf that is a name or a quoted text."""

    symbol: str
    choices: tuple[tuple[_Node, ...], ...] = ()


class Grammar:
    """Rules in EBNF; of alternatives the first that fits is taken, and repetitions are greedy."""

    def __init__(self, text: str) -> None:
        self._symbols: list[str] = _SYMBOL.findall(text)
        self._next = 0
        self.rules: dict[str, _Node] = {}
        while self._next < len(self._symbols):
            name = self._take()
            assert self._take() == "="
            self.rules[name] = _Node("(", self._choices(";"))

    def accepts(self, rule: str, text: str) -> bool:
        """True when a text, which can be cut into tokens, is as a whole what a rule says."""
        reader = Reader(text)
        tokens = []
        while not reader.at_end():
            tokens.append(reader.take(reader.token.kind, "a token"))
        return self._match(_Node(rule), tokens, 0) == len(tokens)

    def _take(self) -> str:
        self._next += 1
        return self._symbols[self._next - 1]

    def _choices(self, closing: str) -> tuple[tuple[_Node, ...], ...]:
        choices: list[list[_Node]] = [[]]
        while (symbol := self._take()) != closing:
            if symbol == "|":
                choices.append([])
            elif symbol in _CLOSING:
                choices[-1].append(_Node(symbol, self._choices(_CLOSING[symbol])))
            else:
                choices[-1].append(_Node(symbol))
        return tuple(map(tuple, choices))

    def _match(self, node: _Node, tokens: list[Token], at: int) -> int | None:
        """Where the tokens that a node fits end; absent where it does not fit."""
        match node.symbol:
            case "(":
                return self._first_choice(node, tokens, at)
            case "[":
                end = self._first_choice(node, tokens, at)
                return at if end is None else end
            case "{":
                while (end := self._first_choice(node, tokens, at)) is not None:
                    at = end
                return at
            case name if name in self.rules:
                return self._match(self.rules[name], tokens, at)
            case _:
                return at + 1 if at < len(tokens) and _is(tokens[at], node.symbol) else None

    def _first_choice(self, node: _Node, tokens: list[Token], at: int) -> int | None:
        for choice in node.choices:
            end = self._sequence(choice, tokens, at)
            if end is not None:
                return end
        return None

    def _sequence(self, parts: tuple[_Node, ...], tokens: list[Token], at: int) -> int | None:
        for part in parts:
            end = self._match(part, tokens, at)
            if end is None:
                return None
            at = end
        return at


def _is(token: Token, symbol: str) -> bool:
    if symbol in _KINDS:
        return token.kind is Kind[symbol]
    assert symbol.startswith('"'), f"{symbol} has no rule"
    return token.kind in {Kind.WORD, Kind.SIGN} and token.text == symbol.strip('"')
