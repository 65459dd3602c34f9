"""What the rounds already shown tell about the other seats' policies; kernel style.

After a round its hands are known, so each seat's choices can be judged: for each policy of the
mixture, the cost of what the seat chose. Only choices whose hand is certain are judged: where a
seat has drawn, which of its tiles came when is often hidden for ever.

`costs` has MIXED integers for each of four seats, 0 at first: by policy the cost of all choices in
1 / COST_ONE bits, older ones fading by FADE percent with each new one. A policy is given
SURE / 1000 of the chance of its choices and spreads the rest evenly.
"""

from typing import Final

from muggins_ai.belief.constraints import (
    ALLOWED,
    META,
    PLAYED,
    SLOT_TURN,
    SLOTS,
    add_seat_slots,
    clear_slots,
)
from muggins_ai.belief.history import (
    FIRST_TURN,
    FORCED,
    MOVE,
    SEAT,
    TAKEN,
    TURN,
    TURN_COUNT,
)
from muggins_ai.belief.likelihood import (
    CHANCES,
    MIXED,
    NETWORK,
    POINTS,
    UNIFORM,
    begin_turns,
    note_turn,
    policy_chances,
)
from muggins_ai.belief.tables import COST_OF, COST_ONE, HALVED
from muggins_ai.evaluate.policy import Net, Scratch
from muggins_ai.playout import SEATS

__all__ = ["FADE", "FLOOR", "PRIOR", "WEIGHT_ONE", "add_evidence", "mix_policies"]

FADE: Final = 97
SURE: Final = 950

WEIGHT_ONE: Final = 1000
"""The sum of a seat's learned weights."""

PRIOR: Final = (500, 0, 200, 200, 100)
FLOOR: Final = (350, 0, 350, 100, 200)
"""By policy, before anything is known and whatever is known; POINTS stands in for NETWORK where
there is no network."""

FLOOR_SHARE: Final = 300
"""Of WEIGHT_ONE."""

UNKNOWN: Final = -1


def add_evidence(
    rules: list[int],
    history: list[int],
    viewer: int,
    shown: list[int],
    costs: list[int],
    asked: int,
    net: Net,
    scratch: Scratch,
    work: tuple[list[int], ...],
) -> None:
    """Judge all choices of the other seats in a round that has ended with the hands `shown`.

    `asked` is ASK_PLUS, with ASK_NETWORK where there is a network.
    """
    for seat in range(rules[SEATS]):
        if seat != viewer:
            clear_slots(work)
            add_seat_slots(rules, history, seat, shown[seat], work)
            judge_seat(rules, history, seat, costs, asked, net, scratch, work)


def judge_seat(
    rules: list[int],
    history: list[int],
    seat: int,
    costs: list[int],
    asked: int,
    net: Net,
    scratch: Scratch,
    work: tuple[list[int], ...],
) -> None:
    """Judge the choices of one seat, whose slots have been found."""
    begin_turns(rules, work)
    for turn in range(history[TURN_COUNT]):
        at = FIRST_TURN + TURN * turn
        mover = history[at + SEAT]
        move = history[at + MOVE]
        taken = history[at + TAKEN]
        free = taken == 0 and move >= 0 and (turn > 0 or history[FORCED] == 0)
        if mover == seat and free:
            hand = hand_before(turn, work)
            if hand != UNKNOWN and (
                policy_chances(rules, move, hand, seat, asked, net, scratch, work) > 1
            ):
                judge_choice(seat, costs, work)
        note_turn(rules, mover, move, taken, work)


def hand_before(turn: int, work: tuple[list[int], ...]) -> int:
    """The tiles that the seat held of its own will in a turn, as a mask, or UNKNOWN."""
    before = 0
    for slot in range(work[META][SLOTS]):
        if work[SLOT_TURN][slot] < turn:
            before |= 1 << slot
    hand = 0
    for code in range(28):
        slots = work[ALLOWED][code]
        played = work[PLAYED][code]
        if slots == 0 or (played >= 0 and played < turn):
            continue
        if slots & before == slots:
            hand |= 1 << code
        elif slots & before:
            return UNKNOWN
    return hand


def judge_choice(seat: int, costs: list[int], work: tuple[list[int], ...]) -> None:
    """Add the costs of the choice in CHANCES."""
    spread = (WEIGHT_ONE - SURE) * work[CHANCES][UNIFORM]
    for policy in range(MIXED):
        place = MIXED * seat + policy
        chance = (SURE * work[CHANCES][policy] + spread) // WEIGHT_ONE
        costs[place] = costs[place] * FADE // 100 + COST_OF[chance]


def mix_policies(
    seats: int, viewer: int, network: int, costs: list[int], weights: list[int]
) -> None:
    """Write the weights of the policies by seat, MIXED integers each; zeros for the viewer.

    `network` is 1 where there is a network.
    """
    for seat in range(4):
        first = MIXED * seat
        for policy in range(MIXED):
            weights[first + policy] = 0
        if seat < seats and seat != viewer:
            mix_seat(first, NETWORK if network else POINTS, costs, weights)


def mix_seat(first: int, learned: int, costs: list[int], weights: list[int]) -> None:
    """Write the weights of one seat: prior times what is left at its costs, then the floor.

    `learned` takes the part of NETWORK.
    """
    least = costs[first + learned]
    for policy in range(MIXED):
        if PRIOR[policy] and policy != NETWORK:
            least = min(least, costs[first + policy])
    total = 0
    for policy in range(MIXED):
        if PRIOR[policy]:
            place = first + (learned if policy == NETWORK else policy)
            cost = costs[place] - least
            weights[place] = PRIOR[policy] * (HALVED[cost % COST_ONE] >> min(62, cost // COST_ONE))
            total += weights[place]
    rest = WEIGHT_ONE
    for policy in range(MIXED):
        place = first + policy
        weights[place] = weights[place] * (WEIGHT_ONE - FLOOR_SHARE) // total
        rest -= weights[place]
    for policy in range(UNIFORM):
        share = FLOOR[policy] * FLOOR_SHARE // WEIGHT_ONE
        weights[first + (learned if policy == NETWORK else policy)] += share
        rest -= share
    weights[first + UNIFORM] += rest
