"""The chain of round secrets: fixed at creation by one anchor, revealed upwards round by round.

s_N is random, s_(i-1) is the hash of s_i, and the anchor is the hash of the match id and s_0.
Round r uses s_r. Revealing it proves that it was fixed with the anchor and tells nothing about
s_(r+1), which would take a preimage of SHA-256.
"""

from dataclasses import dataclass, field
from hashlib import sha256
from math import isqrt
from typing import Self

from muggins_rules.fair_deal.encoding import (
    ANCHOR_LABEL,
    CHAIN_LABEL,
    CHAIN_LENGTH,
    SECRET_BYTES,
    FairDealError,
    FairDealReason,
    check_chain_length,
    check_digest,
    check_round,
    frame,
    frame_match_id,
)

__all__ = ["Chain", "anchor_of", "chain_secret", "follows", "verify_secret"]

# Every link has the same head: the framed label and the length of the secret that follows.
_LINK_HEAD = frame(CHAIN_LABEL) + frame(bytes(SECRET_BYTES))[:-SECRET_BYTES]


@dataclass(frozen=True, slots=True)
class Chain:
    """The secrets of one match, kept as one in every sqrt(length).

    The default length takes about 2 KiB, 4,096 hashes to build and at most 63 per secret, where
    the whole chain would take 128 KiB and the seed alone thousands of hashes per round. The
    secrets are left out of `repr`, so that a logged chain gives nothing away.
    """

    length: int
    _spacing: int = field(repr=False)
    _kept: bytes = field(repr=False)  # s_0, s_spacing, s_(2 * spacing), ..., s_length

    @classmethod
    def from_seed(cls, seed: bytes, length: int = CHAIN_LENGTH) -> Self:
        """The chain whose last secret, s_length, is `seed` (32 random bytes).

        Raises:
            FairDealError: BAD_SECRET_LENGTH, BAD_CHAIN_LENGTH.
        """
        check_digest(seed, FairDealReason.BAD_SECRET_LENGTH)
        check_chain_length(length)
        spacing = isqrt(length - 1) + 1
        kept = [seed]
        secret, position = seed, length
        while position:
            below = (position - 1) // spacing * spacing
            secret = _descend(secret, position - below)
            kept.append(secret)
            position = below
        return cls(length, spacing, b"".join(reversed(kept)))

    def secret(self, round_number: int) -> bytes:
        """The secret of a round, from 1 to `length`.

        Raises:
            FairDealError: BAD_ROUND.
        """
        check_round(round_number, self.length)
        index = -(-round_number // self._spacing)
        position = min(index * self._spacing, self.length)
        kept = self._kept[index * SECRET_BYTES : (index + 1) * SECRET_BYTES]
        return _descend(kept, position - round_number)

    def anchor(self, match_id: str) -> bytes:
        """The anchor to publish for this chain in the match `match_id`."""
        return anchor_of(match_id, self._kept[:SECRET_BYTES])


def chain_secret(seed: bytes, round_number: int, length: int = CHAIN_LENGTH) -> bytes:
    """One secret straight from the seed, at `length - round_number` hashes.

    Raises:
        FairDealError: BAD_SECRET_LENGTH, BAD_CHAIN_LENGTH, BAD_ROUND.
    """
    check_digest(seed, FairDealReason.BAD_SECRET_LENGTH)
    check_chain_length(length)
    check_round(round_number, length)
    return _descend(seed, length - round_number)


def anchor_of(match_id: str, s_0: bytes) -> bytes:
    """The anchor of a match: the hash of its id and of the bottom of its chain.

    Raises:
        FairDealError: BAD_MATCH_ID, BAD_SECRET_LENGTH.
    """
    check_digest(s_0, FairDealReason.BAD_SECRET_LENGTH)
    return sha256(frame(ANCHOR_LABEL) + frame_match_id(match_id) + frame(s_0)).digest()


def verify_secret(anchor: bytes, match_id: str, round_number: int, secret: bytes) -> bool:
    """Whether `secret` is the one that `anchor` fixed for the round; malformed input is not.

    Costs `round_number` hashes, at most 4,096 whatever the other side sends.
    """
    try:
        check_round(round_number)
        check_digest(secret, FairDealReason.BAD_SECRET_LENGTH)
        return anchor_of(match_id, _descend(secret, round_number)) == anchor
    except FairDealError:
        return False


def follows(earlier: bytes, secret: bytes, rounds: int = 1) -> bool:
    """Whether `secret` is that of the round `rounds` (1 to 4,096) after that of `earlier`.

    When `earlier` has been verified this says the same as `verify_secret`, at `rounds` hashes.
    """
    if len(secret) != SECRET_BYTES or not 1 <= rounds <= CHAIN_LENGTH:
        return False
    return _descend(secret, rounds) == earlier


def _descend(secret: bytes, steps: int) -> bytes:
    """The secret `steps` places lower in its chain."""
    for _ in range(steps):
        secret = sha256(_LINK_HEAD + secret).digest()
    return secret
