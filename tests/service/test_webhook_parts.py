"""The parts of webhooks alone: addresses, waits, lines and signatures."""

import json
from pathlib import Path
from typing import Any

import pytest

from muggins_service.results.addresses import is_public
from muggins_service.results.backoff import Attempt, Backoff, after_failure
from muggins_service.results.destinations import BadDestination, destinations_of
from muggins_service.results.lines import Lines
from muggins_service.results.secrets_file import read_secrets
from muggins_service.results.signing import signature_headers
from muggins_service.store.notices import Delivery

VECTORS = Path(__file__).parents[1] / "vectors" / "webhooks.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text("utf-8"))["cases"]
SECOND = 1_000_000


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.9.9.9", "0.1.2.3", "10.1.2.3", "172.16.0.1", "192.168.1.1"),
        *("169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "224.0.0.1"),
        *("255.255.255.255", "198.18.0.1", "240.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0"),
        *("fd00:ec2::254", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
        *("64:ff9b::7f00:1", "2002:7f00:1::", "::7f00:1", "2001:db8::1", "no address", ""),
    ],
)
def test_an_address_of_an_inside_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_an_address_out_on_the_internet_is_public(address: str) -> None:
    assert is_public(address)


def test_waits_double_up_to_the_longest_and_then_the_letter_is_dead() -> None:
    backoff, delivery, now_us = Backoff(5 * SECOND, 60 * SECOND, 7), Delivery("d", 1, "m"), 0
    waits = []
    while not delivery.dead:
        failed = Attempt(delivered=False, failure="timeout")
        delivery = after_failure(delivery, failed, backoff, now_us, lambda: 1.0)
        waits.append((delivery.due_us - now_us) // SECOND)
        now_us = delivery.due_us
    assert [5, 10, 20, 40, 60, 60, 0] == waits
    assert (7, "timeout") == (delivery.attempts, delivery.failure)


def test_chance_shortens_a_wait_by_half_at_most() -> None:
    backoff = Backoff(8 * SECOND, 60 * SECOND, 9)
    assert [8, 12, 14] == [backoff.wait_us(2, chance) // SECOND for chance in (0.0, 0.5, 0.75)]
    assert 60 * SECOND >= backoff.wait_us(5_000, 0.9)


def test_who_is_gone_is_dead_at_once() -> None:
    gone = Attempt(delivered=False, failure="status 410", gone=True)
    assert after_failure(Delivery("d", 1, "m"), gone, Backoff(1, 1, 9), 0, lambda: 0.0).dead


def test_a_line_moves_on_only_when_its_head_is_settled() -> None:
    lines = Lines()
    for cursor, match_id in ((1, "a"), (2, "a"), (3, "b")):
        lines.add(Delivery("d", cursor, match_id))
    first, other = lines.take(0), lines.take(0)
    assert first is not None
    assert other is not None
    assert (1, 3, None) == (first.cursor, other.cursor, lines.take(0))
    lines.put_back(Delivery("d", 1, "a", attempts=1, due_us=50))
    assert (None, 50) == (lines.take(49), lines.next_due_us())
    assert 1 == getattr(lines.take(50), "cursor", None)
    lines.settle("a")
    lines.settle("b")
    assert 2 == getattr(lines.take(50), "cursor", None)
    lines.settle("a")
    assert (0, None) == (len(lines), lines.next_due_us())


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["trusted"]], ids=lambda case: case["name"]
)
def test_signatures_are_those_of_the_vectors(case: dict[str, Any]) -> None:
    given = case["headers"]
    secrets = read_secrets("\n".join(case["secrets"]))
    made = signature_headers(
        secrets, given["webhook-id"], int(given["webhook-timestamp"]), case["body"].encode()
    )
    assert not set(given["webhook-signature"].split()).isdisjoint(made["webhook-signature"].split())
    assert {"webhook-id", "webhook-timestamp", "webhook-signature"} == set(made)


def test_the_name_of_a_destination_tells_no_path() -> None:
    (found,) = destinations_of("https://Hooks.Example.org:8443/T0/secret?token=word", plain=False)
    assert found.name.startswith("https://hooks.example.org:8443#")
    assert not [word for word in ("secret", "word", "T0") if word in found.name]


@pytest.mark.parametrize("url", ["https://", "https://a.org:port/", "https://a.org/#x", "//a.org"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(BadDestination):
        destinations_of(url, plain=True)
