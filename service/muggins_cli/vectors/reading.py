"""Files of cases: from text to `Case`, each with what is wrong with it as a whole."""

import json
from pathlib import Path
from typing import Final

from muggins_cli.vectors.case import Case
from muggins_cli.vectors.faults import UnreadableFileError

__all__ = ["ABOUT", "read_cases"]

ABOUT: Final = "about"
"""The one key of a file that is no group: it explains the fields."""


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, in order.

    Raises:
        UnreadableFileError: it is missing, no JSON, or not groups of cases.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFileError(str(error)) from None
    try:
        groups = json.loads(text, object_pairs_hook=_without_duplicates)
    except (json.JSONDecodeError, RecursionError) as error:
        raise UnreadableFileError(f"not JSON: {error}") from None
    if not isinstance(groups, dict):
        raise UnreadableFileError("not an object of groups")
    cases = []
    for group, listed in groups.items():
        if group != ABOUT:
            cases += _cases_of(group, listed)
    if not cases:
        raise UnreadableFileError("no cases")
    return cases


def _cases_of(group: str, listed: object) -> list[Case]:
    if not isinstance(listed, list):
        raise UnreadableFileError(f"group {group} is not a list")
    for fields in listed:
        if not isinstance(fields, dict):
            raise UnreadableFileError(f"group {group} holds something that is no object")
    return [Case(group, fields) for fields in listed]


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UnreadableFileError(f"the key {twice} stands twice in one object")
    return fields
