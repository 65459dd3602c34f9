"""The check of commitments and nonces, up to the list from which every shuffle is made."""

from collections.abc import Iterator

from muggins.v1 import events_pb2
from muggins_client.findings import Finding, FindingName
from muggins_client.kept import Kept
from muggins_rules.fair_deal import nonce_matches
from muggins_rules.fair_deal.encoding import SECRET_BYTES

__all__ = ["NonceCheck"]


class NonceCheck:
    """Commitments by seat as they are given, and the nonces that open them."""

    def __init__(self, kept: Kept | None) -> None:
        self._kept = kept
        self.listed: tuple[bytes, ...] | None = kept.nonces if kept and kept.nonces else None
        """The nonces by seat with which the match started; none while they are not known."""
        self._commitments: list[bytes | None] = []

    def begin(self, seats: int) -> None:
        """Take the number of seats. Commitments are not known unless their events were seen."""
        self._commitments = [None] * seats
        kept = self._kept
        if kept is not None and len(kept.commitments) == seats:
            self._commitments = list(kept.commitments)
        if self.listed is not None and len(self.listed) != seats:
            self.listed = None

    @property
    def commitments(self) -> tuple[bytes, ...]:
        """By seat, empty where there is none or it is not known."""
        return tuple(commitment or b"" for commitment in self._commitments)

    def take(self, message: events_pb2.Event) -> Iterator[Finding]:
        """What is wrong with an event as far as it is about nonces."""
        sequence = message.sequence
        match message.WhichOneof("fact"):
            case "seat_taken":
                yield from self._taken(message.seat_taken, sequence)
            case "seat_left" if self.listed is None:
                if self._is_seat(message.seat_left.seat):
                    self._commitments[message.seat_left.seat] = None
            case "nonce_revealed":
                fact = message.nonce_revealed
                if self._is_seat(fact.seat):
                    yield from self._opened(fact.seat, fact.nonce, sequence)
            case "match_started":
                yield from self._started(tuple(message.match_started.nonces), sequence)
            case _:
                pass

    def _taken(self, fact: events_pb2.SeatTaken, sequence: int) -> Iterator[Finding]:
        if self._is_seat(fact.seat):
            self._commitments[fact.seat] = fact.nonce_commitment
        elif self._commitments:
            yield Finding(FindingName.EVENT_MALFORMED, sequence, "seat")

    def _opened(self, seat: int, nonce: bytes, sequence: int) -> Iterator[Finding]:
        commitment = self._commitments[seat]
        if commitment == b"":
            yield Finding(FindingName.NONCE_UNCOMMITTED, sequence, f"seat {seat}")
        elif commitment is not None and not nonce_matches(commitment, nonce):
            yield Finding(FindingName.NONCE_MISMATCH, sequence, f"seat {seat}")

    def _started(self, nonces: tuple[bytes, ...], sequence: int) -> Iterator[Finding]:
        if not self._commitments:
            return
        fits = len(nonces) == len(self._commitments)
        if not fits or any(len(nonce) not in {0, SECRET_BYTES} for nonce in nonces):
            yield Finding(FindingName.EVENT_MALFORMED, sequence, "nonces")
            return
        self.listed = nonces
        for seat, nonce in enumerate(nonces):
            if nonce:
                yield from self._opened(seat, nonce, sequence)
        kept = self._kept
        if kept is None:
            return
        own = kept.seat
        if own is not None and kept.nonce and nonces[own : own + 1] != (kept.nonce,):
            yield Finding(FindingName.NONCE_MISSING, sequence, f"seat {own}")
        for seat, commitment in enumerate(kept.commitments):
            if seat < len(nonces) and commitment != (self._commitments[seat] or b""):
                yield Finding(FindingName.COMMITMENT_MISMATCH, sequence, f"seat {seat}")

    def _is_seat(self, seat: int) -> bool:
        return seat < len(self._commitments)
