"""What waits for a worker: bounded, and fair between callers."""

from collections import OrderedDict, deque
from typing import Generic, TypeVar

__all__ = ["FairQueue", "QueueFull"]

T = TypeVar("T")


class QueueFull(Exception):  # noqa: N818 - a state of the server, not a mistake
    """As much waits as may wait."""


class FairQueue(Generic[T]):
    """Callers take turns, whatever the number of their requests; one caller's are in order."""

    def __init__(self, most: int) -> None:
        """Begin empty, with room for so many items in all."""
        self._most = most
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, caller: str, item: T) -> None:
        """Let an item of a caller wait.

        Raises:
            QueueFull: there is no room.
        """
        if self._size >= self._most:
            raise QueueFull
        self._waiting.setdefault(caller, deque()).append(item)
        self._size += 1

    def pop(self) -> T:
        """The first item of the caller whose turn it is, who then comes last.

        Raises:
            IndexError: nothing waits.
        """
        if not self._size:
            raise IndexError("nothing waits")
        caller, items = self._waiting.popitem(last=False)
        item = items.popleft()
        if items:
            self._waiting[caller] = items
        self._size -= 1
        return item

    def remove(self, caller: str, item: T) -> bool:
        """Forget an item of a caller; False when it does not wait."""
        items = self._waiting.get(caller)
        if items is None or item not in items:
            return False
        items.remove(item)
        if not items:
            del self._waiting[caller]
        self._size -= 1
        return True
