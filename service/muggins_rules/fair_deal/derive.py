"""What the secret of a round decides: the deck, the lot, and the seeds of the opponents.

Each is drawn from HMAC-SHA256 under the round's secret over the match, the round and the nonces,
so that the operator (who knows the secret) could not choose it and the players (who know the
nonces) could not foresee it. `nonces` always has one entry per seat, in seat order; an empty one
says that the seat gave none.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Final

from muggins_rules.fair_deal.encoding import (
    DECK_LABEL,
    LOT_LABEL,
    NONCE_LABEL,
    SEED_LABEL,
    FairDealError,
    FairDealReason,
    check_digest,
    check_nonces,
    check_round,
    frame,
    frame_integer,
    frame_match_id,
)
from muggins_rules.tiles import MAX_PIP, SET_CODES

__all__ = [
    "byte_stream",
    "commit_nonce",
    "integer_below",
    "nonce_matches",
    "opponent_seed",
    "shuffled_deck",
    "shuffled_lot",
]

_BYTE_VALUES: Final = 256
_PLY_END: Final = 2**32
_HIGHEST_PIPS: Final = range(1, MAX_PIP + 1)


def commit_nonce(nonce: bytes) -> bytes:
    """The commitment (32 bytes) a player sends at join, before it reveals its nonce.

    Raises:
        FairDealError: BAD_NONCE_LENGTH.
    """
    check_digest(nonce, FairDealReason.BAD_NONCE_LENGTH)
    return sha256(frame(NONCE_LABEL) + frame(nonce)).digest()


def nonce_matches(commitment: bytes, nonce: bytes) -> bool:
    """Whether `nonce` is the one committed to; a malformed nonce is not."""
    try:
        return commit_nonce(nonce) == commitment
    except FairDealError:
        return False


def shuffled_deck(
    secret: bytes, match_id: str, round_number: int, nonces: Sequence[bytes], highest_pip: int = 6
) -> tuple[int, ...]:
    """The tile codes of a round in the order in which they are dealt and drawn.

    Raises:
        FairDealError: any reason but BAD_SEAT, BAD_PLY and BAD_CHAIN_LENGTH.
    """
    return _shuffled_set(
        highest_pip, byte_stream(secret, DECK_LABEL, match_id, round_number, nonces)
    )


def shuffled_lot(
    secret: bytes, match_id: str, round_number: int, nonces: Sequence[bytes], highest_pip: int = 6
) -> tuple[int, ...]:
    """The tile codes of the set the lot of a round is drawn from, in the order of the draws.

    One set is always enough: see `muggins_rules.lot`.

    Raises:
        FairDealError: any reason but BAD_SEAT, BAD_PLY and BAD_CHAIN_LENGTH.
    """
    return _shuffled_set(
        highest_pip, byte_stream(secret, LOT_LABEL, match_id, round_number, nonces)
    )


def opponent_seed(
    secret: bytes,
    match_id: str,
    round_number: int,
    nonces: Sequence[bytes],
    seat: int,
    ply: int,
) -> bytes:
    """The seed (32 bytes) of one decision of the opponent in `seat`.

    `ply` is the number of actions accepted in the round before the decision, from 0.

    Raises:
        FairDealError: any reason but BAD_HIGHEST_PIP and BAD_CHAIN_LENGTH.
    """
    head = _message_head(secret, SEED_LABEL, match_id, round_number, nonces)
    if not 0 <= seat < len(nonces):
        raise FairDealError(FairDealReason.BAD_SEAT)
    if not 0 <= ply < _PLY_END:
        raise FairDealError(FairDealReason.BAD_PLY)
    return hmac.digest(secret, head + frame_integer(seat) + frame_integer(ply), "sha256")


def byte_stream(
    secret: bytes, label: bytes, match_id: str, round_number: int, nonces: Sequence[bytes]
) -> Iterator[int]:
    """The endless bytes of one use, named by `label`, of a round's secret.

    Raises:
        FairDealError: at the call, when an input cannot be.
    """
    head = _message_head(secret, label, match_id, round_number, nonces)
    return (
        byte
        for counter in count()
        for byte in hmac.digest(secret, head + frame_integer(counter), "sha256")
    )


def integer_below(bound: int, source: Iterator[int]) -> int:
    """An unbiased integer from 0 to `bound` - 1 (`bound` 1 to 256), by rejection.

    Takes one byte, and another one for each byte in the incomplete last run of `bound` values.
    """
    accepted = _BYTE_VALUES - _BYTE_VALUES % bound
    while (byte := next(source)) >= accepted:
        pass
    return byte % bound


def _shuffled_set(highest_pip: int, source: Iterator[int]) -> tuple[int, ...]:
    """The set shuffled by Fisher-Yates from its last place down, from ascending codes."""
    if highest_pip not in _HIGHEST_PIPS:
        raise FairDealError(FairDealReason.BAD_HIGHEST_PIP)
    codes = list(SET_CODES[highest_pip])
    for last in range(len(codes) - 1, 0, -1):
        chosen = integer_below(last + 1, source)
        codes[last], codes[chosen] = codes[chosen], codes[last]
    return tuple(codes)


def _message_head(
    secret: bytes, label: bytes, match_id: str, round_number: int, nonces: Sequence[bytes]
) -> bytes:
    """The fields that every message under a round's secret begins with, checked."""
    check_digest(secret, FairDealReason.BAD_SECRET_LENGTH)
    check_round(round_number)
    check_nonces(nonces)
    return b"".join(
        (
            frame(label),
            frame_match_id(match_id),
            frame_integer(round_number),
            *map(frame, nonces),
        )
    )
