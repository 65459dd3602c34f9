"""Moves and figures of an analysis as text."""

from importlib.util import find_spec

from muggins.v1 import actions_pb2
from muggins_cli.look import Look
from muggins_client import format_action, format_placement

__all__ = ["can_analyse", "tell_change", "tell_estimate", "tell_move", "tell_share"]


def can_analyse() -> bool:
    """True where what the analysis needs is installed."""
    return find_spec("numba") is not None


def tell_move(action: actions_pb2.Action) -> str:
    """An action in the notation, a placement without its verb, as in `3-6@6-6.lineB`."""
    if action.WhichOneof("action") == "place":
        return format_placement(action.place)
    return format_action(action)


def tell_estimate(points: float, error: float, look: Look, *, is_signed: bool = False) -> str:
    """Points with their standard error, as in `1.25 ±0.30`; exact ones alone."""
    text = tell_change(points) if is_signed else f"{points:.2f}"
    sign = "±" if look.drawn else "+-"
    return f"{text} {sign}{error:.2f}" if error else text


def tell_change(points: float) -> str:
    """Points with their sign, `+1.25`; zero has none."""
    text = f"{points:+.2f}"
    return "0.00" if float(text) == 0 else text


def tell_share(chance: float) -> str:
    """A chance in percent, `61%`."""
    return f"{chance:.0%}"
