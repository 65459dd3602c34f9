"""The opponents alone: OpponentService and RulesService, for matches that are hosted elsewhere."""

import structlog

from muggins_ai.levels import available_levels, opponent_of
from muggins_service.config import Config
from muggins_service.doors.doors import Doors
from muggins_service.haste import Haste
from muggins_service.opponents.pool import WorkerPool
from muggins_service.opponents.strengths import strengths
from muggins_service.rpc.advising import advising_handlers
from muggins_service.rpc.ruling import ruling_handlers
from muggins_service.rpc.server import Handlers, Health, build_server, listen
from muggins_service.wire.methods import OPPONENT_SERVICE, RULES_SERVICE

__all__ = ["OpponentsApp"]

_log = structlog.get_logger("muggins.app")


class OpponentsApp:
    """A server of opponents. `start` listens; `stop` drains and lets everything go."""

    def __init__(self, config: Config) -> None:
        """Put the parts together; nothing runs yet."""
        self.config = config
        self.doors = Doors(config)
        self.pool = WorkerPool(config.workers, config.opponent_queue, warm=config.warm)
        engines = {level: opponent_of(level).engine for level in available_levels()}
        handlers = {
            OPPONENT_SERVICE: advising_handlers(self.pool, engines, strengths()),
            RULES_SERVICE: Handlers(ruling_handlers()),
        }
        self.health = Health(tuple(handlers))
        self.server = build_server(handlers, self.health, self.doors)
        self.port = 0

    def reload(self) -> None:
        """Read keys and certificates again; what is wrong with them is told in the log."""
        self.doors.reload_soon()

    async def start(self) -> None:
        """Listen, and serve once the opponents are ready; OSError when the port is taken."""
        self.port = listen(self.server, self.config.host, self.config.port, self.doors)
        await self.server.start()
        self.doors.watch()
        await self.pool.start()
        await self.health.set_serving(serving=True)
        _log.info("serving", host=self.config.host, port=self.port)

    async def stop(self, haste: Haste | None = None) -> None:
        """Drain: NOT_SERVING, then the end of the calls under way, then of the workers."""
        haste = haste or Haste(waits=False)
        _log.info("draining")
        await self.health.shut_down()
        await haste.wait(self.config.drain_wait_s)
        await haste.stop_server(self.server, self.config.grace_s)
        await self.pool.stop()
        await self.doors.close()
        _log.info("stopped")
