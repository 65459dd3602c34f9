"""The choices of an expectimax search: groups of scenarios that its seat cannot tell apart.

A frame is a choice on the way down: its group, its moves, and where the scenarios that follow the
move in hand stand. What a move is worth accrues to each scenario of the group by itself; the move
with the highest sum is the choice, and its values are handed up to the scenarios before. Kernel
style.
"""

from typing import Final

from muggins_ai.playout import FLAGS
from muggins_ai.search.scenarios import (
    ACCRUED,
    BEST,
    FRAME_MOVES,
    FRAMES,
    ORDER,
    OVERALL,
    RESULTS,
    ROW_SUMS,
    ROWS,
    SUMS,
    USED,
    WAITING,
    WEIGHT,
    Book,
    Sums,
    parent_of,
    read_row,
    told_apart,
)
from muggins_ai.search.steps import META, TABLE, World, playable
from muggins_ai.search.workspace import MOVES, Work
from muggins_rules.kernel import MOST_MOVES, list_moves

__all__ = [
    "BASE",
    "FINISH",
    "FOUND",
    "FRAME",
    "INDEX",
    "LAST",
    "NEXT",
    "RESULT",
    "SQUARES",
    "START",
    "TOTAL",
    "begin_move",
    "close_move",
    "group_end",
    "hand_up",
    "open_group",
]

Ints = list[int]

START: Final = 0
FINISH: Final = 1
FOUND: Final = 2
INDEX: Final = 3
BASE: Final = 4
NEXT: Final = 5
LAST: Final = 6
FRAME: Final = 7
"""Of a choice: its group's places in `order`, the number of moves and the one in hand; where the
rows that follow begin, the next group among them, and where they end."""

TOTAL: Final = 0
SQUARES: Final = 1
RESULT: Final = 2
"""Of a move: the sum over the worlds of weight times value in 1/1024 raw point, and the sum of the
squares of how far each such product is from the weight times the mean."""


def open_group(
    rules: Ints, depth: int, start: int, finish: int, world: World, work: Work, book: Book
) -> None:
    """Begin the choice of a group of scenarios, which are in `order` from `start` to `finish`."""
    read_row(book[ROWS], book[ORDER][start], world, work)
    moves = work[MOVES]
    found = list_moves(world[META][TABLE], playable(world), rules[FLAGS], moves)
    for index in range(found):
        book[FRAME_MOVES][MOST_MOVES * depth + index] = moves[index]
    frames = book[FRAMES]
    at = FRAME * depth
    frames[at + START] = start
    frames[at + FINISH] = finish
    frames[at + FOUND] = found
    frames[at + INDEX] = -1
    frames[at + BASE] = book[USED][WAITING]
    frames[at + NEXT] = 0
    frames[at + LAST] = 0


def group_end(start: int, last: int, book: Book) -> int:
    """Where the group that begins at a place of `order` ends."""
    order = book[ORDER]
    finish = start + 1
    while finish < last and told_apart(book[ROWS], order[start], order[finish]) == 0:
        finish += 1
    return finish


def begin_move(depth: int, book: Book, sums: Sums) -> None:
    """Nothing has accrued yet to a move's scenarios."""
    at = FRAME * depth
    for place_of_row in range(book[FRAMES][at + START], book[FRAMES][at + FINISH]):
        sums[ROW_SUMS][SUMS * book[ORDER][place_of_row] + ACCRUED] = 0.0


def close_move(depth: int, book: Book, sums: Sums) -> None:
    """Take the value of the move in hand into account, and release the rows that followed it."""
    frames = book[FRAMES]
    order = book[ORDER]
    rows = sums[ROW_SUMS]
    at = FRAME * depth
    start = frames[at + START]
    finish = frames[at + FINISH]
    index = frames[at + INDEX]
    total = 0.0
    for place_of_row in range(start, finish):
        total += rows[SUMS * order[place_of_row] + ACCRUED]
    if index == 0 or total > sums[OVERALL][depth]:
        sums[OVERALL][depth] = total
        for place_of_row in range(start, finish):
            row = SUMS * order[place_of_row]
            rows[row + BEST] = rows[row + ACCRUED]
    book[USED][WAITING] = frames[at + BASE]
    if depth == 0:
        weight = 0.0
        for row in range(start, finish):
            weight += rows[SUMS * row + WEIGHT]
        mean = total / weight
        squares = 0.0
        for row in range(start, finish):
            away = rows[SUMS * row + ACCRUED] - rows[SUMS * row + WEIGHT] * mean
            squares += away * away
        sums[RESULTS][RESULT * index + TOTAL] = total
        sums[RESULTS][RESULT * index + SQUARES] = squares


def hand_up(depth: int, book: Book, sums: Sums) -> None:
    """Give what the best move is worth in each scenario of a group to the row it came from."""
    rows = sums[ROW_SUMS]
    at = FRAME * depth
    for place_of_row in range(book[FRAMES][at + START], book[FRAMES][at + FINISH]):
        row = book[ORDER][place_of_row]
        rows[SUMS * parent_of(book[ROWS], row) + ACCRUED] += rows[SUMS * row + BEST]
