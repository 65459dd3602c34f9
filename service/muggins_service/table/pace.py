"""How long an opponent seems to think: a time from what everybody knows, and from nothing else."""

from hashlib import sha256
from typing import Final

from muggins_rules.events import TileDrawn
from muggins_service.table.facts import OpponentPace, TurnTiming
from muggins_service.table.policy import TablePolicy
from muggins_service.table.state import Table

__all__ = ["is_paced", "paced_from_us", "paced_turn", "think_us"]

_LABEL: Final = b"muggins/1/pace/"
_PARTS: Final = 1 << 32


def think_us(match_id: str, sequence: int, policy: TablePolicy) -> int:
    """How long an opponent thinks after the event with a sequence, within the policy's bounds.

    The same for the same match and event, whatever the hands and however many moves are legal.
    Short times are likelier than long ones: it is the smaller of two even draws.
    """
    digest = sha256(_LABEL + f"{match_id}/{sequence}".encode()).digest()
    drawn = min(int.from_bytes(digest[:4], "big"), int.from_bytes(digest[4:8], "big"))
    least, most = policy.think_least_us, policy.think_most_us
    return least + (most - least) * drawn // _PARTS


def paced_turn(table: Table, seat: int, sequence: int, now_us: int, policy: TablePolicy) -> int:
    """When the seat of a turn that begins now, with that sequence, may act; 0: at once.

    An open claim window lasts its minimum, and who is paced thinks while it does. Of a turn limit
    half at most is spent so.
    """
    not_before_us = 0 if table.window is None else table.window.not_before_us
    if not is_paced(table) or not table.seats[seat].acting_level:
        return not_before_us
    return max(not_before_us, now_us + _within_limit_us(table, sequence, policy))


def paced_from_us(table: Table, turn: TurnTiming, policy: TablePolicy) -> int:
    """When the opponent or stand-in on turn acts; it thinks once more, half as long, after a draw.

    What it has drawn is no part of it: that it drew, everybody saw.
    """
    last = table.round_entries[-1]
    if not is_paced(table) or not isinstance(last.fact, TileDrawn):
        return turn.not_before_us
    again_us = _within_limit_us(table, last.sequence, policy) // 2
    return max(turn.not_before_us, last.time_us + again_us)


def is_paced(table: Table) -> bool:
    """True where opponents take their time."""
    return table.created.options.opponent_pace is OpponentPace.HUMAN


def _within_limit_us(table: Table, sequence: int, policy: TablePolicy) -> int:
    limit_us = table.created.options.turn_limit_us
    thinks_us = think_us(table.match_id, sequence, policy)
    return min(thinks_us, limit_us // 2) if limit_us else thinks_us
