"""Resigning, and ending a match by agreement: what players may do beside playing it out."""

from muggins_rules.events import EndReason
from muggins_rules.refusal import Refusal
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.table.commands import AgreeToEnd, Resign
from muggins_service.table.drafting import Draft
from muggins_service.table.facts import Cause, EndAgreed, SeatResigned, TakeoverChanged
from muggins_service.table.state import Occupant, Status, Table

__all__ = ["check_not_resigned", "decide_giving_up"]


def check_not_resigned(table: Table, seat: int) -> None:
    """Raise SEAT_RESIGNED where the seat's player has given up the match."""
    if table.seats[seat].resigned and not table.is_over:
        raise ServiceError(ServiceReason.SEAT_RESIGNED)


def decide_giving_up(draft: Draft, seat: int, command: Resign | AgreeToEnd) -> None:
    """Draft a resignation, or a proposal or agreement to end the match."""
    table = draft.table
    if table.is_over:
        raise ServiceError(Refusal.MATCH_OVER)
    if table.status is not Status.PLAYING:
        raise ServiceError(Refusal.MATCH_NOT_STARTED)
    check_not_resigned(table, seat)
    if isinstance(command, Resign):
        _resign(draft, seat)
    elif seat not in table.end_agreed:
        if table.seats[seat].bot_plays:
            draft.add(TakeoverChanged(seat, bot_plays=False, level=""), Cause.PLAYER)
        proposes = not draft.table.end_agreed
        draft.add(EndAgreed(seat, proposes), Cause.PLAYER)
        draft.end_if_agreed()


def _resign(draft: Draft, seat: int) -> None:
    draft.add(SeatResigned(seat), Cause.PLAYER)
    left = _sides_left(draft.table)
    if len(left) == 1:
        draft.end(EndReason.RESIGNED, left[0])
    elif not _plays_on(draft.table):
        draft.end(EndReason.RESIGNED)
    elif not draft.table.seats[seat].bot_plays:
        draft.take_over(seat, Cause.PLAYER)
    else:
        draft.end_if_agreed()


def _sides_left(table: Table) -> list[int]:
    """The sides that have not resigned: a side has once each seat of its players has."""
    rule_set, seats = table.created.rule_set, len(table.seats)
    left = []
    for side in range(rule_set.sides(seats)):
        members = [
            held
            for seat, held in enumerate(table.seats)
            if rule_set.side_of(seat, seats) == side and held.occupant is Occupant.PLAYER
        ]
        if not members or not all(held.resigned for held in members):
            left.append(side)
    return left


def _plays_on(table: Table) -> bool:
    """True while some player has not resigned."""
    return any(held.occupant is Occupant.PLAYER and not held.resigned for held in table.seats)
