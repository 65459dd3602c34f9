"""What a client keeps of a seat or of a match it hosts, to come back with in another process."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Self, TypeVar

from muggins_client.keys import KEY_BYTES, decode_key, encode_key

__all__ = ["HandleUnreadable", "Host", "Seat"]

_Value = TypeVar("_Value")

_MOST_SEATS: Final = 4


class HandleUnreadable(ValueError):  # noqa: N818 - says what it is
    """A saved handle that cannot be read; the text names the field, never its value."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat held in a match.

    The secret proves who holds it and the nonce is this player's part in the shuffle; neither
    shows in `repr`. The anchor is the one seen at joining, which is what deals are checked against.
    """

    match_id: str
    seat: int
    name: str
    secret: bytes = field(repr=False)
    nonce: bytes = field(repr=False)
    anchor: bytes

    def to_json(self) -> str:
        """All of it as JSON, secrets included: keep it where only the player can read it."""
        return json.dumps(
            {
                "match_id": self.match_id,
                "seat": self.seat,
                "name": self.name,
                "secret": encode_key(self.secret),
                "nonce": encode_key(self.nonce),
                "anchor": encode_key(self.anchor),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The seat that was saved.

        Raises:
            HandleUnreadable: the text is no saved seat.
        """
        saved = Saved(text)
        return cls(
            saved.text("match_id"),
            saved.seat("seat"),
            saved.text("name"),
            saved.key("secret"),
            saved.key("nonce", may_be_empty=True),
            saved.key("anchor"),
        )


@dataclass(frozen=True, slots=True)
class Host:
    """A match that this client made: start, fill or free a seat, cancel, rematch."""

    match_id: str
    secret: bytes = field(repr=False)
    anchor: bytes
    invite_code: str = field(default="", repr=False)
    """What others need to join a private match; empty for other matches."""

    def to_json(self) -> str:
        """All of it as JSON, the secret included."""
        return json.dumps(
            {
                "match_id": self.match_id,
                "secret": encode_key(self.secret),
                "anchor": encode_key(self.anchor),
                "invite_code": self.invite_code,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The host that was saved.

        Raises:
            HandleUnreadable: the text is no saved host.
        """
        saved = Saved(text)
        return cls(
            saved.text("match_id"),
            saved.key("secret"),
            saved.key("anchor"),
            saved.text("invite_code"),
        )


class Saved:
    """The fields of a saved handle, each checked as it is taken."""

    def __init__(self, text: str) -> None:
        """Read the text as a JSON object; HandleUnreadable when it is none."""
        try:
            fields = json.loads(text)
        except ValueError:
            raise HandleUnreadable("not JSON") from None
        if not isinstance(fields, dict):
            raise HandleUnreadable("not a JSON object")
        self._fields: Mapping[str, object] = fields

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def text(self, name: str) -> str:
        """A string."""
        return self._taken(name, lambda value: value if isinstance(value, str) else None)

    def seat(self, name: str) -> int:
        """The number of a seat, 0..3."""
        return self._taken(name, _as_seat)

    def key(self, name: str, *, may_be_empty: bool = False) -> bytes:
        """A key of 32 bytes, or where allowed of none."""
        return self._taken(name, lambda value: _as_key(value, may_be_empty=may_be_empty))

    def keys(self, name: str) -> tuple[bytes, ...]:
        """A list of keys, each of which may be empty."""
        return self._taken(name, _as_keys)

    def _taken(self, name: str, check: Callable[[object], _Value | None]) -> _Value:
        value = check(self._fields.get(name))
        if value is None:
            raise HandleUnreadable(f"{name} is missing or malformed")
        return value


def _as_seat(value: object) -> int | None:
    is_seat = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_SEATS
    return value if isinstance(value, int) and is_seat else None


def _as_key(value: object, *, may_be_empty: bool) -> bytes | None:
    if not isinstance(value, str):
        return None
    try:
        key = decode_key(value)
    except ValueError:
        return None
    allowed = {KEY_BYTES, 0} if may_be_empty else {KEY_BYTES}
    return key if len(key) in allowed else None


def _as_keys(value: object) -> tuple[bytes, ...] | None:
    if not isinstance(value, list) or len(value) > _MOST_SEATS:
        return None
    keys = [_as_key(entry, may_be_empty=True) for entry in value]
    return None if None in keys else tuple(key for key in keys if key is not None)
