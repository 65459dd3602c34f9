"""The public keys of an identity provider: a JSON Web Key Set from a file or a URL."""

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import jwt

from muggins_service.doors.exposure import is_loopback

__all__ = ["ALGORITHMS", "BadKeySet", "is_url", "parse_key_set", "read_key_set"]

ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
)
"""How a token may be signed: by a private key, whose public key this server has."""

_TYPES: Final = frozenset({"RSA", "EC", "OKP"})
_MOST_BYTES: Final = 1024 * 1024
_FETCH_S: Final = 5.0


class BadKeySet(ValueError):  # noqa: N818 - says what it is, as IllegalAction does
    """There is no key set that can be used; the text says why."""


def is_url(source: str) -> bool:
    """True for what is fetched; anything else is a path."""
    return "://" in source


def read_key_set(source: str) -> Mapping[str, jwt.PyJWK]:
    """The keys of a file or URL by their `kid`, empty where one has none. Blocks.

    Raises:
        BadKeySet: it cannot be read, or holds no key that can be used.
    """
    return parse_key_set(_fetched(source) if is_url(source) else _read(source))


def parse_key_set(data: bytes) -> Mapping[str, jwt.PyJWK]:
    """The keys of a key set that sign by one of ALGORITHMS; others are left aside.

    Raises:
        BadKeySet: it is none, or holds no such key.
    """
    try:
        members = json.loads(data)["keys"]
    except json.JSONDecodeError as error:
        raise BadKeySet(f"line {error.lineno}: {error.msg}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadKeySet("it is no JSON Web Key Set") from None
    found: dict[str, jwt.PyJWK] = {}
    for member in members if isinstance(members, list) else ():
        if not isinstance(member, dict) or member.get("kty") not in _TYPES:
            continue
        if member.get("use", "sig") != "sig":
            continue
        try:
            key = jwt.PyJWK.from_dict(member)
        except (jwt.PyJWTError, ValueError, TypeError, KeyError):
            continue
        if key.algorithm_name in ALGORITHMS:
            found[str(key.key_id or "")] = key
    if not found:
        raise BadKeySet("it holds no public key by which tokens can be checked")
    return found


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise BadKeySet(f"it cannot be read: {error.strerror}") from None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key set is where the operator said, and nowhere else."""

    def redirect_request(self, *_: object, **__: object) -> None:
        """Follow nothing."""


def _fetched(url: str) -> bytes:
    parts = urlsplit(url)
    safe = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))
    if not safe:
        raise BadKeySet("it is fetched by https, or by http from this machine")
    opener = urllib.request.build_opener(_NoRedirects)
    try:
        with opener.open(url, timeout=_FETCH_S) as answer:
            data: bytes = answer.read(_MOST_BYTES + 1)
    except (OSError, HTTPException, ValueError) as error:
        code = error.code if isinstance(error, urllib.error.HTTPError) else type(error).__name__
        raise BadKeySet(f"it cannot be fetched: {code}") from None
    if len(data) > _MOST_BYTES:
        raise BadKeySet("it is larger than 1 MiB")
    return data
