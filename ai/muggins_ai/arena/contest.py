"""Rounds in which seats play the learned policy or one of the first opponents' policies.

As `playout.play_round`, with a table of what everybody knows beside it, which the learned policy
reads. The first opponents choose as there, in the order of the table.
"""

from typing import Final

from muggins_ai.evaluate.policy import drawn_move, move_logits, weigh
from muggins_ai.evaluate.public import (
    DRAWABLE,
    MAY_HOLD,
    OFF_TABLE,
    SIZES,
    WORD,
    deal_world,
    note_placement,
    settle_publicly,
)
from muggins_ai.playout import FLAGS, RECORDED, SEATS, WON
from muggins_ai.policies import pick, random_after
from muggins_ai.search.steps import (
    ENDED,
    HANDS,
    IN_PLAY,
    MATCH_OVER,
    META,
    OUT,
    TABLE,
    TURN,
    World,
    follower,
    place,
    playable,
)
from muggins_ai.table_order import add_tile, list_in_order
from muggins_rules.kernel import list_moves

__all__ = ["NETWORK", "choose_by_network", "contest_round", "decide_by_network"]

Net = tuple[list[int], list[int], list[int], list[int]]
Scratch = tuple[list[int], list[int], list[int]]

NETWORK: Final = 3
"""The learned policy among `policies`, whose numbers are 0..2."""


def contest_round(
    rules: list[int],
    policies: list[int],
    temperature: int,
    net: Net,
    scratch: Scratch,
    deck: list[int],
    opener: int,
    lead: int,
    world: World,
    public: list[int],
    ends: list[int],
    moves: list[int],
    replies: list[int],
    logits: list[int],
    state: list[int],
) -> int:
    """Play a round from the shuffled deck to its end; how it ended, as `playout` tells it.

    Scores stand in `world` and change in place. The network takes its best move when `temperature`
    is 0, else it plays at that temperature.
    """
    meta = world[META]
    deal_world(rules, deck, opener, world, public)
    while True:
        settle_publicly(rules, world, deck, 0, public)
        if meta[ENDED] != IN_PLAY:
            break
        turn = meta[TURN]
        tiles = playable(world)
        if lead >= 0:
            tiles = 1 << lead
            lead = -1
        hand = world[HANDS][turn]
        found = list_in_order(meta[TABLE], tiles, rules[FLAGS], ends, moves)
        state[0] = random_after(state[0])
        chosen = 0
        if found > 1 and policies[turn] == NETWORK:
            move_logits(rules, public, turn, hand, moves, found, net, scratch, logits)
            chosen = choose_by_network(logits, found, temperature, state[0])
        elif found > 1:
            unseen = public[OFF_TABLE] & ~hand
            held = public[SIZES + follower(rules, turn)]
            chosen = pick(
                policies[turn],
                meta[TABLE],
                hand,
                unseen,
                held,
                rules[FLAGS],
                moves,
                found,
                replies,
                state[0],
            )
        note_placement(public, turn, moves[chosen], rules[FLAGS])
        place(rules, world, moves[chosen])
        add_tile(meta[TABLE], moves[chosen], ends)
    ended = meta[OUT]
    return ended + WON if meta[ENDED] == MATCH_OVER else ended


def choose_by_network(logits: list[int], found: int, temperature: int, random: int) -> int:
    """The best move, the first of equal ones, or one at a temperature by a 32-bit number."""
    chosen = 0
    if temperature == 0:
        for index in range(1, found):
            if logits[index] > logits[chosen]:
                chosen = index
        return chosen
    weigh(logits, found, temperature)
    return drawn_move(logits, found, random)


def decide_by_network(
    rules: list[int],
    record: list[int],
    positions: int,
    net: Net,
    scratch: Scratch,
    public: list[int],
    moves: list[int],
    logits: list[int],
) -> int:
    """Decide again what `playout` recorded, to be timed; the sum of the moves.

    A record tells nothing of draws and passes: each seat may hold any tile.
    """
    total = 0
    for index in range(positions):
        at = RECORDED * index
        seat = record[at]
        word = record[at + 1]
        hand = record[at + 2]
        unseen = record[at + 3]
        public[WORD] = word
        public[OFF_TABLE] = unseen | hand
        public[DRAWABLE] = 0
        for other in range(rules[SEATS]):
            public[SIZES + other] = record[at + 4]
            public[MAY_HOLD + other] = unseen | hand
        found = list_moves(word, record[at + 5], rules[FLAGS], moves)
        move_logits(rules, public, seat, hand, moves, found, net, scratch, logits)
        total += moves[choose_by_network(logits, found, 0, 1)]
    return total
