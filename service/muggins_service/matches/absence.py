"""Players who are away while it is their turn, and when a stand-in takes over for them."""

from muggins_rules.events import TurnStarted
from muggins_service.matches.slot import Slot
from muggins_service.table.state import Status, Table
from muggins_service.table.timing import NEVER_US

__all__ = ["absent_seat", "look_again_us"]


def look_again_us(slot: Slot, now_us: int, begun_us: int) -> int:
    """When the player on turn has been away for too long, or may have been.

    A player who is there now is looked for again after the same time. `begun_us` is when this
    process began: those who were there before have to come back first.
    """
    table = slot.table
    seat = _waited_for(table)
    if seat is None:
        return NEVER_US
    since_us = slot.away_since_us(seat)
    if since_us is not None:
        now_us = max(since_us, begun_us, _turn_began_us(table))
    return now_us + table.created.options.takeover_after_us


def absent_seat(slot: Slot, now_us: int, begun_us: int) -> int | None:
    """The seat on turn whose player has been away for too long."""
    if look_again_us(slot, now_us, begun_us) > now_us:
        return None
    return slot.table.seat_to_act


def _waited_for(table: Table) -> int | None:
    """The seat on turn, where its player keeps another player waiting."""
    seat = table.seat_to_act
    if not table.created.options.takeover_after_us or seat is None:
        return None
    if table.status is not Status.PLAYING or not table.seats[seat].is_played:
        return None
    waits = any(held.is_played for other, held in enumerate(table.seats) if other != seat)
    return seat if waits else None


def _turn_began_us(table: Table) -> int:
    for entry in reversed(table.round_entries):
        if isinstance(entry.fact, TurnStarted):
            return entry.time_us
    raise AssertionError("the turn of a seat has begun")
