"""The server of AdminService and ResultsService, on a port of their own."""

import structlog

from muggins_service.config import Config
from muggins_service.doors.doors import Doors
from muggins_service.matches.engine import Engine
from muggins_service.rpc.administering import Draining, admin_handlers
from muggins_service.rpc.server import Handlers, Health, build_server, listen
from muggins_service.rpc.telling import Telling
from muggins_service.wire.methods import ADMIN_SERVICE, RESULTS_SERVICE

__all__ = ["AdminServer"]

_GRACE_S = 0.5

_log = structlog.get_logger("muggins.app")


class AdminServer:
    """What an operator talks to; it listens nowhere unless the settings say where."""

    def __init__(
        self,
        config: Config,
        engine: Engine,
        doors: Doors,
        draining: Draining,
        telling: Telling,
    ) -> None:
        """Put it together; nothing runs yet."""
        self._host, self._asked_port = config.admin_host, config.admin_port
        self._doors = doors
        self._health = Health((ADMIN_SERVICE, RESULTS_SERVICE))
        handlers = {
            ADMIN_SERVICE: Handlers(admin_handlers(engine, doors, draining)),
            RESULTS_SERVICE: telling.handlers(),
        }
        self._server = build_server(handlers, self._health, doors) if config.admin_port else None
        self.port = 0

    async def start(self) -> None:
        """Listen, if there is a port; OSError when it is taken."""
        if self._server is None:
            return
        self.port = listen(self._server, self._host, max(self._asked_port, 0), self._doors)
        await self._server.start()
        await self._health.set_serving(serving=True)
        _log.info("admin_serving", host=self._host, port=self.port)

    async def stop(self) -> None:
        """Let calls under way end, which are short, and listen no more."""
        if self._server is not None:
            await self._health.shut_down()
            await self._server.stop(_GRACE_S)
