"""Who gives a job: a seat by its secret, the host by his, or the server itself."""

from hashlib import sha256

from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.outcome import Job
from muggins_service.table.commands import (
    Act,
    Cancel,
    Command,
    FillSeat,
    FreeSeat,
    Rematch,
    StartMatch,
)
from muggins_service.table.deciding import is_host, seat_of_secret
from muggins_service.table.state import Table

__all__ = ["HOST_COMMANDS", "body_hash", "check_host", "seat_of_job"]

HOST_COMMANDS = (StartMatch, FillSeat, FreeSeat, Cancel, Rematch)


def seat_of_job(job: Job, table: Table) -> int:
    """The seat that a player's job is for; ServiceError when its secret holds none."""
    if job.seat_secret is None:
        acts = isinstance(job.command, Act)
        raise ServiceError(
            ServiceReason.OBSERVER_CANNOT_ACT if acts else ServiceReason.MISSING_SEAT_SECRET
        )
    seat = seat_of_secret(table, job.seat_secret)
    if seat is None:
        raise ServiceError(ServiceReason.BAD_SEAT_SECRET)
    return seat


def check_host(job: Job, table: Table) -> None:
    """Raise BAD_HOST_SECRET unless the job shows the secret of the match's host."""
    if job.host_secret is None or not is_host(table, job.host_secret):
        raise ServiceError(ServiceReason.BAD_HOST_SECRET)


def body_hash(command: Command, seat_secret: bytes | None, host_secret: bytes | None) -> bytes:
    """The hash that tells whether a repeated request id comes with the same body and caller."""
    return sha256(repr((command, seat_secret, host_secret)).encode()).digest()
