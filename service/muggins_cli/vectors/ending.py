"""Cases of openers, claims, settlements and the match's end, played through the engine."""

from dataclasses import replace
from itertools import chain

from muggins_cli.vectors.case import SEAT_NAMES, Case, require_distinct, seat_of, side_names
from muggins_cli.vectors.faults import CaseError, Fault
from muggins_cli.vectors.settling import hands_that_settle
from muggins_cli.vectors.staging import ALL_TILES, in_play, layout_that_earns
from muggins_rules import (
    Call,
    Claim,
    MatchState,
    Pass,
    Phase,
    Place,
    Placement,
    RuleSet,
    Tile,
    close_window,
    decide,
    evolve,
    evolve_all,
)
from muggins_rules.ending import round_end
from muggins_rules.events import ClaimWindowClosed, Event, LotDrawn, RoundDealt, RoundEnded
from muggins_rules.kernel import SUIT
from muggins_rules.layout import EMPTY_LAYOUT, TableLayout, lay_tile
from muggins_rules.opening import RoundChance, deal_round, highest_double
from muggins_rules.placing import orientations
from muggins_rules.ruleset import FEWEST_SEATS
from muggins_rules.state import new_match
from muggins_rules.tiles import MAX_PIP, SET_CODES, TILES, code_of, codes_of_mask, mask_of

__all__ = ["answer_claims", "answer_match", "answer_opener", "answer_settlement"]

Answer = dict[str, object]

_CHANCE = RoundChance(SET_CODES[MAX_PIP], SET_CODES[MAX_PIP])


def answer_settlement(case: Case) -> Answer:
    """What the tiles left in the hands are worth, who won, and who opens the next round."""
    rule_set = case.rule_set()
    hands = case.hands()
    seats = case.seats(rule_set, default=len(hands))
    _check_hands(hands, seats)
    went_out = _went_out(case, hands)
    masks = tuple(mask_of(hand) for hand in hands)
    state = in_play(rule_set, (0,) * rule_set.sides(seats), masks, (), EMPTY_LAYOUT, 0)
    ended = round_end(state, went_out)[0]
    assert isinstance(ended, RoundEnded), "the round ends before the match"
    names = side_names(rule_set, seats)
    winner = ended.winning_side
    return {
        "score_change": {names[line.side]: line.change for line in ended.settlement},
        "round_winner": None if winner is None else names[winner],
        "next_opener": _next_opener(evolve(state, ended)),
    }


def answer_match(case: Case) -> Answer:
    """The scores after a placement or a block, and whether the match is over."""
    rule_set = case.rule_set()
    scores = tuple(case.integers("scores_before"))
    seats = case.seats(rule_set, default=len(scores))
    sides = rule_set.sides(seats)
    if len(scores) != sides:
        raise CaseError(Fault.MALFORMED_FIELD, "scores_before")
    changes = case.integers_or_none("settlement_if_reached") or [0] * sides
    if len(changes) != sides:
        raise CaseError(Fault.MALFORMED_FIELD, "settlement_if_reached")
    match case.text("event"):
        case "place":
            after = _after_placement(case, rule_set, seats, scores, changes)
        case "blocked":
            after = _after_block(rule_set, seats, scores, changes)
        case "none":
            after = _after_block(rule_set, seats, scores, [0] * sides)
        case _:
            raise CaseError(Fault.MALFORMED_FIELD, "event")
    return {"scores_after": list(after.scores), "match_over": after.phase is Phase.OVER}


def answer_opener(case: Case) -> Answer:
    """Who opens where the highest double opens, and the tile that must be led."""
    rule_set = case.rule_set()
    hands = case.hands()
    seats = case.seats(rule_set, default=len(hands))
    number = case.integer("round")
    _check_hands(hands, seats)
    if not all(hands):
        raise CaseError(Fault.MALFORMED_FIELD, "hands")
    if number < 1:
        raise CaseError(Fault.MALFORMED_FIELD, "round")
    if len({len(hand) for hand in hands}) > 1:  # no deal, but the rule answers all the same
        opener, tile = highest_double([tuple(tile.code for tile in hand) for hand in hands])
        return {"opener": SEAT_NAMES[opener], "forced_tile": list(TILES[tile])}
    first = _first_fact(rule_set, number, hands)
    if isinstance(first, LotDrawn):
        return {"opener": "lot", "forced_tile": None}
    assert isinstance(first, RoundDealt), "a round begins with its lot or its deal"
    forced = first.must_lead
    return {
        "opener": SEAT_NAMES[first.opener],
        "forced_tile": None if forced is None else list(forced),
    }


def answer_claims(case: Case) -> Answer:
    """Who gets how much of a placement's points under calling."""
    rule_set = case.rule_set(calling=True)
    seats = case.seats(rule_set)
    claimed = case.integer_or_none("claimed")
    if not rule_set.calling:
        raise CaseError(Fault.MALFORMED_FIELD, "calling")
    if claimed is not None and claimed < 0:
        raise CaseError(Fault.MALFORMED_FIELD, "claimed")
    calls = case.flag("opponent_calls")
    layout = layout_that_earns(rule_set, case.integer("earned"))
    scores = (0,) * rule_set.sides(seats)
    state = _before_last_placement(rule_set, seats, scores, layout, 0)
    state = evolve_all(state, decide(state, 0, Place(layout.placements[-1])))
    if claimed is not None:
        state = evolve_all(state, decide(state, 0, Claim(claimed)))
    if calls:
        number = _placements(state)
        state = evolve_all(state, decide(state, 1, Call(number)))
    closed = close_window(state)[0]
    assert isinstance(closed, ClaimWindowClosed), "the window closes before anything else"
    return {
        "mover_gets": sum(credit.points for credit in closed.credits if not credit.called),
        "caller_gets": sum(credit.points for credit in closed.credits if credit.called),
    }


def _check_hands(hands: list[list[Tile]], seats: int) -> None:
    if len(hands) != seats:
        raise CaseError(Fault.MALFORMED_FIELD, f"hands of {len(hands)} for {seats} seats")
    require_distinct(list(chain.from_iterable(hands)))


def _went_out(case: Case, hands: list[list[Tile]]) -> int | None:
    finisher = case.fields.get("went_out")
    match case.text("end"):
        case "out":
            seat = seat_of(finisher, len(hands), "went_out")
            if hands[seat]:
                raise CaseError(Fault.IMPOSSIBLE_POSITION, "who went out holds no tile")
            return seat
        case "blocked":
            if finisher is not None:
                raise CaseError(Fault.MALFORMED_FIELD, "went_out")
            return None
        case _:
            raise CaseError(Fault.MALFORMED_FIELD, "end")


def _next_opener(state: MatchState) -> str:
    first = deal_round(state, _CHANCE)[0]
    if isinstance(first, LotDrawn):
        return "lot"
    assert isinstance(first, RoundDealt), "a round begins with its lot or its deal"
    return SEAT_NAMES[first.opener] if first.must_lead is None else "highest_double"


def _first_fact(rule_set: RuleSet, number: int, hands: list[list[Tile]]) -> Event:
    """What begins the round in which these hands are dealt and nobody has earned to open."""
    seats = len(hands)
    sizes = [0, 0, 0]
    sizes[seats - FEWEST_SEATS] = len(hands[0])
    deal = replace(rule_set.deal, hand_size_by_seats=(sizes[0], sizes[1], sizes[2]))
    held = list(chain.from_iterable(hands))
    deck = (
        *(tile.code for tile in held),
        *codes_of_mask(ALL_TILES & ~mask_of(held)),
    )
    state = new_match(rule_set, seats)._replace(
        rule_set=replace(rule_set, deal=deal),
        phase=Phase.NOT_STARTED if number == 1 else Phase.ROUND_OVER,
        round=number - 1,
    )
    return deal_round(state, RoundChance(deck, _CHANCE.lot))[0]


def _after_placement(
    case: Case, rule_set: RuleSet, seats: int, scores: tuple[int, ...], changes: list[int]
) -> MatchState:
    """The match after a placement that earns what the case says, fully claimed under calling."""
    mover, earned = case.integer("mover_index"), case.integer("earned")
    if not 0 <= mover < len(scores):
        raise CaseError(Fault.MALFORMED_FIELD, "mover_index")
    layout = layout_that_earns(rule_set, earned)
    left = None
    if case.flag("was_last_tile"):
        left = hands_that_settle(rule_set, seats, mover, changes, ALL_TILES & ~layout.laid)
        if left is None:
            raise CaseError(Fault.IMPOSSIBLE_POSITION, f"no hands found that settle by {changes}")
    state = _before_last_placement(rule_set, seats, scores, layout, mover, left)
    claim = earned if rule_set.calling else None
    state = evolve_all(state, decide(state, mover, Place(layout.placements[-1], claim)))
    if state.table is not None and state.table.window is not None:
        state = evolve_all(state, close_window(state))
    return state


def _after_block(
    rule_set: RuleSet, seats: int, scores: tuple[int, ...], changes: list[int]
) -> MatchState:
    """The match after a pass that blocks a round, whose settlement changes the scores like that.

    One double lies alone on the table and nobody holds a tile of its number.
    """
    for number, suit in reversed(list(enumerate(SUIT))):
        hands = hands_that_settle(rule_set, seats, None, changes, ALL_TILES & ~suit)
        if hands is None:
            continue
        double = TILES[code_of(number, number)]
        rule = rule_set.layout.spinner
        way = orientations(EMPTY_LAYOUT, double, rule)[0]
        layout = lay_tile(EMPTY_LAYOUT, Placement(double, None, way), rule)
        seat = next(holder for holder, hand in enumerate(hands) if hand)
        state = in_play(rule_set, scores, hands, (), layout, seat)
        return evolve_all(state, decide(state, seat, Pass()))
    raise CaseError(Fault.IMPOSSIBLE_POSITION, f"no hands found that settle by {changes}")


def _before_last_placement(
    rule_set: RuleSet,
    seats: int,
    scores: tuple[int, ...],
    layout: TableLayout,
    mover: int,
    left: tuple[int, ...] | None = None,
) -> MatchState:
    """The mover's turn to make the last placement of a layout, all others lying already.

    `left` is what the hands hold afterwards; where it is not given, one tile each.
    """
    before = EMPTY_LAYOUT
    for placement in layout.placements[:-1]:
        before = lay_tile(before, placement, rule_set.layout.spinner)
    rest = list(codes_of_mask(ALL_TILES & ~layout.laid))
    hands = [1 << code for code in rest[:seats]] if left is None else list(left)
    boneyard = tuple(codes_of_mask(ALL_TILES & ~layout.laid & ~sum(hands)))
    hands[mover] |= 1 << layout.placements[-1].tile.code
    return in_play(rule_set, scores, tuple(hands), boneyard, before, mover)


def _placements(state: MatchState) -> int:
    assert state.table is not None, "a round is in play"
    return len(state.table.layout.placements)
