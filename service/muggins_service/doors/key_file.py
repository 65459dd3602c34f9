"""API keys and the file of their hashes: one key a line, as `muggins key` prints it.

A line is `id principal scopes hash [expiry]`: the scopes with commas between them, the SHA-256 of
the whole key in hex, and a date or time of ISO 8601 from which on the key is refused. What follows
a `#` is left aside. A key is `mgk_`, its id, `_` and 32 random bytes in base64url; it cannot be
guessed, so that a quick hash is as good as a slow one.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from typing import Final, NamedTuple

from muggins_service.doors.scopes import Identity, Scope, is_principal

__all__ = [
    "BadKeyFile",
    "Key",
    "KeyRing",
    "key_line",
    "parse_expiry",
    "parse_keys",
    "parse_scopes",
    "written_key",
]

_PREFIX: Final = "mgk_"
_ID: Final = re.compile(r"[0-9a-z]{1,32}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_NEVER: Final = float("inf")
_LEAST_FIELDS: Final = 4
_MOST_FIELDS: Final = 5


class BadKeyFile(ValueError):  # noqa: N818 - says what it is, as IllegalAction does
    """A line of a key file that cannot be; the text names the line, and never quotes a hash."""


class Key(NamedTuple):
    """A key as the file has it. `expires_s` is in seconds since the epoch."""

    key_id: str
    principal: str
    scopes: frozenset[Scope]
    digest: bytes
    expires_s: float = _NEVER


class KeyRing:
    """The keys that are believed; they never change."""

    def __init__(self, keys: tuple[Key, ...], now_s: Callable[[], float]) -> None:
        """Keep keys whose ids differ. `now_s` is the time in seconds since the epoch."""
        self._keys = {key.key_id: key for key in keys}
        self._now_s = now_s

    def __len__(self) -> int:
        """The number of keys."""
        return len(self._keys)

    def identity(self, text: str) -> Identity | None:
        """Who holds a key; none where it is unknown or has expired."""
        digest = sha256(text.encode()).digest()
        key_id = text[len(_PREFIX) :].partition("_")[0] if text.startswith(_PREFIX) else ""
        key = self._keys.get(key_id)
        # The id is no secret; of the secret only hashes are compared, and in constant time.
        if not compare_digest(digest, key.digest if key is not None else bytes(len(digest))):
            return None
        if key is None or self._now_s() >= key.expires_s:
            return None
        return Identity(key.principal, key.scopes, key.expires_s)


def written_key(key_id: str, secret: str) -> str:
    """A key as its holder has it; `secret` is base64url."""
    return f"{_PREFIX}{key_id}_{secret}"


def key_line(key_id: str, principal: str, scopes: frozenset[Scope], text: str, expiry: str) -> str:
    """The line of a key file for a key; `expiry` is empty where there is none."""
    names = ",".join(scope.value for scope in Scope if scope in scopes)
    line = f"{key_id} {principal} {names} {sha256(text.encode()).hexdigest()}"
    return f"{line} {expiry}" if expiry else line


def parse_keys(text: str) -> tuple[Key, ...]:
    """The keys of a file.

    Raises:
        BadKeyFile: a line that is none, or an id that comes twice.
    """
    keys: dict[str, Key] = {}
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.partition("#")[0].split()
        if not fields:
            continue
        try:
            key = _key(fields)
        except BadKeyFile as error:
            raise BadKeyFile(f"line {number}: {error}") from None
        if key.key_id in keys:
            raise BadKeyFile(f"line {number}: the id {key.key_id} comes twice")
        keys[key.key_id] = key
    return tuple(keys.values())


def _key(fields: list[str]) -> Key:
    if not _LEAST_FIELDS <= len(fields) <= _MOST_FIELDS:
        raise BadKeyFile("a line is: id principal scopes hash [expiry]")
    key_id, principal, names, digest = fields[:_LEAST_FIELDS]
    if not _ID.fullmatch(key_id):
        raise BadKeyFile("an id has up to 32 digits and small letters")
    if not is_principal(principal):
        raise BadKeyFile("a principal has up to 128 printable ASCII characters")
    if not _HASH.fullmatch(digest):
        raise BadKeyFile("a hash is 64 hex digits, as `muggins key` prints it")
    expires_s = parse_expiry(fields[_LEAST_FIELDS]) if len(fields) == _MOST_FIELDS else _NEVER
    return Key(key_id, principal, parse_scopes(names), bytes.fromhex(digest), expires_s)


def parse_scopes(text: str) -> frozenset[Scope]:
    """The scopes of a list with commas; BadKeyFile for one that there is not."""
    try:
        return frozenset(Scope(name) for name in text.split(","))
    except ValueError:
        known = ", ".join(Scope)
        raise BadKeyFile(f"scopes are {known}, with commas between them") from None


def parse_expiry(text: str) -> float:
    """The time of an ISO date or time in seconds since the epoch, in UTC unless it says."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise BadKeyFile("an expiry is a date or a time of ISO 8601, as in 2027-01-31") from None
