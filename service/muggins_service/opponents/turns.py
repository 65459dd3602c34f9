"""The turns of opponents and stand-ins: who has to be asked, when, and what follows."""

import asyncio
from collections import Counter
from typing import NamedTuple

import structlog

from muggins_ai.levels import opponent_of
from muggins_ai.opponent import Choice
from muggins_rules.actions import Call, Claim
from muggins_rules.views import SeatView
from muggins_service.errors import ServiceError
from muggins_service.matches.engine import Engine
from muggins_service.matches.outcome import Job
from muggins_service.matches.slot import Slot
from muggins_service.opponents.calls import call_from_us
from muggins_service.opponents.past import PastRounds
from muggins_service.opponents.port import Opponents, OpponentsUnavailable
from muggins_service.opponents.questions import calling_view, decision_seed, question_of
from muggins_service.table.commands import Act
from muggins_service.table.facts import Cause
from muggins_service.table.pace import is_paced, paced_from_us
from muggins_service.table.policy import TablePolicy
from muggins_service.table.state import Occupant, Seat, Status, Table

__all__ = ["FALLBACK_ENGINE", "OpponentTurns", "fallback_choice"]

_log = structlog.get_logger("muggins.opponents")

FALLBACK_ENGINE = "fallback"

RETRY_S = 1.0
"""When a turn that was refused is tried again, with the fallback."""


class _Turn(NamedTuple):
    """A seat to be moved for, from a time on.

    `claims`: it has to claim for its last placement. `asks_early`: the choice is made before the
    time, so that how long it takes is not seen.
    """

    seat: int
    level: str
    cause: Cause
    from_us: int
    claims: bool = False
    asks_early: bool = False


class OpponentTurns:
    """Moves the seats that no player moves.

    Each new state of a match is looked at once. What was asked for an older state is dropped: the
    engine refuses it by its version.
    """

    def __init__(
        self, engine: Engine, opponents: Opponents, past: PastRounds, policy: TablePolicy
    ) -> None:
        """Begin without a turn; `fallbacks` counts by level the moves that no opponent chose."""
        self._engine = engine
        self._opponents = opponents
        self._past = past
        self._policy = policy
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closed = False
        self.fallbacks: Counter[str] = Counter()

    def on_change(self, slot: Slot) -> None:
        """Look at a match's new state: ask whoever is to act now or later."""
        earlier = self._tasks.pop(slot.match_id, None)
        if earlier is not None:
            earlier.cancel()
        table = slot.table
        if self._closed or table.status is not Status.PLAYING:
            self._past.forget(slot.match_id)
            return
        turn = claiming_turn(table) or next_turn(table, self._policy)
        callers = calling_seats(table)
        if turn is None and not callers:
            return
        task = asyncio.get_running_loop().create_task(self._act(slot, table, turn, callers))
        self._tasks[slot.match_id] = task
        task.add_done_callback(lambda done: self._done(slot.match_id, done))

    def _done(self, match_id: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(match_id) is task:
            del self._tasks[match_id]
        if not task.cancelled() and task.exception() is not None:
            _log.error("opponent_turn_failed", match_id=match_id, exc_info=task.exception())

    async def _act(
        self, slot: Slot, table: Table, turn: _Turn | None, callers: tuple[int, ...]
    ) -> None:
        claims = turn is not None and turn.claims
        if callers and not claims and await self._call(slot, table, callers):
            return
        if turn is None:
            return
        if not turn.asks_early:
            await self._until(turn.from_us)
        seed = decision_seed(slot.chain.secret(table.game.round), table, turn.seat)
        question = question_of(slot.match_id, table, turn.seat, turn.level, seed, self._past)
        cause = turn.cause
        try:
            choice = await self._opponents.choose(question)
        except OpponentsUnavailable:
            choice = fallback_choice(question.view)
        await self._until(turn.from_us)
        if choice.fallback:
            cause = Cause.FALLBACK
            self.fallbacks[turn.level] += 1
            _log.warning("opponent_fallback", match_id=slot.match_id, level=turn.level)
        act = Act(turn.seat, choice.action, cause, choice.engine)
        while not await self._submit(slot, table, act) and slot.table is table:
            # Nobody came first, so the turn would be lost: the store failed, or the choice was bad.
            await asyncio.sleep(RETRY_S)
            self.fallbacks[turn.level] += 1
            fallback = fallback_choice(question.view).action
            act = Act(turn.seat, fallback, Cause.FALLBACK, FALLBACK_ENGINE)

    async def _call(self, slot: Slot, table: Table, callers: tuple[int, ...]) -> bool:
        """Let opponents call, each at the time of its level: the stronger, the sooner."""
        seats = table.seats
        due = {seat: call_from_us(table, seats[seat].acting_level) for seat in callers}
        for seat in sorted(callers, key=due.__getitem__):
            level = seats[seat].acting_level
            await self._until(due[seat])
            try:
                view = calling_view(table, seat)
                calls = await self._opponents.calls(slot.match_id, level, view)
            except OpponentsUnavailable:
                calls = False
            if calls:
                call = Call(table.placement_sequence)
                engine = opponent_of(level).engine
                cause = acting_cause(table.seats[seat])
                if await self._submit(slot, table, Act(seat, call, cause, engine)):
                    return True
        return False

    async def _until(self, time_us: int) -> None:
        # Again where the loop woke a little early, or the clock was set back.
        while (left_us := time_us - self._engine.now_us()) > 0:  # noqa: ASYNC110 - time is awaited
            await asyncio.sleep(left_us / 1_000_000)

    async def _submit(self, slot: Slot, table: Table, act: Act) -> bool:
        """Act at a table as it was seen; False when that was refused."""
        answer = asyncio.get_running_loop().create_future()
        job = Job(act, answer, slot.match_id, expected_version=table.version, trusted=True)
        try:
            await asyncio.shield(self._engine.submit(job))
        except ServiceError as refused:
            _log.info("opponent_refused", match_id=slot.match_id, reason=refused.reason.value)
            return False
        return True

    def close(self) -> None:
        """Drop everything that was asked, and ask nothing more."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()


def next_turn(table: Table, policy: TablePolicy) -> _Turn | None:
    """The seat on turn, where an opponent, a stand-in or its timer moves it."""
    seat = table.seat_to_act
    if seat is None or table.turn is None:
        return None
    held = table.seats[seat]
    if held.acting_level:
        from_us = paced_from_us(table, table.turn, policy)
        early = is_paced(table)
        return _Turn(seat, held.acting_level, acting_cause(held), from_us, asks_early=early)
    if table.turn.deadline_us:
        level = table.created.options.takeover_level
        from_us = policy.due_us(table.turn.deadline_us, table.changed_us)
        return _Turn(seat, level, Cause.TIMEOUT, from_us)
    return None


def claiming_turn(table: Table) -> _Turn | None:
    """The claim of a placement whose player has left, or whose opponent made it without one."""
    round_state = table.game.table
    window = None if round_state is None else round_state.window
    if window is None or window.claimed is not None:
        return None
    held = table.seats[window.mover]
    if not held.acting_level or table.window is None:
        return None
    # Half of what is left of the minimum is the player's, to come back; others call after it.
    from_us = (table.changed_us + table.window.not_before_us) // 2
    return _Turn(window.mover, held.acting_level, acting_cause(held), from_us, claims=True)


def fallback_choice(view: SeatView) -> Choice:
    """What a seat does whose opponent gave no answer: the first legal action, or no claim."""
    actions = view.legal_actions
    action = actions[0].action if actions else Claim(0)
    return Choice(action, FALLBACK_ENGINE, fallback=True)


def acting_cause(seat: Seat) -> Cause:
    """What is behind the moves of a seat that no player moves."""
    return Cause.OPPONENT if seat.occupant is Occupant.OPPONENT else Cause.TAKEOVER


def calling_seats(table: Table) -> tuple[int, ...]:
    """The opponents and stand-ins that may call the placement whose window is open."""
    round_state = table.game.table
    window = None if round_state is None else round_state.window
    if window is None or window.called or table.window is None:
        return ()
    side_of = table.created.rule_set.side_of
    seats = len(table.seats)
    return tuple(
        seat
        for seat, held in enumerate(table.seats)
        if held.acting_level and side_of(seat, seats) != side_of(window.mover, seats)
    )
