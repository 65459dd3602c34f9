"""What goes wrong with which call of a connection, drawn from a seed or given one by one."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, fields
from enum import StrEnum, unique
from random import Random
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Fault", "Schedule"]


@unique
class Fault(StrEnum):
    """What happens to one call. The names are also those of a written schedule."""

    LOSE_REQUEST = "lose_request"
    """The connection is cut before the request reaches the server."""
    LOSE_ANSWER = "lose_answer"
    """The server has the request; the connection is cut before a byte of its answer comes back."""
    TEAR_ANSWER = "tear_answer"
    """As LOSE_ANSWER, but the first bytes of the answer do come back."""
    SILENCE = "silence"
    """The server has the request; from its answer on the connection loses every byte, unclosed."""
    DELAY = "delay"
    """The request waits a while, and everything behind it."""


@dataclass
class Schedule:
    """How likely each fault is for a call, and how long silences and delays last, in seconds.

    `next_faults` come first, one for each coming call.
    """

    seed: int = 0
    lose_request: float = 0.0
    lose_answer: float = 0.0
    tear_answer: float = 0.0
    silence: float = 0.0
    delay: float = 0.0
    silence_s: float = 0.5
    delay_s: float = 0.05
    next_faults: deque[Fault | None] = field(default_factory=deque)
    drawn: dict[Fault, int] = field(default_factory=dict)
    """How often each fault has been drawn."""

    def __post_init__(self) -> None:
        self._random = Random(self.seed)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read "seed=7,lose_answer=0.1,delay=0.2,delay_s=0.05"; ValueError where it is no such."""
        schedule = cls()
        for part in filter(None, text.split(",")):
            name, _, value = part.partition("=")
            if name not in _WRITTEN:
                raise ValueError(f"{name!r} is none of {', '.join(_WRITTEN)}")
            setattr(schedule, name, int(value) if name == "seed" else float(value))
        schedule._random.seed(schedule.seed)
        return schedule

    def lose_next(self, *faults: Fault | None) -> None:
        """What happens to the next calls, whatever the chances are; None: nothing."""
        self.next_faults.extend(faults)

    def draw(self) -> Fault | None:
        """What happens to a call that comes now."""
        fault = self.next_faults.popleft() if self.next_faults else self._by_chance()
        if fault is not None:
            self.drawn[fault] = self.drawn.get(fault, 0) + 1
        return fault

    def _by_chance(self) -> Fault | None:
        point = self._random.random()
        for fault in Fault:
            chance: float = getattr(self, fault.value)
            if point < chance:
                return fault
            point -= chance
        return None


def _names(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in parts if name not in {"next_faults", "drawn"})


_WRITTEN: Final = _names(part.name for part in fields(Schedule))
