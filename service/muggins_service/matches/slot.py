"""A live match in this process: its table, what it remembers and who watches it."""

import asyncio
from collections.abc import Callable, Iterable

from muggins_rules.fair_deal import Chain
from muggins_rules.views import Viewer
from muggins_service.matches.encodings import EncodedRecord
from muggins_service.matches.request_table import RequestTable
from muggins_service.observers.lag import LaggingTable
from muggins_service.observers.outbox import Outbox
from muggins_service.observers.waking import MANY
from muggins_service.store.port import Stored, Watch
from muggins_service.table.record import Record
from muggins_service.table.state import Status, Table, open_table, with_record
from muggins_service.wire.frames import GoAwayReason, go_away_frame
from muggins_service.wire.views import Presence

__all__ = ["Slot"]


class Slot:
    """A match that is held in memory.

    `table` is the state after the last stored record, and `public` what viewers without a seat
    see of it; `public_changed` tells whether the last record changed that.
    `pending` is the state after a record on its way to the store: until it is stored
    or has failed, no other command of the match is decided. `due_us` is the time to which `timer`
    is set, where there is one. `account` is whose limits it counts against, where it is known.
    """

    def __init__(
        self, match_id: str, chain: Chain | None, on_change: Callable[["Slot"], None]
    ) -> None:
        """Begin without a record; `on_change` is called after each.

        A chain that is absent is made from the match's secrets when it is first needed.
        """
        self.match_id = match_id
        self._chain = chain
        self.account = ""
        self.requests = RequestTable()
        self.pending: Table | None = None
        self.outboxes: list[Outbox] = []
        self.attached: dict[int, Outbox] = {}
        self.public_changed = True
        self.timer: asyncio.Handle | None = None
        self.due_us = 0
        self.watch: Watch | None = None
        self._on_change = on_change
        self._table: Table | None = None
        self._lag: LaggingTable | None = None
        self._encodings: EncodedRecord | None = None
        self._present: dict[int, tuple[int, int]] = {}
        self._heard_us: dict[int, int] = {}

    @property
    def table(self) -> Table:
        """The state after the last stored record."""
        assert self._table is not None, "a slot is used once its first record is stored"
        return self._table

    @property
    def chain(self) -> Chain:
        """The secrets of the rounds."""
        if self._chain is None:
            secrets = self.table.secrets
            self._chain = Chain.from_seed(secrets.chain_seed, secrets.chain_length)
        return self._chain

    @property
    def public(self) -> Table:
        """The state as viewers without a seat see it."""
        assert self._lag is not None, "a slot is used once its first record is stored"
        return self._lag.table

    def seen_table(self, viewer: Viewer) -> Table:
        """The state as a viewer sees it."""
        return self.public if viewer is None else self.table

    def recover(self, log: Iterable[Stored]) -> None:
        """Take in a match's log as it was found, without showing it to anybody.

        Raises:
            UnreadableRecord: some record is none of this or an earlier version.
        """
        table: Table | None = None
        for stored in log:
            record = stored.record
            if table is None or self._lag is None:
                table = open_table(self.match_id, record)
                self._lag = LaggingTable(table)
            else:
                table = with_record(table, record)
                self._lag.advance(record, table)
        self._table = table

    def on_stored(self, stored: Stored) -> None:
        """Take in a stored record, of this process or another, and show it to who watches."""
        record = stored.record
        before = self._table
        if self.pending is not None and self.pending.version == record.version:
            self._table = self.pending
        elif before is None:
            self._table = open_table(self.match_id, record)
        else:
            self._table = with_record(before, record)
        self.pending = None
        encoded = self._encoded(record)
        for outbox in self.outboxes:
            if outbox.viewer is not None:
                outbox.push(record.version, encoded.chunk(outbox.viewer))
        self._show_public(record, was_open=before is None or before.status is Status.OPEN)
        self._on_change(self)

    def _show_public(self, record: Record, *, was_open: bool) -> None:
        if self._lag is None:
            self._lag = LaggingTable(self.table)
            return
        before, many = self._lag.table, len(self.outboxes) > MANY
        for shown in self._lag.advance(record, self.table):
            encoded = self._encoded(shown)
            for outbox in self.outboxes:
                if outbox.viewer is None:
                    outbox.push(shown.version, encoded.chunk(None), is_one_of_many=many)
        # That a match begins is told at once: it has no free seats any more.
        self.public_changed = self._lag.table is not before or was_open

    def expect(self, table: Table, record: Record) -> bytes:
        """Take note of a record on its way to the store and the table after it; its bytes."""
        encodings = EncodedRecord(record, calling=table.created.rule_set.calling)
        data = encodings.stored()
        self.pending, self._encodings = table, encodings
        return data

    def _encoded(self, record: Record) -> EncodedRecord:
        """The record's encodings; the last are kept, since store, streams and answer share them."""
        if self._encodings is None or self._encodings.record is not record:
            calling = self.table.created.rule_set.calling
            self._encodings = EncodedRecord(record, calling=calling)
        return self._encodings

    def chunk_of(self, record: Record, viewer: Viewer) -> bytes:
        """The events of a record as a viewer sees them."""
        return self._encoded(record).chunk(viewer)

    def presence(self, now_us: int) -> Presence:
        """Which seats have an open stream, and since when."""
        found = []
        for seat in range(len(self.table.seats)):
            streams, since_us = self._present.get(seat, (0, self.table.created_us))
            found.append((streams > 0, min(since_us, now_us)))
        return tuple(found)

    def arrive(self, seat: int, now_us: int) -> None:
        """Note one more open stream of a seat."""
        streams, since_us = self._present.get(seat, (0, 0))
        self._present[seat] = (streams + 1, since_us if streams else now_us)

    def depart(self, seat: int, now_us: int) -> None:
        """Note that an open stream of a seat has ended."""
        streams, since_us = self._present.get(seat, (1, 0))
        self._present[seat] = (streams - 1, since_us if streams > 1 else now_us)

    def hear(self, seat: int, now_us: int) -> None:
        """Note a call of a seat's player."""
        self._heard_us[seat] = now_us

    def away_since_us(self, seat: int) -> int | None:
        """When a seat's player was last heard of; absent while a stream of the seat is open."""
        streams, since_us = self._present.get(seat, (0, 0))
        return None if streams else max(since_us, self._heard_us.get(seat, 0))

    def end_streams(self) -> None:
        """End every stream of a match that is no longer held."""
        frame = go_away_frame(GoAwayReason.MATCH_REMOVED, 0)
        for outbox in self.outboxes:
            outbox.end(frame)

    def close(self) -> None:
        """Let go of timers and the watch."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if self.watch is not None:
            self.watch.cancel()
            self.watch = None
