"""The tokens by which the next page of a list is asked for."""

import base64
import json
from hashlib import sha256
from typing import Final, NamedTuple

from muggins_service.errors import malformed_field

__all__ = ["Cursor", "cursor_of", "page_token", "read_token", "written_token"]

_LONGEST_TOKEN: Final = 400


class Cursor(NamedTuple):
    """The last match of a page, in the order of every list: the newest first."""

    created_us: int
    match_id: str


def page_token(asked: object, last: Cursor) -> str:
    """The token of the page after a match, for the same filter only; `asked` is told by repr."""
    return written_token(json.dumps([_digest(asked), *last], separators=(",", ":")))


def cursor_of(token: str, asked: object) -> Cursor:
    """Where a page begins; MALFORMED_FIELD for what is no token of a page with this filter."""
    try:
        parts = json.loads(read_token(token))
    except (ValueError, RecursionError):
        parts = None
    match parts:
        case [digest, int(created_us), str(match_id)] if digest == _digest(asked):
            return Cursor(created_us, match_id)
        case _:
            raise malformed_field("page_token", "This is no token of a page with this filter.")


def written_token(text: str) -> str:
    """A token that holds a text."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_token(token: str) -> str:
    """The text of a token; ValueError for what is none, or too long for one."""
    padded = token[:_LONGEST_TOKEN] + "=" * (-len(token) % 4)
    return base64.b64decode(padded, altchars="-_", validate=True).decode()


def _digest(asked: object) -> str:
    return sha256(repr(asked).encode()).hexdigest()[:12]
