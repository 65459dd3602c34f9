"""Sentences, terms, descriptions, lines and hints by key and language."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Formatter
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

__all__ = [
    "FALLBACK_LANGUAGE",
    "LANGUAGES",
    "PLACEHOLDERS",
    "Catalogue",
    "Form",
    "UnknownKeyError",
    "catalogue",
    "description",
    "hint",
    "line",
    "sentence",
    "term",
]

LANGUAGES: Final = ("en", "pt-BR", "fr", "es")
"""Language tags (BCP 47) of the catalogue, the fallback first."""

FALLBACK_LANGUAGE: Final = LANGUAGES[0]

PLACEHOLDERS: Final = frozenset(
    {"boneyard", "end", "field", "limit", "seat", "seconds", "tile", "value"}
)
"""Every name a sentence may leave open. None of them ever stands for a hidden tile."""

_Text = TypeVar("_Text")


class UnknownKeyError(AssertionError, KeyError):
    """A key that the catalogue does not have was asked for: a programming error."""


class Form(NamedTuple):
    """One wording of a sentence."""

    text: str
    placeholders: frozenset[str]
    """Names the text leaves open; the wording is used only when all of them have a value."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All texts of one language."""

    sentences: Mapping[str, tuple[Form, ...]]
    """By reason: its wordings, the most detailed first, the last without placeholders."""
    terms: Mapping[str, str]
    """By term or rule set id: its name."""
    descriptions: Mapping[str, str]
    """By rule set id: one line on how that game differs from its relatives."""
    lines: Mapping[str, str]
    """By key: what is told of a match as it is played and checked, with names to fill in."""
    hints: Mapping[str, str]
    """By key: the idea of a move; it names no tile, and a number only where it says `value`."""


def sentence(key: str, language: str, **values: object) -> str:
    """The sentence for a reason, in the most detailed wording that the values can fill.

    A value of None counts as missing, and a value that no wording wants is left aside: the
    sentence reads well whatever is known. `seconds` is meant to be a whole number.

    Raises:
        UnknownKeyError: the catalogue has no such reason.
    """
    known = {name: str(value) for name, value in values.items() if value is not None}
    *detailed, plain = _get(catalogue(language).sentences, key)
    form = next((form for form in detailed if form.placeholders <= known.keys()), plain)
    return form.text.format_map(known)


def term(key: str, language: str) -> str:
    """The name of a term or of a rule set.

    Raises:
        UnknownKeyError: the catalogue has no such term.
    """
    return _get(catalogue(language).terms, key)


def description(name: str, language: str) -> str:
    """One line on how a preset rule set differs from its relatives, or how a level plays.

    Raises:
        UnknownKeyError: the catalogue has no such rule set or level.
    """
    return _get(catalogue(language).descriptions, name)


def line(key: str, language: str, **values: object) -> str:
    """What is told of a match under a key, with a value for every name that the text has.

    Raises:
        UnknownKeyError: the catalogue has no such line.
        KeyError: a value is missing: a programming error.
    """
    return _get(catalogue(language).lines, key).format_map(values)


def hint(key: str, language: str, **values: object) -> str:
    """The idea of a move under a key, with a value for every name that the text has.

    Raises:
        UnknownKeyError: the catalogue has no such hint.
        KeyError: a value is missing: a programming error.
    """
    return _get(catalogue(language).hints, key).format_map(values)


def catalogue(language: str) -> Catalogue:
    """The texts of a language, or of the fallback when the language is not in LANGUAGES."""
    return _load(language if language in LANGUAGES else FALLBACK_LANGUAGE)


@cache
def _load(language: str) -> Catalogue:
    source = resources.files("muggins.i18n") / f"{language}.json"
    data = json.loads(source.read_text(encoding="utf-8"))
    return Catalogue(
        sentences=MappingProxyType(
            {key: tuple(map(_form, texts)) for key, texts in data["sentences"].items()}
        ),
        terms=MappingProxyType(data["terms"]),
        descriptions=MappingProxyType(data["descriptions"]),
        lines=MappingProxyType(data["lines"]),
        hints=MappingProxyType(data["hints"]),
    )


def _form(text: str) -> Form:
    names = (name for _, name, _, _ in Formatter().parse(text) if name is not None)
    return Form(text, frozenset(names))


def _get(texts: Mapping[str, _Text], key: str) -> _Text:
    try:
        return texts[key]
    except KeyError:
        raise UnknownKeyError(f"no text for {key!r}") from None
