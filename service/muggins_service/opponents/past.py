"""The earlier rounds of a match, for opponents that learn from the hands that were shown."""

from collections.abc import Iterable
from typing import Final

from muggins_rules.events import Event
from muggins_rules.projecting import project
from muggins_service.store.port import Store
from muggins_service.table.facts import Entry, TableFact
from muggins_service.table.record import Record
from muggins_service.table.state import Table

__all__ = ["PastRounds", "Rounds", "last_rounds", "rounds_seen"]

MOST_ROUNDS: Final = 10
"""Rounds that are remembered: what was learned fades, and older ones hardly count."""

Rounds = tuple[tuple[Entry, ...], ...]
"""The entries of the game in some rounds, in record form, oldest first."""


def last_rounds(records: Iterable[Record], before: int) -> Rounds:
    """The last rounds before the one of a number."""
    first = max(1, before - MOST_ROUNDS)
    rounds: dict[int, list[Entry]] = {number: [] for number in range(first, before)}
    for record in records:
        for entry in record.entries:
            if entry.round in rounds and not isinstance(entry.fact, TableFact):
                rounds[entry.round].append(entry)
    return tuple(tuple(entries) for entries in rounds.values())


def rounds_seen(rounds: Rounds, table: Table, seat: int) -> tuple[tuple[Event, ...], ...]:
    """The facts of rounds as a seat of their match saw them."""
    calling = table.created.rule_set.calling
    return tuple(
        tuple(
            project(entry.fact, seat, calling=calling)
            for entry in entries
            if not isinstance(entry.fact, TableFact)
        )
        for entries in rounds
    )


class PastRounds:
    """Keeps a match's last finished rounds, each from the table or else from the log."""

    def __init__(self, store: Store) -> None:
        """Begin without a match."""
        self._store = store
        self._kept: dict[str, tuple[int, Rounds]] = {}

    def before(self, table: Table) -> Rounds:
        """The last rounds before the current one."""
        number = table.game.round
        kept = self._kept.get(table.match_id)
        if kept is None or kept[0] != number:
            kept = (number, self._one_more(table, kept) or self._read(table))
            self._kept[table.match_id] = kept
        return kept[1]

    def _one_more(self, table: Table, kept: tuple[int, Rounds] | None) -> Rounds:
        """What was kept and the round before the current one; nothing where that is not known."""
        past, number = table.past_entries, table.game.round
        if not past or past[0].round != number - 1:
            return ()
        if past[0].round == 1:
            earlier: Rounds = ()
        elif kept is not None and kept[0] == number - 1:
            earlier = kept[1]
        else:
            return ()
        last = tuple(entry for entry in past if not isinstance(entry.fact, TableFact))
        return (*earlier, last)[-MOST_ROUNDS:]

    def _read(self, table: Table) -> Rounds:
        if table.game.round == 1:
            return ()
        stored = self._store.read(table.match_id)
        return last_rounds((one.record for one in stored), table.game.round)

    def forget(self, match_id: str) -> None:
        """Drop a match that has ended."""
        self._kept.pop(match_id, None)
