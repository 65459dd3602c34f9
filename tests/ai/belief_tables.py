"""Small rule sets whose deals can all be gone through, and views of rounds played at random."""

from collections.abc import Iterator
from dataclasses import replace

from muggins_rules.ruleset import Deal, Layout, OpenerRule, RuleSet, SpinnerRule, Turns
from muggins_rules.state import MatchState
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from tests.ai.tables import Table, random_states

_TINY = RuleSet("tiny", deal=Deal(highest_pip=2, hand_size_by_seats=(2, 1, 1)))
_SMALL = RuleSet(
    "small",
    deal=Deal(highest_pip=3, hand_size_by_seats=(3, 2, 2)),
    layout=Layout(SpinnerRule.FIRST_DOUBLE),
)
_RESERVED = replace(
    _SMALL,
    id="reserved",
    deal=Deal(highest_pip=3, hand_size_by_seats=(3, 2, 2), boneyard_reserve=2),
    layout=Layout(SpinnerRule.SNIFF),
)
_LEADING = replace(
    _SMALL,
    id="leading",
    turns=Turns(
        first_opener=OpenerRule.HIGHEST_DOUBLE,
        opener_after_block=OpenerRule.HIGHEST_DOUBLE,
        must_lead_highest_double=True,
    ),
)
_DEALT_OUT = RuleSet("dealt_out", deal=Deal(highest_pip=3, hand_size_by_seats=(5, 3, 2)))

SMALL_TABLES = tuple(
    Table(rule_set, seats)
    for rule_set in (_TINY, _SMALL, _RESERVED, _LEADING, _DEALT_OUT)
    for seats in rule_set.seat_counts
)


def views_on_turn(table: Table, seed: str, rounds: int) -> Iterator[tuple[MatchState, SeatView]]:
    """Every state of some random first rounds with what the seat on turn sees."""
    for number in range(rounds):
        for state in random_states(table, f"{seed}/{number}", rounds=1):
            assert state.table is not None
            assert state.table.turn is not None
            yield state, seat_view(state, state.table.turn)
