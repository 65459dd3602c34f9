"""`muggins perft RULESET`: counts the sequences of legal actions from a dealt round.

The deal is that of round 1 of a match named `perft` under the fair deal, with the SHA-256 of the
seed's text as its secret and no nonces.
"""

import argparse
import hashlib
from typing import Final

from muggins_rules import PRESETS, MatchState, RoundChance, deal_round, evolve_all, new_match
from muggins_rules.fair_deal import shuffled_deck, shuffled_lot
from muggins_rules.perft import perft

__all__ = ["add_arguments", "perft_position", "run"]

_MATCH: Final = "perft"
_UNUSABLE: Final = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, its seats, the depth and the seed."""
    parser.add_argument("rule_set", metavar="RULESET", choices=sorted(PRESETS), help="a preset")
    parser.add_argument("--seats", type=int, default=2, help="number of seats (default: 2)")
    parser.add_argument(
        "--depth", type=_depth, default=4, help="actions in a sequence, from 0 (default: 4)"
    )
    parser.add_argument("--seed", default="", help="any text; it decides the deal")


def run(arguments: argparse.Namespace) -> int:
    """Print the counts of every depth up to the one asked for; the exit status."""
    rule_set = PRESETS[arguments.rule_set]
    if arguments.seats not in rule_set.seat_counts:
        offered = ", ".join(map(str, rule_set.seat_counts))
        print(f"{rule_set.id} is played with {offered} seats, not {arguments.seats}")
        return _UNUSABLE
    state = perft_position(rule_set.id, arguments.seats, arguments.seed)
    for depth in range(arguments.depth + 1):
        print(f"{depth} {perft(state, depth)}", flush=True)
    return 0


def perft_position(rule_set_id: str, seats: int, seed: str) -> MatchState:
    """The dealt round that a seed stands for."""
    rule_set = PRESETS[rule_set_id]
    secret, nonces = hashlib.sha256(seed.encode()).digest(), (b"",) * seats
    pip = rule_set.deal.highest_pip
    chance = RoundChance(
        shuffled_deck(secret, _MATCH, 1, nonces, pip), shuffled_lot(secret, _MATCH, 1, nonces, pip)
    )
    state = new_match(rule_set, seats)
    return evolve_all(state, deal_round(state, chance))


def _depth(text: str) -> int:
    depth = int(text)
    if depth < 0:
        raise argparse.ArgumentTypeError("a depth is 0 or more")
    return depth
