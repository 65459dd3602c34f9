"""What joining, creating and finding a match give, with the handles to keep."""

from dataclasses import dataclass

from muggins.v1 import events_pb2, rule_sets_pb2, views_pb2
from muggins_client.handles import Host, Seat

__all__ = ["Created", "Found", "Joined"]


@dataclass(frozen=True, slots=True)
class Created:
    """A match was made; whoever holds `host` is its host."""

    host: Host
    rule_set: rule_sets_pb2.RuleSet
    version: int
    events: tuple[events_pb2.Event, ...]

    @property
    def match_id(self) -> str:
        """The match."""
        return self.host.match_id


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat was taken, or taken back."""

    seat: Seat
    view: views_pb2.SeatView
    version: int
    events: tuple[events_pb2.Event, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A seat was taken in a match that was found, or made where `host` is given."""

    seat: Seat
    view: views_pb2.SeatView
    version: int
    events: tuple[events_pb2.Event, ...]
    host: Host | None
