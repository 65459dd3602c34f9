"""Positions from short text, for tests that need one certain table.

A tile is two digits (`46`), a placement names where it is joined and how it lies
(`44@46:low`, `44@46:low+endwise`); several are parted by spaces.
"""

from muggins_rules import (
    Action,
    End,
    IllegalAction,
    MatchState,
    Orientation,
    Phase,
    Place,
    Placement,
    Refusal,
    RuleSet,
    Tile,
    decide,
    evolve_all,
    preset,
)
from muggins_rules.events import Event
from muggins_rules.layout import EMPTY_LAYOUT, lay_tile
from muggins_rules.places import PORT_NAMES
from muggins_rules.placing import placement_refusal
from muggins_rules.state import RoundState
from muggins_rules.tiles import mask_of

__all__ = ["at", "place", "played", "refusal", "table", "tile", "tiles"]

_PORTS = {name: port for port, name in PORT_NAMES.items()}


def tile(text: str) -> Tile:
    """The tile of two digits."""
    return Tile(int(text[0]), int(text[1]))


def tiles(text: str) -> tuple[Tile, ...]:
    """Several tiles."""
    return tuple(map(tile, text.split()))


def at(text: str) -> Placement:
    """A placement."""
    rest, _, way = text.partition("+")
    laid, _, end = rest.partition("@")
    joined, _, port = end.partition(":")
    return Placement(
        tile(laid),
        End(tile(joined), _PORTS[port]) if end else None,
        Orientation[way.upper()] if way else None,
    )


def place(text: str, claim: int | None = None) -> Place:
    """The action of a placement."""
    return Place(at(text), claim)


def table(
    rules: RuleSet | str,
    *hands: str,
    laid: str = "",
    boneyard: str = "",
    turn: int = 0,
    scores: tuple[int, ...] = (),
    calling: bool = False,
) -> MatchState:
    """A round in play: the hands seat by seat, the table by legal placements, whose turn it is."""
    rule_set = preset(rules, calling=calling) if isinstance(rules, str) else rules
    layout = EMPTY_LAYOUT
    for text in laid.split():
        assert placement_refusal(layout, at(text), rule_set.layout.spinner) is None, text
        layout = lay_tile(layout, at(text), rule_set.layout.spinner)
    held = tuple(mask_of(tiles(hand)) for hand in hands)
    drawn_next = tuple(one.code for one in tiles(boneyard))
    before = scores or (0,) * rule_set.sides(len(hands))
    have_scored = tuple(score > 0 for score in before)
    round_state = RoundState(turn, held, drawn_next, None, layout, turn)
    return MatchState(
        rule_set, len(hands), Phase.PLAYING, before, have_scored, round=1, table=round_state
    )


def leading(state: MatchState, text: str) -> MatchState:
    """The position in which that tile must be led."""
    assert state.table is not None
    return state._replace(table=state.table._replace(must_lead=tile(text).code))


def played(state: MatchState, seat: int, *actions: Action) -> tuple[tuple[Event, ...], MatchState]:
    """All facts of a seat's actions, and the state after them."""
    facts: tuple[Event, ...] = ()
    for action in actions:
        more = decide(state, seat, action)
        state = evolve_all(state, more)
        facts += more
    return facts, state


def refusal(
    state: MatchState, seat: int, action: Action, *, window_may_close: bool = True
) -> Refusal | None:
    """Why an action is refused; nothing when it is accepted."""
    try:
        decide(state, seat, action, window_may_close=window_may_close)
    except IllegalAction as illegal:
        return illegal.refusal
    return None
