"""What a job means at a table: who it is from, what it drafts and who sees the answer."""

from dataclasses import replace
from typing import NamedTuple, assert_never

from muggins_rules.views import PUBLIC, Viewer
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.authority import check_host, seat_of_job
from muggins_service.matches.founding import join_of
from muggins_service.matches.outcome import Job
from muggins_service.table.commands import (
    Act,
    AgreeToEnd,
    Cancel,
    CreateMatch,
    FillSeat,
    FindMatch,
    FreeSeat,
    JoinMatch,
    LeaveMatch,
    Rematch,
    Resign,
    RevealNonce,
    SetSeatOptions,
    ShowHint,
    StartMatch,
    Tick,
)
from muggins_service.table.deciding import (
    decide_act,
    decide_host,
    decide_join,
    decide_seat,
    decide_tick,
)
from muggins_service.table.drafting import Draft
from muggins_service.table.record import Actor, ActorKind, SeatKey
from muggins_service.table.state import Table

__all__ = ["Caller", "authenticate", "check_version", "draft_job"]


class Caller(NamedTuple):
    """Who gives a job, and the seat it is for."""

    actor: Actor
    seat: int | None

    @property
    def viewer(self) -> Viewer:
        """As whom the caller sees the answer."""
        return PUBLIC if self.seat is None else self.seat


SERVER = Caller(Actor(ActorKind.SERVER), None)


def authenticate(job: Job, table: Table) -> Caller:
    """Who gives the job; ServiceError when it may not be given."""
    match job.command:
        case Tick():
            return SERVER
        case Act(seat) if job.trusted:
            return Caller(Actor(ActorKind.OPPONENT, seat), seat)
        case (
            Act()
            | RevealNonce()
            | SetSeatOptions()
            | LeaveMatch()
            | Resign()
            | AgreeToEnd()
            | ShowHint()
        ):
            seat = seat_of_job(job, table)
            return Caller(Actor(ActorKind.PLAYER, seat), seat)
        case Cancel() if job.trusted:
            return SERVER
        case StartMatch() | FillSeat() | FreeSeat() | Cancel() | Rematch():
            check_host(job, table)
            return Caller(Actor(ActorKind.HOST), None)
        case JoinMatch() | FindMatch() | CreateMatch():
            return Caller(Actor(ActorKind.PLAYER), None)
        case _:
            assert_never(job.command)


def draft_job(job: Job, caller: Caller, draft: Draft) -> tuple[Caller, tuple[SeatKey, ...]]:
    """Draft what the job brings about; the caller with the seat it took, and the seat's key."""
    command = job.command
    match command:
        case Tick():
            decide_tick(draft, command)
        case Act():
            assert caller.seat is not None, "an action is a seat's"
            decide_act(draft, replace(command, seat=caller.seat))
        case RevealNonce() | SetSeatOptions() | LeaveMatch() | Resign() | AgreeToEnd() | ShowHint():
            assert caller.seat is not None, "the command is a seat's"
            decide_seat(draft, caller.seat, command)
        case StartMatch() | FillSeat() | FreeSeat() | Cancel():
            decide_host(draft, command)
        case JoinMatch() | FindMatch():
            join = join_of(command) if isinstance(command, FindMatch) else command
            seat, key = decide_join(draft, join)
            joined = Caller(Actor(ActorKind.PLAYER, seat), seat)
            return joined, () if key is None else (replace(key, principal=job.principal),)
        case Rematch() | CreateMatch():
            raise AssertionError("the command makes a match")
        case _:
            assert_never(command)
    return caller, ()


def check_version(job: Job, table: Table) -> None:
    """Raise VERSION_STALE unless the job expects the version of the table as its caller sees it."""
    if job.expected_version not in {None, table.version}:
        raise ServiceError(ServiceReason.VERSION_STALE, metadata={"version": str(table.version)})
