"""The chance of studied matches: decks and lots from the fair deal, under secrets of a seed."""

from hashlib import sha256
from typing import Final

from muggins_rules.fair_deal import shuffled_deck, shuffled_lot
from muggins_rules.lot import lot_draws

__all__ = ["PairChance"]

_LABEL: Final = "muggins arena 1"


class PairChance:
    """Decks and winners of lots by round, the same in every match of a set of mirrored ones."""

    def __init__(self, seed: str, pair: int, seats: int, highest_pip: int) -> None:
        self._secret = sha256(f"{_LABEL}\n{seed}\n{pair}".encode()).digest()
        self._match_id = f"arena-{pair}"
        self._nonces = (b"",) * seats
        self._seats = seats
        self._highest_pip = highest_pip
        self._decks: dict[int, tuple[int, ...]] = {}
        self._lots: dict[int, int] = {}

    def deck(self, round_number: int) -> tuple[int, ...]:
        """The shuffled tile codes of a round, from 1."""
        if round_number not in self._decks:
            self._decks[round_number] = shuffled_deck(
                self._secret, self._match_id, round_number, self._nonces, self._highest_pip
            )
        return self._decks[round_number]

    def lot_winner(self, round_number: int) -> int:
        """The seat that opens a round, from 1, when it is opened by lot."""
        if round_number not in self._lots:
            order = shuffled_lot(
                self._secret, self._match_id, round_number, self._nonces, self._highest_pip
            )
            self._lots[round_number] = lot_draws(order, self._seats).winner
        return self._lots[round_number]

    def random_state(self) -> int:
        """Where the random numbers of a match's policies start: 32 bits, not 0."""
        return int.from_bytes(sha256(self._secret).digest()[:4], "big") or 1
