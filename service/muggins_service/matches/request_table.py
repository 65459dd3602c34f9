"""Answers kept under their request ids, so that a retry gets the first answer."""

from collections import OrderedDict
from typing import Final, NamedTuple

from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.outcome import Outcome

__all__ = ["RETENTION_US", "RequestTable"]

RETENTION_US: Final = 600 * 1_000_000
"""How long an answer is kept at least."""


class _Kept(NamedTuple):
    body_hash: bytes
    outcome: Outcome
    time_us: int


class RequestTable:
    """The answers of one match, or of the calls that make matches."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        """Begin empty."""
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def first_answer(self, request_id: str, body_hash: bytes) -> Outcome | None:
        """The answer already given to a request; ServiceError when its body was another."""
        kept = self._kept.get(request_id) if request_id else None
        if kept is None:
            return None
        if kept.body_hash != body_hash:
            raise ServiceError(ServiceReason.REQUEST_ID_REUSED)
        return kept.outcome

    def remember(self, request_id: str, body_hash: bytes, outcome: Outcome, now_us: int) -> None:
        """Keep an answer, and drop those that were kept long enough."""
        if not request_id:
            return
        self._kept[request_id] = _Kept(body_hash, outcome, now_us)
        while self._kept:
            oldest = next(iter(self._kept))
            if now_us - self._kept[oldest].time_us < RETENTION_US:
                return
            del self._kept[oldest]
