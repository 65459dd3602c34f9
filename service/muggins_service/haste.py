"""How much time a server takes to stop: enough for everybody, or as little as it can."""

import asyncio
from typing import Protocol

__all__ = ["Haste"]


class _Stops(Protocol):
    async def stop(self, grace: float | None) -> None: ...


class Haste:
    """Waits that are cut short once `hurry` has been called.

    `waits`: there is somebody, such as a load balancer, who has to notice first.
    """

    def __init__(self, *, waits: bool) -> None:
        """Begin with all the time there is."""
        self._waits = waits
        self._hurried = asyncio.Event()

    def hurry(self) -> None:
        """Cut every wait short, that under way too."""
        self._hurried.set()

    async def wait(self, seconds: float) -> None:
        """Give others the time to notice."""
        if self._waits:
            await self.pause(seconds)

    async def pause(self, seconds: float) -> None:
        """Let some time pass."""
        try:
            async with asyncio.timeout(seconds):
                await self._hurried.wait()
        except TimeoutError:
            pass

    async def stop_server(self, server: _Stops, grace_s: float) -> None:
        """Stop a server; its open calls have the grace, or until hurried."""
        stopping = asyncio.ensure_future(server.stop(grace_s))
        hurrying = asyncio.ensure_future(self._hurried.wait())
        try:
            await asyncio.wait({stopping, hurrying}, return_when=asyncio.FIRST_COMPLETED)
            if not stopping.done():
                await server.stop(None)
            await stopping
        finally:
            hurrying.cancel()
