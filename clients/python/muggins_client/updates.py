"""What a stream of a match tells, in the order in which it happened."""

from dataclasses import dataclass

from muggins.v1 import actions_pb2, events_pb2, views_pb2

__all__ = ["EventsSeen", "PresenceSeen", "SnapshotSeen", "Update"]


@dataclass(frozen=True, slots=True)
class SnapshotSeen:
    """The match as it is; what was known before is void.

    The first update, unless the stream goes on from a known sequence. Later on it comes, with
    `gap`, where the events in between are no longer to be had.
    """

    view: views_pb2.SeatView | views_pb2.PublicView
    gap: bool

    @property
    def table(self) -> views_pb2.PublicView:
        """What everybody knows."""
        return self.view.table if isinstance(self.view, views_pb2.SeatView) else self.view

    @property
    def version(self) -> int:
        """The sequence of the last event that the view includes."""
        return self.table.version

    @property
    def legal_actions(self) -> tuple[actions_pb2.LegalAction, ...]:
        """What the viewing seat may do now; empty where it is not to act or there is none."""
        view = self.view
        return tuple(view.legal_actions) if isinstance(view, views_pb2.SeatView) else ()


@dataclass(frozen=True, slots=True)
class EventsSeen:
    """What happened next: one or more events, without gaps to what came before."""

    events: tuple[events_pb2.Event, ...]
    legal_actions: tuple[actions_pb2.LegalAction, ...]
    """What the viewing seat may do after the last of the events; empty where it is not to act."""

    @property
    def version(self) -> int:
        """The sequence of the last event."""
        return self.events[-1].sequence


@dataclass(frozen=True, slots=True)
class PresenceSeen:
    """Somebody came or went, which is no event."""

    seats: tuple[views_pb2.SeatInfo, ...]
    version: int


Update = SnapshotSeen | EventsSeen | PresenceSeen
"""Any news of a match."""
