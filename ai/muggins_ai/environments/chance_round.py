"""A round whose chance comes one outcome at a time: the deal, the lot, and each tile drawn.

A `ChanceRound` is a frozen value; `after_chance` and `after_action` give the next one. It is what
OpenSpiel plays, without OpenSpiel. Chance deals tile by tile, seat after seat; then, where a lot
decides, it names the opener, each seat as likely; and after each draw it names the tile, every tile
of the boneyard as likely, those of the reserve too. Outcomes are tile codes, and OPENER + seat.
"""

from dataclasses import dataclass, replace
from typing import Final, Self

from muggins_ai.environments.actions import numbered_actions
from muggins_ai.environments.numbering import DRAW
from muggins_ai.environments.tables import Table
from muggins_rules.actions import Action, Draw
from muggins_rules.deciding import decide
from muggins_rules.events import Event, LotDrawn
from muggins_rules.evolving import evolve_all
from muggins_rules.legal import legal_actions
from muggins_rules.opening import RoundChance, deal_round
from muggins_rules.ruleset import OpenerRule
from muggins_rules.state import MatchState, RoundState, new_match
from muggins_rules.tiles import SET_CODES
from muggins_rules.viewing import seen_events
from muggins_rules.views import Phase, Viewer

__all__ = ["MOST_OUTCOMES", "OPENER", "ChanceRound", "after_action", "after_chance", "new_round"]

OPENER: Final = 28
"""The outcome by which seat 0 opens; seat s by OPENER + s."""

MOST_OUTCOMES: Final = 32


@dataclass(frozen=True, slots=True)
class ChanceRound:
    """A round between two steps, of chance or of a seat.

    `dealt` is codes in the order of dealing. `state` is absent until the hands are dealt and the
    opener is known. `drawing` is True while the seat on turn draws a tile that chance has not named
    yet. `history` is every outcome and action number so far; `changes` is what the last step
    brought each side, in the rule set's unit.
    """

    table: Table
    dealt: tuple[int, ...] = ()
    state: MatchState | None = None
    drawing: bool = False
    history: tuple[int, ...] = ()
    changes: tuple[int, ...] = ()

    def __deepcopy__(self, _memo: object) -> Self:
        """Itself: a frozen value needs no copies."""
        return self

    @property
    def is_over(self) -> bool:
        """True once the round has been settled, or a side has reached the target."""
        return self.state is not None and self.state.phase is not Phase.PLAYING

    @property
    def is_chance(self) -> bool:
        """True where chance comes next."""
        return self.state is None or self.drawing

    @property
    def to_deal(self) -> int:
        """Tiles still to be dealt."""
        return self.table.seats * self.table.rule_set.hand_size(self.table.seats) - len(self.dealt)

    @property
    def turn(self) -> int:
        """The seat on turn, also while it draws."""
        turn = _on_table(self).turn
        assert turn is not None, "the round is in play"
        return turn

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by side so far."""
        if self.state is None:
            return (0,) * self.table.rule_set.sides(self.table.seats)
        return self.state.scores

    def outcomes(self) -> tuple[int, ...]:
        """What chance may bring, ascending, each as likely; empty where it does not come next."""
        if self.drawing:
            return tuple(sorted(_on_table(self).boneyard))
        if self.state is not None:
            return ()
        if not self.to_deal:
            return tuple(OPENER + seat for seat in range(self.table.seats))
        codes = SET_CODES[self.table.rule_set.deal.highest_pip]
        return tuple(code for code in codes if code not in self.dealt)

    def actions(self) -> dict[int, Action]:
        """What the seat on turn may do by number, ascending; empty where it is not asked."""
        if self.is_chance or self.state is None:
            return {}
        return numbered_actions(legal_actions(self.state))

    def hand(self, seat: int) -> int:
        """What a seat holds, as a mask."""
        if self.state is not None:
            return _on_table(self).hands[seat]
        size = self.table.rule_set.hand_size(self.table.seats)
        return sum(1 << code for code in self.dealt[seat * size : (seat + 1) * size])

    def seen(self, viewer: Viewer) -> tuple[Event, ...]:
        """The facts of the round as a viewer saw them; the opener's lot is told by the deal."""
        if self.state is None:
            return ()
        facts = seen_events(self.state, viewer)
        return tuple(fact for fact in facts if not isinstance(fact, LotDrawn))


def new_round(table: Table) -> ChanceRound:
    """The first round of a match before its deal."""
    return ChanceRound(table, changes=(0,) * table.rule_set.sides(table.seats))


def after_chance(play: ChanceRound, outcome: int) -> ChanceRound:
    """The round after an outcome.

    Raises:
        ValueError: it is not among the outcomes.
    """
    if outcome not in play.outcomes():
        message = f"{outcome} is no outcome of chance now"
        raise ValueError(message)
    history = (*play.history, outcome)
    if play.drawing:
        return _drawn(replace(play, history=history, drawing=False), outcome)
    if outcome >= OPENER:
        return _begun(replace(play, history=history), outcome - OPENER)
    play = replace(play, history=history, dealt=(*play.dealt, outcome))
    by_lot = play.table.rule_set.turns.first_opener is OpenerRule.LOT
    return play if play.to_deal or by_lot else _begun(play, 0)


def after_action(play: ChanceRound, number: int) -> ChanceRound:
    """The round after an action of the seat on turn.

    Raises:
        ValueError: the action is not legal.
    """
    actions = play.actions()
    if number not in actions:
        message = f"action {number} is not legal now"
        raise ValueError(message)
    assert play.state is not None, "a seat is on turn"
    history = (*play.history, number)
    if number == DRAW:
        return replace(play, history=history, drawing=True, changes=(0,) * len(play.changes))
    state = evolve_all(play.state, decide(play.state, play.turn, actions[number]))
    changes = tuple(
        after - before for after, before in zip(state.scores, play.state.scores, strict=True)
    )
    return replace(play, history=history, state=state, changes=changes)


def _on_table(play: ChanceRound) -> RoundState:
    assert play.state is not None, "the hands are dealt"
    assert play.state.table is not None, "the hands are dealt"
    return play.state.table


def _begun(play: ChanceRound, opener: int) -> ChanceRound:
    """The round once all is dealt; a lot that `opener` wins is made up where one decides."""
    rule_set, seats = play.table
    codes = SET_CODES[rule_set.deal.highest_pip]
    rest = [code for code in codes if code not in play.dealt]
    # The highest double is the only tile of its pips, so that it wins the lot at once.
    lot = list(codes)
    lot[opener], lot[-1] = lot[-1], lot[opener]
    state = new_match(rule_set, seats)
    facts = deal_round(state, RoundChance((*play.dealt, *rest), tuple(lot)))
    return replace(play, state=evolve_all(state, facts))


def _drawn(play: ChanceRound, code: int) -> ChanceRound:
    """The round once the seat on turn has drawn that tile."""
    assert play.state is not None, "the hands are dealt"
    table = _on_table(play)
    boneyard = (code, *(other for other in table.boneyard if other != code))
    state = play.state._replace(table=table._replace(boneyard=boneyard))
    return replace(play, state=evolve_all(state, decide(state, play.turn, Draw())))
