"""Identifiers that nobody can guess, and those of matches whose chance was asked for."""

import secrets
from base64 import b32encode
from collections.abc import Container
from hashlib import sha256
from typing import Final

__all__ = ["new_invite_code", "new_match_id", "test_match_id"]

_ID_BYTES: Final = 16
_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without letters and digits that are read for one another; 5 bits each."""
_CODE_LENGTH: Final = 10


def new_match_id() -> str:
    """A fresh id of 128 random bits."""
    return _written(secrets.token_bytes(_ID_BYTES))


def test_match_id(seed: bytes, taken: Container[str]) -> str:
    """The first id of a test seed that is not taken: the id is part of what chance comes from."""
    number = 0
    while True:
        digest = sha256(b"muggins/1/test-match" + seed + number.to_bytes(4, "big")).digest()
        match_id = _written(digest[:_ID_BYTES])
        if match_id not in taken:
            return match_id
        number += 1


def new_invite_code() -> str:
    """A fresh code of 50 random bits that a person can read out."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def _written(raw: bytes) -> str:
    return b32encode(raw).decode().rstrip("=").lower()
