"""A ladder as a table and a plot for `docs/strength.md`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from muggins_ai.arena.ladder import Ladder, Step, Table
from muggins_rules.presets import PRESETS

__all__ = ["BEGIN", "END", "ladder_plot", "ladder_text", "write_report"]

BEGIN: Final = "<!-- ladder: written by `muggins ladder` -->"
END: Final = "<!-- end of the ladder -->"

_TITLE: Final = "# Strength\n"

_COLUMNS: Final = (
    "rule set",
    "seats",
    "upper",
    "lower",
    "upper wins, %",
    "points a round",
    "sets",
    "verdict",
    "CPU of upper, ms",
)

_FONT: Final = 'font-family="sans-serif" font-size="12"'
_WIDTH: Final = 760
_LEFT: Final = 330
_RIGHT: Final = 30
_TOP: Final = 40
_ROW: Final = 20
_GAP: Final = 30


def write_report(ladder: Ladder, tables: Sequence[Table], page: Path) -> None:
    """Write the plot beside a page, and the text between BEGIN and END of the page."""
    page.parent.mkdir(parents=True, exist_ok=True)
    plot = page.with_suffix(".svg")
    plot.write_text(ladder_plot(ladder, tables), encoding="utf-8")
    before, after = f"{_TITLE}\n", ""
    if page.exists():
        text = page.read_text(encoding="utf-8")
        before, found, rest = text.partition(BEGIN)
        after = rest.partition(END)[2].lstrip("\n") if found else ""
        before = before if found else f"{before.rstrip()}\n\n"
    body = f"{BEGIN}\n{ladder_text(ladder, tables, plot.name)}{END}\n"
    page.write_text(before + body + (f"\n{after}" if after else ""), encoding="utf-8")


def ladder_text(ladder: Ladder, tables: Sequence[Table], plot: str) -> str:
    """The section of the page."""
    plan = ladder.plan
    lines = [
        "",
        "## Each level against the next",
        "",
        f"Engine `{ladder.engine}`, seed `{ladder.seed}`, drawn after the engine was final.",
        "Sets of mirrored whole matches: the upper level plays each side once, the lower one all",
        "others, on the same decks and lots. Each pairing is tested after each chunk of sets:",
        f"that the upper level wins {plan.margin:.0%} more than an even share, against that it",
        f"wins no more, with errors of {plan.alpha:.0%} and {plan.beta:.0%}, to {plan.most_sets}",
        "sets at most. Intervals are 95 %; since a test stops when it has seen enough, the rates",
        "of short ones lean a little to their verdict. A line is played again by",
        f"`muggins arena UPPER LOWER --rules R --seats N --pairs SETS --seed {ladder.seed}`.",
        "",
        f"![Wins of each level against the next]({plot})",
        "",
        f"| {' | '.join(_COLUMNS)} |",
        f"|{' --- |' * len(_COLUMNS)}",
        *(_line(ladder, step) for step in ladder.steps(tables)),
        "",
        f"Raw results: `{ladder.path.name}`.",
        "",
    ]
    return "\n".join(lines)


def _line(ladder: Ladder, step: Step) -> str:
    table, upper, lower = step.rung
    start = f"| {table.rules} | {table.seats} | {upper} | {lower} |"
    if not step.sets:
        return f"{start} | | 0 | not played | |"
    result = step.result()
    win, points = result.win_rate, result.points_per_round
    return (
        f"{start} {100 * win.value:.1f} ({100 * win.low:.1f} to {100 * win.high:.1f}) "
        f"| {points.value:+.2f} ({points.low:+.2f} to {points.high:+.2f}) | {result.pairs} "
        f"| {step.verdict(ladder.plan).value} | {result.cpu_ms_per_decision_a:.3f} |"
    )


def ladder_plot(ladder: Ladder, tables: Sequence[Table]) -> str:
    """An SVG image: for each pairing its rate of wins with the interval, table by table."""
    rows = [step for step in ladder.steps(tables) if step.sets]
    by_table = [(table, [s for s in rows if s.rung.table == table]) for table in tables]
    shown = [(table, steps) for table, steps in by_table if steps]
    height = _TOP + sum(_GAP + _ROW * len(steps) for _, steps in shown) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" {_FONT}>',
        "<title>Wins of each level against the next, with 95 % intervals</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
        *_scale(height),
    ]
    top = _TOP
    for table, steps in shown:
        parts += _panel(table, steps, top)
        top += _GAP + _ROW * len(steps)
    return "\n".join([*parts, "</svg>", ""])


def _scale(height: int) -> Iterator[str]:
    for percent in range(0, 101, 10):
        x = _x(percent / 100)
        yield f'<path d="M{x} {_TOP - 8}V{height - 12}" stroke="#ddd"/>'
        yield f'<text x="{x}" y="{_TOP - 14}" text-anchor="middle" fill="#555">{percent} %</text>'


def _panel(table: Table, steps: Sequence[Step], top: int) -> Iterator[str]:
    sides = PRESETS[table.rules].sides(table.seats)
    pairs = ", pairs" if sides < table.seats else ""
    name = escape(f"{table.rules}, {table.seats} seats{pairs}")
    yield f'<text x="8" y="{top + 20}" font-weight="bold">{name}</text>'
    even = _x(1 / sides)
    yield (
        f'<path d="M{even} {top + 24}v{_ROW * len(steps)}" stroke="#c33" stroke-dasharray="3 3"/>'
    )
    for row, step in enumerate(steps):
        y = top + 24 + _ROW * row + _ROW // 2
        rate = step.result().win_rate
        label = escape(f"{step.rung.upper} / {step.rung.lower}")
        yield (
            f'<text x="{_LEFT - 10}" y="{y + 4}" text-anchor="end" textLength="{_fitted(label)}" '
            f'lengthAdjust="spacingAndGlyphs">{label}</text>'
        )
        yield f'<path d="M{_x(rate.low)} {y}H{_x(rate.high)}" stroke="#246" stroke-width="2"/>'
        yield f'<circle cx="{_x(rate.value)}" cy="{y}" r="4" fill="#246"/>'


def _fitted(label: str) -> int:
    """The width of a label, squeezed where it is long."""
    return min(6 * len(label), _LEFT - 20)


def _x(share: float) -> float:
    return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)
