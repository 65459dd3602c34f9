"""Many thousand random rounds over every rule set, every number of seats, with calling and not.

Each round is checked for what must never fail: tiles are conserved, rounds end, and the
settlement is what the tiles left in the hands are worth.
"""

import hashlib
import random
from dataclasses import replace

import pytest

from muggins_rules import (
    PRESETS,
    Call,
    Claim,
    Draw,
    MatchState,
    Phase,
    Place,
    RoundChance,
    RuleSet,
    close_window,
    deal_round,
    decide,
    evolve_all,
    legal_actions,
    new_match,
    preset,
)
from muggins_rules.events import MatchEnded, RoundEnded
from muggins_rules.fair_deal import shuffled_deck, shuffled_lot
from muggins_rules.ruleset import Deal, HouseRules, SettlementRule
from muggins_rules.tiles import SET_CODES, TILES, codes_of_mask

ROUNDS_OF_EACH = 430
MOST_ROUNDS_OF_A_MATCH = 12
MOST_STEPS_OF_A_ROUND = 200

_RESERVE = replace(
    PRESETS["all_fives_us"],
    id="reserve",
    deal=replace(PRESETS["all_fives_us"].deal, boneyard_reserve=2),
)
_SMALL = replace(
    PRESETS["muggins"],
    id="small",
    deal=Deal(3, (3, 3, 2)),
    scoring=replace(PRESETS["muggins"].scoring, target_by_seats=(20, 20, 20)),
)
_HOUSE = replace(
    PRESETS["five_up"],
    id="house",
    house_rules=HouseRules(
        exact_target=True, first_score_minimum=2, blocked_tie_shares=True, round_limit=5
    ),
)
CUSTOM = (_RESERVE, _SMALL, _HOUSE)
GAMES = [
    pytest.param(rules, seats, id=f"{rules.id}-{seats}{'-calling' if rules.calling else ''}")
    for name in PRESETS
    for rules in (preset(name), preset(name, calling=True))
    for seats in rules.seat_counts
] + [
    pytest.param(rules, seats, id=f"{rules.id}-{seats}")
    for rules in CUSTOM
    for seats in rules.seat_counts
]


def test_together_they_are_twenty_thousand_rounds() -> None:
    assert len(GAMES) * ROUNDS_OF_EACH >= 20_000


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_random_rounds_conserve_tiles_end_and_settle(rules: RuleSet, seats: int) -> None:
    secret = hashlib.sha256(f"{rules.id} {seats}".encode()).digest()
    choose = random.Random(secret)
    played = matches = 0
    while played < ROUNDS_OF_EACH:
        matches += 1
        state = new_match(rules, seats)
        while state.phase is not Phase.OVER and state.round < MOST_ROUNDS_OF_A_MATCH:
            before = state
            state = play_round(state, f"match {matches}", secret, choose)
            check_settlement(before, state)
            played += 1
    assert played >= ROUNDS_OF_EACH


def play_round(state: MatchState, match: str, secret: bytes, choose: random.Random) -> MatchState:
    """The state after one more round of random play."""
    rules, seats = state.rule_set, state.seats
    pip, number = rules.deal.highest_pip, state.round + 1
    nonces = (b"",) * seats
    chance = RoundChance(
        shuffled_deck(secret, match, number, nonces, pip),
        shuffled_lot(secret, match, number, nonces, pip),
    )
    state = evolve_all(state, deal_round(state, chance))
    for _ in range(MOST_STEPS_OF_A_ROUND):
        check_tiles(state)
        if state.phase is not Phase.PLAYING:
            return state
        state = step(state, choose)
    raise AssertionError("the round does not end")


def step(state: MatchState, choose: random.Random) -> MatchState:
    """The state after a random action, or after the window of the last placement."""
    table = state.table
    assert table is not None
    window = table.window
    if window is not None and window.claimed is None and choose.random() < 0.5:
        points = choose.choice([0, 5, window.count.points, window.count.points])
        return evolve_all(state, decide(state, window.mover, Claim(points)))
    if window is not None and not window.called and choose.random() < 0.3:
        caller = (window.mover + 1) % state.seats
        return evolve_all(state, decide(state, caller, Call(window.placement)))
    actions = legal_actions(state)
    if not actions:
        return evolve_all(state, close_window(state))
    assert table.turn is not None
    action = choose.choice(actions)
    if isinstance(action, Draw):
        action = Draw(until_playable=choose.random() < 0.5)
    elif isinstance(action, Place) and state.rule_set.calling and choose.random() < 0.3:
        action = Place(action.placement, claim=10)
    return evolve_all(state, decide(state, table.turn, action))


def check_tiles(state: MatchState) -> None:
    table = state.table
    assert table is not None
    together = table.layout.laid
    for part in (*table.hands, *(1 << code for code in table.boneyard)):
        assert not together & part
        together |= part
    assert sum(1 << code for code in SET_CODES[state.rule_set.deal.highest_pip]) == together
    assert table.layout.count == sum(value for _, value in table.layout.contributions)


def check_settlement(before: MatchState, after: MatchState) -> None:
    ended = [event for event in after.events if isinstance(event, RoundEnded)]
    if not ended:
        last = after.events[-1]
        assert isinstance(last, MatchEnded)
        assert last.winning_side is not None
        assert after.scores[last.winning_side] >= after.rule_set.target(after.seats)
        return
    assert after.table is not None
    settled = ended[0]
    assert settled.blocked == (settled.went_out is None)
    assert settled.blocked != (0 in after.table.hands)
    sides = [after.rule_set.seats_of(side, after.seats) for side in range(len(after.scores))]
    pips = [
        sum(TILES[code].pips for seat in side for code in codes_of_mask(after.table.hands[seat]))
        for side in sides
    ]
    for line in settled.settlement:
        assert line.score == after.scores[line.side]
        assert 0 == line.rounded % 5
    changes = [line.change for line in settled.settlement]
    scoring, house = after.rule_set.scoring, after.rule_set.house_rules
    if scoring.going_out is SettlementRule.DEBIT:
        expected = [-(round_to_five(own) // scoring.points_divisor) for own in pips]
        assert expected == changes
    elif house == HouseRules():
        gains = [round_to_five(sum(pips) - own) // scoring.points_divisor for own in pips]
        winner = settled.winning_side
        assert [gain if side == winner else 0 for side, gain in enumerate(gains)] == changes
        assert winner is not None or pips.count(min(pips)) > 1
    assert after.round == before.round + 1


def round_to_five(pips: int) -> int:
    return 5 * round(pips / 5)
