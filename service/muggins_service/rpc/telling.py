"""ResultsService: notices as a stream, and what webhooks did not take."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import suppress
from typing import Final

import structlog

from muggins_service.doors.guest import GUEST
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.engine import Engine
from muggins_service.observers.heartbeats import heartbeat_s
from muggins_service.results.keeper import Results
from muggins_service.rpc.caller import Context
from muggins_service.rpc.pages import page_size
from muggins_service.rpc.server import Handlers
from muggins_service.store.notices import Delivery, NoticeStore
from muggins_service.table.policy import SECOND_US
from muggins_service.wire.notices import notice_id
from muggins_service.wire.results import (
    dead_letters_answer,
    decode_list_dead_letters,
    decode_retry_dead_letter,
    decode_watch_results,
    letter_token,
    results_frame,
    results_go_away,
    retry_answer,
)

__all__ = ["Telling"]

RECONNECT_AFTER_US: Final = 1_000_000
MOST_IN_FRAME: Final = 100

_log = structlog.get_logger("muggins.results")


class Telling:
    """The open streams of results, and the methods beside them.

    A stream holds no notices: it reads the next ones from the store when its client takes more.
    """

    def __init__(self, engine: Engine, outbox: NoticeStore, results: Results) -> None:
        """Begin without a stream."""
        self._engine = engine
        self._outbox = outbox
        self._results = results
        self._wakes: set[asyncio.Event] = set()
        self._ended = False

    def handlers(self) -> Handlers:
        """The methods of ResultsService."""
        return Handlers(
            {
                "ListDeadLetters": self.list_dead_letters,
                "RetryDeadLetter": self.retry_dead_letter,
            },
            {"WatchResults": self.watch_results},
        )

    def end_all(self) -> None:
        """Send every stream a go-away and let it come to its end."""
        self._ended = True
        for wake in self._wakes:
            wake.set()

    async def watch_results(self, request: bytes, _: Context) -> AsyncGenerator[bytes, None]:
        """Stream notices."""
        asked = decode_watch_results(request)
        outbox, now_us = self._outbox, self._engine.now_us
        last = outbox.last_cursor()
        cursor = last if asked.after is None else min(asked.after, last)
        gap = 0 < cursor < outbox.lost_cursor() or (asked.after or 0) > last
        silence_s = heartbeat_s(asked.heartbeat_us / SECOND_US)
        wake = asyncio.Event()
        self._wakes.add(wake)
        drop = outbox.on_notices(wake.set)
        try:
            # The first frame tells at once where the stream stands.
            yield results_frame((), cursor, now_us(), gap=gap)
            while not self._ended:
                wake.clear()
                notices = outbox.notices(cursor, MOST_IN_FRAME)
                if notices:
                    cursor = notices[-1].cursor
                    yield results_frame(notices, cursor, now_us())
                    continue
                with suppress(TimeoutError):
                    async with asyncio.timeout(silence_s):
                        await wake.wait()
                    continue
                yield results_frame((), cursor, now_us())
            yield results_go_away(cursor, RECONNECT_AFTER_US, now_us())
        finally:
            drop()
            self._wakes.discard(wake)

    async def list_dead_letters(self, request: bytes, _: Context) -> bytes:
        """List what was given up."""
        asked = decode_list_dead_letters(request)
        size = page_size(asked.page_size)
        found = self._outbox.dead_letters(asked.after, size + 1)
        token = letter_token(found[size - 1]) if len(found) > size else ""
        return dead_letters_answer(self._with_notices(found[:size]), token)

    def _with_notices(self, letters: Sequence[Delivery]) -> Iterator[tuple[Delivery, bytes]]:
        for letter in letters:
            notice = self._outbox.notice(letter.cursor)
            if notice is not None:
                yield letter, notice.data

    async def retry_dead_letter(self, request: bytes, _: Context) -> bytes:
        """Have a dead letter tried again."""
        asked = decode_retry_dead_letter(request)
        dead = self._dead_letter(asked.notice_id, asked.destination)
        if dead is None or not self._results.revive(dead):
            raise ServiceError(ServiceReason.DEAD_LETTER_NOT_FOUND)
        _log.info(
            "webhook_retried",
            destination=dead.destination,
            match_id=dead.match_id,
            by=GUEST.get().principal,
        )
        return retry_answer()

    def _dead_letter(self, asked_id: str, destination: str) -> Delivery | None:
        for letter in self._outbox.dead_letters_of(destination, asked_id.rpartition("-")[0]):
            notice = self._outbox.notice(letter.cursor)
            if notice is not None and notice_id(notice.data) == asked_id:
                return letter
        return None
