"""Chance nodes of an expectimax search: what is drawn, and what the other seats reply.

Draws: a seat that cannot place draws misses until a tile fits. Of n tiles in the boneyard a given
set of m misses and then a given tile that fits are drawn with chance m! (n - 1 - m)! / n!, which is
1 / (n C(n - 1, m)): the number of misses is negative hypergeometric, the first hit is uniform. All
outcomes are gone through where there are few; else tiles come from a fixed number of decks, the
same in all worlds, so that what the searching seat draws does not tell it the world. Where a world
leaves no tile that fits, all that may be drawn are misses.

Replies: by seat a mixture of the learned policy, greedy, greedy_plus and random play, on the hand
of the world and what everybody knows.
"""

from typing import Final

from muggins_ai.evaluate.policy import move_logits, move_weights
from muggins_ai.evaluate.public import OFF_TABLE, SIZES
from muggins_ai.playout import FLAGS
from muggins_ai.policies import (
    WAYS,
    WAYS_ROW,
    pick_greedy,
    pick_greedy_plus,
)
from muggins_ai.search.scenarios import (
    CHANCES,
    DECK,
    DECKS,
    SAMPLED,
    USED,
    Book,
    Sums,
    push,
)
from muggins_ai.search.steps import END, HANDS, META, TABLE, TURN, World, follower, playable
from muggins_ai.search.workspace import (
    MODEL_UNIT,
    MODELS,
    MOVES,
    PUBLIC,
    REPLIES,
    SETTINGS,
    STATE,
    WEIGHTS,
    Net,
    Scratch,
    Work,
)
from muggins_rules.bits import popcount
from muggins_rules.kernel import legal_tiles, list_moves

__all__ = [
    "BUDGET",
    "DECK_TILES",
    "DEPTH",
    "MOST_MISSES",
    "OUTCOMES",
    "SAMPLES",
    "TEMPERATURE",
    "push_draws",
    "push_replies",
]

Ints = list[int]

DEPTH: Final = SETTINGS
"""Placements to look ahead. This and the following are settings after those of `puct`, whose model
TREE is here the learned policy."""
TEMPERATURE: Final = SETTINGS + 1
"""Of the learned policy's replies in 1/1024 raw point; 0: it makes the move it thinks best."""
OUTCOMES: Final = SETTINGS + 2
"""The most outcomes of a draw that are all gone through."""
SAMPLES: Final = SETTINGS + 3
"""The number of decks otherwise."""
BUDGET: Final = SETTINGS + 4
"""The most placements made."""

DECK_TILES: Final = 28
"""Codes of a deck, all tiles of the full set in some order."""
MOST_MISSES: Final = 10
"""Of which all sets are gone through."""

LEARNED: Final = 0
GREEDY: Final = 1
GREEDY_PLUS: Final = 2
RANDOM: Final = 3
"""Places of the models of a seat."""


def push_draws(
    settings: Ints, world: World, work: Work, book: Book, sums: Sums, weight: float
) -> None:
    """Queue what the seat on turn can draw in the scenario in hand; it holds nothing that fits."""
    held = world[HANDS][0] | world[HANDS][1] | world[HANDS][2] | world[HANDS][3]
    boneyard = work[PUBLIC][OFF_TABLE] & ~held
    hits = legal_tiles(world[META][TABLE], boneyard)
    about = work[STATE]
    if about[DECK] >= 0:
        push_dealt(boneyard, hits, world, work, book, sums, weight)
    elif few_outcomes(settings[OUTCOMES], boneyard, hits, world[META][END]):
        push_outcomes(boneyard, hits, world, work, book, sums, weight)
    else:
        book[USED][SAMPLED] = 1
        share = weight / settings[SAMPLES]
        for deck in range(settings[SAMPLES]):
            about[DECK] = deck
            push_dealt(boneyard, hits, world, work, book, sums, share)


def few_outcomes(most: int, boneyard: int, hits: int, drawable: int) -> int:
    """1 when a draw has no more than so many outcomes, else 0."""
    misses = popcount(boneyard ^ hits)
    if misses > MOST_MISSES:
        return 0
    outcomes = WAYS[WAYS_ROW * misses + drawable] if drawable <= misses else 0
    for missed in range(min(misses, drawable - 1) + 1):
        outcomes += popcount(hits) * WAYS[WAYS_ROW * misses + missed]
    return 1 if outcomes <= most else 0


def push_outcomes(
    boneyard: int, hits: int, world: World, work: Work, book: Book, sums: Sums, weight: float
) -> None:
    """Queue every outcome of a draw with its chance."""
    tiles = popcount(boneyard)
    drawable = world[META][END]
    misses = boneyard ^ hits
    missed = misses
    while True:
        number = popcount(missed)
        if number == drawable:
            share = weight / WAYS[WAYS_ROW * tiles + number]
            push(world, work, book, sums, share, -1, missed, 0)
        elif number < drawable and hits:
            share = weight / (tiles * WAYS[WAYS_ROW * (tiles - 1) + number])
            left = hits
            while left:
                hit = left & -left
                push(world, work, book, sums, share, -1, missed | hit, hit)
                left ^= hit
        if missed == 0:
            break
        missed = (missed - 1) & misses


def push_dealt(
    boneyard: int, hits: int, world: World, work: Work, book: Book, sums: Sums, weight: float
) -> None:
    """Queue the one outcome of a draw from the scenario's deck."""
    first = DECK_TILES * work[STATE][DECK]
    left = world[META][END]
    drawn = 0
    hit = 0
    for place_of_tile in range(first, first + DECK_TILES):
        tile = 1 << book[DECKS][place_of_tile]
        if tile & boneyard == 0:
            continue
        drawn |= tile
        hit = tile & hits
        left -= 1
        if hit or left == 0:
            break
    push(world, work, book, sums, weight, -1, drawn, hit)


def push_replies(
    rules: Ints,
    settings: Ints,
    policy_net: Net,
    policy_scratch: Scratch,
    world: World,
    work: Work,
    book: Book,
    sums: Sums,
    weight: float,
) -> None:
    """Queue the replies of the seat on turn in the scenario in hand, with their chances."""
    meta = world[META]
    moves = work[MOVES]
    chances = sums[CHANCES]
    found = list_moves(meta[TABLE], playable(world), rules[FLAGS], moves)
    if found == 1:
        chances[0] = 1.0
    else:
        weigh_replies(
            rules, settings, policy_net, policy_scratch, meta[TURN], found, world, work, sums
        )
    for index in range(found):
        if chances[index] > 0.0:
            push(world, work, book, sums, weight * chances[index], moves[index], 0, 0)


def weigh_replies(
    rules: Ints,
    settings: Ints,
    policy_net: Net,
    policy_scratch: Scratch,
    turn: int,
    found: int,
    world: World,
    work: Work,
    sums: Sums,
) -> None:
    """Write the chance of each of the moves in hand by the models of the seat on turn."""
    word = world[META][TABLE]
    hand = world[HANDS][turn]
    moves = work[MOVES]
    chances = sums[CHANCES]
    first = MODELS + 4 * turn
    for index in range(found):
        chances[index] = settings[first + RANDOM] / (MODEL_UNIT * found)
    if settings[first + GREEDY]:
        chosen = pick_greedy(word, rules[FLAGS], moves, found)
        chances[chosen] += settings[first + GREEDY] / MODEL_UNIT
    if settings[first + GREEDY_PLUS]:
        unseen = work[PUBLIC][OFF_TABLE] & ~hand
        held = work[PUBLIC][SIZES + follower(rules, turn)]
        chosen = pick_greedy_plus(
            word, hand, unseen, held, rules[FLAGS], moves, found, work[REPLIES]
        )
        chances[chosen] += settings[first + GREEDY_PLUS] / MODEL_UNIT
    if settings[first + LEARNED]:
        share = settings[first + LEARNED] / MODEL_UNIT
        add_learned(
            rules, settings, policy_net, policy_scratch, turn, found, share, world, work, sums
        )


def add_learned(
    rules: Ints,
    settings: Ints,
    policy_net: Net,
    policy_scratch: Scratch,
    turn: int,
    found: int,
    share: float,
    world: World,
    work: Work,
    sums: Sums,
) -> None:
    """Add the learned policy's part of the chances."""
    weights = work[WEIGHTS]
    public = work[PUBLIC]
    hand = world[HANDS][turn]
    moves = work[MOVES]
    temperature = settings[TEMPERATURE]
    if temperature == 0:
        move_logits(rules, public, turn, hand, moves, found, policy_net, policy_scratch, weights)
        chosen = 0
        for index in range(found):
            if weights[index] > weights[chosen]:
                chosen = index
        sums[CHANCES][chosen] += share
        return
    move_weights(
        rules, public, turn, hand, moves, found, temperature, policy_net, policy_scratch, weights
    )
    total = 0
    for index in range(found):
        total += weights[index]
    for index in range(found):
        sums[CHANCES][index] += share * weights[index] / total
