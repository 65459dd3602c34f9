"""How likely the other seats' choices are in a world, under a mixture of policies; kernel style.

A choice counts where a seat placed a tile of its own will: not one that it had just drawn or had
to lead, and with more than one move in the hand that the world gives it at that time. The policies
of the mixture, in the order of the weights:

    NETWORK      the learned policy, `evaluate.policy`, at NETWORK_TEMPERATURE
    POINTS       likes a move exponentially in points + 0.15 pips, with a temperature of 3 points
    GREEDY       the most points, then the heavier tile
    GREEDY_PLUS  the highest value of `policies.placement_value`, then the heavier tile
    UNIFORM      any move

Moves that tie for a greedy policy share its chance. Points are those of the count, before any
divisor and house rule. No choice is given less than LEAST_CHANCE, and a world's cost counts
POWER / 10, since the mixture is surer of itself than it should be.

`net` and `scratch` are those of the learned policy; empty arrays serve where no weight asks for it.
"""

from typing import Final

from muggins_ai.belief.constraints import (
    HELD_SLOTS,
    META,
    SET_OF,
    SLOT_SEAT,
    SLOT_TURN,
)
from muggins_ai.belief.history import (
    FIRST_TURN,
    FORCED,
    MOVE,
    PASSED,
    SEAT,
    TAKEN,
    TURN,
    TURN_COUNT,
)
from muggins_ai.belief.tables import (
    CHANCE_ONE,
    COST_OF,
    COST_ONE,
    HALVED,
    LIKING,
    MOST_DISLIKED,
)
from muggins_ai.belief.worlds import TILE_AT
from muggins_ai.evaluate.policy import POLICY_UNIT, Net, Scratch, move_weights
from muggins_ai.evaluate.public import (
    OFF_TABLE,
    SIZES,
    begin_public,
    note_draws,
    note_pass,
    note_placement,
)
from muggins_ai.evaluate.public import WORD as TABLE_WORD
from muggins_ai.playout import FLAGS, SEATS, TILES
from muggins_ai.policies import placement_value
from muggins_ai.search.steps import follower
from muggins_rules.kernel import HIGH, LOW, count_of, lay, list_moves, points_of

__all__ = [
    "ASK_NETWORK",
    "ASK_PLUS",
    "CHANCES",
    "GREEDY",
    "GREEDY_PLUS",
    "LEAST_CHANCE",
    "MIXED",
    "MOVES",
    "NETWORK",
    "POINTS",
    "POWER",
    "PUBLIC",
    "REPLIES",
    "UNIFORM",
    "VALUES",
    "begin_turns",
    "choice_cost",
    "note_turn",
    "policy_chances",
    "weight_left",
    "world_cost",
]

NETWORK: Final = 0
POINTS: Final = 1
GREEDY: Final = 2
GREEDY_PLUS: Final = 3
UNIFORM: Final = 4
MIXED: Final = 5
"""The policies of the mixture, and their number."""

NOW: Final = 20
MOVES: Final = 22
REPLIES: Final = 23
VALUES: Final = 24
CHANCES: Final = 25
PUBLIC: Final = 27
"""Arrays of `work`: by seat its hand at a time; moves; replies; by move its value;
by policy the chance of the move made; and what `evaluate.public` keeps."""

ASK_PLUS: Final = 1
ASK_NETWORK: Final = 2
"""The policies that take time, as bits: they are asked where they weigh something."""

NETWORK_TEMPERATURE: Final = 2 * POLICY_UNIT

LEAST_CHANCE: Final = 20
POWER: Final = 7


def weight_left(cost: int) -> int:
    """What is left of HALVED_ONE at a cost, before its power."""
    cost = cost * POWER // 10
    return HALVED[cost % COST_ONE] >> min(62, cost // COST_ONE)


def asked_of(weights: list[int], first: int) -> int:
    """The policies that take time and weigh something, from place `first` of the weights on."""
    asked = ASK_PLUS if weights[first + GREEDY_PLUS] else 0
    return asked | ASK_NETWORK if weights[first + NETWORK] else asked


def world_cost(
    rules: list[int],
    history: list[int],
    viewer: int,
    weights: list[int],
    net: Net,
    scratch: Scratch,
    work: tuple[list[int], ...],
) -> int:
    """The cost of all choices in the world in TILE_AT, in 1 / COST_ONE bits."""
    now = work[NOW]
    begin_turns(rules, work)
    for seat in range(rules[SEATS]):
        now[seat] = 0
    take_tiles(-1, work)
    cost = 0
    for turn in range(history[TURN_COUNT]):
        at = FIRST_TURN + TURN * turn
        seat = history[at + SEAT]
        move = history[at + MOVE]
        taken = history[at + TAKEN]
        if seat != viewer:
            if taken:
                take_tiles(turn, work)
            elif move >= 0:
                if turn > 0 or history[FORCED] == 0:
                    cost += choice_cost(rules, move, now[seat], seat, weights, net, scratch, work)
                now[seat] ^= 1 << (move & 31)
        note_turn(rules, seat, move, taken, work)
    return cost


def begin_turns(rules: list[int], work: tuple[list[int], ...]) -> None:
    """Go back to the deal in what is public."""
    begin_public(rules, SET_OF[rules[TILES]], work[PUBLIC])


def note_turn(
    rules: list[int], seat: int, move: int, taken: int, work: tuple[list[int], ...]
) -> None:
    """Bring what is public up to date with a whole turn."""
    if taken:
        note_draws(work[PUBLIC], seat, taken, 1 if move >= 0 else 0)
    if move >= 0:
        note_placement(work[PUBLIC], seat, move, rules[FLAGS])
    elif move == PASSED:
        note_pass(work[PUBLIC], seat)


def take_tiles(turn: int, work: tuple[list[int], ...]) -> None:
    """Give the seats the tiles of the slots that a turn filled."""
    for slot in range(work[META][HELD_SLOTS]):
        if work[SLOT_TURN][slot] == turn:
            work[NOW][work[SLOT_SEAT][slot]] |= 1 << work[TILE_AT][slot]


def choice_cost(
    rules: list[int],
    move: int,
    hand: int,
    seat: int,
    weights: list[int],
    net: Net,
    scratch: Scratch,
    work: tuple[list[int], ...],
) -> int:
    """The cost of a seat's move with a hand; 0 where it had no choice or nothing is inferred.

    `weights` has MIXED integers for each seat.
    """
    first = MIXED * seat
    total = 0
    for policy in range(MIXED):
        total += weights[first + policy]
    if total == 0:
        return 0
    asked = asked_of(weights, first)
    if policy_chances(rules, move, hand, seat, asked, net, scratch, work) == 1:
        return 0
    chance = 0
    for policy in range(MIXED):
        chance += weights[first + policy] * work[CHANCES][policy]
    return COST_OF[max(LEAST_CHANCE, chance // total)]


def policy_chances(
    rules: list[int],
    move: int,
    hand: int,
    seat: int,
    asked: int,
    net: Net,
    scratch: Scratch,
    work: tuple[list[int], ...],
) -> int:
    """Write the chance that each policy gives a seat's move into CHANCES; the number of its moves.

    What is public says where it happens. Policies that take time have chance 0 unless `asked`.
    """
    word = work[PUBLIC][TABLE_WORD]
    moves = work[MOVES]
    chances = work[CHANCES]
    flags = rules[FLAGS]
    found = list_moves(word, hand, flags, moves)
    for policy in range(MIXED):
        chances[policy] = 0
    if found <= 1:
        return found
    best = -1
    for index in range(found):
        code = moves[index] & 31
        points = points_of(count_of(lay(word, moves[index], flags)), 1)
        work[VALUES][index] = points << 5 | (LOW[code] + HIGH[code])
        best = max(best, worth(work[VALUES][index]))
    liked = 0
    own = 0
    for index in range(found):
        liking = LIKING[min(MOST_DISLIKED, best - worth(work[VALUES][index]))]
        liked += liking
        if moves[index] == move:
            own = liking
    chances[POINTS] = own * CHANCE_ONE // liked
    chances[GREEDY] = shared_best(move, found, work)
    chances[UNIFORM] = CHANCE_ONE // found
    if asked & ASK_PLUS:
        unseen = work[PUBLIC][OFF_TABLE] & ~hand
        held = work[PUBLIC][SIZES + follower(rules, seat)]
        for index in range(found):
            code = moves[index] & 31
            value = placement_value(word, moves[index], hand, unseen, held, flags, work[REPLIES])
            work[VALUES][index] = value << 5 | (LOW[code] + HIGH[code])
        chances[GREEDY_PLUS] = shared_best(move, found, work)
    if asked & ASK_NETWORK:
        chances[NETWORK] = network_chance(rules, move, hand, seat, found, net, scratch, work)
    return found


def network_chance(
    rules: list[int],
    move: int,
    hand: int,
    seat: int,
    found: int,
    net: Net,
    scratch: Scratch,
    work: tuple[list[int], ...],
) -> int:
    """The chance of a move under the learned policy."""
    values = work[VALUES]
    moves = work[MOVES]
    move_weights(
        rules,
        work[PUBLIC],
        seat,
        hand,
        moves,
        found,
        NETWORK_TEMPERATURE,
        net,
        scratch,
        values,
    )
    total = 0
    own = 0
    for index in range(found):
        total += values[index]
        if moves[index] == move:
            own = values[index]
    return own * CHANCE_ONE // total


def worth(value: int) -> int:
    """Points + 0.15 pips in sixtieths of 3 points, of points and pips packed."""
    return 20 * (value >> 5) + 3 * (value & 31)


def shared_best(move: int, found: int, work: tuple[list[int], ...]) -> int:
    """The chance of a move where the moves of the best of VALUES share CHANCE_ONE."""
    values = work[VALUES]
    best = values[0]
    for index in range(1, found):
        best = max(best, values[index])
    ties = 0
    own = 0
    for index in range(found):
        if values[index] == best:
            ties += 1
            if work[MOVES][index] == move:
                own = 1
    return own * CHANCE_ONE // ties
