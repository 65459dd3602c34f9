"""Scenarios of an expectimax search, as rows of flat arrays: a world, how likely, and how it came.

A scenario is a world (`steps`) with what everybody knows in it (`evaluate.public`). The order of
its boneyard stays open until tiles are drawn: what is off the table and in no hand is the boneyard,
and HEAD of a world is 0. Scenarios that wait for the searching seat stand in rows, those still on
their way in a queue, each with the placement or draw that comes next.

What the searching seat saw since its last placement is kept as two numbers, polynomials of the
events modulo two primes: scenarios are told apart by them as the seat can tell them apart.
"""

from typing import Final

from muggins_ai.evaluate.public import PUBLIC_SIZE, note_draws, note_placement
from muggins_ai.playout import FLAGS
from muggins_ai.search.steps import (
    END,
    HANDS,
    META,
    META_SIZE,
    PENDING,
    SCORED,
    SCORES,
    TURN,
    World,
    place,
)
from muggins_ai.search.workspace import PUBLIC, STATE, VIEWER, Work
from muggins_rules.bits import popcount

__all__ = [
    "ABOUT_SIZE",
    "ACCRUED",
    "BEST",
    "CHANCES",
    "DECK",
    "DECKS",
    "FRAMES",
    "FRAME_MOVES",
    "LEFT",
    "MOVE",
    "ORDER",
    "OVERALL",
    "PARENT",
    "PASSED",
    "PLACED",
    "QUEUE",
    "QUEUED",
    "QUEUE_WEIGHTS",
    "RESULTS",
    "ROW",
    "ROWS",
    "ROW_SUMS",
    "SAMPLED",
    "SPENT",
    "SUMS",
    "USED",
    "USED_SIZE",
    "WAITING",
    "WEIGHT",
    "Book",
    "Sums",
    "add_waiting",
    "forget_seen",
    "make_next",
    "note_seen",
    "parent_of",
    "push",
    "read_row",
    "sort_waiting",
    "told_apart",
    "write_row",
]

Ints = list[int]
Book = tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints]
"""rows, queue, order, frames, moves of the frames, decks, used."""
Sums = tuple[list[float], list[float], list[float], list[float], list[float]]
"""of the rows, weights of the queue, chances of replies, of the frames, results."""

ROWS: Final = 0
QUEUE: Final = 1
ORDER: Final = 2
FRAMES: Final = 3
FRAME_MOVES: Final = 4
DECKS: Final = 5
USED: Final = 6
"""Places of the arrays in a book. `order` lists rows so that those of a group are neighbours."""

ROW_SUMS: Final = 0
QUEUE_WEIGHTS: Final = 1
CHANCES: Final = 2
OVERALL: Final = 3
RESULTS: Final = 4
"""Places of the arrays of sums."""

WAITING: Final = 0
QUEUED: Final = 1
PLACED: Final = 2
SPENT: Final = 3
SAMPLED: Final = 4
USED_SIZE: Final = 5
"""Places of `used`: rows in use, entries of the queue, placements made, 1 when the budget or the
room was spent, 1 when some draw was sampled."""

WEIGHT: Final = 0
ACCRUED: Final = 1
BEST: Final = 2
SUMS: Final = 3
"""Of a row: its weight, and its weight times its value under the move in hand and the best."""

PARENT: Final = 0
LEFT: Final = 1
DECK: Final = 2
SEEN: Final = 3
MOVE: Final = 5
DRAWN: Final = 6
HIT: Final = 7
ABOUT_SIZE: Final = 8
"""What else a row tells: the row it came from, the placements left to look ahead, the deck that
tiles are drawn from or -1, the two numbers of what was seen; in the queue the placement to come or
-1, and the tiles to be drawn with the one among them that fits, as masks."""

AT_HANDS: Final = META_SIZE
AT_SCORES: Final = AT_HANDS + 4
AT_SCORED: Final = AT_SCORES + 4
AT_PUBLIC: Final = AT_SCORED + 4
AT_ABOUT: Final = AT_PUBLIC + PUBLIC_SIZE
ROW: Final = AT_ABOUT + ABOUT_SIZE
"""Integers of a row."""

FIRST_PRIME: Final = 2_147_483_647
FIRST_FACTOR: Final = 1_583_458_089
SECOND_PRIME: Final = 2_147_483_629
SECOND_FACTOR: Final = 784_588_716

PASSED: Final = 1
HIDDEN_DRAWS: Final = 2
PLACEMENT: Final = 64
OWN_DRAWS: Final = 1 << 28
OWN_HIT: Final = 1 << 29
"""What was seen: a pass, so many tiles drawn by another seat, a placement, tiles drawn oneself."""


def read_row(rows: Ints, row: int, world: World, work: Work) -> None:
    """Make `world` and `work` what a row holds."""
    at = ROW * row
    for index in range(META_SIZE):
        world[META][index] = rows[at + index]
    for index in range(4):
        world[HANDS][index] = rows[at + AT_HANDS + index]
        world[SCORES][index] = rows[at + AT_SCORES + index]
        world[SCORED][index] = rows[at + AT_SCORED + index]
    for index in range(PUBLIC_SIZE):
        work[PUBLIC][index] = rows[at + AT_PUBLIC + index]
    for index in range(ABOUT_SIZE):
        work[STATE][index] = rows[at + AT_ABOUT + index]


def write_row(rows: Ints, row: int, world: World, work: Work) -> None:
    """Write `world` and `work` into a row."""
    at = ROW * row
    for index in range(META_SIZE):
        rows[at + index] = world[META][index]
    for index in range(4):
        rows[at + AT_HANDS + index] = world[HANDS][index]
        rows[at + AT_SCORES + index] = world[SCORES][index]
        rows[at + AT_SCORED + index] = world[SCORED][index]
    for index in range(PUBLIC_SIZE):
        rows[at + AT_PUBLIC + index] = work[PUBLIC][index]
    for index in range(ABOUT_SIZE):
        rows[at + AT_ABOUT + index] = work[STATE][index]


def push(
    world: World,
    work: Work,
    book: Book,
    sums: Sums,
    weight: float,
    move: int,
    drawn: int,
    hit: int,
) -> None:
    """Queue the scenario in hand with what comes next: a placement, or a draw when `move` is -1."""
    used = book[USED]
    entry = used[QUEUED]
    if ROW * (entry + 1) > len(book[QUEUE]):
        used[SPENT] = 1
        return
    about = work[STATE]
    about[MOVE] = move
    about[DRAWN] = drawn
    about[HIT] = hit
    write_row(book[QUEUE], entry, world, work)
    sums[QUEUE_WEIGHTS][entry] = weight
    used[QUEUED] = entry + 1


def make_next(rules: Ints, settings: Ints, world: World, work: Work, book: Book) -> None:
    """Let what comes next in a scenario just taken from the queue come about."""
    meta = world[META]
    turn = meta[TURN]
    about = work[STATE]
    drawn = about[DRAWN]
    if drawn:
        number = popcount(drawn)
        world[HANDS][turn] |= drawn
        meta[PENDING] = about[HIT]
        meta[END] -= number
        note_draws(work[PUBLIC], turn, number, 1 if about[HIT] else 0)
        if turn == settings[VIEWER]:
            note_seen(about, OWN_DRAWS + drawn)
            note_seen(about, OWN_HIT + about[HIT])
        else:
            note_seen(about, HIDDEN_DRAWS + number)
    move = about[MOVE]
    if move >= 0:
        book[USED][PLACED] += 1
        about[LEFT] -= 1
        note_placement(work[PUBLIC], turn, move, rules[FLAGS])
        place(rules, world, move)
        note_seen(about, PLACEMENT + move)


def add_waiting(world: World, work: Work, book: Book, sums: Sums, weight: float) -> None:
    """Let the scenario in hand wait for the searching seat's choice."""
    used = book[USED]
    row = used[WAITING]
    if ROW * (row + 1) > len(book[ROWS]):
        used[SPENT] = 1
        return
    write_row(book[ROWS], row, world, work)
    sums[ROW_SUMS][SUMS * row + WEIGHT] = weight
    used[WAITING] = row + 1


def parent_of(rows: Ints, row: int) -> int:
    """The row that a row came from."""
    return rows[ROW * row + AT_ABOUT + PARENT]


def note_seen(about: Ints, event: int) -> None:
    """The searching seat saw an event."""
    about[SEEN] = (about[SEEN] * FIRST_FACTOR + event) % FIRST_PRIME
    about[SEEN + 1] = (about[SEEN + 1] * SECOND_FACTOR + event) % SECOND_PRIME


def forget_seen(about: Ints) -> None:
    """What is seen from here on tells scenarios apart."""
    about[SEEN] = 0
    about[SEEN + 1] = 0


def told_apart(rows: Ints, row: int, other: int) -> int:
    """0 when the searching seat saw the same in both rows, else which is first by what it saw."""
    for place_of_number in range(AT_ABOUT + SEEN, AT_ABOUT + SEEN + 2):
        difference = rows[ROW * row + place_of_number] - rows[ROW * other + place_of_number]
        if difference:
            return difference
    return 0


def sort_waiting(first: int, end: int, book: Book) -> None:
    """Write the rows from `first` to `end` into `order`, by what was seen and then by number."""
    rows = book[ROWS]
    order = book[ORDER]
    for row in range(first, end):
        order[row] = row
    gap = end - first
    while gap > 1:
        gap = max(1, gap * 5 // 11)
        for start in range(first + gap, end):
            row = order[start]
            at = start
            while at - gap >= first:
                other = order[at - gap]
                difference = told_apart(rows, other, row)
                if difference < 0 or (difference == 0 and other < row):
                    break
                order[at] = other
                at -= gap
            order[at] = row
