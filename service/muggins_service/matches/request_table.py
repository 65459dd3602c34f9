"""Answers kept under their request ids, so that a retry gets the first answer."""

from collections import OrderedDict
from typing import Final, NamedTuple

from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.outcome import Outcome

__all__ = ["RETENTION_US", "Recorded", "RequestTable"]

RETENTION_US: Final = 600 * 1_000_000
"""How long an answer is kept at least."""


class Recorded(NamedTuple):
    """An answer that was given before a restart: what it told follows from a record."""

    match_id: str
    version: int


class _Kept(NamedTuple):
    body_hash: bytes
    answer: Outcome | Recorded
    time_us: int


class RequestTable:
    """The answers of one match, or of the calls that make matches."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        """Begin empty."""
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def first_answer(self, request_id: str, body_hash: bytes) -> Outcome | Recorded | None:
        """The answer already given to a request; ServiceError when its body was another."""
        kept = self._kept.get(request_id) if request_id else None
        if kept is None:
            return None
        if kept.body_hash != body_hash:
            raise ServiceError(ServiceReason.REQUEST_ID_REUSED)
        return kept.answer

    def remember(
        self, request_id: str, body_hash: bytes, answer: Outcome | Recorded, time_us: int
    ) -> None:
        """Keep an answer given at a time, and drop those that were kept long enough by then."""
        if not request_id:
            return
        self._kept[request_id] = _Kept(body_hash, answer, time_us)
        while self._kept:
            oldest = next(iter(self._kept))
            if time_us - self._kept[oldest].time_us < RETENTION_US:
                return
            del self._kept[oldest]
