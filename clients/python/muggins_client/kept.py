"""What a player keeps of a match from the time of joining, to check its deals against."""

import json
from dataclasses import dataclass, field, replace
from typing import Self

from muggins_client.handles import Saved, Seat
from muggins_client.keys import encode_key

__all__ = ["Kept"]


@dataclass(frozen=True, slots=True)
class Kept:
    """The anchor seen at joining, the own nonce, and the commitments of all seats.

    None of it is taken from the export that is checked. Without a seat the anchor alone counts.
    """

    match_id: str
    anchor: bytes
    seat: int | None = None
    nonce: bytes = field(default=b"", repr=False)
    commitments: tuple[bytes, ...] = ()
    """By seat, an empty entry for a seat without one; empty as a whole where they are not known."""
    nonces: tuple[bytes, ...] = field(default=(), repr=False)
    """By seat as the match started with them; empty as a whole before it has."""

    @classmethod
    def of_seat(cls, seat: Seat) -> Self:
        """What the handle of a seat knows."""
        return cls(seat.match_id, seat.anchor, seat.seat, seat.nonce)

    def with_seats(self, commitments: tuple[bytes, ...], nonces: tuple[bytes, ...]) -> Self:
        """The same with what the events have told of the seats."""
        return replace(self, commitments=commitments, nonces=nonces)

    def to_json(self) -> str:
        """All of it as JSON; the nonce is a secret until it is revealed."""
        return json.dumps(
            {
                "match_id": self.match_id,
                "anchor": encode_key(self.anchor),
                **({} if self.seat is None else {"seat": self.seat}),
                "nonce": encode_key(self.nonce),
                "commitments": [encode_key(commitment) for commitment in self.commitments],
                "nonces": [encode_key(nonce) for nonce in self.nonces],
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """What was saved, by `to_json` here or as a seat or host.

        Raises:
            HandleUnreadable: the text is none of these.
        """
        saved = Saved(text)
        return cls(
            saved.text("match_id"),
            saved.key("anchor"),
            saved.seat("seat") if "seat" in saved else None,
            saved.key("nonce", may_be_empty=True) if "nonce" in saved else b"",
            saved.keys("commitments") if "commitments" in saved else (),
            saved.keys("nonces") if "nonces" in saved else (),
        )
