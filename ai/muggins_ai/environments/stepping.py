"""Many rounds moved on by one action each; kernel style.

Row r of each array begins at r times the size of a row: `metas` META_SIZE, `hands`, `scores` and
`scored` 4, as in `search.steps`; `publics` PUBLIC_SIZE, as in `evaluate.public`; `decks` and `lots`
MOST_TILES; `randoms` RANDOM_SIZE. HEAD and END of a row's meta are places of `decks` as a whole.
What a step shows: by row, `changes` 4 (points by side), `ended` and `turns` 1, `masks` ACTIONS and
`observations` OBSERVATION_SIZE.
"""

from typing import Final

from muggins_ai.environments.numbering import (
    ACTIONS,
    DRAW,
    PASS,
    move_of_number,
    number_of_move,
)
from muggins_ai.environments.observing import OBSERVATION_SIZE, write_observation
from muggins_ai.environments.shuffling import RANDOM_SIZE, shuffle_cards
from muggins_ai.evaluate.public import (
    PUBLIC_SIZE,
    deal_world,
    note_draws,
    note_pass,
    note_placement,
    settle_publicly,
)
from muggins_ai.playout import FLAGS, SEATS, TILES
from muggins_ai.search.steps import (
    END,
    ENDED,
    HANDS,
    HEAD,
    IN_PLAY,
    META,
    META_SIZE,
    PENDING,
    SCORED,
    SCORES,
    TABLE,
    TURN,
    World,
    pass_turn,
    place,
    playable,
)
from muggins_rules.kernel import HIGH, LOW, legal_tiles, list_moves

__all__ = [
    "AUTOMATIC",
    "BY_LOT",
    "MOST_TILES",
    "MUST_LEAD",
    "OPTIONS",
    "begin_rows",
    "step_rows",
]

MOST_TILES: Final = 28

BY_LOT: Final = 0
MUST_LEAD: Final = 1
AUTOMATIC: Final = 2
OPTIONS: Final = 3
"""Places of `options`: 1 where a lot decides who opens, 1 where the highest double must be led,
1 where draws and passes are made without being asked for; and their number."""


def lot_winner(lots: list[int], at: int, seats: int) -> int:
    """The seat that opens by the lot whose order stands from place `at` on."""
    contending = (1 << seats) - 1
    while contending & contending - 1:
        highest = -1
        tied = 0
        for seat in range(seats):
            if contending >> seat & 1:
                pips = LOW[lots[at]] + HIGH[lots[at]]
                at += 1
                if pips > highest:
                    highest = pips
                    tied = 0
                if pips == highest:
                    tied |= 1 << seat
        contending = tied
    winner = 0
    while contending >> winner & 1 == 0:
        winner += 1
    return winner


def highest_opener(hands: list[int], seats: int) -> int:
    """The holder of the highest double, else of the heaviest tile, and its code: 32 x seat + code.

    Of equal weights the tile with the higher half.
    """
    best = -1
    found = 0
    for seat in range(seats):
        for code in range(MOST_TILES):
            if hands[seat] >> code & 1:
                rank = (LOW[code] + HIGH[code]) * 8 + HIGH[code]
                if LOW[code] == HIGH[code]:
                    rank += 1 << 10
                if rank > best:
                    best = rank
                    found = 32 * seat + code
    return found


def shuffle_row(
    rules: list[int],
    tiles: list[int],
    row: int,
    decks: list[int],
    lots: list[int],
    randoms: list[int],
) -> None:
    """Shuffle the deck, then the lot, of a row."""
    at = MOST_TILES * row
    number = rules[TILES]
    for index in range(number):
        decks[at + index] = tiles[index]
        lots[at + index] = tiles[index]
    shuffle_cards(decks, at, number, randoms, RANDOM_SIZE * row)
    shuffle_cards(lots, at, number, randoms, RANDOM_SIZE * row)


def begin_row(
    rules: list[int],
    options: list[int],
    row: int,
    decks: list[int],
    lots: list[int],
    world: World,
    public: list[int],
    deck: list[int],
) -> None:
    """Deal a round from the row's deck, with scores of 0; the lot or the highest double opens."""
    at = MOST_TILES * row
    for index in range(rules[TILES]):
        deck[index] = decks[at + index]
    for side in range(4):
        world[SCORES][side] = 0
        world[SCORED][side] = 0
    deal_world(rules, deck, 0, world, public)
    meta = world[META]
    meta[HEAD] += at
    meta[END] += at
    if options[BY_LOT]:
        meta[TURN] = lot_winner(lots, at, rules[SEATS])
        return
    opener = highest_opener(world[HANDS], rules[SEATS])
    meta[TURN] = opener >> 5
    if options[MUST_LEAD]:
        meta[PENDING] = 1 << (opener & 31)


def act(
    rules: list[int],
    options: list[int],
    number: int,
    decks: list[int],
    world: World,
    public: list[int],
) -> None:
    """Let the seat on turn take a legal action, and what follows from it by itself happen."""
    meta = world[META]
    turn = meta[TURN]
    if number == DRAW:
        tile = 1 << decks[meta[HEAD]]
        meta[HEAD] += 1
        world[HANDS][turn] |= tile
        meta[PENDING] = legal_tiles(meta[TABLE], tile)
        note_draws(public, turn, 1, meta[PENDING])
    elif number == PASS:
        note_pass(public, turn)
        pass_turn(rules, world)
    else:
        move = move_of_number(number)
        note_placement(public, turn, move, rules[FLAGS])
        place(rules, world, move)
        if options[AUTOMATIC]:
            settle_publicly(rules, world, decks, 0, public)


def load_row(
    row: int,
    metas: list[int],
    hands: list[int],
    scores: list[int],
    scored: list[int],
    publics: list[int],
    world: World,
    public: list[int],
) -> None:
    """Copy a row into a world and what is public of it."""
    for index in range(META_SIZE):
        world[META][index] = metas[META_SIZE * row + index]
    for index in range(4):
        world[HANDS][index] = hands[4 * row + index]
        world[SCORES][index] = scores[4 * row + index]
        world[SCORED][index] = scored[4 * row + index]
    for index in range(PUBLIC_SIZE):
        public[index] = publics[PUBLIC_SIZE * row + index]


def store_row(
    row: int,
    metas: list[int],
    hands: list[int],
    scores: list[int],
    scored: list[int],
    publics: list[int],
    world: World,
    public: list[int],
) -> None:
    """Copy a world and what is public of it into a row."""
    for index in range(META_SIZE):
        metas[META_SIZE * row + index] = world[META][index]
    for index in range(4):
        hands[4 * row + index] = world[HANDS][index]
        scores[4 * row + index] = world[SCORES][index]
        scored[4 * row + index] = world[SCORED][index]
    for index in range(PUBLIC_SIZE):
        publics[PUBLIC_SIZE * row + index] = public[index]


def show_row(
    rules: list[int],
    row: int,
    world: World,
    public: list[int],
    moves: list[int],
    turns: list[int],
    masks: list[int],
    observations: list[int],
) -> None:
    """Write whose turn it is, what that seat may do and what it may know."""
    meta = world[META]
    turn = meta[TURN]
    turns[row] = turn
    at = ACTIONS * row
    for index in range(at, at + ACTIONS):
        masks[index] = 0
    tiles = playable(world)
    if tiles:
        found = list_moves(meta[TABLE], tiles, rules[FLAGS], moves)
        for index in range(found):
            masks[at + number_of_move(moves[index])] = 1
    elif meta[HEAD] < meta[END]:
        masks[at + DRAW] = 1
    else:
        masks[at + PASS] = 1
    write_observation(
        rules,
        public,
        world[SCORES],
        world[HANDS][turn],
        turn,
        turn,
        observations,
        OBSERVATION_SIZE * row,
    )


def begin_rows(
    rules: list[int],
    options: list[int],
    tiles: list[int],
    rows: int,
    shuffled: int,
    metas: list[int],
    hands: list[int],
    scores: list[int],
    scored: list[int],
    publics: list[int],
    decks: list[int],
    lots: list[int],
    randoms: list[int],
    world: World,
    public: list[int],
    deck: list[int],
    moves: list[int],
    turns: list[int],
    masks: list[int],
    observations: list[int],
) -> None:
    """Deal every row a round; from the decks and lots as they are, unless `shuffled` is 1."""
    for row in range(rows):
        if shuffled:
            shuffle_row(rules, tiles, row, decks, lots, randoms)
        begin_row(rules, options, row, decks, lots, world, public, deck)
        store_row(row, metas, hands, scores, scored, publics, world, public)
        show_row(rules, row, world, public, moves, turns, masks, observations)


def step_rows(
    rules: list[int],
    options: list[int],
    tiles: list[int],
    rows: int,
    numbers: list[int],
    metas: list[int],
    hands: list[int],
    scores: list[int],
    scored: list[int],
    publics: list[int],
    decks: list[int],
    lots: list[int],
    randoms: list[int],
    world: World,
    public: list[int],
    deck: list[int],
    moves: list[int],
    turns: list[int],
    masks: list[int],
    observations: list[int],
    changes: list[int],
    ended: list[int],
) -> None:
    """Take the legal action `numbers[r]` in every row r; a row whose round ended is dealt anew."""
    for row in range(rows):
        load_row(row, metas, hands, scores, scored, publics, world, public)
        for side in range(4):
            changes[4 * row + side] = -world[SCORES][side]
        act(rules, options, numbers[row], decks, world, public)
        for side in range(4):
            changes[4 * row + side] += world[SCORES][side]
        ended[row] = 0
        if world[META][ENDED] != IN_PLAY:
            ended[row] = 1
            shuffle_row(rules, tiles, row, decks, lots, randoms)
            begin_row(rules, options, row, decks, lots, world, public, deck)
        store_row(row, metas, hands, scores, scored, publics, world, public)
        show_row(rules, row, world, public, moves, turns, masks, observations)
