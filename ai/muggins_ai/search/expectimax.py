"""Expectimax over information sets: one choice for all that the searching seat cannot tell apart.

The seat begins with weighted worlds of its belief. For each of its moves every world goes its way
through chance nodes (`chances`: draws and the others' replies) until the seat is to choose again or
the look-ahead ends, there with the learned value of the revealed world. Scenarios that wait for the
seat are grouped by what it saw since its last choice: placements, passes, how many tiles others
drew, which tiles it drew. In a group it makes the move with the best mean; so no move is chosen by
what lies hidden. All values are the utility of the seat's side: pairs play as a team, three and
four seats each for itself.

Weights and sums are floats made by + - * / in a fixed order, exact as long as they are whole
numbers below 2**53. Kernel style, with a stack of frames (`groups`) instead of recursion.

Reference: Frank, Basin 1998, on what goes wrong when each world is decided alone.
"""

from muggins_ai.evaluate.public import DRAWABLE, PUBLIC_SIZE, note_pass
from muggins_ai.evaluate.stakes import Stakes
from muggins_ai.policies import random_after
from muggins_ai.search.chances import (
    BUDGET,
    DECK_TILES,
    DEPTH,
    SAMPLES,
    push_draws,
    push_replies,
)
from muggins_ai.search.groups import (
    BASE,
    FINISH,
    FOUND,
    FRAME,
    INDEX,
    LAST,
    NEXT,
    START,
    begin_move,
    close_move,
    group_end,
    hand_up,
    open_group,
)
from muggins_ai.search.scenarios import (
    ABOUT_SIZE,
    ACCRUED,
    DECK,
    DECKS,
    FRAME_MOVES,
    FRAMES,
    LEFT,
    ORDER,
    PARENT,
    PASSED,
    PLACED,
    QUEUE,
    QUEUE_WEIGHTS,
    QUEUED,
    ROW_SUMS,
    ROWS,
    SPENT,
    SUMS,
    USED,
    USED_SIZE,
    WAITING,
    WEIGHT,
    Book,
    Sums,
    add_waiting,
    forget_seen,
    make_next,
    note_seen,
    push,
    read_row,
    sort_waiting,
)
from muggins_ai.search.steps import (
    END,
    ENDED,
    HANDS,
    HEAD,
    IN_PLAY,
    META,
    META_SIZE,
    SCORED,
    SCORES,
    TURN,
    World,
    pass_turn,
    playable,
    side_of,
)
from muggins_ai.search.utility import evaluate
from muggins_ai.search.workspace import (
    PUBLIC,
    STATE,
    VALUES,
    VIEWER,
    Net,
    Root,
    Scratch,
    Work,
)
from muggins_rules.kernel import MOST_MOVES

__all__ = ["expect"]

Ints = list[int]


def expect(
    rules: Ints,
    root: Root,
    pool_hands: Ints,
    pool_weights: Ints,
    settings: Ints,
    stakes: Stakes,
    value_net: Net,
    policy_net: Net,
    value_scratch: Scratch,
    policy_scratch: Scratch,
    seed: int,
    world: World,
    work: Work,
    book: Book,
    sums: Sums,
) -> int:
    """Value every move of the root, in the kernel's order; their number, or 0 if it cost too much.

    `pool_hands` holds four masks a world. The results are written to the last array of `sums`.
    """
    frames = book[FRAMES]
    used = book[USED]
    shuffle_decks(settings[SAMPLES], seed, book)
    begin_rows(root, pool_hands, pool_weights, settings, world, work, book, sums)
    depth = 0
    open_group(rules, 0, 0, used[WAITING], world, work, book)
    while used[SPENT] == 0:
        at = FRAME * depth
        if frames[at + NEXT] < frames[at + LAST]:
            start = frames[at + NEXT]
            finish = group_end(start, frames[at + LAST], book)
            frames[at + NEXT] = finish
            depth += 1
            open_group(rules, depth, start, finish, world, work, book)
            continue
        if frames[at + INDEX] >= 0:
            close_move(depth, book, sums)
        frames[at + INDEX] += 1
        if frames[at + INDEX] < frames[at + FOUND]:
            begin_move(depth, book, sums)
            for place_of_row in range(frames[at + START], frames[at + FINISH]):
                row = book[ORDER][place_of_row]
                move = book[FRAME_MOVES][MOST_MOVES * depth + frames[at + INDEX]]
                read_row(book[ROWS], row, world, work)
                work[STATE][PARENT] = row
                forget_seen(work[STATE])
                push(world, work, book, sums, sums[ROW_SUMS][SUMS * row + WEIGHT], move, 0, 0)
                unfold(
                    rules,
                    settings,
                    stakes,
                    value_net,
                    policy_net,
                    value_scratch,
                    policy_scratch,
                    world,
                    work,
                    book,
                    sums,
                )
            frames[at + NEXT] = frames[at + BASE]
            frames[at + LAST] = used[WAITING]
            sort_waiting(frames[at + BASE], used[WAITING], book)
        elif depth:
            hand_up(depth, book, sums)
            depth -= 1
        else:
            return frames[FOUND]
    return 0


def unfold(
    rules: Ints,
    settings: Ints,
    stakes: Stakes,
    value_net: Net,
    policy_net: Net,
    value_scratch: Scratch,
    policy_scratch: Scratch,
    world: World,
    work: Work,
    book: Book,
    sums: Sums,
) -> None:
    """Follow what is queued until the searching seat is to choose, or its value is known."""
    meta = world[META]
    used = book[USED]
    viewer = settings[VIEWER]
    side = side_of(rules, viewer)
    while used[QUEUED] and used[SPENT] == 0:
        used[QUEUED] -= 1
        weight = sums[QUEUE_WEIGHTS][used[QUEUED]]
        read_row(book[QUEUE], used[QUEUED], world, work)
        make_next(rules, settings, world, work, book)
        if used[PLACED] > settings[BUDGET]:
            used[SPENT] = 1
        while meta[ENDED] == IN_PLAY and playable(world) == 0 and meta[END] == 0:
            note_pass(work[PUBLIC], meta[TURN])
            note_seen(work[STATE], PASSED)
            pass_turn(rules, world)
        if meta[ENDED] == IN_PLAY and playable(world) == 0:
            push_draws(settings, world, work, book, sums, weight)
        elif meta[ENDED] != IN_PLAY or work[STATE][LEFT] == 0:
            evaluate(rules, stakes, value_net, value_scratch, world, work)
            parent = SUMS * work[STATE][PARENT]
            sums[ROW_SUMS][parent + ACCRUED] += weight * work[VALUES][side]
        elif meta[TURN] == viewer:
            add_waiting(world, work, book, sums, weight)
        else:
            push_replies(
                rules, settings, policy_net, policy_scratch, world, work, book, sums, weight
            )


def shuffle_decks(samples: int, seed: int, book: Book) -> None:
    """Write the decks that draws are sampled from."""
    decks = book[DECKS]
    random = seed
    for deck in range(samples):
        first = DECK_TILES * deck
        for code in range(DECK_TILES):
            random = random_after(random)
            other = first + (random * (code + 1) >> 32)
            decks[first + code] = decks[other]
            decks[other] = code


def begin_rows(
    root: Root,
    pool_hands: Ints,
    pool_weights: Ints,
    settings: Ints,
    world: World,
    work: Work,
    book: Book,
    sums: Sums,
) -> None:
    """One row for each world of the pool."""
    for index in range(USED_SIZE):
        book[USED][index] = 0
    for index in range(META_SIZE):
        world[META][index] = root[0][index]
    for index in range(4):
        world[SCORES][index] = root[1][index]
        world[SCORED][index] = root[2][index]
    for index in range(PUBLIC_SIZE):
        work[PUBLIC][index] = root[3][index]
    for index in range(ABOUT_SIZE):
        work[STATE][index] = 0
    world[META][HEAD] = 0
    world[META][END] = root[3][DRAWABLE]
    work[STATE][LEFT] = settings[DEPTH]
    work[STATE][DECK] = -1
    for number in range(len(pool_weights)):
        for seat in range(4):
            world[HANDS][seat] = pool_hands[4 * number + seat]
        book[ORDER][number] = number
        add_waiting(world, work, book, sums, pool_weights[number] * 1.0)
