"""What one stream of a match sends: a snapshot or the events missed, then what happens."""

from collections.abc import Callable
from random import uniform
from typing import Final, NamedTuple

from muggins_rules.views import Viewer
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.encodings import EncodedRecord
from muggins_service.matches.slot import Slot
from muggins_service.observers.heartbeats import LONGEST_HEARTBEAT_S, heartbeat_s
from muggins_service.observers.outbox import Outbox
from muggins_service.observers.waking import Waker
from muggins_service.store.port import Store
from muggins_service.table.policy import SECOND_US
from muggins_service.table.state import Occupant, Table
from muggins_service.table.timing import NEVER_US
from muggins_service.wire.frames import (
    GoAwayReason,
    event_batch_frame,
    go_away_frame,
    heartbeat_frame,
    snapshot_frame,
)
from muggins_service.wire.views import legal_actions_chunk, public_view_bytes, seat_view_bytes

__all__ = ["Feed", "FeedSettings"]

AGE_SPREAD: Final = 0.1
MOST_REPLAYED: Final = 20_000
"""Events behind which a stream gets a snapshot rather than what it missed."""


class FeedSettings(NamedTuple):
    """How streams of a server behave. `most_observers` is per match.

    `slow_reader_s` is how long a frame may wait for a client that does not read; 0: for ever.

    `max_age_us` is how long a stream lasts, give or take `AGE_SPREAD` of it; 0: for ever.
    """

    rematch_wait_us: int
    most_observers: int
    max_age_us: int = 0
    slow_reader_s: float = 0

    def ends_at_us(self, now_us: int) -> int:
        """When a stream that begins now has lasted as long as one may; not all at one time."""
        if not self.max_age_us:
            return NEVER_US
        return now_us + round(self.max_age_us * uniform(1 - AGE_SPREAD, 1 + AGE_SPREAD))  # noqa: S311 - spreads load


class Feed:
    """One stream of a match, for a seat or the public.

    `open` and `next` give ObserveMatchResponse frames as bytes. Between them the outbox takes in
    what is stored, so nothing is missed and nothing comes twice.
    """

    def __init__(
        self,
        slot: Slot,
        viewer: Viewer,
        store: Store,
        settings: FeedSettings,
        now_us: Callable[[], int],
        asked_heartbeat_s: float,
        waker: Waker,
    ) -> None:
        """Begin closed. `asked_heartbeat_s` is what the client asked for, 0 for the default."""
        self.outbox = Outbox(viewer, 0, waker)
        self.over = False
        self._slot = slot
        self._viewer = viewer
        self._store = store
        self._settings = settings
        self._now_us = now_us
        self._heartbeat_s = heartbeat_s(asked_heartbeat_s)
        self._ends_at_us = settings.ends_at_us(now_us())

    def open(self, from_sequence: int | None) -> bytes | None:
        """Subscribe; the first frame, absent when the client is up to date.

        Raises:
            ServiceError: TOO_MANY_OBSERVERS.
        """
        slot = self._slot
        watching = sum(outbox.viewer is None for outbox in slot.outboxes)
        if self._viewer is None and watching >= self._settings.most_observers:
            raise ServiceError(ServiceReason.TOO_MANY_OBSERVERS, retry_after_s=10)
        table = slot.seen_table(self._viewer)
        self.outbox.version = table.version
        slot.outboxes.append(self.outbox)
        if self._viewer is not None:
            slot.arrive(self._viewer, self._now_us())
        if from_sequence is None:
            return self._snapshot(gap=False)
        if not 0 <= table.version - from_sequence <= MOST_REPLAYED:
            return self._snapshot(gap=True)
        if from_sequence == table.version:
            return None
        return event_batch_frame(self._missed(from_sequence, table), self._legal_actions())

    def close(self) -> None:
        """Unsubscribe."""
        slot = self._slot
        if self.outbox in slot.outboxes:
            slot.outboxes.remove(self.outbox)
            if self._viewer is not None:
                slot.depart(self._viewer, self._now_us())

    async def next(self) -> bytes | None:
        """The next frame; absent when there are only results, or the stream is `over`."""
        waits_s = self._heartbeat_s
        left_s = self._rematch_wait_s()
        if left_s is not None:
            if left_s <= 0 and not self.outbox.has_work:
                self.over = True
                return None
            waits_s = min(waits_s, max(left_s, 0))
        age_left_s = self._age_left_s()
        if not await self.outbox.wait(min(waits_s, age_left_s)):
            if age_left_s <= waits_s:
                self.outbox.end(go_away_frame(GoAwayReason.MAX_AGE))
                return None
            return None if left_s is not None and left_s <= waits_s else self._heartbeat()
        return self._drain()

    def _age_left_s(self) -> float:
        """How long the stream may last on; a busy one ends within a second after, when quiet."""
        if self.outbox.ending is not None or self.outbox.over:
            return LONGEST_HEARTBEAT_S
        left_us = self._ends_at_us - self._now_us()
        if left_us <= -SECOND_US:
            self.outbox.end(go_away_frame(GoAwayReason.MAX_AGE))
        return max(left_us, 0) / SECOND_US

    def _drain(self) -> bytes | None:
        outbox = self.outbox
        if outbox.gap:
            outbox.restart(self._slot.seen_table(self._viewer).version)
            return self._snapshot(gap=True)
        chunk = outbox.take()
        if chunk:
            return event_batch_frame(chunk, self._legal_actions())
        if outbox.results:
            return None
        ending, outbox.ending = outbox.ending, None
        if ending is not None:
            outbox.over = True
            return ending
        self.over = outbox.over
        return None

    def _rematch_wait_s(self) -> float | None:
        """How long the stream still waits for a rematch; absent while the match goes on."""
        table = self._slot.seen_table(self._viewer)
        if not table.is_over:
            return None
        if table.rematch_id or not _has_players(table):
            return 0
        until_us = table.ended_us + self._settings.rematch_wait_us
        return (until_us - self._now_us()) / 1_000_000

    def _missed(self, from_sequence: int, table: Table) -> bytes:
        calling = table.created.rule_set.calling
        return b"".join(
            EncodedRecord(stored.record, calling=calling).chunk_after(self._viewer, from_sequence)
            for stored in self._store.read(self._slot.match_id, from_sequence)
            if stored.version <= table.version
        )

    def _snapshot(self, *, gap: bool) -> bytes:
        slot, now_us = self._slot, self._now_us()
        presence = slot.presence(now_us)
        if self._viewer is None:
            view = public_view_bytes(slot.public, presence, now_us)
            return snapshot_frame(view, is_seat=False, gap=gap)
        view = seat_view_bytes(slot.table, self._viewer, presence, now_us)
        return snapshot_frame(view, is_seat=True, gap=gap)

    def _legal_actions(self) -> bytes:
        table = self._slot.table
        if self._viewer is None or table.seat_to_act != self._viewer:
            return b""
        return legal_actions_chunk(table)

    def _heartbeat(self) -> bytes:
        slot, now_us = self._slot, self._now_us()
        table = slot.seen_table(self._viewer)
        return heartbeat_frame(table, slot.presence(now_us), now_us)


def _has_players(table: Table) -> bool:
    return any(seat.occupant is Occupant.PLAYER for seat in table.seats)
