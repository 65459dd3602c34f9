"""What every request that changes a match has in common."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from muggins_rules.actions import Action
from muggins_service.table.commands import Command
from muggins_service.wire.checks import match_id_in, request_id_in

__all__ = ["Envelope", "Mutation", "envelope_of"]


@dataclass(frozen=True, slots=True)
class Envelope:
    """The match, the id by which a repeat is told, and the version that is expected, if any.

    `match_id` is empty where the request makes a match.
    """

    match_id: str
    request_id: str = ""
    expected_version: int | None = None


class Mutation(NamedTuple):
    """A request that changes a match. An action is for the seat whose secret the caller shows."""

    envelope: Envelope
    what: Command | Action


class _ToMatch(Protocol):
    @property
    def match_id(self) -> str: ...

    @property
    def request_id(self) -> str: ...

    @property
    def expected_version(self) -> int: ...

    def HasField(self, field_name: Literal["expected_version"], /) -> bool: ...  # noqa: N802


def envelope_of(message: _ToMatch) -> Envelope:
    """The envelope of a request to a match."""
    expected = message.expected_version if message.HasField("expected_version") else None
    return Envelope(match_id_in(message.match_id), request_id_in(message.request_id), expected)
