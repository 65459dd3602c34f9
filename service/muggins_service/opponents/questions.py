"""What an opponent is asked: the view of its seat, and the seed of its decision.

The server asks it so while a match is played, and whoever checks the match from its record
afterwards asks it so again.
"""

from functools import partial

from muggins_ai.levels import LEVELS
from muggins_rules.fair_deal import opponent_seed
from muggins_rules.viewing import seat_view
from muggins_rules.views import SeatView
from muggins_service.opponents.past import PastRounds, Rounds, rounds_seen
from muggins_service.opponents.port import Question
from muggins_service.table.facts import ACTED
from muggins_service.table.state import Table
from muggins_service.wire.views import asked_view_bytes

__all__ = ["calling_view", "choosing_view", "decision_seed", "question_of"]


def question_of(
    caller: str, table: Table, seat: int, level: str, seed: bytes, past: PastRounds
) -> Question:
    """What is asked of the opponent that is to act in a seat."""
    told = past.before(table) if LEVELS[level].reads_past else ()
    view = choosing_view(table, seat, level, told)
    return Question(caller, level, view, seed, partial(asked_view_bytes, table, seat, told))


def choosing_view(table: Table, seat: int, level: str, past: Rounds) -> SeatView:
    """What an opponent that is to act is shown; earlier rounds only where its level reads them."""
    told = past if LEVELS[level].reads_past else ()
    return seat_view(table.game, seat, rounds_seen(told, table, seat))


def calling_view(table: Table, seat: int) -> SeatView:
    """What an opponent that may call is shown: no earlier round, for none can change the answer."""
    return seat_view(table.game, seat)


def decision_seed(secret: bytes, table: Table, seat: int) -> bytes:
    """The seed of an opponent's decision, from the round's secret and what was done so far.

    Raises:
        FairDealError: the secret or a nonce of the table is none.
    """
    ply = sum(isinstance(entry.fact, ACTED) for entry in table.round_entries)
    return opponent_seed(secret, table.match_id, table.game.round, table.nonces, seat, ply)
