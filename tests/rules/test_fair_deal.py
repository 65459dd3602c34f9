"""The fair deal: bytes as specified, by library, reference and vectors alike; fair; verifiable."""

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muggins_rules.fair_deal import (
    CHAIN_LENGTH,
    Chain,
    FairDealError,
    FairDealReason,
    anchor_of,
    chain_secret,
    commit_nonce,
    follows,
    nonce_matches,
    opponent_seed,
    shuffled_deck,
    shuffled_lot,
    verify_secret,
)
from muggins_rules.fair_deal.derive import byte_stream, integer_below
from muggins_rules.lot import Lot, lot_draws
from muggins_rules.tiles import SET_CODES, TILE_COUNT, code_of, pips_of
from tests.rules import fair_deal_reference as reference

ROOT = Path(__file__).resolve().parents[2]
TEXT = reference.VECTORS.read_text(encoding="utf-8")
VECTORS: dict[str, Any] = json.loads(TEXT)

SEED = bytes(range(32))
NONCE = bytes(range(32, 64))
OTHER_NONCE = bytes(range(64, 96))

ROUND: tuple[bytes, str, int, list[bytes]] = (SEED, "m-1", 1, [NONCE, OTHER_NONCE])

secrets = st.binary(min_size=32, max_size=32)
seat_nonces = st.lists(st.one_of(st.just(b""), secrets), min_size=2, max_size=4)


def cases(*groups: str) -> pytest.MarkDecorator:
    """One test for each case of a group of the vectors."""
    found: Any = VECTORS
    for group in groups:
        found = found[group]
    named = [pytest.param(case, id=case.get("note", str(i))) for i, case in enumerate(found)]
    return pytest.mark.parametrize("case", named)


def round_of(case: dict[str, Any]) -> tuple[bytes, str, int, list[bytes]]:
    """The four values that stand for a round in every derivation."""
    nonces = [bytes.fromhex(nonce) for nonce in case["nonces"]]
    return bytes.fromhex(case["secret"]), case["match_id"], case["round"], nonces


def plain(lot: Lot) -> tuple[list[list[int]], int]:
    """A lot as the vectors write it."""
    return [list(draw) for draw in lot.draws], lot.winner


# Vectors


def test_the_reference_makes_exactly_the_committed_vectors() -> None:
    assert reference.as_text(reference.make_vectors()) == TEXT


def test_every_hexadecimal_number_of_the_worked_example_is_in_the_vectors() -> None:
    document = (ROOT / "docs" / "fair-deal.md").read_text(encoding="utf-8")
    example = document.partition("## Worked example")[2]
    link_head = "0000000f6d756767696e732f312f636861696e"
    numbers = [
        number for number in re.findall(r"\b[0-9a-f]{6,}\b", example) if number not in link_head
    ]
    assert len(numbers) > 15
    assert [] == [number for number in numbers if number not in TEXT]


def test_the_deck_of_the_worked_example_is_in_the_vectors() -> None:
    document = (ROOT / "docs" / "fair-deal.md").read_text(encoding="utf-8")
    line = document.partition("    deck        ")[2].partition("\n")[0]
    assert VECTORS["decks"][0]["deck"] == [int(code) for code in line.replace("|", "").split()]


@cases("chain")
def test_a_chain_gives_the_secrets_of_the_vectors(case: dict[str, Any]) -> None:
    seed, length = bytes.fromhex(case["seed"]), case["length"]
    chain = Chain.from_seed(seed, length)
    for index, secret in case["secrets"].items():
        if index == "0":
            assert anchor_of("m", bytes.fromhex(secret)) == chain.anchor("m")
        else:
            assert secret == chain.secret(int(index)).hex()
            assert secret == chain_secret(seed, int(index), length).hex()


@cases("anchor")
def test_an_anchor_is_that_of_the_vectors(case: dict[str, Any]) -> None:
    assert case["anchor"] == anchor_of(case["match_id"], bytes.fromhex(case["s_0"])).hex()


@cases("verify")
def test_a_secret_is_verified_as_in_the_vectors(case: dict[str, Any]) -> None:
    anchor, secret = bytes.fromhex(case["anchor"]), bytes.fromhex(case["secret"])
    assert case["valid"] is verify_secret(anchor, case["match_id"], case["round"], secret)


@cases("nonce", "commitments")
def test_a_commitment_is_that_of_the_vectors(case: dict[str, Any]) -> None:
    assert case["commitment"] == commit_nonce(bytes.fromhex(case["nonce"])).hex()


@cases("nonce", "matches")
def test_a_nonce_is_accepted_as_in_the_vectors(case: dict[str, Any]) -> None:
    commitment, nonce = bytes.fromhex(case["commitment"]), bytes.fromhex(case["nonce"])
    assert case["valid"] is nonce_matches(commitment, nonce)


@cases("stream")
def test_a_stream_has_the_blocks_of_the_vectors(case: dict[str, Any]) -> None:
    secret, match_id, number, nonces = round_of(case)
    stream = byte_stream(secret, case["label"].encode(), match_id, number, nonces)
    expected = "".join(case["blocks"])
    assert expected == bytes(itertools.islice(stream, len(expected) // 2)).hex()


@cases("below")
def test_integers_take_and_reject_bytes_as_in_the_vectors(case: dict[str, Any]) -> None:
    source = iter(bytes.fromhex(case["bytes"]))
    assert case["values"] == [integer_below(bound, source) for bound in case["bounds"]]
    assert len(case["bytes"]) // 2 - case["consumed"] == len(list(source))


@cases("decks")
def test_a_deck_is_that_of_the_vectors(case: dict[str, Any]) -> None:
    assert tuple(case["deck"]) == shuffled_deck(*round_of(case), case["highest_pip"])


def test_the_vectors_have_a_deck_of_more_than_one_block() -> None:
    assert any(case["consumed"] > 32 for case in VECTORS["decks"])


@cases("lots")
def test_a_lot_is_that_of_the_vectors(case: dict[str, Any]) -> None:
    order = shuffled_lot(*round_of(case), case["highest_pip"])
    assert tuple(case["order"]) == order
    assert (case["draws"], case["winner"]) == plain(lot_draws(order, len(case["nonces"])))


@cases("lot_orders")
def test_a_lot_over_a_given_order_is_that_of_the_vectors(case: dict[str, Any]) -> None:
    assert (case["draws"], case["winner"]) == plain(lot_draws(case["order"], case["seats"]))


@cases("opponent_seeds")
def test_a_seed_of_an_opponent_is_that_of_the_vectors(case: dict[str, Any]) -> None:
    assert case["seed"] == opponent_seed(*round_of(case), case["seat"], case["ply"]).hex()


# Library and reference on values that nobody chose


@given(secrets, st.text(min_size=1, max_size=60), st.integers(1, 4096), seat_nonces)
def test_library_and_reference_shuffle_alike(
    secret: bytes, match_id: str, number: int, nonces: list[bytes]
) -> None:
    of = {
        "match_id": match_id,
        "round": number,
        "secret": secret.hex(),
        "nonces": [nonce.hex() for nonce in nonces],
    }
    for label, shuffle in (("muggins/1/deck", shuffled_deck), ("muggins/1/lot", shuffled_lot)):
        expected, _ = reference.shuffled(label, of, 6)
        codes = shuffle(secret, match_id, number, nonces)
        assert [code_of(*tile) for tile in expected] == list(codes)


@given(st.permutations(range(TILE_COUNT)), st.integers(2, 4))
def test_library_and_reference_draw_lots_alike(order: list[int], seats: int) -> None:
    tiles = reference.tile_pairs(6)
    expected = reference.lot([tiles[code] for code in order], list(range(seats)))
    assert expected == plain(lot_draws(order, seats))


# Chain


@given(secrets, st.integers(1, 70))
def test_a_chain_and_its_seed_agree_on_every_secret(seed: bytes, length: int) -> None:
    chain = Chain.from_seed(seed, length)
    everyone = reference.whole_chain(seed, length)
    numbers = range(1, length + 1)
    assert everyone[1:] == [chain.secret(number) for number in numbers]
    assert everyone[1:] == [chain_secret(seed, number, length) for number in numbers]


def test_every_secret_of_a_whole_chain_verifies_and_follows_the_one_before() -> None:
    chain = Chain.from_seed(SEED, 100)
    anchor = chain.anchor("m-1")
    for number in range(1, 101):
        assert verify_secret(anchor, "m-1", number, chain.secret(number))
        assert number == 1 or follows(chain.secret(number - 1), chain.secret(number))


def test_a_secret_follows_an_earlier_one_at_its_own_distance_only() -> None:
    chain = Chain.from_seed(SEED, 20)
    fits = [rounds for rounds in range(10) if follows(chain.secret(5), chain.secret(9), rounds)]
    assert [4] == fits


def test_a_malformed_secret_follows_nothing() -> None:
    short = SEED[:31]
    link_head = reference.field("muggins/1/chain") + (32).to_bytes(4, "big")
    assert not follows(sha256(link_head + short).digest(), short)
    assert not follows(SEED, SEED, 0)
    assert not follows(SEED, SEED, CHAIN_LENGTH + 1)


def test_no_secret_verifies_for_another_round() -> None:
    chain = Chain.from_seed(SEED, 12)
    anchor = chain.anchor("m-1")
    pairs = itertools.product(range(1, 13), repeat=2)
    accepted = {(r, q) for r, q in pairs if verify_secret(anchor, "m-1", r, chain.secret(q))}
    assert {(number, number) for number in range(1, 13)} == accepted


def test_a_text_that_is_no_unicode_does_not_verify() -> None:
    assert not verify_secret(SEED, "\ud800", 1, SEED)


def test_a_chain_shows_no_secret_when_printed() -> None:
    assert repr(Chain.from_seed(SEED)) == "Chain(length=4096)"


def test_a_chain_keeps_about_two_kilobytes() -> None:
    assert len(Chain.from_seed(SEED)._kept) == 65 * 32


# Everything that goes in changes what comes out


CHANGES = {
    "secret": (OTHER_NONCE, *ROUND[1:]),
    "match": (SEED, "m-2", 1, [NONCE, OTHER_NONCE]),
    "round": (SEED, "m-1", 2, [NONCE, OTHER_NONCE]),
    "first nonce": (SEED, "m-1", 1, [SEED, OTHER_NONCE]),
    "second nonce": (SEED, "m-1", 1, [NONCE, SEED]),
    "no first nonce": (SEED, "m-1", 1, [b"", OTHER_NONCE]),
    "no second nonce": (SEED, "m-1", 1, [NONCE, b""]),
    "nonces swapped": (SEED, "m-1", 1, [OTHER_NONCE, NONCE]),
    "one bit of a nonce": (SEED, "m-1", 1, [NONCE, OTHER_NONCE[:-1] + b"\x5e"]),
    "a seat more": (SEED, "m-1", 1, [NONCE, OTHER_NONCE, b""]),
    "a seat more in front": (SEED, "m-1", 1, [b"", NONCE, OTHER_NONCE]),
}


@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES)
def test_one_change_changes_deck_lot_and_seeds(
    changed: tuple[bytes, str, int, list[bytes]],
) -> None:
    assert shuffled_deck(*ROUND) != shuffled_deck(*changed)
    assert shuffled_lot(*ROUND) != shuffled_lot(*changed)
    assert opponent_seed(*ROUND, 1, 0) != opponent_seed(*changed, 1, 0)


def test_deck_and_lot_of_a_round_differ() -> None:
    assert shuffled_deck(*ROUND) != shuffled_lot(*ROUND)


def test_each_seat_and_ply_has_its_own_seed() -> None:
    seeds = {opponent_seed(*ROUND, seat, ply) for seat in range(2) for ply in range(100)}
    assert len(seeds) == 200


@given(secrets, seat_nonces, st.integers(1, 6))
def test_deck_and_lot_hold_each_tile_of_the_set_once(
    secret: bytes, nonces: list[bytes], highest_pip: int
) -> None:
    for shuffle in (shuffled_deck, shuffled_lot):
        codes = shuffle(secret, "m-1", 1, nonces, highest_pip)
        assert SET_CODES[highest_pip] == tuple(sorted(codes))


# Fairness, over a fixed sequence of secrets, so that these tests never differ between runs


def many_secrets(number: int) -> Iterator[bytes]:
    return (sha256(index.to_bytes(4, "big")).digest() for index in range(number))


def chi_square(observed: Counter[Any], cells: int) -> float:
    expected = observed.total() / cells
    spread = sum((count - expected) ** 2 for count in observed.values())
    return (spread + (cells - len(observed)) * expected**2) / expected


def places(decks: Iterator[tuple[int, ...]]) -> Counter[tuple[int, int]]:
    return Counter(itertools.chain.from_iterable(map(enumerate, decks)))


# Each deck fills every row and column once, which makes this 28/27 of a chi-square with 27 x 27
# degrees of freedom: mean 756, standard deviation 39.6. Five deviations are wide.
PLACES_LIMIT = 756 + 5 * 39.6


@pytest.mark.parametrize("shuffle", [shuffled_deck, shuffled_lot], ids=["deck", "lot"])
def test_every_tile_is_as_likely_in_every_place(
    shuffle: Callable[[bytes, str, int, list[bytes]], tuple[int, ...]],
) -> None:
    decks = (shuffle(secret, "m-1", 1, [b"", b""]) for secret in many_secrets(20_000))
    assert chi_square(places(decks), TILE_COUNT**2) < PLACES_LIMIT


def test_the_measure_of_places_sees_a_shuffle_without_rejection() -> None:
    def biased(secret: bytes) -> tuple[int, ...]:
        codes = list(SET_CODES[6])
        stream = byte_stream(secret, b"test", "m-1", 1, [b"", b""])
        for last in range(len(codes) - 1, 0, -1):
            chosen = next(stream) % (last + 1)
            codes[last], codes[chosen] = codes[chosen], codes[last]
        return tuple(codes)

    decks = (biased(secret) for secret in many_secrets(20_000))
    assert chi_square(places(decks), TILE_COUNT**2) > PLACES_LIMIT


def test_every_pair_of_tiles_is_as_likely_to_come_first() -> None:
    """756 cells, 755 degrees of freedom: standard deviation 39."""
    pairs = Counter(
        shuffled_deck(secret, "m-1", 1, [b"", b""])[:2] for secret in many_secrets(20_000)
    )
    assert chi_square(pairs, 28 * 27) < 755 + 6 * 38.9


def test_every_order_of_the_smallest_set_is_as_likely() -> None:
    """Six orders, 5 degrees of freedom: one in a million lies above 35.9."""
    orders = Counter(
        shuffled_deck(secret, "m-1", 1, [b"", b""], 1) for secret in many_secrets(6_000)
    )
    assert chi_square(orders, 6) < 35.9


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_is_as_likely_to_win_the_lot(seats: int) -> None:
    """At most 3 degrees of freedom: one in a million lies above 30.7."""
    winners = Counter(
        lot_draws(shuffled_lot(secret, "m-1", 1, [b""] * seats), seats).winner
        for secret in many_secrets(6_000)
    )
    assert chi_square(winners, seats) < 30.7


def test_what_is_public_before_the_reveal_guesses_a_deck_no_better_than_chance() -> None:
    """A guess of 28 places is right in one on average, with variance one."""
    right, guesses = 0, 0
    for index, seed in enumerate(many_secrets(700)):
        match_id, nonces = f"m-{index}", [NONCE, b""]
        chain = Chain.from_seed(seed, 3)
        deck = shuffled_deck(chain.secret(2), match_id, 2, nonces)
        for known in (chain.anchor(match_id), chain.secret(1), NONCE):
            guess = shuffled_deck(known, match_id, 2, nonces)
            right += sum(map(int.__eq__, deck, guess))
            guesses += 1
    assert abs(right / guesses - 1) < 6 / guesses**0.5


# Lot


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("highest_pip", [1, 2])
def test_no_order_of_a_small_set_runs_out(seats: int, highest_pip: int) -> None:
    codes = SET_CODES[highest_pip]
    if seats > len(codes):
        with pytest.raises(AssertionError):
            lot_draws(codes, seats)
        return
    for order in itertools.permutations(codes):
        assert lot_draws(order, seats).winner in range(seats)


@given(st.permutations(range(TILE_COUNT)), st.integers(2, 4))
def test_a_lot_deals_in_ascending_seat_order_and_lets_the_tied_draw_again(
    order: list[int], seats: int
) -> None:
    lot = lot_draws(order, seats)
    assert order[: len(lot.draws)] == [draw.tile for draw in lot.draws]
    contenders = list(range(seats))
    for attempt in range(1, lot.draws[-1].attempt + 1):
        draws = [draw for draw in lot.draws if draw.attempt == attempt]
        assert contenders == [draw.seat for draw in draws]
        highest = max(pips_of(draw.tile) for draw in draws)
        contenders = [draw.seat for draw in draws if pips_of(draw.tile) == highest]
    assert contenders == [lot.winner]


# Refusals

SHORT, LONG = bytes(31), bytes(33)

REFUSED: dict[str, tuple[FairDealReason, Callable[[], object]]] = {
    "seed of a chain": (
        FairDealReason.BAD_SECRET_LENGTH,
        lambda: Chain.from_seed(SHORT),
    ),
    "seed of a secret": (FairDealReason.BAD_SECRET_LENGTH, lambda: chain_secret(LONG, 1)),
    "bottom of a chain": (FairDealReason.BAD_SECRET_LENGTH, lambda: anchor_of("m", b"")),
    "secret of a deck": (
        FairDealReason.BAD_SECRET_LENGTH,
        lambda: shuffled_deck(SHORT, *ROUND[1:]),
    ),
    "secret of a lot": (
        FairDealReason.BAD_SECRET_LENGTH,
        lambda: shuffled_lot(LONG, *ROUND[1:]),
    ),
    "secret of a seed": (
        FairDealReason.BAD_SECRET_LENGTH,
        lambda: opponent_seed(SHORT, *ROUND[1:], 0, 0),
    ),
    "chain of none": (FairDealReason.BAD_CHAIN_LENGTH, lambda: Chain.from_seed(SEED, 0)),
    "chain too long": (
        FairDealReason.BAD_CHAIN_LENGTH,
        lambda: chain_secret(SEED, 1, CHAIN_LENGTH + 1),
    ),
    "round 0 of a chain": (FairDealReason.BAD_ROUND, lambda: Chain.from_seed(SEED, 9).secret(0)),
    "round past a chain": (FairDealReason.BAD_ROUND, lambda: Chain.from_seed(SEED, 9).secret(10)),
    "round past a seed": (FairDealReason.BAD_ROUND, lambda: chain_secret(SEED, 10, 9)),
    "round 0 of a deck": (
        FairDealReason.BAD_ROUND,
        lambda: shuffled_deck(SEED, "m", 0, [b"", b""]),
    ),
    "round past a deck": (
        FairDealReason.BAD_ROUND,
        lambda: shuffled_deck(SEED, "m", CHAIN_LENGTH + 1, [b"", b""]),
    ),
    "short nonce": (
        FairDealReason.BAD_NONCE_LENGTH,
        lambda: shuffled_deck(SEED, "m", 1, [b"", SHORT]),
    ),
    "long nonce": (
        FairDealReason.BAD_NONCE_LENGTH,
        lambda: shuffled_lot(SEED, "m", 1, [LONG, b""]),
    ),
    "no nonce to commit to": (FairDealReason.BAD_NONCE_LENGTH, lambda: commit_nonce(b"")),
    "one seat": (FairDealReason.BAD_SEAT_COUNT, lambda: shuffled_deck(SEED, "m", 1, [NONCE])),
    "five seats": (
        FairDealReason.BAD_SEAT_COUNT,
        lambda: shuffled_deck(SEED, "m", 1, [b""] * 5),
    ),
    "no match id": (FairDealReason.BAD_MATCH_ID, lambda: anchor_of("", SEED)),
    "long match id": (
        FairDealReason.BAD_MATCH_ID,
        lambda: shuffled_deck(SEED, "é" * 128, 1, [b"", b""]),
    ),
    "match id no unicode": (FairDealReason.BAD_MATCH_ID, lambda: anchor_of("\ud800", SEED)),
    "highest pip 0": (FairDealReason.BAD_HIGHEST_PIP, lambda: shuffled_deck(*ROUND, 0)),
    "highest pip 7": (FairDealReason.BAD_HIGHEST_PIP, lambda: shuffled_lot(*ROUND, 7)),
    "seat below 0": (FairDealReason.BAD_SEAT, lambda: opponent_seed(*ROUND, -1, 0)),
    "seat past the last": (FairDealReason.BAD_SEAT, lambda: opponent_seed(*ROUND, 2, 0)),
    "ply below 0": (FairDealReason.BAD_PLY, lambda: opponent_seed(*ROUND, 0, -1)),
    "ply too large": (FairDealReason.BAD_PLY, lambda: opponent_seed(*ROUND, 0, 2**32)),
}


@pytest.mark.parametrize(("reason", "attempt"), REFUSED.values(), ids=REFUSED)
def test_an_input_that_cannot_be_is_refused_by_name(
    reason: FairDealReason, attempt: Callable[[], object]
) -> None:
    with pytest.raises(FairDealError) as refused:
        attempt()
    assert reason == refused.value.reason
    assert str(refused.value) == reason.value


def test_each_reason_of_refusal_is_tested() -> None:
    assert set(FairDealReason) == {reason for reason, _ in REFUSED.values()}
