"""Who waits for a worker takes turns."""

import pytest

from muggins_service.opponents.fair_queue import FairQueue, QueueFull


def test_callers_take_turns_in_a_queue() -> None:
    queue: FairQueue[int] = FairQueue(5)
    for caller, item in (("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5)):
        queue.push(caller, item)
    with pytest.raises(QueueFull):
        queue.push("d", 6)
    assert queue.remove("a", 2)
    assert not queue.remove("a", 2)
    assert not queue.remove("nobody", 2)
    assert [1, 4, 5, 3] == [queue.pop() for _ in range(len(queue))]
    with pytest.raises(IndexError):
        queue.pop()
