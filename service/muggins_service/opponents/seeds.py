"""The seeds of opponents' decisions, which anyone can derive once a round's secret is out."""

from muggins_rules.fair_deal import opponent_seed
from muggins_service.table.facts import ACTED
from muggins_service.table.state import Table

__all__ = ["decision_seed"]


def decision_seed(table: Table, seat: int, secret: bytes) -> bytes:
    """The seed of a seat's decision, from the round's secret and what was done so far."""
    ply = sum(isinstance(entry.fact, ACTED) for entry in table.round_entries)
    return opponent_seed(secret, table.match_id, table.game.round, table.nonces, seat, ply)
