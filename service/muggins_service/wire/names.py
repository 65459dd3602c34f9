"""The names that seats may show: every script and emoji, and nothing that is not what it seems."""

import unicodedata
from itertools import pairwise
from typing import Final

__all__ = ["LONGEST_NAME", "allowed_name"]

LONGEST_NAME: Final = 40
"""Unicode code points of the longest name of a seat."""

_MOST_MARKS: Final = 5
"""Marks on one character: more than writing needs hides the lines above and below."""

_NEVER: Final = frozenset({"Cc", "Cs", "Cn", "Co", "Zl", "Zp"})
_UNSEEN: Final = frozenset({"Cf", "Mn", "Me", "Zs"})
_MARKS: Final = frozenset({"Mn", "Me"})
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Fillers that are letters, marks or symbols by their kind and cannot be seen."""

_NON_JOINER: Final = "\u200c"
_JOINER: Final = "\u200d"
_TEXT_STYLE: Final = "\ufe0e"
_EMOJI_STYLE: Final = "\ufe0f"
_KEYCAP: Final = "\u20e3"
_BLACK_FLAG: Final = "\U0001f3f4"
_VIRAMA: Final = 9
_END: Final = "\0"


def allowed_name(text: str) -> str | None:
    """The name that a seat may show, composed (NFC) and without spaces around; none: it may not.

    It has 1 to 40 code points. None of them breaks a line, has no meaning, turns the direction of
    the text around it, or cannot be seen, but for those that emoji and some scripts are written
    with, where they are written so.
    """
    name = unicodedata.normalize("NFC", text.strip(" \u00a0\u3000"))
    if not 1 <= len(name) <= LONGEST_NAME:
        return None
    kinds = [unicodedata.category(character) for character in name]
    if not _NEVER.isdisjoint(kinds) or _UNSEEN.issuperset(kinds) or not _BLANK.isdisjoint(name):
        return None
    if _is_piled_up(kinds):
        return None
    before, after = _END + name, name[1:] + _END
    for previous, character, following in zip(before, name, after, strict=False):
        if not _may_stand(previous, character, following):
            return None
    return name if _tags_are_a_flag(name) else None


def _is_piled_up(kinds: list[str]) -> bool:
    run = 0
    for kind in kinds:
        run = run + 1 if kind in _MARKS else 0
        if run > _MOST_MARKS:
            return True
    return False


def _may_stand(previous: str, character: str, following: str) -> bool:
    """True for what can be seen, and for what cannot where emoji or a script need it."""
    if character == _NON_JOINER:
        return _joins(previous) and following != _END
    if character == _JOINER:
        return following != _END and (
            _joins(previous) or _is_virama(following) or _is_emoji(previous, following)
        )
    if character in {_TEXT_STYLE, _EMOJI_STYLE}:
        kind = unicodedata.category(previous)
        return following == _KEYCAP or kind in {"So", "Sm"} or previous in "\u203c\u2049\u3030"
    if _is_ideographic_style(character):
        return unicodedata.category(previous) == "Lo"
    if _is_mongolian_style(character):
        return "\u1820" <= previous <= "\u18aa"
    return unicodedata.category(character) != "Cf" or _is_tag(character)


def _joins(character: str) -> bool:
    """True for letters whose form depends on what follows, and for the sign that joins others."""
    return unicodedata.bidirectional(character) == "AL" or _is_virama(character)


def _is_virama(character: str) -> bool:
    return unicodedata.combining(character) == _VIRAMA


def _is_emoji(previous: str, following: str) -> bool:
    """True between two pictures, the first perhaps with its style or the colour of its skin."""
    pictures = {"So", "Sk"}
    return unicodedata.category(following) in {*pictures, "Sm"} and (
        previous == _EMOJI_STYLE or unicodedata.category(previous) in pictures
    )


def _is_ideographic_style(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0d" or "\U000e0100" <= character <= "\U000e01ef"


def _is_mongolian_style(character: str) -> bool:
    return character in "\u180b\u180c\u180d\u180f"


def _is_tag(character: str) -> bool:
    return "\U000e0020" <= character <= "\U000e007f"


def _tags_are_a_flag(name: str) -> bool:
    """True when every tag belongs to the flag of a region: a black flag, tags, and their end."""
    for previous, character in pairwise(_END + name + _END):
        if _is_tag(character) and not (_is_tag(previous) or previous == _BLACK_FLAG):
            return False
        if _is_tag(previous) and not _is_tag(character) and previous != "\U000e007f":
            return False
    return True
