"""The earlier rounds of a match, for opponents that learn from the hands that were shown."""

from typing import Final

from muggins_rules.events import Event
from muggins_rules.projecting import project
from muggins_service.store.port import Store
from muggins_service.table.facts import Entry, TableFact
from muggins_service.table.state import Table

__all__ = ["MOST_ROUNDS", "PastRounds", "seen_rounds"]

MOST_ROUNDS: Final = 10
"""Rounds that are remembered: what was learned fades, and older ones hardly count."""


class PastRounds:
    """Reads a match's last finished rounds from its log, once for each round."""

    def __init__(self, store: Store) -> None:
        """Begin without a match."""
        self._store = store
        self._kept: dict[str, tuple[int, tuple[tuple[Entry, ...], ...]]] = {}

    def before(self, table: Table) -> tuple[tuple[Entry, ...], ...]:
        """The facts of the game in the last rounds before the current one, oldest first."""
        number = table.game.round
        kept = self._kept.get(table.match_id)
        if kept is None or kept[0] != number:
            kept = (number, self._read(table.match_id, number))
            self._kept[table.match_id] = kept
        return kept[1]

    def forget(self, match_id: str) -> None:
        """Drop a match that has ended."""
        self._kept.pop(match_id, None)

    def _read(self, match_id: str, before: int) -> tuple[tuple[Entry, ...], ...]:
        first = max(1, before - MOST_ROUNDS)
        rounds: dict[int, list[Entry]] = {number: [] for number in range(first, before)}
        for stored in self._store.read(match_id):
            for entry in stored.record.entries:
                if entry.round in rounds and not isinstance(entry.fact, TableFact):
                    rounds[entry.round].append(entry)
        return tuple(tuple(entries) for entries in rounds.values())


def seen_rounds(
    rounds: tuple[tuple[Entry, ...], ...], seat: int, *, calling: bool
) -> tuple[tuple[Event, ...], ...]:
    """Rounds as a seat saw them."""
    return tuple(
        tuple(
            project(entry.fact, seat, calling=calling)
            for entry in entries
            if not isinstance(entry.fact, TableFact)
        )
        for entries in rounds
    )
