"""Spectators kept a number of moves behind, so that nobody can whisper to a player."""

from collections import deque

from muggins_rules.events import MatchEnded, SeatPassed, TileDrawn, TilePlayed
from muggins_service.table.record import Record
from muggins_service.table.state import Status, Table, with_record

__all__ = ["LaggingTable"]

_MOVES = (TilePlayed, TileDrawn, SeatPassed)


class LaggingTable:
    """The table as viewers without a seat see it: its delay behind from the start to the end."""

    def __init__(self, table: Table) -> None:
        """Begin with a table that has just been opened, or whose past may be seen."""
        self.table = table
        self._delay = table.created.options.observer_delay_moves
        self._held: deque[Record] = deque()

    def advance(self, record: Record, table: Table) -> list[Record]:
        """Take in a record that made the live table; the records that may be shown now."""
        if not self._delay or table.status is Status.OPEN:
            self.table = table
            return [record]
        self._held.append(record)
        shown = []
        over = any(isinstance(entry.fact, MatchEnded) for entry in record.entries) or table.is_over
        while self._held and (over or self._moves_after_first() >= self._delay):
            first = self._held.popleft()
            self.table = with_record(self.table, first)
            shown.append(first)
        return shown

    def _moves_after_first(self) -> int:
        return sum(
            isinstance(entry.fact, _MOVES)
            for index, record in enumerate(self._held)
            if index
            for entry in record.entries
        )
