"""What follows from a command at a table: checks in a fixed order, then drafted entries."""

from hashlib import sha256
from hmac import compare_digest
from typing import assert_never

from muggins_rules.actions import Action, Call
from muggins_rules.deciding import close_window, decide
from muggins_rules.events import EndReason
from muggins_rules.fair_deal import nonce_matches
from muggins_rules.refusal import IllegalAction, Refusal
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.table.commands import (
    Act,
    AgreeToEnd,
    Cancel,
    FillSeat,
    FreeSeat,
    JoinMatch,
    LeaveMatch,
    Resign,
    RevealNonce,
    SetSeatOptions,
    ShowHint,
    StartMatch,
    Tick,
)
from muggins_service.table.drafting import Draft, has_people
from muggins_service.table.facts import (
    Cause,
    HintShown,
    NonceRevealed,
    SeatLeft,
    SeatOptionsSet,
    SeatTaken,
    TakeoverChanged,
)
from muggins_service.table.giving_up import check_not_resigned, decide_giving_up
from muggins_service.table.record import SeatKey
from muggins_service.table.refusing import refusal_metadata
from muggins_service.table.state import Occupant, Status, Table
from muggins_service.table.timing import idle_at_us, starts_by_itself_at, window_closes_at

__all__ = [
    "HostCommand",
    "SeatCommand",
    "decide_act",
    "decide_host",
    "decide_join",
    "decide_seat",
    "decide_tick",
    "is_host",
    "seat_of_secret",
]

SeatCommand = RevealNonce | SetSeatOptions | LeaveMatch | Resign | AgreeToEnd | ShowHint
"""What a player asks for its own seat, beside the actions of the game."""

HostCommand = StartMatch | FillSeat | FreeSeat | Cancel
"""What the host asks, beside a rematch, which concerns two matches."""


def seat_of_secret(table: Table, secret: bytes) -> int | None:
    """The seat that a secret holds."""
    digest = sha256(secret).digest()
    for key in table.keys:
        if key is not None and compare_digest(key.secret_hash, digest):
            return key.seat
    return None


def is_host(table: Table, secret: bytes) -> bool:
    """True when the secret is the one with which the match was created."""
    return compare_digest(table.secrets.host_secret_hash, sha256(secret).digest())


def decide_join(draft: Draft, command: JoinMatch) -> tuple[int, SeatKey | None]:
    """Draft a player's sitting down or coming back; the seat, and its key when newly taken."""
    table = draft.table
    held = seat_of_secret(table, command.seat_secret)
    if held is not None:
        if command.seat not in {None, held}:
            raise ServiceError(ServiceReason.SEAT_NOT_YOURS)
        check_not_resigned(table, held)
        if table.seats[held].bot_plays and not table.is_over:
            draft.add(TakeoverChanged(held, bot_plays=False, level=""), Cause.PLAYER)
            draft.go_on()
        return held, None
    if table.status is not Status.OPEN:
        raise ServiceError(ServiceReason.MATCH_NOT_OPEN)
    invite = table.secrets.invite_code
    if invite and not compare_digest(invite.encode(), command.invite_code.encode()):
        raise ServiceError(ServiceReason.INVITE_CODE_WRONG)
    if not command.name:
        raise ServiceError(ServiceReason.NAME_NOT_ALLOWED)
    seat = _free_seat(table, command.seat)
    draft.add(SeatTaken(seat, command.name, "", command.nonce_commitment), Cause.PLAYER)
    draft.start_if_ready()
    earlier = table.keys[seat]
    epoch = 1 if earlier is None else earlier.epoch + 1
    return seat, SeatKey(seat, sha256(command.seat_secret).digest(), epoch)


def _free_seat(table: Table, wanted: int | None) -> int:
    if wanted is not None:
        check_seat(table, wanted)
        if table.seats[wanted].occupant is not Occupant.NOBODY:
            raise ServiceError(ServiceReason.SEAT_TAKEN)
        return wanted
    for seat, held in enumerate(table.seats):
        if held.occupant is Occupant.NOBODY:
            return seat
    raise ServiceError(ServiceReason.MATCH_FULL)


def check_seat(table: Table, seat: int) -> None:
    """Raise SEAT_UNKNOWN unless the table has the seat."""
    if not 0 <= seat < len(table.seats):
        raise ServiceError(ServiceReason.SEAT_UNKNOWN)


def decide_seat(draft: Draft, seat: int, command: SeatCommand) -> None:
    """Draft what a player asks for its own seat."""
    table = draft.table
    held = table.seats[seat]
    if not isinstance(command, LeaveMatch):
        check_not_resigned(table, seat)
    match command:
        case Resign() | AgreeToEnd():
            decide_giving_up(draft, seat, command)
        case RevealNonce(nonce):
            _check_nonce(table, seat, nonce)
            draft.add(NonceRevealed(seat, nonce), Cause.PLAYER)
            draft.start_if_ready()
        case SetSeatOptions(options):
            _check_not_over(table)
            if options != held.options:
                draft.add(SeatOptionsSet(seat, options), Cause.PLAYER)
                draft.go_on()
        case LeaveMatch():
            _check_not_over(table)
            if table.status is Status.OPEN and not _is_revealing(table):
                draft.add(SeatLeft(seat), Cause.PLAYER)
            elif not held.bot_plays:
                draft.take_over(seat, Cause.PLAYER)
        case ShowHint(step):
            _check_may_be_advised(table, seat)
            draft.add(HintShown(seat, step), Cause.PLAYER)
        case _:
            assert_never(command)


def _check_may_be_advised(table: Table, seat: int) -> None:
    if not table.created.options.hints:
        raise ServiceError(ServiceReason.HINTS_OFF)
    _check_playing(table)
    if table.seat_to_act != seat:
        raise ServiceError(Refusal.NOT_YOUR_TURN)


def _check_nonce(table: Table, seat: int, nonce: bytes) -> None:
    held = table.seats[seat]
    if table.status is not Status.OPEN or not held.nonce_commitment:
        raise ServiceError(ServiceReason.NONCE_NOT_EXPECTED)
    if held.nonce:
        raise ServiceError(ServiceReason.NONCE_ALREADY_REVEALED)
    if not table.is_full:
        raise ServiceError(ServiceReason.SEATS_NOT_FILLED)
    if not nonce_matches(held.nonce_commitment, nonce):
        raise ServiceError(ServiceReason.NONCE_MISMATCH)


def _is_revealing(table: Table) -> bool:
    """True once a nonce is known: a seat freed now could be taken with that knowledge."""
    return any(seat.nonce for seat in table.seats)


def _check_not_over(table: Table) -> None:
    if table.is_over:
        raise ServiceError(Refusal.MATCH_OVER)


def _check_playing(table: Table) -> None:
    _check_not_over(table)
    if table.status is not Status.PLAYING:
        raise ServiceError(Refusal.MATCH_NOT_STARTED)


def _check_open(table: Table) -> None:
    _check_not_over(table)
    if table.status is not Status.OPEN:
        raise ServiceError(ServiceReason.MATCH_NOT_OPEN)


def decide_host(draft: Draft, command: HostCommand) -> None:
    """Draft what the host asks; levels have been checked."""
    table = draft.table
    match command:
        case StartMatch():
            _check_open(table)
            if not table.is_full:
                raise ServiceError(ServiceReason.SEATS_NOT_FILLED)
            draft.start()
        case FillSeat(seat, level):
            check_seat(table, seat)
            _check_open(table)
            if table.seats[seat].occupant is not Occupant.NOBODY:
                raise ServiceError(ServiceReason.SEAT_TAKEN)
            draft.add(SeatTaken(seat, "", level), Cause.HOST)
            draft.start_if_ready()
        case FreeSeat(seat):
            check_seat(table, seat)
            _check_open(table)
            if table.seats[seat].occupant is Occupant.NOBODY:
                return
            if _is_revealing(table):
                raise ServiceError(ServiceReason.MATCH_NOT_OPEN)
            draft.add(SeatLeft(seat), Cause.HOST)
        case Cancel():
            _check_not_over(table)
            draft.end(EndReason.CANCELLED)
        case _:
            assert_never(command)


def decide_act(draft: Draft, command: Act) -> None:
    """Draft an action of the game; a player who acts takes its seat back from a stand-in."""
    table, seat = draft.table, command.seat
    _check_playing(table)
    if command.cause is Cause.PLAYER:
        check_not_resigned(table, seat)
    action = _with_placement_number(table, command.action)
    may_close = table.window is None or draft.now_us >= table.window.not_before_us
    try:
        events = decide(table.game, seat, action, window_may_close=may_close)
    except IllegalAction as illegal:
        metadata = refusal_metadata(illegal.refusal, table, action, draft.now_us)
        raise ServiceError(illegal.refusal, metadata=metadata) from None
    if table.seats[seat].bot_plays and command.cause is Cause.PLAYER:
        draft.add(TakeoverChanged(seat, bot_plays=False, level=""), Cause.PLAYER)
    draft.play(events, command.cause, command.engine)


def _with_placement_number(table: Table, action: Action) -> Action:
    """The action with a call's sequence as the number of the placement in its round."""
    if not isinstance(action, Call):
        return action
    round_state = table.game.table
    known = round_state is not None and action.placement == table.placement_sequence
    return Call(len(round_state.layout.placements) if known and round_state else 0)


def decide_tick(draft: Draft, tick: Tick) -> None:
    """Draft what is due by now; nothing when a command came first."""
    table, now_us, policy = draft.table, draft.now_us, draft.policy
    idle = now_us >= idle_at_us(table, policy)
    if table.is_over:
        return
    if table.status is Status.OPEN:
        if table.is_full and starts_by_itself_at(table, policy) <= now_us:
            draft.start()
        elif idle:
            draft.end(EndReason.EXPIRED)
        return
    if table.window is not None and now_us >= window_closes_at(table.window, table, policy):
        draft.play(close_window(table.game), Cause.UNSPECIFIED)
    else:
        if tick.away is not None:
            draft.take_over(tick.away, Cause.TIMEOUT)
        draft.go_on()
    if idle and not draft.entries:
        draft.end(EndReason.EXPIRED if has_people(table) else EndReason.ABANDONED)
