"""A second implementation of docs/fair-deal.md that makes and checks its vectors.

It shares no code with `muggins_rules`: HMAC is spelled out over SHA-256, chains are whole lists,
tiles are pairs of halves. Run as a script it compares `tests/vectors/fair_deal.json` with what it
computes; with `--write` it writes the file.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "fair_deal.json"

ABOUT = {
    "specification": "docs/fair-deal.md",
    "bytes": "lower-case hexadecimal; a nonce of no bytes says that the seat gave none",
    "tiles": "codes 0 to 27 in the order of (low, high): 0-0 is 0, 0-1 is 1, ... 6-6 is 27",
    "chain": "seed is s_length; secrets maps the index i to s_i",
    "verify": "valid: whether the secret is that of the round under the anchor",
    "stream": "message is what block 0 authenticates; blocks are blocks 0, 1, ...",
    "below": "integers below each bound in turn, taken from bytes; consumed: bytes used",
    "decks": "deck[0] is the first tile dealt; consumed: bytes of the stream used",
    "lots": "order is the shuffled set; draws are [attempt, seat, tile]",
    "lot_orders": "the procedure alone, over orders chosen to tie",
}

Round = dict[str, Any]


def sha256(*pieces: bytes) -> bytes:
    return hashlib.sha256(b"".join(pieces)).digest()


def field(content: bytes | str | int) -> bytes:
    if isinstance(content, int):
        content = content.to_bytes(4, "big")
    if isinstance(content, str):
        content = content.encode("utf-8")
    return len(content).to_bytes(4, "big") + content


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    padded = key + bytes(64 - len(key))
    inner = sha256(bytes(byte ^ 0x36 for byte in padded), message)
    return sha256(bytes(byte ^ 0x5C for byte in padded), inner)


def whole_chain(seed: bytes, length: int) -> list[bytes]:
    """Every secret, s_0 first."""
    secrets = [seed]
    while len(secrets) <= length:
        secrets.insert(0, sha256(field("muggins/1/chain"), field(secrets[0])))
    return secrets


def anchor(match_id: str, s_0: bytes) -> bytes:
    return sha256(field("muggins/1/anchor"), field(match_id), field(s_0))


def is_valid(anchor_seen: bytes, match_id: str, number: int, secret: bytes) -> bool:
    if not 1 <= number <= 4096 or len(secret) != 32:
        return False
    return anchor(match_id, whole_chain(secret, number)[0]) == anchor_seen


def commitment(nonce: bytes) -> bytes:
    return sha256(field("muggins/1/nonce"), field(nonce))


def message(label: str, of: Round, *tail: int) -> bytes:
    fields = [label, of["match_id"], of["round"]]
    fields += [bytes.fromhex(nonce) for nonce in of["nonces"]]
    fields += tail
    return b"".join(field(each) for each in fields)


def block(label: str, of: Round, counter: int) -> bytes:
    return hmac_sha256(bytes.fromhex(of["secret"]), message(label, of, counter))


def below(bound: int, source: bytes, position: int) -> tuple[int, int]:
    """The integer below `bound`, and the position of the first byte left."""
    whole_runs = 256 // bound
    if source[position] < whole_runs * bound:
        return source[position] % bound, position + 1
    return below(bound, source, position + 1)


def tile_pairs(highest_pip: int) -> list[tuple[int, int]]:
    return [(low, high) for low in range(highest_pip + 1) for high in range(low, highest_pip + 1)]


def code(tile: tuple[int, int]) -> int:
    return tile_pairs(6).index(tile)


def shuffled(label: str, of: Round, highest_pip: int) -> tuple[list[tuple[int, int]], int]:
    """The shuffled set, and the number of bytes it took."""
    # Eight blocks are far more than the 27 integers of the largest set have ever needed.
    source = b"".join(block(label, of, counter) for counter in range(8))
    unplaced, position = tile_pairs(highest_pip), 0
    placed: list[tuple[int, int]] = []
    while len(unplaced) > 1:
        chosen, position = below(len(unplaced), source, position)
        # Swapping with the last and setting the last aside is the same as one step in place.
        unplaced[chosen], unplaced[-1] = unplaced[-1], unplaced[chosen]
        placed.insert(0, unplaced.pop())
    return unplaced + placed, position


def lot(
    order: list[tuple[int, int]], seats: list[int], attempt: int = 1
) -> tuple[list[list[int]], int]:
    """The draws as [attempt, seat, tile code], and the winning seat."""
    shown = dict(zip(seats, order, strict=False))
    draws = [[attempt, seat, code(tile)] for seat, tile in shown.items()]
    best = max(sum(tile) for tile in shown.values())
    tied = [seat for seat, tile in shown.items() if sum(tile) == best]
    if len(tied) == 1:
        return draws, tied[0]
    more, winner = lot(order[len(seats) :], tied, attempt + 1)
    return draws + more, winner


def opponent_seed(of: Round, seat: int, ply: int) -> bytes:
    key = bytes.fromhex(of["secret"])
    return hmac_sha256(key, message("muggins/1/seed", of, seat, ply))


# From here on: the vectors.


def sample(name: str) -> bytes:
    """Thirty-two bytes that stand for random ones."""
    return sha256(b"fair-deal vectors: " + name.encode())


def sample_round(match_id: str, number: int, nonces: str) -> Round:
    """A round of a match whose seats gave (n) or did not give (-) a nonce."""
    return {
        "match_id": match_id,
        "round": number,
        "secret": whole_chain(sample(f"seed {match_id}"), 4096)[number].hex(),
        "nonces": [
            sample(f"nonce {match_id} {seat}").hex() if given == "n" else ""
            for seat, given in enumerate(nonces)
        ],
    }


def chain_vectors() -> list[Any]:
    cases = []
    for name, length, shown in (
        ("zero", 1, (0, 1)),
        ("short", 5, (0, 1, 2, 3, 4, 5)),
        ("uneven", 1000, (0, 1, 31, 32, 33, 961, 992, 993, 999, 1000)),
        ("m-1", 4096, (0, 1, 2, 63, 64, 65, 4032, 4095, 4096)),
    ):
        seed = bytes(32) if name == "zero" else sample(f"seed {name}")
        secrets = whole_chain(seed, length)
        cases.append(
            {
                "seed": seed.hex(),
                "length": length,
                "secrets": {str(index): secrets[index].hex() for index in shown},
            }
        )
    return cases


def anchor_vectors() -> list[Any]:
    s_0 = whole_chain(sample("seed m-1"), 4096)[0]
    return [
        {"match_id": match_id, "s_0": s_0.hex(), "anchor": anchor(match_id, s_0).hex()}
        for match_id in ("m-1", "m-2", "partida-é-五", "x" * 255)
    ]


def verify_vectors() -> list[Any]:
    secrets = whole_chain(sample("seed m-1"), 4096)
    seen = anchor("m-1", secrets[0])
    flipped = bytes([secrets[3][0] ^ 1]) + secrets[3][1:]
    cases = [
        ("round 1", "m-1", 1, seen, secrets[1]),
        ("round 3", "m-1", 3, seen, secrets[3]),
        ("the last round", "m-1", 4096, seen, secrets[4096]),
        ("the secret of the round before", "m-1", 3, seen, secrets[2]),
        ("the secret of the round after", "m-1", 3, seen, secrets[4]),
        ("one bit changed", "m-1", 3, seen, flipped),
        ("another match", "m-2", 3, seen, secrets[3]),
        ("another anchor", "m-1", 3, anchor("m-1", sample("other")), secrets[3]),
        ("the anchor as secret", "m-1", 1, seen, seen),
        ("no round 0", "m-1", 0, seen, secrets[0]),
        ("no round past the chain", "m-1", 4097, anchor("m-1", sample("x")), sample("y")),
        ("a short secret", "m-1", 3, seen, secrets[3][:31]),
        ("a long secret", "m-1", 3, seen, secrets[3] + b"\0"),
        ("no secret", "m-1", 3, seen, b""),
        ("a short anchor", "m-1", 3, seen[:31], secrets[3]),
        ("no match id", "", 3, seen, secrets[3]),
    ]
    return [
        {
            "note": note,
            "match_id": match_id,
            "round": number,
            "anchor": given.hex(),
            "secret": secret.hex(),
            "valid": is_valid(given, match_id, number, secret),
        }
        for note, match_id, number, given, secret in cases
    ]


def nonce_vectors() -> dict[str, Any]:
    first, second = sample("nonce m-1 0"), sample("nonce m-1 1")
    return {
        "commitments": [
            {"nonce": nonce.hex(), "commitment": commitment(nonce).hex()}
            for nonce in (bytes(32), bytes([255] * 32), first, second)
        ],
        "matches": [
            {"nonce": nonce.hex(), "commitment": given.hex(), "valid": valid}
            for nonce, given, valid in (
                (first, commitment(first), True),
                (second, commitment(first), False),
                (first[:31], commitment(first), False),
                (b"", commitment(first), False),
                (first, commitment(first)[:31], False),
                (first, b"", False),
            )
        ],
    }


def stream_vectors() -> list[Any]:
    return [
        {
            **of,
            "label": label,
            "message": message(label, of, 0).hex(),
            "blocks": [block(label, of, counter).hex() for counter in range(3)],
        }
        for of in (sample_round("m-1", 1, "n-"), sample_round("m-1", 300, "nnn-"))
        for label in ("muggins/1/deck", "muggins/1/lot")
    ]


def below_vectors() -> list[Any]:
    cases = []
    for note, source, bounds in (
        ("nothing rejected", [0, 27, 28, 251, 6], [28, 28, 28, 28, 7]),
        ("252 to 255 are no fair share of 28", [255, 252, 251, 253, 5], [28, 28]),
        ("243 is the first rejected below 27", [242, 243, 0], [27, 27]),
        ("powers of two reject nothing", [255, 254, 255, 255], [2, 4, 8, 16]),
        ("255 is rejected below 3, 5, 15 and 17 alike", [255, 254] * 2, [3, 5]),
        ("a bound of 256 is the byte itself", [255, 0], [256, 256]),
    ):
        values, position = [], 0
        for bound in bounds:
            value, position = below(bound, bytes(source), position)
            values.append(value)
        cases.append(
            {
                "note": note,
                "bytes": bytes(source).hex(),
                "bounds": bounds,
                "values": values,
                "consumed": position,
            }
        )
    return cases


def deck_vectors() -> list[Any]:
    cases = [(sample_round("m-1", number, "n-"), 6) for number in (1, 2, 3, 4096)]
    cases += [(sample_round("m-1", 1, nonces), 6) for nonces in ("--", "-n", "nn", "n--", "n---")]
    cases += [(sample_round("m-2", 1, "nnnn"), 6), (sample_round("partida-é-五", 7, "nnn"), 6)]
    cases += [(sample_round("m-1", 1, "nn"), highest_pip) for highest_pip in (1, 2, 3, 4, 5)]
    cases.append((round_of_two_blocks(), 6))
    vectors = []
    for of, highest_pip in cases:
        deck, consumed = shuffled("muggins/1/deck", of, highest_pip)
        vectors.append(
            {
                **of,
                "highest_pip": highest_pip,
                "deck": [code(tile) for tile in deck],
                "consumed": consumed,
            }
        )
    return vectors


def round_of_two_blocks() -> Round:
    """A round whose deck takes a byte of block 1, found by trying nonces: one in 7,323 did."""
    of = {
        "match_id": "m-4",
        "round": 1,
        "secret": sample("secret of two blocks").hex(),
        "nonces": ["", sample("nonce 7322").hex()],
    }
    assert shuffled("muggins/1/deck", of, 6)[1] > 32
    return of


def lot_vectors() -> list[Any]:
    """The first lot of each number of seats and attempts, over the rounds of one match."""
    secrets = whole_chain(sample("seed m-3"), 4096)
    wanted = {(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)}
    cases = [lot_case(sample_round("m-1", 1, "n-"), 2, 6)]
    for number in range(1, 400):
        for seats in (2, 3, 4):
            of = {
                "match_id": "m-3",
                "round": number,
                "secret": secrets[number].hex(),
                "nonces": [sample("nonce m-3 0").hex()] + [""] * (seats - 1),
            }
            case = lot_case(of, seats, 6)
            kind = (seats, case["draws"][-1][0])
            if kind in wanted:
                wanted.remove(kind)
                cases.append(case)
    cases += [lot_case(sample_round("m-1", 1, "nn"), 2, highest_pip) for highest_pip in (1, 3)]
    if wanted:
        message_text = f"no lot found for {sorted(wanted)}"
        raise LookupError(message_text)
    return cases


def lot_case(of: Round, seats: int, highest_pip: int) -> dict[str, Any]:
    order, _ = shuffled("muggins/1/lot", of, highest_pip)
    draws, winner = lot(order, list(range(seats)))
    return {
        **of,
        "highest_pip": highest_pip,
        "order": [code(tile) for tile in order],
        "draws": draws,
        "winner": winner,
    }


def lot_order_vectors() -> list[Any]:
    cases = []
    for note, seats, front in (
        ("four tie at 6, then three at 5, then two at 7", 4, "06 15 24 33 05 14 23 01 16 25 66 56"),
        ("6-6 wins over 5-6", 4, "00 66 01 56 11 02"),
        ("seats 1 and 3 tie", 4, "00 46 01 55 56 66"),
        ("three tie three times", 3, "04 13 22 05 14 23 16 25 34 00 01 11"),
        ("a lower tie does not draw again", 4, "04 13 22 66"),
        ("every pair of equal totals, until nothing but single totals is left", 2, LONGEST),
    ):
        tiles = [(int(text[0]), int(text[1])) for text in front.split()]
        order = tiles + [tile for tile in tile_pairs(6) if tile not in tiles]
        draws, winner = lot(order, list(range(seats)))
        cases.append(
            {
                "note": note,
                "seats": seats,
                "order": [code(tile) for tile in order],
                "draws": draws,
                "winner": winner,
            }
        )
    return cases


LONGEST = "02 11 03 12 04 13 05 14 06 15 24 33 16 25 26 35 36 45 46 55 56 66"


def seed_vectors() -> list[Any]:
    return [
        {**of, "seat": seat, "ply": ply, "seed": opponent_seed(of, seat, ply).hex()}
        for of, seat, ply in (
            (sample_round("m-1", 1, "n-"), 1, 0),
            (sample_round("m-1", 1, "n-"), 1, 1),
            (sample_round("m-1", 1, "n-"), 0, 0),
            (sample_round("m-1", 2, "n-"), 1, 0),
            (sample_round("m-2", 1, "n---"), 3, 4_294_967_295),
        )
    ]


def make_vectors() -> dict[str, Any]:
    return {
        "about": ABOUT,
        "chain": chain_vectors(),
        "anchor": anchor_vectors(),
        "verify": verify_vectors(),
        "nonce": nonce_vectors(),
        "stream": stream_vectors(),
        "below": below_vectors(),
        "decks": deck_vectors(),
        "lots": lot_vectors(),
        "lot_orders": lot_order_vectors(),
        "opponent_seeds": seed_vectors(),
    }


def as_text(vectors: dict[str, Any]) -> str:
    """One line for each case, so that a change shows as the cases it touches."""
    groups = []
    for name, cases in vectors.items():
        head = json.dumps(name) + ": "
        if isinstance(cases, dict):
            items = [f"  {json.dumps(key)}: {one_line(value)}" for key, value in cases.items()]
            groups.append(head + "{\n" + ",\n".join(items) + "\n}")
        else:
            items = [f"  {one_line(case)}" for case in cases]
            groups.append(head + "[\n" + ",\n".join(items) + "\n]")
    return "{\n" + ",\n".join(groups) + "\n}\n"


def one_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> int:
    parser = argparse.ArgumentParser(description="Check or write the vectors of the fair deal.")
    parser.add_argument("--write", action="store_true", help="write the file")
    text = as_text(make_vectors())
    if parser.parse_args().write:
        VECTORS.write_text(text, encoding="utf-8")
        return 0
    same = VECTORS.read_text(encoding="utf-8") == text
    sys.stdout.write("the same\n" if same else "different\n")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
