"""Cases of the table and of the turn, played through the engine: what it answers to each."""

from muggins_cli.vectors.case import Case, require_distinct
from muggins_cli.vectors.faults import CaseError, Fault
from muggins_cli.vectors.staging import ALL_TILES, in_play, layout_with_open_values
from muggins_rules import (
    Draw,
    End,
    IllegalAction,
    MatchState,
    Pass,
    Place,
    Placement,
    Refusal,
    RuleSet,
    Tile,
    decide,
    evolve_all,
    legal_actions,
)
from muggins_rules.events import RoundDealt, TileDrawn, TilePlayed, TurnStarted
from muggins_rules.layout import EMPTY_LAYOUT, TableLayout, spinners_of
from muggins_rules.opening import RoundChance, deal_round
from muggins_rules.places import PORT_NAMES
from muggins_rules.state import new_match
from muggins_rules.tiles import MAX_PIP, SET_CODES, codes_of_mask, mask_of, tiles_of_mask

__all__ = [
    "answer_hand_sizes",
    "answer_legality",
    "answer_next_seat",
    "answer_placement",
    "answer_turn",
    "deal_in_order",
]

Answer = dict[str, object]


def answer_placement(case: Case) -> Answer:
    """The table after some placements."""
    rule_set = case.rule_set()
    seats = case.seats(rule_set)
    layout, points = _laid(rule_set, seats, case.placements("moves"))
    return {
        "count": layout.count,
        "points": points,
        "contributions": [
            {"tile": list(tile), "value": value} for tile, value in layout.contributions
        ],
        "open_ends": [{**_written_end(end), "value": value} for end, value in layout.attach_points],
        "spinners": [list(tile) for tile in spinners_of(layout, rule_set.layout.spinner)],
    }


def answer_legality(case: Case) -> Answer:
    """Whether one more placement is accepted, and if not, the reason."""
    rule_set = case.rule_set()
    seats = case.seats(rule_set)
    layout, _ = _laid(rule_set, seats, case.placements("moves"))
    state = _with_every_tile(rule_set, seats, layout)
    refusal = _refusal(state, 0, Place(case.placement("attempt")))
    return {"legal": refusal is None, "reason": None if refusal is None else refusal.value}


def answer_turn(case: Case) -> Answer:
    """One turn of one seat up to its placement or pass."""
    rule_set = case.rule_set()
    seats = case.seats(rule_set)
    hand, stock = case.tiles("hand"), case.tiles("stock")
    require_distinct(hand + stock)
    open_values = set(case.integers("open_values"))
    if not open_values or not open_values <= set(range(MAX_PIP + 1)):
        raise CaseError(Fault.MALFORMED_FIELD, "open_values")
    elsewhere = ALL_TILES & ~mask_of(hand + stock)
    layout = layout_with_open_values(rule_set, open_values, elsewhere)
    hands = (mask_of(hand), elsewhere & ~layout.laid, *[0] * (seats - 2))
    boneyard = tuple(tile.code for tile in stock)
    scores = (0,) * rule_set.sides(seats)
    return _turn_of_first_seat(in_play(rule_set, scores, hands, boneyard, layout, 0))


def answer_next_seat(case: Case) -> Answer:
    """The seat whose turn it is after a placement of another."""
    rule_set = case.rule_set()
    seats = case.seats(rule_set)
    seat = case.integer("seat")
    if not 0 <= seat < seats:
        raise CaseError(Fault.MALFORMED_FIELD, "seat")
    # Two tiles each, and the opening tile is the lighter of the two.
    hands = tuple(0b11 << 2 * holder for holder in range(seats))
    boneyard = tuple(codes_of_mask(ALL_TILES & ~sum(hands)))
    scores = (0,) * rule_set.sides(seats)
    state = in_play(rule_set, scores, hands, boneyard, EMPTY_LAYOUT, seat)
    facts = decide(state, seat, legal_actions(state)[0])
    turns = [fact.seat for fact in facts if isinstance(fact, TurnStarted)]
    return {"next_seat": turns[0]}


def answer_hand_sizes(case: Case) -> Answer:
    """How many tiles each seat is dealt and how many are left."""
    rule_set = case.rule_set()
    seats = case.seats(rule_set)
    dealt = deal_in_order(new_match(rule_set, seats), SET_CODES[MAX_PIP])
    sizes = set(dealt.hand_sizes)
    return {"hand_size": sizes.pop() if len(sizes) == 1 else None, "stock": dealt.boneyard}


def deal_in_order(state: MatchState, deck: tuple[int, ...]) -> RoundDealt:
    """The deal of a match's next round from a deck."""
    facts = deal_round(state, RoundChance(deck, SET_CODES[MAX_PIP]))
    return next(fact for fact in facts if isinstance(fact, RoundDealt))


def _laid(rule_set: RuleSet, seats: int, placements: list[Placement]) -> tuple[TableLayout, int]:
    """The layout that placements make, each through the engine, and the points of the last."""
    layout, points = EMPTY_LAYOUT, 0
    for number, placement in enumerate(placements, start=1):
        state = _with_every_tile(rule_set, seats, layout)
        try:
            facts = decide(state, 0, Place(placement))
        except IllegalAction as illegal:
            detail = f"moves[{number - 1}] ({illegal.refusal})"
            raise CaseError(Fault.MOVE_REFUSED, detail) from None
        table = evolve_all(state, facts).table
        assert table is not None, "the round stays on the table"
        layout = table.layout
        points = next(
            fact.count.points
            for fact in facts
            if isinstance(fact, TilePlayed) and fact.count is not None
        )
    return layout, points


def _with_every_tile(rule_set: RuleSet, seats: int, layout: TableLayout) -> MatchState:
    """A turn of seat 0, which holds every tile that is not on the table."""
    hands = (ALL_TILES & ~layout.laid, *[0] * (seats - 1))
    return in_play(rule_set, (0,) * rule_set.sides(seats), hands, (), layout, 0)


def _turn_of_first_seat(state: MatchState) -> Answer:
    drawn: list[Tile] = []
    action, tile = "", None
    while True:
        first = legal_actions(state)[0]
        if isinstance(first, Place):
            if not drawn:
                action = str(_refusal(state, 0, Draw()))
                break
            action, tile = "play", first.placement.tile
        facts = decide(state, 0, first)
        state = evolve_all(state, facts)
        drawn += [fact.tile for fact in facts if isinstance(fact, TileDrawn) and fact.tile]
        if isinstance(first, Pass):
            action = "pass"
        if not isinstance(first, Draw):
            break
    assert state.table is not None, "the round stays on the table"
    return {
        "drawn": [list(one) for one in drawn],
        "action": action,
        "tile": None if tile is None else list(tile),
        "stock_left": len(state.table.boneyard),
        "hand_after": [list(one) for one in tiles_of_mask(state.table.hands[0])],
    }


def _refusal(state: MatchState, seat: int, action: Place | Draw | Pass) -> Refusal | None:
    try:
        decide(state, seat, action)
    except IllegalAction as illegal:
        return illegal.refusal
    return None


def _written_end(end: End) -> dict[str, object]:
    return {"tile": list(end.tile), "port": PORT_NAMES[end.port]}
