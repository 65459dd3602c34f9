"""A seat's view as the observation and the mask that environments give."""

from muggins_ai.environments.actions import number_of
from muggins_ai.environments.numbering import ACTIONS
from muggins_ai.environments.observing import NO_SEAT, OBSERVATION_SIZE, write_observation
from muggins_ai.evaluate.public import (
    DRAWABLE,
    MAY_HOLD,
    OFF_TABLE,
    PUBLIC_SIZE,
    SIZES,
    begin_public,
    note_draws,
    note_pass,
    note_placement,
)
from muggins_ai.playout import FLAGS
from muggins_ai.round_rules import rules_of, set_mask
from muggins_rules.events import SeatPassed, TileDrawn, TilePlayed
from muggins_rules.layout import move_word
from muggins_rules.tiles import mask_of
from muggins_rules.views import SeatView

__all__ = ["mask_of_view", "observation_of"]


def observation_of(view: SeatView) -> list[int]:
    """What the view's seat may know, OBSERVATION_SIZE integers as `observing` places them."""
    table = view.table
    rules = rules_of(table.rule_set, table.seats)
    turn = NO_SEAT if table.seat_to_act is None else table.seat_to_act
    out = [0] * OBSERVATION_SIZE
    write_observation(
        rules,
        _public_of(view, rules),
        list(table.scores),
        mask_of(view.hand),
        view.seat,
        turn,
        out,
        0,
    )
    return out


def mask_of_view(view: SeatView) -> list[int]:
    """By action number: 1 where the view's seat may take it now; all 0 out of its turn."""
    mask = [0] * ACTIONS
    for legal in view.legal_actions:
        mask[number_of(legal.action)] = 1
    return mask


def _public_of(view: SeatView, rules: list[int]) -> list[int]:
    """What everybody knows, event by event.

    Draws count once their turn has ended: before that, whether the last tile fits is its seat's
    secret, and the seat may hold anything.
    """
    public = [0] * PUBLIC_SIZE
    begin_public(rules, set_mask(view.table.rule_set.deal.highest_pip), public)
    taken = 0
    drawer = NO_SEAT
    for fact in view.round_events:
        if isinstance(fact, TileDrawn):
            taken += 1
            drawer = fact.seat
        elif isinstance(fact, TilePlayed):
            if taken:
                note_draws(public, fact.seat, taken, 1)
            note_placement(public, fact.seat, move_word(fact.placement), rules[FLAGS])
            taken = 0
        elif isinstance(fact, SeatPassed):
            if taken:
                note_draws(public, fact.seat, taken, 0)
            note_pass(public, fact.seat)
            taken = 0
    if taken:
        public[SIZES + drawer] += taken
        public[DRAWABLE] -= taken
        public[MAY_HOLD + drawer] = public[OFF_TABLE]
    return public
