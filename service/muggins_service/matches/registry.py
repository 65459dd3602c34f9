"""The matches held in this process, and who waits to hear of their changes."""

from collections.abc import Callable, Iterator

from muggins_rules.ruleset import RuleSet
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.slot import Slot
from muggins_service.table.state import Status

__all__ = ["Registry"]


class Registry:
    """Slots by match id, with an index of the tables that a stranger can sit down at."""

    def __init__(self) -> None:
        """Begin without a match. `recovering` makes one of an earlier process from its log.

        `forgetful`: a restart loses every match, so that one which is not known may be lost.
        """
        self.recovering: Callable[[str], Slot | None] = lambda _: None
        self.forgetful = False
        self._slots: dict[str, Slot] = {}
        self._unrecovered: dict[str, None] = {}
        self._lost: set[str] = set()
        self._findable: dict[tuple[RuleSet, int], dict[str, Slot]] = {}
        self._listeners: list[Callable[[str, Slot | None], None]] = []

    def __len__(self) -> int:
        """The number of matches."""
        return len(self._slots) + len(self._unrecovered)

    def __contains__(self, match_id: object) -> bool:
        """True when the match is held."""
        return match_id in self._slots or match_id in self._unrecovered

    def __iter__(self) -> Iterator[Slot]:
        """The slots of all matches that have been recovered or made."""
        return iter(tuple(self._slots.values()))

    def get(self, match_id: str, *, shown: bool = False) -> Slot:
        """The slot of a match; `shown`: whoever asks has shown a secret of it.

        Raises:
            ServiceError: MATCH_NOT_FOUND; MATCH_LOST where it was there before a restart.
        """
        slot = self._slots.get(match_id) or self.recover(match_id)
        if slot is None:
            lost = match_id in self._lost or (shown and self.forgetful)
            raise ServiceError(ServiceReason.MATCH_LOST if lost else ServiceReason.MATCH_NOT_FOUND)
        return slot

    def unrecovered(self) -> tuple[str, ...]:
        """The matches of an earlier process that have not been made from their logs again."""
        return tuple(self._unrecovered)

    def expect(self, match_id: str) -> None:
        """Take note of a match of an earlier process."""
        self._unrecovered[match_id] = None

    def recover(self, match_id: str) -> Slot | None:
        """Make a match of an earlier process from its log, once; absent where that cannot be."""
        if match_id not in self._unrecovered:
            return None
        del self._unrecovered[match_id]
        slot = self.recovering(match_id)
        if slot is None:
            self._lost.add(match_id)
        return slot

    def listen(self, listener: Callable[[str, Slot | None], None]) -> Callable[[], None]:
        """Call `listener` with each match that changes, without a slot once it is forgotten.

        Returns what ends it.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def changed(self, slot: Slot) -> None:
        """Take note of a slot's new state."""
        self._slots[slot.match_id] = slot
        table = slot.table
        key = (table.created.rule_set, table.created.seats)
        findable = self._findable.setdefault(key, {})
        open_to_all = table.status is Status.OPEN and not table.created.options.private
        if open_to_all and not table.is_full:
            findable[slot.match_id] = slot
        else:
            findable.pop(slot.match_id, None)
            if not findable:
                del self._findable[key]
        if slot.public_changed:
            # Else when the lobby speaks would tell of moves that it does not show yet.
            self._tell(slot.match_id, slot)

    def findable(self, rule_set: RuleSet, seats: int) -> Slot | None:
        """The oldest table of a game that has a free seat for anyone and is not just changing."""
        for slot in self._findable.get((rule_set, seats), {}).values():
            if slot.pending is None:
                return slot
        return None

    def forget(self, slot: Slot) -> None:
        """Drop a match."""
        slot.close()
        if self._slots.pop(slot.match_id, None) is None:
            return
        table = slot.table
        key = (table.created.rule_set, table.created.seats)
        findable = self._findable.get(key, {})
        findable.pop(slot.match_id, None)
        if not findable:
            self._findable.pop(key, None)
        self._tell(slot.match_id, None)

    def _tell(self, match_id: str, slot: Slot | None) -> None:
        for listener in tuple(self._listeners):
            listener(match_id, slot)
