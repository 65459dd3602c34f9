"""Choice of a language from an Accept-Language header."""

import re
from typing import Final, NamedTuple

from muggins.i18n.catalogue import FALLBACK_LANGUAGE, LANGUAGES

__all__ = ["best_language"]

_RANGE: Final = re.compile(
    r"(?P<range>\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)"
    r"(?:[ \t]*;[ \t]*[qQ]=(?P<quality>0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?"
)

_BY_TAG: Final = {
    **{tag.lower().partition("-")[0]: tag for tag in LANGUAGES},
    **{tag.lower(): tag for tag in LANGUAGES},
}
"""Each language by its own tag and by its primary subtag, so that `pt` finds `pt-BR`."""

_MOST_SUBTAGS: Final = max(tag.count("-") + 1 for tag in LANGUAGES)


class _Wish(NamedTuple):
    language_range: str
    quality: float


def best_language(accept_language_header: str | None) -> str:
    """The language of the catalogue that a caller likes best, or the fallback.

    Wishes are taken in falling order of quality and, among equals, as they stand; each is looked
    up as RFC 4647 section 3.4 says, dropping subtags from the right. A wish of quality 0 excludes
    what it covers, and `*` stands for the first language not excluded. An element that is not
    well formed is passed over; no header is an error.
    """
    wishes = _parse(accept_language_header or "")
    refused = [wish.language_range for wish in wishes if not wish.quality]
    offered = [tag for tag in LANGUAGES if not any(_covers(range_, tag) for range_ in refused)]
    wanted = sorted((w for w in wishes if w.quality), key=lambda wish: -wish.quality)
    for wish in wanted:
        if wish.language_range == "*":
            if offered:
                return offered[0]
            continue
        found = _look_up(wish.language_range)
        if found in offered:
            return found
    return FALLBACK_LANGUAGE


def _parse(header: str) -> list[_Wish]:
    elements = (_RANGE.fullmatch(element.strip(" \t")) for element in header.split(","))
    return [
        _Wish(element["range"].lower(), float(element["quality"] or 1))
        for element in elements
        if element
    ]


def _covers(language_range: str, tag: str) -> bool:
    """Basic filtering, RFC 4647 section 3.3.1; `*` here excludes nothing that has a name."""
    return f"{tag.lower()}-".startswith(f"{language_range}-")


def _look_up(language_range: str) -> str | None:
    subtags = language_range.split("-", _MOST_SUBTAGS)[:_MOST_SUBTAGS]
    shorter = ("-".join(subtags[:size]) for size in range(len(subtags), 0, -1))
    return next((_BY_TAG[tag] for tag in shorter if tag in _BY_TAG), None)
