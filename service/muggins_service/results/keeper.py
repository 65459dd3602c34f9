"""The results of a server: its webhooks, and how long notices are kept."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from muggins_service.doors.sources import BadDoor
from muggins_service.results.courier import Courier
from muggins_service.results.destinations import destinations_of
from muggins_service.results.secrets_file import BadSecrets, WebhookSecrets
from muggins_service.results.settings import backoff_of
from muggins_service.store.notices import Delivery, Expired, NoticeStore
from muggins_service.table.policy import SECOND_US

if TYPE_CHECKING:
    from muggins_service.config import Config
    from muggins_service.results.sending import Sender

__all__ = ["Results"]

_SELDOM_S: Final = 3_600.0


class Results:
    """What is told to the operator's own systems. Without webhooks notices are kept for streams."""

    def __init__(self, config: "Config", store: NoticeStore, now_us: Callable[[], int]) -> None:
        """Read the secrets; nothing runs yet.

        Raises:
            BadDoor: a file cannot be used.
        """
        self._config = config
        self._store = store
        self._now_us = now_us
        self._destinations = destinations_of(config.webhook_url, plain=config.webhook_allow_private)
        self._secrets = _secrets(config.webhook_secrets_file) if self._destinations else None
        self._sender: Sender | None = None
        self._running: list[asyncio.Task[None]] = []
        self.couriers: dict[str, Courier] = {}

    def start(self) -> None:
        """Begin to deliver; BadDoor where the authorities cannot be read."""
        if self._secrets is not None:
            self._sender = _sender(self._config)
            for destination in self._destinations:
                courier = Courier(
                    destination,
                    self._store,
                    self._sender.send,
                    self._secrets.current,
                    backoff_of(self._config),
                    self._now_us,
                    random.random,
                )
                courier.load()
                self.couriers[destination.name] = courier
                self._running.append(asyncio.create_task(courier.run()))
        self._running.append(asyncio.create_task(self._expire_for_ever()))

    async def _expire_for_ever(self) -> None:
        kept_s = self._config.results_kept_s
        names = tuple(destination.name for destination in self._destinations)
        while True:
            before_us = self._now_us() - round(kept_s * SECOND_US)
            self._store.keep_up((Expired(before_us, names),))
            await asyncio.sleep(min(_SELDOM_S, kept_s / 4))

    def revive(self, dead: Delivery) -> bool:
        """Try a dead letter again; False where its destination is not served any more."""
        courier = self.couriers.get(dead.destination)
        if courier is None:
            return False
        courier.revive(dead)
        return True

    async def stop(self) -> None:
        """Deliver no more; what was not taken is in the store."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._running.clear()
        if self._sender is not None:
            await self._sender.close()


def _secrets(file: str) -> WebhookSecrets:
    try:
        return WebhookSecrets(Path(file))
    except (BadSecrets, OSError, UnicodeDecodeError) as error:
        problem = str(error) if isinstance(error, BadSecrets) else "it cannot be read"
        raise BadDoor(f"webhook_secrets_file {file}: {problem}") from None


def _sender(config: "Config") -> "Sender":
    # The client's library is for servers that have webhooks.
    from muggins_service.results.sending import Sender  # noqa: PLC0415

    ca_file = Path(config.webhook_tls_ca) if config.webhook_tls_ca else None
    try:
        return Sender(config.webhook_timeout_s, ca_file, allow_private=config.webhook_allow_private)
    except OSError:
        raise BadDoor(f"webhook_tls_ca {ca_file}: it holds no authority to trust") from None
