"""Handles that a process saves and another one comes back with."""

from __future__ import annotations

import json
import uuid

import pytest

from muggins_client import HandleUnreadable, Host, Kept, Seat, new_key, new_request_id
from muggins_client.keys import decode_key, encode_key

SEAT = Seat("m-1", 2, "Zoë", bytes(range(32)), b"n" * 32, b"\xff" * 32)


def test_a_seat_comes_back_as_it_was() -> None:
    assert Seat.from_json(SEAT.to_json()) == SEAT


def test_a_seat_without_nonce_comes_back() -> None:
    seat = Seat("m-1", 0, "Ana", b"s" * 32, b"", b"a" * 32)
    assert Seat.from_json(seat.to_json()) == seat


def test_a_host_comes_back_as_it_was() -> None:
    host = Host("m-1", b"h" * 32, b"a" * 32, "invite")
    assert Host.from_json(host.to_json()) == host


def test_secrets_do_not_show() -> None:
    shown = repr(SEAT) + repr(Host("m-1", b"h" * 32, b"a" * 32, "invite"))
    assert not any(secret in shown for secret in ("nnnn", "hhhh", "invite", "\\x1f"))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("match_id", 7),
        ("seat", 4),
        ("seat", True),
        ("seat", "0"),
        ("name", None),
        ("secret", "short"),
        ("secret", "!!!"),
        ("nonce", encode_key(b"n" * 31)),
        ("anchor", ""),
    ],
)
def test_a_damaged_field_is_named(field: str, value: object) -> None:
    saved = json.loads(SEAT.to_json()) | {field: value}
    with pytest.raises(HandleUnreadable, match=field):
        Seat.from_json(json.dumps(saved))


@pytest.mark.parametrize("text", ["", "{", "[]", '"seat"', "{}"])
def test_what_is_no_handle_is_refused(text: str) -> None:
    with pytest.raises(HandleUnreadable):
        Seat.from_json(text)


def test_what_a_seat_kept_can_be_read_from_its_own_file() -> None:
    assert Kept.of_seat(SEAT) == Kept.from_json(SEAT.to_json())


def test_what_was_kept_comes_back_with_the_seats() -> None:
    kept = Kept.of_seat(SEAT).with_seats((b"c" * 32, b"", b"d" * 32), (b"", b"", b"n" * 32))
    assert kept == Kept.from_json(kept.to_json())


def test_keys_are_32_random_bytes_in_unpadded_base64url() -> None:
    one, other = new_key(), new_key()
    assert 32 == len(one)
    assert one != other
    assert 43 == len(encode_key(one))
    assert one == decode_key(encode_key(one))


def test_request_ids_are_random_uuids() -> None:
    one, other = new_request_id(), new_request_id()
    assert one != other
    assert 4 == uuid.UUID(one).version
