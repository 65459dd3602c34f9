"""Counts of the ways a round can go on, to pin the rules and to compare generators of moves.

As in chess, perft of a depth is the number of sequences of exactly that many accepted actions.
A sequence that the end of the round cuts short does not count. Draws and passes are actions like
placements; the deck fixes what is drawn.
"""

from muggins_rules.deciding import decide
from muggins_rules.evolving import evolve_all
from muggins_rules.legal import legal_actions
from muggins_rules.state import MatchState
from muggins_rules.views import Phase

__all__ = ["perft"]


def perft(state: MatchState, depth: int) -> int:
    """The number of sequences of `depth` legal actions from a round in play.

    Placements carry no claim and nobody calls; under calling each next action closes the window.
    Cost: one `decide` for each sequence shorter than `depth`.
    """
    if depth == 0:
        return 1
    if state.phase is not Phase.PLAYING or state.table is None:
        return 0
    actions = legal_actions(state)
    if depth == 1:
        return len(actions)
    seat = state.table.turn
    if seat is None:
        return 0
    return sum(
        perft(evolve_all(state, decide(state, seat, action)), depth - 1) for action in actions
    )
