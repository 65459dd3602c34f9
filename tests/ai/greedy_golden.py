"""The golden choices of greedy and greedy_plus: positions of every table, and what each chose.

The file is frozen, since later numbers are measured against these opponents. Only a change of the
order of legal actions or of the file's form is a reason to write it again:

    python -m tests.ai.greedy_golden
"""

import json
from itertools import islice
from pathlib import Path
from typing import Any, Final

from muggins_ai import opponent_of
from muggins_ai.position import position_of
from muggins_rules.actions import Place
from muggins_rules.layout import move_word
from muggins_rules.legal import legal_actions
from muggins_rules.state import MatchState
from muggins_rules.viewing import seat_view
from tests.ai.tables import TABLES, Table, states_with_choice

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "greedy_choices.json"
LEVELS: Final = ("greedy", "greedy_plus")
POSITIONS: Final = 20


def golden_positions(table: Table) -> list[MatchState]:
    """Some positions with a real choice, from the first moves of a round to its last."""
    states = (
        state
        for state in states_with_choice(table, f"golden/{table}", rounds=60)
        if len({move_word(place.placement) for place in _placements(state)}) > 1
    )
    return list(islice(states, 0, 3 * POSITIONS, 3))


def entry_of(table: Table, state: MatchState) -> dict[str, Any]:
    """A position as the integers that policies read, and the index of the move of each level."""
    assert state.table is not None
    assert state.table.turn is not None
    view = seat_view(state, state.table.turn)
    position = position_of(view)
    entry = {"table": str(table), **position._asdict()}
    entry["moves"] = list(position.moves)
    actions = [legal.action for legal in view.legal_actions]
    for level in LEVELS:
        action = opponent_of(level).choose(view, b"").action
        assert isinstance(action, Place)
        entry[level] = actions.index(action)
        assert move_word(action.placement) == position.moves[entry[level]]
    return entry


def _placements(state: MatchState) -> list[Place]:
    return [action for action in legal_actions(state) if isinstance(action, Place)]


def golden_text() -> str:
    """The whole file, one position a line."""
    lines = [
        json.dumps(entry_of(table, state)) for table in TABLES for state in golden_positions(table)
    ]
    body = ",\n".join(lines)
    return f"[\n{body}\n]\n"


if __name__ == "__main__":
    GOLDEN.write_text(golden_text(), encoding="utf-8")
