"""From the frames of a match's stream to updates, with every sequence accounted for."""

from collections.abc import Iterable
from typing import NamedTuple

from muggins.v1 import streams_pb2, views_pb2
from muggins_client.updates import EventsSeen, PresenceSeen, SnapshotSeen, Update

__all__ = ["Missed", "Tracker"]

_OVER = frozenset({views_pb2.MATCH_STATE_FINISHED, views_pb2.MATCH_STATE_ABANDONED})


class _Presence(NamedTuple):
    """Who is there; the rest of a SeatInfo follows from the events."""

    seat: int
    present: bool
    bot_plays: bool


class Missed(Exception):  # noqa: N818 - tells what happened to the events
    """The stream left out events after `last`; they have to be asked for again."""

    def __init__(self, last: int | None) -> None:
        """Keep the last sequence that was seen."""
        super().__init__(last)
        self.last = last


class Tracker:
    """Where a viewer stands in a match."""

    def __init__(self, from_sequence: int | None) -> None:
        """`from_sequence` is the last sequence that the viewer has; none: it needs a snapshot."""
        self.last = from_sequence
        self.is_over = False
        """True once the end of the match was seen."""
        self._presence: tuple[_Presence, ...] = ()

    def take(self, frame: streams_pb2.ObserveMatchResponse) -> Update | None:
        """The update in a frame; none where it tells nothing new, or only of the stream itself.

        Raises:
            Missed: events are missing before those of the frame.
        """
        match frame.WhichOneof("frame"):
            case "snapshot":
                return self._snapshot(frame.snapshot)
            case "events":
                return self._events(frame.events)
            case "heartbeat":
                return self._heartbeat(frame.heartbeat)
            case _:
                return None

    def _snapshot(self, snapshot: streams_pb2.Snapshot) -> SnapshotSeen:
        view = snapshot.seat if snapshot.WhichOneof("view") == "seat" else snapshot.table
        seen = SnapshotSeen(view, snapshot.gap)
        self.last = seen.version
        self.is_over = seen.table.state in _OVER
        self._presence = _presence_of(seen.table.seats)
        return seen

    def _events(self, batch: streams_pb2.EventBatch) -> EventsSeen | None:
        for event in batch.events:
            if self.last is None or event.sequence != self.last + 1:
                raise Missed(self.last)
            self.last = event.sequence
            if event.WhichOneof("fact") == "match_ended":
                self.is_over = True
        if not batch.events:
            return None
        return EventsSeen(tuple(batch.events), tuple(batch.legal_actions))

    def _heartbeat(self, heartbeat: streams_pb2.Heartbeat) -> PresenceSeen | None:
        if self.last is None or heartbeat.version > self.last:
            raise Missed(self.last)
        presence = _presence_of(heartbeat.presence)
        if not presence or presence == self._presence:
            return None
        self._presence = presence
        return PresenceSeen(tuple(heartbeat.presence), heartbeat.version)


def _presence_of(seats: Iterable[views_pb2.SeatInfo]) -> tuple[_Presence, ...]:
    return tuple(_Presence(info.seat, info.present, info.bot_plays) for info in seats)
