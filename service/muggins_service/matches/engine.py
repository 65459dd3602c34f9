"""The command engine: one callback decides all that came, one batch stores it.

Handlers only enqueue a job and await its answer. The engine takes everything that came since the
last commit and, for each job in order, looks for a first answer, authenticates, checks the version
and drafts. The batch goes to the store; the watch on each log then swaps the state and shows the
record, and the commit callback wakes the handlers. Nothing is shown or answered that is not
stored, and a second job of a match waits for the next run.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

import structlog

from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.authority import body_hash
from muggins_service.matches.batch import FOUNDING, Batch, Pending
from muggins_service.matches.founding import Founder, Founding, names_taken
from muggins_service.matches.handling import authenticate, check_version, draft_job
from muggins_service.matches.outcome import Job, Outcome
from muggins_service.matches.quota import MatchQuota
from muggins_service.matches.recovery import first_outcome, recover_rest, recovered
from muggins_service.matches.registry import Registry
from muggins_service.matches.request_table import RETENTION_US, Recorded, RequestTable
from muggins_service.matches.slot import Slot
from muggins_service.matches.timers import Timers
from muggins_service.store.port import AppendResult, Store
from muggins_service.table.commands import (
    CreateMatch,
    FillSeat,
    FindMatch,
    JoinMatch,
    Rematch,
    Tick,
)
from muggins_service.table.drafting import Draft
from muggins_service.table.facts import RematchCreated
from muggins_service.table.policy import TablePolicy
from muggins_service.table.record import Actor, ActorKind
from muggins_service.table.state import Status, Table
from muggins_service.wire.views import seat_view_bytes

__all__ = ["Engine"]

_log = structlog.get_logger("muggins.matches")

FULL_RETRY_S = 10
"""When to ask again for a match that the server has no room for."""

DRAINING_RETRY_S = 1

MOST_WAITING = 20_000
"""Jobs that may wait for the store before more are refused."""


class Engine:
    """Decides and stores the commands of all matches; every method belongs to the loop's thread."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        founder: Founder,
        policy: TablePolicy,
        now_us: Callable[[], int],
        most_matches: int,
    ) -> None:
        """Begin idle. `now_us` is the time in microseconds since the epoch."""
        self.registry = registry
        self.now_us = now_us
        self.draining = False
        self.takes_new = True
        self.on_change: Callable[[Slot], None] = lambda _: None
        self.quota = MatchQuota()
        self._store = store
        self._founder = founder
        self._policy = policy
        self._most_matches = most_matches
        self._timers = Timers(policy, now_us, self._due)
        self._jobs: deque[Job] = deque()
        self._recovering: asyncio.Task[None] | None = None
        self._founded = RequestTable()
        self._scheduled = False
        self._in_flight = False

    def recover(self) -> None:
        """Take over the matches of an earlier process: open tables now, the others by and by."""
        now_us = self.now_us()
        for known in self._store.requests(now_us - RETENTION_US):
            recorded = Recorded(known.match_id, known.version)
            self._founded.remember(known.request_id, known.body_hash, recorded, known.time_us)
        self.registry.recovering = self._recovered
        self.registry.forgetful = not self._store.survives
        open_tables = []
        for summary in self._store.summaries():
            self.registry.expect(summary.match_id)
            if summary.status is Status.OPEN:
                open_tables.append(summary.match_id)
        for match_id in open_tables:
            self.registry.recover(match_id)
        if self.registry.unrecovered():
            rest = recover_rest(self.registry)
            self._recovering = asyncio.get_running_loop().create_task(rest)

    async def all_recovered(self) -> None:
        """Wait until every match of an earlier process has been made from its log again."""
        if self._recovering is not None:
            await asyncio.shield(self._recovering)

    def close(self) -> None:
        """Let go of timers and watches, and stop recovering."""
        if self._recovering is not None:
            self._recovering.cancel()
        for slot in self.registry:
            slot.close()

    def _recovered(self, match_id: str) -> Slot | None:
        slot = Slot(match_id, None, self._changed)
        if not recovered(self._store, slot, self.now_us()):
            return None
        self.registry.changed(slot)
        self._timers.set(slot, 0)
        self.on_change(slot)
        return slot

    def submit(self, job: Job) -> "asyncio.Future[Outcome]":
        """Enqueue a job; its answer is set once it is stored or refused.

        Where the store has not kept up for so many jobs, those of callers are refused at once.
        """
        if (
            len(self._jobs) >= MOST_WAITING
            and not job.trusted
            and not isinstance(job.command, Tick)
        ):
            _refuse(job, ServiceError(ServiceReason.STORE_UNAVAILABLE, retry_after_s=1))
            return job.answer
        self._jobs.append(job)
        self._schedule()
        return job.answer

    def look(self, job: Job) -> Outcome | tuple[Table, int | None]:
        """The first answer to a job, or the table it would be decided at now and the caller's seat.

        Nothing is changed, whatever comes of it.

        Raises:
            ServiceError: the job would be refused now.
        """
        slot = self._slot_of(job)
        first = self._first_answer(self._requests_of(slot, job), job, self._digest(job))
        if first is not None:
            return first
        table = slot.table
        caller = authenticate(job, table)
        check_version(job, slot.seen_table(caller.viewer))
        draft_job(job, caller, Draft(table, self.now_us(), self._policy, slot.chain.secret))
        return table, caller.seat

    def _schedule(self) -> None:
        if not self._scheduled and not self._in_flight and self._jobs:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._run)

    def _run(self) -> None:
        self._scheduled = False
        jobs, self._jobs = self._jobs, deque()
        batch = Batch()
        self.quota.begin()
        for job in jobs:
            try:
                waits = self._take(job, batch)
            except ServiceError as refused:
                _refuse(job, refused)
            except Exception:  # noqa: BLE001 - one command's fault must not stop the others
                _log.exception("command_failed", command=type(job.command).__name__)
                _refuse(job, ServiceError(ServiceReason.INTERNAL))
            else:
                if waits:
                    self._jobs.append(job)
        if not batch.pending:
            assert not self._jobs, "a job waits only for a record of this batch"
            return
        self._in_flight = True
        appends = [pending.append for pending in batch.pending]
        self._store.append_batch(appends, partial(self._committed, batch.pending))

    def _take(self, job: Job, batch: Batch) -> bool:
        """Decide a job into the batch; True when it has to wait for the next run."""
        now_us = self.now_us()
        command = job.command
        if isinstance(command, CreateMatch | FindMatch):
            return self._take_founding(job, command, batch, now_us)
        slot = self._slot_of(job)
        if slot.pending is not None:
            return True
        self._take_at(slot, job, batch, now_us)
        return False

    def _take_at(self, slot: Slot, job: Job, batch: Batch, now_us: int) -> None:
        table = slot.table
        digest = self._digest(job)
        # A retry comes before the check of its caller: one who has left holds no seat any more.
        first = self._first_answer(self._requests_of(slot, job), job, digest)
        if first is not None:
            _answer(job, first)
            return
        caller = authenticate(job, table)
        if caller.seat is not None and not job.trusted:
            slot.hear(caller.seat, now_us)
        check_version(job, slot.seen_table(caller.viewer))
        if isinstance(job.command, Tick):
            job.command = Tick(self._timers.absent_seat(slot, now_us))
        if isinstance(job.command, Rematch):
            self._take_rematch(slot, job, batch, now_us)
            return
        if isinstance(job.command, FillSeat):
            self._founder.check_level(job.command.level)
        draft = Draft(table, now_us, self._policy, slot.chain.secret)
        caller, keys = draft_job(job, caller, draft)
        if draft.entries:
            batch.add_record(slot, draft, job, caller.actor, digest, caller.seat, keys)
            return
        outcome = Outcome(slot.match_id, table.version, seat=caller.seat)
        _answer(job, self._with_view(slot, job, outcome))
        if isinstance(job.command, Tick):
            self._timers.set(slot, now_us)

    def _take_founding(
        self, job: Job, command: CreateMatch | FindMatch, batch: Batch, now_us: int
    ) -> bool:
        digest = self._digest(job)
        first = self._first_answer(self._founded, job, digest)
        if first is not None:
            _answer(job, first)
            return False
        names = names_taken(command, job.request_id)
        if not batch.taken.isdisjoint(names):
            return True
        begun = len(batch.pending)
        slot = (
            self.registry.findable(command.rule_set, command.seats)
            if isinstance(command, FindMatch)
            else None
        )
        if slot is None:
            self._check_may_found(job)
            founding = self._founding(command, now_us, job.principal)
            self._add_founding(batch, job, founding, digest, job.account)
        else:
            self._take_at(slot, job, batch, now_us)
        if len(batch.pending) > begun:
            batch.taken.update(names)
        return False

    def _founding(self, command: CreateMatch | FindMatch, now_us: int, principal: str) -> Founding:
        if isinstance(command, FindMatch):
            return self._founder.find(command, now_us, principal)
        return self._founder.create(command, self.registry, now_us, principal)

    def _take_rematch(self, slot: Slot, job: Job, batch: Batch, now_us: int) -> None:
        table = slot.table
        if not table.is_over:
            raise ServiceError(ServiceReason.MATCH_NOT_FINISHED)
        if table.rematch_id:
            outcome = Outcome(slot.match_id, table.version, rematch_id=table.rematch_id)
            _answer(job, outcome)
            return
        self._check_may_found(job)
        founding = self._founder.rematch(table, now_us)
        self._add_founding(batch, None, founding, b"", job.account)
        draft = Draft(table, now_us, self._policy, slot.chain.secret)
        draft.add(RematchCreated(founding.match_id))
        batch.add_record(slot, draft, job, Actor(ActorKind.HOST), self._digest(job))
        batch.pending[-1].rematch_id = founding.match_id

    def _check_may_found(self, job: Job) -> None:
        if self.draining or not self.takes_new:
            raise _draining()
        if len(self.registry) >= self._most_matches:
            raise ServiceError(
                ServiceReason.RATE_LIMITED,
                metadata={"seconds": str(FULL_RETRY_S)},
                retry_after_s=FULL_RETRY_S,
            )
        self.quota.take(job.account)

    def _add_founding(
        self, batch: Batch, job: Job | None, founding: Founding, digest: bytes, account: str
    ) -> None:
        slot = Slot(founding.match_id, founding.chain, self._changed)
        slot.account = account
        slot.watch = self._store.watch(founding.match_id, 0, slot.on_stored)
        batch.add_founding(slot, founding, job, digest)

    def _slot_of(self, job: Job) -> Slot:
        shown = job.seat_secret is not None or job.host_secret is not None
        return self.registry.get(job.match_id, shown=shown)

    def _first_answer(self, requests: RequestTable, job: Job, digest: bytes) -> Outcome | None:
        """The answer already given to a job, made again where that was before a restart."""
        first = requests.first_answer(job.request_id, digest)
        if not isinstance(first, Recorded):
            return first
        slot, now_us = self.registry.get(first.match_id), self.now_us()
        outcome = first_outcome(self._store, slot, first.version, now_us)
        requests.remember(job.request_id, digest, outcome, now_us)
        return outcome

    def _requests_of(self, slot: Slot, job: Job) -> RequestTable:
        """Where the first answer to a job is kept; a retry of FindMatch names no match."""
        return self._founded if isinstance(job.command, FOUNDING) else slot.requests

    def _digest(self, job: Job) -> bytes:
        """The hash under which a first answer is kept; only jobs with a request id need one."""
        if not job.request_id:
            return b""
        return body_hash(job.command, job.seat_secret, job.host_secret)

    def _committed(self, batch: Sequence[Pending], results: Sequence[AppendResult]) -> None:
        self._in_flight = False
        for pending, result in zip(batch, results, strict=True):
            if result is AppendResult.STORED:
                self._stored(pending)
            else:
                self._not_stored(pending, result)
        self._schedule()

    def _stored(self, pending: Pending) -> None:
        job, slot, record = pending.job, pending.slot, pending.record
        if job is None:
            return
        outcome = Outcome(
            slot.match_id,
            record.version,
            slot.chunk_of(record, pending.viewer),
            pending.seat,
            created=pending.founding is not None,
            invite_code=slot.table.secrets.invite_code if pending.founding is not None else "",
            rematch_id=pending.rematch_id,
            hint=job.hint,
        )
        outcome = self._with_view(slot, job, outcome)
        requests = self._requests_of(slot, job)
        requests.remember(job.request_id, record.body_hash, outcome, record.time_us)
        _answer(job, outcome)

    def _not_stored(self, pending: Pending, result: AppendResult) -> None:
        pending.slot.pending = None
        if pending.founding is not None:
            pending.slot.close()
        if pending.job is None:
            return
        again = result is AppendResult.CONFLICT and pending.founding is None
        if again and not pending.job.is_second_try:
            pending.job.is_second_try = True
            self._jobs.append(pending.job)
        else:
            error = ServiceError(ServiceReason.STORE_UNAVAILABLE, retry_after_s=1)
            _refuse(pending.job, error)

    def _with_view(self, slot: Slot, job: Job, outcome: Outcome) -> Outcome:
        """The outcome with the view of the seat, for a caller that sat down."""
        if outcome.seat is None or not isinstance(job.command, JoinMatch | FindMatch):
            return outcome
        now_us = self.now_us()
        view = seat_view_bytes(slot.table, outcome.seat, slot.presence(now_us), now_us)
        return outcome.with_view(view)

    def _changed(self, slot: Slot) -> None:
        self._log_change(slot)
        self.registry.changed(slot)
        self._timers.set(slot, 0)
        self.on_change(slot)

    def _log_change(self, slot: Slot) -> None:
        """One line when a match is made and when it ends; moves are not logged."""
        table, created = slot.table, slot.table.created
        match = {"match_id": slot.match_id, "rule_set": created.rule_set.id}
        if slot.match_id not in self.registry:
            _log.info(
                "match_created", **match, seats=created.seats, calling=created.rule_set.calling
            )
        ended = table.ended
        if ended is not None and table.ended_us == table.changed_us and not table.rematch_id:
            _log.info("match_ended", **match, reason=ended.reason.value, rounds=table.game.round)

    def _due(self, slot: Slot) -> None:
        """Do what is due at a match without a command; one that has been over for long goes."""
        if slot.table.is_over:
            self.forget(slot)
            return
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(_retrieve)
        self.submit(Job(Tick(), answer, slot.match_id))

    def forget(self, slot: Slot) -> None:
        """Drop a match and its log."""
        self.registry.forget(slot)
        self._store.forget(slot.match_id)
        slot.end_streams()


def _draining() -> ServiceError:
    seconds = {"seconds": str(DRAINING_RETRY_S)}
    return ServiceError(ServiceReason.DRAINING, metadata=seconds, retry_after_s=DRAINING_RETRY_S)


def _answer(job: Job, outcome: Outcome) -> None:
    if not job.answer.done():
        job.answer.set_result(outcome)


def _refuse(job: Job, error: ServiceError) -> None:
    if not job.answer.done():
        job.answer.set_exception(error)


def _retrieve(answer: "asyncio.Future[Outcome]") -> None:
    """Take the outcome of a job that nobody waits for, so that a refusal is not reported."""
    if not answer.cancelled():
        answer.exception()
