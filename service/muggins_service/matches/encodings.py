"""Events as bytes, encoded once for each form in which they are seen."""

from muggins_rules.views import Viewer
from muggins_service.table.facts import Entry
from muggins_service.table.record import Record
from muggins_service.table.seeing import project_entry
from muggins_service.wire.events import encode_event, events_chunk
from muggins_service.wire.records import record_with_chunk

__all__ = ["EncodedRecord"]


class EncodedRecord:
    """The entries of a record, encoded for whoever asks.

    Entries in which nothing is hidden from a viewer share their bytes with every other viewer.
    """

    __slots__ = ("_calling", "_chunks", "_plain", "record")

    def __init__(self, record: Record, *, calling: bool) -> None:
        """Begin with nothing encoded; `calling` is that of the rule set."""
        self.record = record
        self._calling = calling
        self._plain: dict[int, bytes] = {}
        self._chunks: dict[Viewer, bytes] = {}

    def chunk(self, viewer: Viewer) -> bytes:
        """The record's events as the viewer sees them, as a chunk of the repeated field."""
        found = self._chunks.get(viewer)
        if found is None:
            found = events_chunk([self._event(entry, viewer) for entry in self.record.entries])
            self._chunks[viewer] = found
        return found

    def stored(self) -> bytes:
        """The record as it is stored, with its events in record form."""
        return record_with_chunk(
            self.record, events_chunk([self._plain_event(entry) for entry in self.record.entries])
        )

    def chunk_after(self, viewer: Viewer, sequence: int) -> bytes:
        """Those of the record's events that come after a sequence."""
        if sequence < self.record.entries[0].sequence:
            return self.chunk(viewer)
        later = (entry for entry in self.record.entries if entry.sequence > sequence)
        return events_chunk([self._event(entry, viewer) for entry in later])

    def _event(self, entry: Entry, viewer: Viewer) -> bytes:
        seen = project_entry(entry, viewer, calling=self._calling)
        return self._plain_event(entry) if seen is entry else encode_event(seen)

    def _plain_event(self, entry: Entry) -> bytes:
        plain = self._plain.get(entry.sequence)
        if plain is None:
            plain = self._plain[entry.sequence] = encode_event(entry)
        return plain
