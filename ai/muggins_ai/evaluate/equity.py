"""The chance to win the match by what each side has to go, for the policy against itself.

Two sides: a table over what both have to go, from the point of view of the side that opens the next
round, on a grid of GRID raw points. Rounds do not know the score, so what a table says of one
target it says of all. Three or four sides: chances in proportion to exp(-z), where z is what a side
has to go, less a bonus for opening, in units that grow with the square root of what the leader has
to go; the three numbers are fitted. `train.equity_fit` makes both, and the manifest tells how well
they are calibrated.
"""

from typing import Final

from muggins_ai.evaluate.exponents import POWERS, STEPS

__all__ = ["CERTAIN_WIN", "FORM", "FURTHEST", "GRID", "equity", "square_root"]

GRID: Final = 5
"""Raw points of a step; all scores are whole steps."""
FURTHEST: Final = 80
"""Steps that a table reaches; who has more to go counts as having so many."""
CERTAIN_WIN: Final = 1 << 16

SLOPE: Final = 0
BONUS: Final = 1
AHEAD: Final = 2
FORM: Final = 3
"""Of the fitted form: SLOPE and BONUS in 1/1024, AHEAD in raw points."""

LAST_POWER: Final = len(POWERS) - 1


def equity(sides: int, table: list[int], to_go: list[int], opener: int, out: list[int]) -> None:
    """Write each side's chance to win, in 1/CERTAIN_WIN; they sum to CERTAIN_WIN.

    `to_go` are raw points by side; at most one is 0 or less, and that side has won. `opener` is the
    side that opens the next round, or -1 when that is drawn by lot. `table` is FURTHEST x FURTHEST
    numbers for two sides, else FORM.
    """
    for side in range(sides):
        if to_go[side] <= 0:
            for other in range(sides):
                out[other] = CERTAIN_WIN if other == side else 0
            return
    if sides == 2:  # noqa: PLR2004 - the table is for two
        first = steps_to_go(to_go[0])
        second = steps_to_go(to_go[1])
        opening = table[FURTHEST * first + second]
        answering = CERTAIN_WIN - table[FURTHEST * second + first]
        out[0] = (opening + answering) >> 1
        if opener >= 0:
            out[0] = opening if opener == 0 else answering
        out[1] = CERTAIN_WIN - out[0]
        return
    share_out(sides, table, to_go, opener, out)


def steps_to_go(points: int) -> int:
    """The row of a table for a side that has so many points to go, more than 0."""
    return min((points + GRID - 1) // GRID, FURTHEST) - 1


def share_out(sides: int, form: list[int], to_go: list[int], opener: int, out: list[int]) -> None:
    """Write the chances of three or four sides by the fitted form."""
    least = to_go[0]
    for side in range(1, sides):
        least = min(least, to_go[side])
    root = square_root((least + form[AHEAD]) << 12)
    nearest = 0
    for side in range(sides):
        # In steps of the table of powers; `root` is 64 times the square root of points.
        out[side] = form[SLOPE] * to_go[side] - (form[BONUS] if side == opener else 0)
        out[side] = out[side] * STEPS // (16 * root)
        if side == 0 or out[side] < nearest:
            nearest = out[side]
    total = 0
    for side in range(sides):
        out[side] = POWERS[min(out[side] - nearest, LAST_POWER)]
        total += out[side]
    rest = CERTAIN_WIN
    best = 0
    for side in range(sides):
        out[side] = out[side] * CERTAIN_WIN // total
        rest -= out[side]
        if out[side] > out[best]:
            best = side
    out[best] += rest


def square_root(number: int) -> int:
    """The whole part of the square root of a number that is not negative."""
    root = number
    after = (root + 1) >> 1
    while after < root:
        root = after
        after = (root + number // root) >> 1
    return root
