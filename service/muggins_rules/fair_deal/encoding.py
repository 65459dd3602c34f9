"""Bytes of the fair deal: labels, framed fields, and the checks every input passes first.

Whatever is hashed or authenticated is a label and a list of fields, each written as its length
(four bytes, big-endian) and its bytes. Two different lists never give the same bytes, and two
uses never share a label.
"""

import struct
from collections.abc import Sequence
from enum import StrEnum, unique
from typing import Final

__all__ = [
    "ANCHOR_LABEL",
    "CHAIN_LABEL",
    "CHAIN_LENGTH",
    "DECK_LABEL",
    "LOT_LABEL",
    "MAX_MATCH_ID_BYTES",
    "NONCE_LABEL",
    "SECRET_BYTES",
    "SEED_LABEL",
    "FairDealError",
    "FairDealReason",
    "check_chain_length",
    "check_digest",
    "check_nonces",
    "check_round",
    "frame",
    "frame_integer",
    "frame_match_id",
]

SECRET_BYTES: Final = 32  # of a secret, a nonce, an anchor, a commitment and an opponent's seed
CHAIN_LENGTH: Final = 4096  # rounds a match can have
MAX_MATCH_ID_BYTES: Final = 255  # of the id in UTF-8

# Fifteen bytes keep a step of the chain within one block of SHA-256.
CHAIN_LABEL: Final = b"muggins/1/chain"
ANCHOR_LABEL: Final = b"muggins/1/anchor"
NONCE_LABEL: Final = b"muggins/1/nonce"
DECK_LABEL: Final = b"muggins/1/deck"
LOT_LABEL: Final = b"muggins/1/lot"
SEED_LABEL: Final = b"muggins/1/seed"

_SEATS: Final = range(2, 5)
_U32: Final = struct.Struct(">I")
_U32_FIELD: Final = struct.Struct(">II")


@unique
class FairDealReason(StrEnum):
    """Why an input of the fair deal is refused."""

    BAD_SECRET_LENGTH = "bad_secret_length"
    BAD_NONCE_LENGTH = "bad_nonce_length"
    BAD_CHAIN_LENGTH = "bad_chain_length"
    BAD_MATCH_ID = "bad_match_id"
    BAD_ROUND = "bad_round"
    BAD_SEAT_COUNT = "bad_seat_count"
    BAD_SEAT = "bad_seat"
    BAD_PLY = "bad_ply"
    BAD_HIGHEST_PIP = "bad_highest_pip"


class FairDealError(ValueError):
    """An input of the fair deal that cannot be; `reason` names which.

    The text never holds the value: it may be a secret.
    """

    def __init__(self, reason: FairDealReason) -> None:
        """Keep the reason."""
        super().__init__(reason.value)
        self.reason = reason


def frame(field: bytes) -> bytes:
    """One field: its length in four bytes, big-endian, and its bytes."""
    return _U32.pack(len(field)) + field


def frame_integer(value: int) -> bytes:
    """One field of four bytes that holds `value` (0 to 2**32 - 1), big-endian."""
    return _U32_FIELD.pack(_U32.size, value)


def frame_match_id(match_id: str) -> bytes:
    """One field with the match id in UTF-8.

    Raises:
        FairDealError: BAD_MATCH_ID unless it has 1 to 255 bytes of valid UTF-8.
    """
    try:
        encoded = match_id.encode()
    except UnicodeEncodeError:
        raise FairDealError(FairDealReason.BAD_MATCH_ID) from None
    if not 1 <= len(encoded) <= MAX_MATCH_ID_BYTES:
        raise FairDealError(FairDealReason.BAD_MATCH_ID)
    return frame(encoded)


def check_digest(value: bytes, reason: FairDealReason) -> None:
    """A secret or nonce has 32 bytes; else FairDealError with `reason`."""
    if len(value) != SECRET_BYTES:
        raise FairDealError(reason)


def check_nonces(nonces: Sequence[bytes]) -> None:
    """Two to four nonces, each of 32 bytes or empty; else FairDealError."""
    if len(nonces) not in _SEATS:
        raise FairDealError(FairDealReason.BAD_SEAT_COUNT)
    for nonce in nonces:
        if nonce:
            check_digest(nonce, FairDealReason.BAD_NONCE_LENGTH)


def check_chain_length(length: int) -> None:
    """A chain has 1 to 4,096 secrets; else FairDealError."""
    if not 1 <= length <= CHAIN_LENGTH:
        raise FairDealError(FairDealReason.BAD_CHAIN_LENGTH)


def check_round(round_number: int, length: int = CHAIN_LENGTH) -> None:
    """A round is 1 to the length of its chain; else FairDealError."""
    if not 1 <= round_number <= length:
        raise FairDealError(FairDealReason.BAD_ROUND)
