"""Who calls: each has one call in flight at most, and judges its answer."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, Protocol

from tests.bench.http2 import Request
from tests.bench.prepared import PreparedMatch
from tests.bench.server import NOOP, NOOP_ANSWER

__all__ = ["Caller", "MoveCaller", "NoopCaller"]


class Caller(Protocol):
    """Makes one call after another."""

    def request(self) -> Request:
        """The next call; the answer to the one before it has been taken."""
        ...

    def take(self, answer: bytes) -> bool:
        """Take the answer, empty where the call was refused; whether it is what it has to be."""
        ...


class NoopCaller:
    """Calls the no-op."""

    def request(self) -> Request:
        """The same call each time."""
        return NOOP

    def take(self, answer: bytes) -> bool:
        """The same answer each time."""
        return answer == NOOP_ANSWER


def _varint(number: int) -> bytes:
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    digits.append(number)
    return bytes(digits)


EXPECTED: Final = tuple(b"\x18" + _varint(version) for version in range(1 << 14))
"""`expected_version` as a field on the wire, by version; fields may stand in any order."""


class MoveCaller:
    """Plays both seats of a match; one that has ended is replaced by the next.

    A match that has once been answered wrongly is left, since no later call could be right.
    """

    def __init__(self, matches: Iterator[PreparedMatch]) -> None:
        self._matches = matches
        self._begin()
        self.finished: list[PreparedMatch] = []
        self.methods: Counter[bytes] = Counter()

    def _begin(self) -> None:
        self._match = next(self._matches)
        self._version = self._match.version
        self._at = 0

    def request(self) -> Request:
        """The next move of the match, at the version that the last answer told."""
        step = self._match.steps[self._at]
        self.methods[step.path] += 1
        return Request(step.path, step.fields, step.message + EXPECTED[self._version])

    def take(self, answer: bytes) -> bool:
        """The events follow on the last ones without a gap, and the first is this seat's move."""
        step, before = self._match.steps[self._at], self._version
        message = step.parse(answer)
        version, events = message.version, message.events
        if (
            not events
            or version - before != len(events)
            or events[0].sequence != before + 1
            or events[-1].sequence != version
            or step.seat_told(events[0]) != step.seat
        ):
            self._begin()
            return False
        self._version = version
        self._at += 1
        if self._at == len(self._match.steps):
            self.finished.append(self._match)
            self._begin()
        return True
