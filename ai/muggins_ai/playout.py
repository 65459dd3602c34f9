"""Whole rounds as kernel-style functions: draws, passes, blocks, points and settlement.

`round_rules.rules_of` turns a rule set and a number of seats into the integers `rules`. All
arrays belong to the caller: by seat `policies` and `hands` (28-bit masks), by side `scores` and
`scored` (1 once a side has gained), and `ends` as in `table_order`.

Calling is not played: sides that claim what they earn and hear every call score the same.
"""

from typing import Final

from muggins_ai.policies import pick, random_after
from muggins_ai.table_order import MOST_ENDS, add_tile, list_in_order
from muggins_rules.kernel import (
    EMPTY_TABLE,
    count_of,
    lay,
    legal_tiles,
    nearest_five,
    points_of,
    sum_of_pips,
)

__all__ = [
    "BLOCKED",
    "LARGEST_ROUND",
    "PLIES",
    "RANDOM_STATE",
    "RECORDED",
    "ROUND_RULES",
    "WON",
    "add_points",
    "choose_move",
    "decide_recorded",
    "is_blocked",
    "play_round",
    "play_rounds",
    "settle_round",
]

FLAGS: Final = 0
SEATS: Final = 1
SIDES: Final = 2
NEXT: Final = 3
HAND_SIZE: Final = 4
TILES: Final = 5
RESERVE: Final = 6
DIVISOR: Final = 7
DEBIT_OUT: Final = 8
DEBIT_BLOCKED: Final = 9
TARGET: Final = 10
EXACT_TARGET: Final = 11
FIRST_MINIMUM: Final = 12
TIE_SHARES: Final = 13
ROUND_RULES: Final = 14
"""Number of integers that say what a round is played by."""

BLOCKED: Final = 4
"""How a round ended: 0..3 the seat that went out, 4 a block."""
WON: Final = 8
"""Added when the match is over: a side has reached the target."""

RANDOM_STATE: Final = 0
PLIES: Final = 1
"""Places of `state`: random numbers, and placements made so far."""

RECORDED_ENDS: Final = 6
RECORDED: Final = RECORDED_ENDS + MOST_ENDS + 1
"""Integers of a recorded position: seat, word, hand, unseen, held by the next seat, tiles, ends."""
LARGEST_ROUND: Final = 28


def add_points(
    rules: list[int], scores: list[int], scored: list[int], side: int, gain: int
) -> None:
    """Give a side a gain of 0 or more, where the house rules let it count."""
    if gain == 0:
        return
    if rules[EXACT_TARGET] and scores[side] + gain > rules[TARGET]:
        return
    if scored[side] == 0 and gain < rules[FIRST_MINIMUM]:
        return
    scores[side] += gain
    scored[side] = 1


def is_blocked(rules: list[int], word: int, hands: list[int]) -> int:
    """1 when no seat holds a tile that fits, else 0; asked when nothing is drawable."""
    held = 0
    for seat in range(rules[SEATS]):
        held |= hands[seat]
    return 0 if legal_tiles(word, held) else 1


def settle_round(
    rules: list[int], scores: list[int], scored: list[int], hands: list[int], out: int
) -> None:
    """Settle the hands after `out` went out, or after a block when it is BLOCKED."""
    sides = rules[SIDES]
    total = 0
    least = 1 << 30
    most = 0
    tied = 0
    winner = 0
    for side in range(sides):
        pips = side_pips(rules, hands, side)
        total += pips
        most = max(most, pips)
        if pips < least:
            least = pips
            winner = side
            tied = 0
        if pips == least:
            tied += 1
    if rules[DEBIT_BLOCKED if out == BLOCKED else DEBIT_OUT]:
        for side in range(sides):
            pips = side_pips(rules, hands, side)
            scores[side] -= nearest_five(pips) // rules[DIVISOR]
        return
    if out != BLOCKED:
        winner = out % sides
    elif tied > 1:
        if rules[TIE_SHARES] and sides == 3 and tied == 2:  # noqa: PLR2004 - two of three share
            share = nearest_five(most) // 2 // 5 * 5 // rules[DIVISOR]
            for side in range(sides):
                if side_pips(rules, hands, side) == least:
                    add_points(rules, scores, scored, side, share)
        return
    gain = nearest_five(total - side_pips(rules, hands, winner)) // rules[DIVISOR]
    add_points(rules, scores, scored, winner, gain)


def side_pips(rules: list[int], hands: list[int], side: int) -> int:
    """The pips that a side's seats hold."""
    pips = 0
    for seat in range(rules[SEATS]):
        if seat % rules[SIDES] == side:
            pips += sum_of_pips(hands[seat])
    return pips


def choose_move(
    rules: list[int],
    policy: int,
    word: int,
    hand: int,
    unseen: int,
    held: int,
    tiles: int,
    ends: list[int],
    moves: list[int],
    replies: list[int],
    state: list[int],
) -> int:
    """The move that a policy makes with one of `tiles`, of which some fit."""
    found = list_in_order(word, tiles, rules[FLAGS], ends, moves)
    state[RANDOM_STATE] = random_after(state[RANDOM_STATE])
    random = state[RANDOM_STATE]
    chosen = pick(policy, word, hand, unseen, held, rules[FLAGS], moves, found, replies, random)
    return moves[chosen]


def deal_hands(rules: list[int], deck: list[int], hands: list[int]) -> int:
    """Deal the hands from the front of the deck; the mask of all tiles of the set."""
    head = 0
    for seat in range(rules[SEATS]):
        hands[seat] = 0
        for _ in range(rules[HAND_SIZE]):
            hands[seat] |= 1 << deck[head]
            head += 1
    tiles = 0
    for index in range(rules[TILES]):
        tiles |= 1 << deck[index]
    return tiles


def record_position(
    record: list[int],
    number: int,
    seat: int,
    word: int,
    hand: int,
    unseen: int,
    held: int,
    tiles: int,
    ends: list[int],
) -> None:
    """Write a position as the `number`-th of a record, from 0, where there is room for it."""
    at = RECORDED * number
    if at + RECORDED > len(record):
        return
    record[at] = seat
    record[at + 1] = word
    record[at + 2] = hand
    record[at + 3] = unseen
    record[at + 4] = held
    record[at + 5] = tiles
    for index in range(MOST_ENDS + 1):
        record[at + RECORDED_ENDS + index] = ends[index]


def play_round(
    rules: list[int],
    policies: list[int],
    deck: list[int],
    opener: int,
    lead: int,
    scores: list[int],
    scored: list[int],
    hands: list[int],
    ends: list[int],
    moves: list[int],
    replies: list[int],
    state: list[int],
    record: list[int],
) -> int:
    """Play a round from the shuffled deck to its end; how it ended, plus WON where that applies.

    `lead` is the code of the tile that must be led, or -1. Scores change in place. `record`
    takes RECORDED integers for each placement, as many as it has room for, LARGEST_ROUND times
    RECORDED at most; it may be empty. PLIES of `state` grows by the placements made.
    """
    seats = rules[SEATS]
    off_table = deal_hands(rules, deck, hands)
    head = seats * rules[HAND_SIZE]
    drawable_end = max(head, rules[TILES] - rules[RESERVE])
    sizes = rules[HAND_SIZE] * 0x01010101  # tiles held, eight bits a seat
    word = EMPTY_TABLE
    turn = opener
    plies = 0
    while True:
        hand = hands[turn]
        tiles = legal_tiles(word, hand)
        if lead >= 0:
            tiles = 1 << lead
            lead = -1
        while tiles == 0 and head < drawable_end:
            drawn = 1 << deck[head]
            head += 1
            hand |= drawn
            sizes += 1 << 8 * turn
            tiles = legal_tiles(word, drawn)
        hands[turn] = hand
        follower = turn + rules[NEXT]
        if follower >= seats:
            follower -= seats
        if tiles:
            unseen = off_table & ~hand
            held = sizes >> 8 * follower & 255
            record_position(record, plies, turn, word, hand, unseen, held, tiles, ends)
            move = choose_move(
                rules, policies[turn], word, hand, unseen, held, tiles, ends, moves, replies, state
            )
            plies += 1
            tile = 1 << (move & 31)
            word = lay(word, move, rules[FLAGS])
            add_tile(word, move, ends)
            off_table ^= tile
            hands[turn] = hand ^ tile
            sizes -= 1 << 8 * turn
            side = turn if turn < rules[SIDES] else turn - rules[SIDES]
            add_points(rules, scores, scored, side, points_of(count_of(word), rules[DIVISOR]))
            if scores[side] >= rules[TARGET]:
                state[PLIES] += plies
                return turn + WON
            if hands[turn] == 0:
                break
        if head >= drawable_end and is_blocked(rules, word, hands):
            turn = BLOCKED
            break
        turn = follower
    state[PLIES] += plies
    settle_round(rules, scores, scored, hands, turn)
    for side in range(rules[SIDES]):
        if scores[side] >= rules[TARGET]:
            return turn + WON
    return turn


def decide_recorded(
    rules: list[int],
    policy: int,
    record: list[int],
    positions: int,
    ends: list[int],
    moves: list[int],
    replies: list[int],
    state: list[int],
) -> int:
    """Decide again what was recorded, to be timed; the sum of the moves, so that none is idle."""
    total = 0
    for index in range(positions):
        at = RECORDED * index
        for end in range(MOST_ENDS + 1):
            ends[end] = record[at + RECORDED_ENDS + end]
        total += choose_move(
            rules,
            policy,
            record[at + 1],
            record[at + 2],
            record[at + 3],
            record[at + 4],
            record[at + 5],
            ends,
            moves,
            replies,
            state,
        )
    return total


def play_rounds(
    rules: list[int],
    policies: list[int],
    decks: list[int],
    rounds: int,
    deck: list[int],
    scores: list[int],
    scored: list[int],
    hands: list[int],
    ends: list[int],
    moves: list[int],
    replies: list[int],
    state: list[int],
    record: list[int],
) -> int:
    """Play unconnected rounds from scores of 0, for speed and statistics; the placements made.

    `decks` holds so many shuffled decks one after another, `deck` has room for one. The seats
    open in turn, with any tile.
    """
    before = state[PLIES]
    tiles = rules[TILES]
    for index in range(rounds):
        for place in range(tiles):
            deck[place] = decks[tiles * index + place]
        for side in range(rules[SIDES]):
            scores[side] = 0
            scored[side] = 0
        play_round(
            rules,
            policies,
            deck,
            index % rules[SEATS],
            -1,
            scores,
            scored,
            hands,
            ends,
            moves,
            replies,
            state,
            record,
        )
    return state[PLIES] - before
