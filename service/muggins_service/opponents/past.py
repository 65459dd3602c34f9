"""The earlier rounds of a match, for opponents that learn from the hands that were shown."""

from typing import Final

from muggins_rules.events import Event
from muggins_rules.projecting import project
from muggins_service.store.port import Store
from muggins_service.table.facts import TableFact
from muggins_service.table.state import Table

__all__ = ["PastRounds"]

MOST_ROUNDS: Final = 10
"""Rounds that are remembered: what was learned fades, and older ones hardly count."""


class PastRounds:
    """Reads a match's last finished rounds from its log, once for each round."""

    def __init__(self, store: Store) -> None:
        """Begin without a match."""
        self._store = store
        self._kept: dict[str, tuple[int, tuple[tuple[Event, ...], ...]]] = {}

    def seen_by(self, table: Table, seat: int) -> tuple[tuple[Event, ...], ...]:
        """The last rounds before the current one as a seat saw them, oldest first."""
        number = table.game.round
        kept = self._kept.get(table.match_id)
        if kept is None or kept[0] != number:
            kept = (number, self._read(table.match_id, number))
            self._kept[table.match_id] = kept
        calling = table.created.rule_set.calling
        return tuple(
            tuple(project(event, seat, calling=calling) for event in events) for events in kept[1]
        )

    def forget(self, match_id: str) -> None:
        """Drop a match that has ended."""
        self._kept.pop(match_id, None)

    def _read(self, match_id: str, before: int) -> tuple[tuple[Event, ...], ...]:
        first = max(1, before - MOST_ROUNDS)
        rounds: dict[int, list[Event]] = {number: [] for number in range(first, before)}
        for stored in self._store.read(match_id):
            for entry in stored.record.entries:
                if entry.round in rounds and not isinstance(entry.fact, TableFact):
                    rounds[entry.round].append(entry.fact)
        return tuple(tuple(events) for events in rounds.values())
