"""Tables to test opponents at: every preset, and rule sets that set what presets do not."""

import random
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from muggins_rules.actions import Draw, Pass, Place
from muggins_rules.deciding import decide
from muggins_rules.evolving import evolve_all
from muggins_rules.fair_deal import shuffled_deck, shuffled_lot
from muggins_rules.legal import legal_actions
from muggins_rules.opening import RoundChance, deal_round
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import (
    Deal,
    HouseRules,
    Layout,
    RuleSet,
    Scoring,
    SettlementRule,
    SpinnerRule,
    Turns,
)
from muggins_rules.state import MatchState, new_match
from muggins_rules.views import Phase

SMALL_SNIFF = RuleSet(
    "small_sniff",
    deal=Deal(highest_pip=3, hand_size_by_seats=(3, 2, 2), boneyard_reserve=1),
    turns=Turns(anticlockwise=True),
    layout=Layout(SpinnerRule.SNIFF),
    scoring=Scoring(target_by_seats=(60, 60, 60)),
)
SMALL_TREE = RuleSet(
    "small_tree",
    deal=Deal(highest_pip=4, hand_size_by_seats=(4, 3, 3), boneyard_reserve=2),
    layout=Layout(SpinnerRule.EVERY_DOUBLE),
    scoring=Scoring(going_out=SettlementRule.DEBIT, pairs=True, target_by_seats=(40, 40, 40)),
)
HOUSE = RuleSet(
    "house",
    deal=Deal(hand_size_by_seats=(8, 9, 7)),
    layout=Layout(SpinnerRule.FIRST_DOUBLE),
    scoring=Scoring(target_by_seats=(100, 100, 100)),
    house_rules=HouseRules(
        exact_target=True, first_score_minimum=10, blocked_tie_shares=True, round_limit=30
    ),
)


class Table(NamedTuple):
    """A rule set and a number of seats it is played with."""

    rule_set: RuleSet
    seats: int

    def __str__(self) -> str:
        return f"{self.rule_set.id}-{self.seats}"


TABLES = tuple(
    Table(rule_set, seats)
    for rule_set in (*PRESETS.values(), SMALL_SNIFF, SMALL_TREE, HOUSE)
    for seats in rule_set.seat_counts
)


def chance_of(table: Table, seed: str, round_number: int) -> RoundChance:
    """The chance of a round, by the fair deal under a secret of the seed."""
    secret = sha256(seed.encode()).digest()
    nonces = (b"",) * table.seats
    highest_pip = table.rule_set.deal.highest_pip
    return RoundChance(
        shuffled_deck(secret, "test", round_number, nonces, highest_pip),
        shuffled_lot(secret, "test", round_number, nonces, highest_pip),
    )


def next_round(state: MatchState, table: Table, seed: str) -> MatchState:
    """The match with its next round dealt."""
    return evolve_all(state, deal_round(state, chance_of(table, seed, state.round + 1)))


def random_states(table: Table, seed: str, rounds: int) -> Iterator[MatchState]:
    """Every state with a seat on turn, in so many rounds of legal actions at random."""
    choices = random.Random(seed)
    state = new_match(table.rule_set, table.seats)
    for number in range(rounds):
        if state.phase is Phase.OVER:
            state = new_match(table.rule_set, table.seats)
        state = next_round(state, table, f"{seed}/{number}")
        while state.table is not None and (seat := state.table.turn) is not None:
            yield state
            action = choices.choice(legal_actions(state))
            assert isinstance(action, Place | Draw | Pass)
            state = evolve_all(state, decide(state, seat, action))


def states_with_choice(table: Table, seed: str, rounds: int) -> Iterator[MatchState]:
    """The random states in which the seat on turn has more than one placement."""
    for state in random_states(table, seed, rounds):
        if len(legal_actions(state)) > 1:
            yield state
