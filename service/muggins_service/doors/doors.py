"""The doors of a server: who is let in, over what connection, and when that is read again."""

import asyncio
from collections.abc import Callable
from typing import Final

import grpc
import structlog

from muggins_service.config import Config
from muggins_service.doors.certificates import Certificates
from muggins_service.doors.guard import Authenticator, Guard
from muggins_service.doors.limits import Limiter
from muggins_service.doors.scopes import Identity
from muggins_service.doors.settings import caller_limits
from muggins_service.doors.sources import BadDoor, Source, certificate, key_ring, stamp_of

__all__ = ["BadDoor", "Doors"]

_log = structlog.get_logger("muggins.doors")

_LEAST_REFRESH_S: Final = 10.0
"""How often an unknown key may make the server look for newer ones."""


class Doors:
    """What stands between the network and the methods of a server. `watch` keeps it up to date."""

    def __init__(self, config: Config) -> None:
        """Read everything once. Blocks.

        Raises:
            BadDoor: a file or URL cannot be used.
        """
        self.limits = caller_limits(config)
        self.limiter = Limiter(self.limits)
        self.reflection = config.reflection
        self._reload_s = config.reload_s
        self._refresh_s = config.tokens_refresh_s
        self._sources: list[Source] = []
        self._unknown_key = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._reloading: set[asyncio.Task[None]] = set()
        # Before the first reading, so that what changes from here on is found by the first look.
        paths = (config.tls_cert, config.tls_key, config.tls_client_ca, config.keys_file)
        self._stamps = {path: stamp_of(path) for path in (*paths, config.tokens_keys)}
        self._certificates = self._read_certificates(config)
        self.guard = Guard(self._authenticator(config), self.limiter)

    def credentials(self) -> grpc.ServerCredentials | None:
        """What a port shows for itself, each port its own; none without TLS."""
        return None if self._certificates is None else self._certificates.credentials()

    def _read_certificates(self, config: Config) -> Certificates | None:
        if not config.tls_cert:
            return None
        asks_clients = bool(config.tls_client_ca)
        certificates = Certificates(certificate(config), asks_clients=asks_clients)

        def read() -> Callable[[], None]:
            fresh = certificate(config)
            return lambda: certificates.use(fresh)

        paths = (config.tls_cert, config.tls_key, config.tls_client_ca)
        self._sources.append(Source("certificate", tuple(filter(None, paths)), read))
        return certificates

    def _authenticator(self, config: Config) -> Authenticator | None:
        if config.auth == "keys":
            return self._by_key(config)
        if config.auth == "tokens":
            return self._by_token(config)
        return None

    def _by_key(self, config: Config) -> Authenticator:
        ring = key_ring(config)

        def read() -> Callable[[], None]:
            fresh = key_ring(config)

            def take() -> None:
                nonlocal ring
                ring = fresh

            return take

        self._sources.append(Source("keys", (config.keys_file,), read))

        def identity(text: str) -> Identity | None:
            return ring.identity(text)

        return identity

    def _by_token(self, config: Config) -> Authenticator:
        # Where nobody shows tokens, the server does without what reads them.
        from muggins_service.doors.token_source import token_reader  # noqa: PLC0415

        reader, source = token_reader(config, self._unknown_key.set)
        self._sources.append(source)
        return reader.identity

    def watch(self) -> None:
        """Begin to look after what may change, in the running loop."""
        if self._sources and self._watching is None:
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    async def close(self) -> None:
        """Look no more."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
            self._watching = None

    def reload_soon(self) -> None:
        """Read everything again without waiting for it."""
        for source in self._sources:
            task = asyncio.get_running_loop().create_task(self._read_again(source))
            self._reloading.add(task)
            task.add_done_callback(self._reloading.discard)

    async def reload(self) -> tuple[str, ...]:
        """Read everything again, now; the names of what was read.

        Raises:
            BadDoor: something cannot be used and stays as it was; the rest has been read.
        """
        problems = []
        for source in self._sources:
            try:
                await self._read(source)
            except BadDoor as error:
                problems.append(str(error))
        if problems:
            raise BadDoor("; ".join(problems))
        return tuple(source.name for source in self._sources)

    async def _read(self, source: Source) -> None:
        """Read a source away from the loop, and use what it says."""
        try:
            take = await asyncio.to_thread(source.read)
        except BadDoor as error:
            _log.warning("not_reloaded", what=source.name, problem=str(error))
            raise
        take()
        _log.info("reloaded", what=source.name)

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        stamps = {
            source.name: tuple(self._stamps[path] for path in source.paths)
            for source in self._sources
        }
        refreshed = loop.time()
        while True:
            await self._woken(refreshed + _LEAST_REFRESH_S)
            for source in self._sources:
                if source.paths:
                    stamp = source.stamp()
                    due = stamp != stamps[source.name]
                    stamps[source.name] = stamp
                else:
                    waited = loop.time() - refreshed
                    unknown = self._unknown_key.is_set() and waited >= _LEAST_REFRESH_S
                    due = unknown or waited >= self._refresh_s
                    if due:
                        self._unknown_key.clear()
                        refreshed = loop.time()
                if due:
                    await self._read_again(source)

    async def _woken(self, may_wake_at: float) -> None:
        """Wait for the next look, or until a token names a key that is not known."""
        loop = asyncio.get_running_loop()
        wakes = not self._unknown_key.is_set() and loop.time() >= may_wake_at
        try:
            async with asyncio.timeout(self._reload_s):
                await (self._unknown_key.wait() if wakes else asyncio.Event().wait())
        except TimeoutError:
            pass

    async def _read_again(self, source: Source) -> None:
        try:
            await self._read(source)
        except BadDoor:
            pass  # told in the log; what was read before stays
        except Exception:  # noqa: BLE001 - what is up to date now must be so tomorrow
            _log.exception("reload_failed", what=source.name)
