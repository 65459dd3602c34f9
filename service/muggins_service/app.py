"""The match service put together: store, engine, opponents, streams and the gRPC server."""

import secrets
import signal
import time
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version

import structlog

from muggins_ai.levels import available_levels, opponent_of
from muggins_service.admin_app import AdminServer
from muggins_service.config import Config, table_policy
from muggins_service.doors.doors import Doors
from muggins_service.doors.passes import opponents_pass
from muggins_service.haste import Haste
from muggins_service.matches.engine import Engine
from muggins_service.matches.founding import Founder
from muggins_service.matches.quota import MatchQuota
from muggins_service.matches.registry import Registry
from muggins_service.observers.feed import FeedSettings
from muggins_service.opponents.hints import HintGiver, strongest_level
from muggins_service.opponents.past import PastRounds
from muggins_service.opponents.pool import WorkerPool
from muggins_service.opponents.port import Opponents
from muggins_service.opponents.remote import RemoteOpponents
from muggins_service.opponents.runner import OpponentRunner
from muggins_service.opponents.strengths import strengths
from muggins_service.opponents.turns import OpponentTurns
from muggins_service.results.keeper import Results
from muggins_service.rpc.administering import Draining
from muggins_service.rpc.advising import advising_handlers
from muggins_service.rpc.hinting import hint_handlers
from muggins_service.rpc.moving import mutation_handlers
from muggins_service.rpc.reading import reading_handlers
from muggins_service.rpc.ruling import ruling_handlers
from muggins_service.rpc.server import Handlers, Health, build_server, listen
from muggins_service.rpc.telling import Telling
from muggins_service.rpc.watching import Streams
from muggins_service.store.opening import open_store
from muggins_service.table.policy import SECOND_US
from muggins_service.wire.methods import (
    MATCH_SERVICE,
    OPPONENT_SERVICE,
    RESULTS_SERVICE,
    RULES_SERVICE,
)

__all__ = ["App"]

_log = structlog.get_logger("muggins.app")

DRAIN_WAIT_S = 0.2
"""How long the go-away has to reach every stream before the server stops."""


class App:
    """A server of matches. `start` listens; `stop` drains and lets everything go."""

    def __init__(self, config: Config) -> None:
        """Put the parts together; nothing runs yet."""
        self.config = config
        self.doors = Doors(config)
        policy = table_policy(config, _now_us())
        self.store = open_store(config.store)
        self.registry = Registry()
        levels = available_levels()
        founder = Founder(policy, levels, secrets.token_bytes, test_seeds=config.test_seeds)
        self.engine = Engine(
            self.store, self.registry, founder, policy, _now_us, config.max_matches
        )
        self.engine.quota = MatchQuota(self.doors.limits.matches)
        self.registry.listen(self.engine.quota.changed)
        # Beside opponents elsewhere one worker stands by, and more start at need.
        at_first = 1 if config.opponents_address else None
        self.pool = WorkerPool(
            config.workers, config.opponent_queue, warm=config.warm, at_first=at_first
        )
        opponents: Opponents = OpponentRunner(self.pool)
        self.remote: RemoteOpponents | None = None
        if config.opponents_address:
            address, deadline_s = config.opponents_address, config.opponents_deadline_s
            opponents = self.remote = RemoteOpponents(
                address, deadline_s, opponents, pass_=opponents_pass(config)
            )
        past = PastRounds(self.store)
        self.turns = OpponentTurns(self.engine, opponents, past, policy)
        self.hints = HintGiver(opponents, past, strongest_level())
        self.engine.on_change = self.turns.on_change
        settings = FeedSettings(
            policy.rematch_wait_us,
            config.observers_per_match,
            round(config.stream_max_age_s * SECOND_US),
            config.slow_reader_s,
        )
        self.streams = Streams(self.engine, self.store, settings)
        engines = {level: opponent_of(level).engine for level in levels}
        match_service = Handlers(
            mutation_handlers(self.engine)
            | hint_handlers(self.engine, self.hints)
            | reading_handlers(self.engine, self.store, config, engines, _version()),
            {
                "ObserveMatch": self.streams.observe_match,
                "WatchMatches": self.streams.watch_matches,
            },
            {"PlayMatch": self.streams.play_match},
        )
        handlers = {
            MATCH_SERVICE: match_service,
            RULES_SERVICE: Handlers(ruling_handlers()),
            OPPONENT_SERVICE: advising_handlers(self.pool, engines, strengths()),
        }
        self.results = Results(config, self.store.outbox, _now_us)
        self.telling = Telling(self.engine, self.store.outbox, self.results)
        if config.auth != "none":
            # Where nobody is asked who he is, results are for the operator's own port alone.
            handlers[RESULTS_SERVICE] = self.telling.handlers()
        self.health = Health(tuple(handlers))
        self.server = build_server(handlers, self.health, self.doors)
        draining = Draining(self.begin_drain, _stop_process)
        self.admin = AdminServer(config, self.engine, self.doors, draining, self.telling)
        self.port = 0

    def begin_drain(self) -> None:
        """Take no new match any more; those that there are go on, and so do their streams."""
        self.engine.takes_new = False

    def reload(self) -> None:
        """Read keys and certificates again; what is wrong with them is told in the log."""
        self.doors.reload_soon()

    async def start(self) -> None:
        """Listen, and serve once the opponents are ready; OSError when the port is taken."""
        self.port = listen(self.server, self.config.host, self.config.port, self.doors)
        self.engine.recover()
        if self.remote is not None:
            self.remote.open()
        await self.server.start()
        self.doors.watch()
        await self.admin.start()
        self.results.start()
        await self.pool.start()
        await self.health.set_serving(serving=True)
        _log.info("serving", host=self.config.host, port=self.port, matches=len(self.registry))

    async def stop(self, haste: Haste | None = None) -> None:
        """Drain: NOT_SERVING, no new matches, a go-away to every stream, then the end.

        What is in play goes on while load balancers notice, where `haste` leaves the time for it.
        """
        haste = haste or Haste(waits=False)
        _log.info("draining", matches=len(self.registry))
        self.begin_drain()
        await self.health.shut_down()
        await haste.wait(self.config.drain_wait_s)
        self.engine.draining = True
        self.turns.close()
        self.streams.end_all()
        self.telling.end_all()
        await haste.pause(DRAIN_WAIT_S)
        await haste.stop_server(self.server, self.config.grace_s)
        await self.admin.stop()
        self.engine.close()
        if self.remote is not None:
            await self.remote.close()
        await self.pool.stop()
        await self.results.stop()
        await self.doors.close()
        self.store.close()
        _log.info("stopped")


def _stop_process() -> None:
    """Stop as an operator's SIGTERM would."""
    signal.raise_signal(signal.SIGTERM)


def _now_us() -> int:
    return time.time_ns() // 1_000


def _version() -> str:
    try:
        return installed_version("muggins")
    except PackageNotFoundError:
        return "unknown"
