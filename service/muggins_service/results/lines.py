"""Deliveries that wait: a line for each match, and the heads of lines by the time they are due."""

from collections import deque
from heapq import heappop, heappush

from muggins_service.store.notices import Delivery

__all__ = ["Lines"]


class Lines:
    """Within a match the next notice waits for the one before it; matches do not wait for another.

    A head that was taken stands at the front of its line until it is settled or put back.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._lines: dict[str, deque[Delivery]] = {}
        self._due: list[tuple[int, int, str]] = []
        self._size = 0

    def __len__(self) -> int:
        """The deliveries that wait or are under way."""
        return self._size

    def add(self, delivery: Delivery) -> None:
        """Let a delivery stand in the line of its match."""
        line = self._lines.setdefault(delivery.match_id, deque())
        line.append(delivery)
        self._size += 1
        if len(line) == 1:
            self._offer(delivery)

    def _offer(self, head: Delivery) -> None:
        heappush(self._due, (head.due_us, head.cursor, head.match_id))

    def take(self, now_us: int) -> Delivery | None:
        """The head that has been due for the longest time; absent: none is due yet."""
        if not self._due or self._due[0][0] > now_us:
            return None
        *_, match_id = heappop(self._due)
        return self._lines[match_id][0]

    def next_due_us(self) -> int | None:
        """When the next head is due; absent: none waits."""
        return self._due[0][0] if self._due else None

    def put_back(self, delivery: Delivery) -> None:
        """Let the head that was taken wait again, until it is due."""
        self._lines[delivery.match_id][0] = delivery
        self._offer(delivery)

    def settle(self, match_id: str) -> None:
        """Let the head that was taken go, and the next of its match come forward."""
        line = self._lines[match_id]
        line.popleft()
        self._size -= 1
        if line:
            self._offer(line[0])
        else:
            del self._lines[match_id]
