"""One destination of webhooks: what waits for it, what is under way, and what it did not take.

Everything here is bounded: how many notices wait in memory, the others staying in the store,
and how many are under way. Nothing that makes notices waits for it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

import orjson
import structlog

from muggins_service.results.backoff import Attempt, Backoff, after_failure
from muggins_service.results.destinations import Destination
from muggins_service.results.lines import Lines
from muggins_service.results.signing import signature_headers
from muggins_service.store.notices import Delivery, NoticeStore, Settled, Taken, Undelivered
from muggins_service.wire.notices import notice_document

__all__ = ["Courier", "Send"]

MOST_WAITING: Final = 10_000
"""Deliveries of a destination in memory; notices beyond them stay in the store."""

MOST_UNDER_WAY: Final = 16
"""Tries of a destination at the same time."""

PAGE: Final = 256

LAST_TRIES_S: Final = 1.0
"""How long tries under way have to end when the server stops."""

Send = Callable[[str, dict[str, str], bytes], Awaitable[Attempt]]
"""Tries to deliver a body to a URL with some headers."""

_log = structlog.get_logger("muggins.results")


class Courier:
    """Brings notices to a destination until each is taken or given up.

    `delivered`, `failures` and `died` count since the start.
    """

    def __init__(
        self,
        destination: Destination,
        store: NoticeStore,
        send: Send,
        secrets: Callable[[], tuple[bytes, ...]],
        backoff: Backoff,
        now_us: Callable[[], int],
        chance: Callable[[], float],
    ) -> None:
        """Begin idle. `chance` gives numbers from 0 below 1."""
        self.destination = destination
        self.delivered = self.failures = self.died = 0
        self._store = store
        self._send = send
        self._secrets = secrets
        self._backoff = backoff
        self._now_us = now_us
        self._chance = chance
        self._lines = Lines()
        self._cursor = 0
        self._under_way: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()

    @property
    def waiting(self) -> int:
        """The deliveries in memory that wait or are under way."""
        return len(self._lines)

    def wake(self) -> None:
        """Look again what there is to do."""
        self._wake.set()

    def load(self) -> None:
        """Take up what an earlier server has left; a new destination begins with what comes now."""
        name, store = self.destination.name, self._store
        for delivery in store.deliveries(name):
            self._lines.add(delivery)
        taken = store.taken_cursor(name)
        if taken is None:
            taken = store.last_cursor()
            store.keep_up((Taken(name, taken),))
        self._cursor = taken

    async def run(self) -> None:
        """Deliver until cancelled; tries under way then have a moment to end."""
        drop = self._store.on_notices(self.wake)
        try:
            while True:
                self._wake.clear()
                self._take_over()
                self._start_due()
                await self._until_due()
        finally:
            drop()
            await self._end_tries()

    def _take_over(self) -> None:
        room = min(PAGE, MOST_WAITING - len(self._lines))
        if room <= 0:
            return
        notices = self._store.notices(self._cursor, room)
        if not notices:
            return
        name, now_us = self.destination.name, self._now_us()
        new = tuple(
            Delivery(name, notice.cursor, notice.match_id, due_us=now_us) for notice in notices
        )
        self._cursor = notices[-1].cursor
        self._store.keep_up((Taken(name, self._cursor, new),))
        for delivery in new:
            self._lines.add(delivery)
        if len(notices) == room:
            self.wake()

    def _start_due(self) -> None:
        while len(self._under_way) < MOST_UNDER_WAY:
            delivery = self._lines.take(self._now_us())
            if delivery is None:
                return
            task = asyncio.create_task(self._try(delivery))
            self._under_way.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._under_way.discard(task)
        self.wake()

    async def _until_due(self) -> None:
        due_us = self._lines.next_due_us()
        if due_us is None or len(self._under_way) >= MOST_UNDER_WAY:
            await self._wake.wait()
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, (due_us - self._now_us()) / 1e6)):
                await self._wake.wait()

    async def _try(self, delivery: Delivery) -> None:
        try:
            attempt = await self._attempt(delivery)
        except Exception:  # noqa: BLE001 - one notice's fault must not stop the others
            _log.exception("webhook_fault", destination=self.destination.name)
            attempt = Attempt(delivered=False, failure="fault")
        if attempt.delivered:
            self.delivered += 1
            self._settle(delivery)
            return
        self.failures += 1
        after = after_failure(delivery, attempt, self._backoff, self._now_us(), self._chance)
        self._store.keep_up((Undelivered(after),))
        if after.dead:
            self.died += 1
            self._lines.settle(delivery.match_id)
        else:
            self._lines.put_back(after)
        self._tell(after)

    async def _attempt(self, delivery: Delivery) -> Attempt:
        notice = self._store.notice(delivery.cursor)
        if notice is None:
            # It is older than notices are kept: nobody can be told any more.
            return Attempt(delivered=True)
        document = notice_document(notice.data)
        body = orjson.dumps(document)
        sent_s = self._now_us() // 1_000_000
        headers = signature_headers(self._secrets(), str(document["id"]), sent_s, body)
        return await self._send(self.destination.url, headers, body)

    def _settle(self, delivery: Delivery) -> None:
        self._store.keep_up((Settled(delivery.destination, delivery.cursor),))
        self._lines.settle(delivery.match_id)

    def _tell(self, after: Delivery) -> None:
        """One line for the first failure of a notice and one when it is given up."""
        told = {
            "destination": self.destination.name,
            "match_id": after.match_id,
            "failure": after.failure,
            "attempts": after.attempts,
        }
        if after.dead:
            _log.warning("webhook_dead", **told)
        elif after.attempts == 1:
            _log.warning("webhook_failed", **told)

    def revive(self, dead: Delivery) -> None:
        """Try a dead letter again as if it were new."""
        again = replace(dead, attempts=0, due_us=self._now_us(), dead=False, failure="")
        self._store.keep_up((Undelivered(again),))
        self._lines.add(again)
        self.wake()

    async def _end_tries(self) -> None:
        if not self._under_way:
            return
        _, late = await asyncio.wait(tuple(self._under_way), timeout=LAST_TRIES_S)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
