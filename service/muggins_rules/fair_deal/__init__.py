"""The fair deal: secrets published as one anchor, and everything chance decides derived from them.

A match owns a chain of round secrets. Its anchor is public before anyone sits down; the secret of
a round is revealed when the round ends and hashes down to the anchor. Deck, lot and the seeds of
the opponents are pure functions of the round's secret, the match, the round and the players'
nonces, so that anyone can compute them again. This is the only shuffle in the project. The bytes
are specified in `docs/fair-deal.md`; nothing here draws random numbers.
"""

from muggins_rules.fair_deal.chain import (
    Chain,
    anchor_of,
    chain_secret,
    follows,
    verify_secret,
)
from muggins_rules.fair_deal.derive import (
    commit_nonce,
    nonce_matches,
    opponent_seed,
    shuffled_deck,
    shuffled_lot,
)
from muggins_rules.fair_deal.encoding import (
    CHAIN_LENGTH,
    SECRET_BYTES,
    FairDealError,
    FairDealReason,
)

__all__ = [
    "CHAIN_LENGTH",
    "SECRET_BYTES",
    "Chain",
    "FairDealError",
    "FairDealReason",
    "anchor_of",
    "chain_secret",
    "commit_nonce",
    "follows",
    "nonce_matches",
    "opponent_seed",
    "shuffled_deck",
    "shuffled_lot",
    "verify_secret",
]
