"""One record per command: what is appended to a match's log and survives."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from muggins_service.table.facts import Entry

__all__ = ["NOT_GIVEN_OUT", "Actor", "ActorKind", "MatchSecrets", "Record", "SeatKey"]


class ActorKind(IntEnum):
    """Who gave the command of a record."""

    PLAYER = 1
    OPPONENT = 2
    HOST = 3
    SERVER = 4


@dataclass(frozen=True, slots=True)
class Actor:
    """The one who gave a command; `seat` is absent for host and server."""

    kind: ActorKind
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class MatchSecrets:
    """What the server keeps of a match's secrets; in no event, view, export or log.

    The host's secret is kept as its SHA-256. `invite_code` is empty unless the match is private.
    `host_principal` is who made the match, empty where nobody was asked who he is.
    """

    host_secret_hash: bytes
    invite_code: str
    chain_seed: bytes
    chain_length: int
    host_principal: str = ""


NOT_GIVEN_OUT: Final = MatchSecrets(b"", "", b"", 0)
"""The secrets of a match that is known from its export."""


@dataclass(frozen=True, slots=True)
class SeatKey:
    """The hash of a seat's secret; `epoch` counts the players who have held the seat, from 1.

    `principal` is who took the seat, empty where nobody was asked who he is.
    """

    seat: int
    secret_hash: bytes
    epoch: int
    principal: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """Everything that one command brought about; `version` is the sequence of its last entry.

    `hint` is what its caller alone was told, so that a retry is told the same.
    """

    version: int
    entries: tuple[Entry, ...]
    request_id: str
    body_hash: bytes
    actor: Actor
    time_us: int
    match_secrets: MatchSecrets | None = None
    seat_keys: tuple[SeatKey, ...] = ()
    hint: bytes = b""
